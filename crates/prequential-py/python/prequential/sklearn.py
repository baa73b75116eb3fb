"""Learning a graph in the style of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from ._api import learn
from ._keywords import Edges, EstimatorName, Names, SearchName
from ._options import names

#: The fewest rows that the library learns from.
MIN_ROWS = 10


class CausalGraphLearner(BaseEstimator):  # type: ignore[misc]
    """Learns the causal graph behind the columns of `X`, a frame of any library or an array, whose columns are `x0`, `x1` and so on.

    Columns of an array are numeric unless `labels` names them. Parameters are those of `prequential.learn`; pass others in `options`.
    There is no `score`: code lengths of graphs are comparable only on the same table.

    Attributes
    ----------
    result_ : Learned
        The whole result.
    graph_ : networkx.DiGraph
        The best graph.
    adjacency_matrix_ : numpy.ndarray
        `a[i, j]` is 1 if column i is a parent of column j.

    Examples
    --------
    >>> import prequential
    >>> from prequential.sklearn import CausalGraphLearner
    >>> table, _ = prequential.simulate("asia", rows=1000, seed=1)
    >>> CausalGraphLearner(seed=7).fit(table).graph_.has_edge("either", "xray")
    True
    """

    def __init__(
        self,
        *,
        estimator: EstimatorName = "auto",
        search: SearchName = "auto",
        max_parents: int | None = None,
        seed: int = 0,
        permutations: int = 1,
        threads: int | None = None,
        labels: Names = (),
        numbers: Names = (),
        require: Edges = (),
        forbid: Edges = (),
        tiers: Iterable[Names] = (),
        time_limit: float | str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.estimator = estimator
        self.search = search
        self.max_parents = max_parents
        self.seed = seed
        self.permutations = permutations
        self.threads = threads
        self.labels = labels
        self.numbers = numbers
        self.require = require
        self.forbid = forbid
        self.tiers = tiers
        self.time_limit = time_limit
        self.options = options

    def fit(self, X: Any, y: Any = None) -> CausalGraphLearner:  # noqa: N803
        """Learns the graph; `y` is not used."""
        options = self.get_params(deep=False)
        more = options.pop("options") or {}
        if hasattr(X, "columns"):
            # Frames keep their kinds of columns.
            validate_data(self, X, skip_check_array=True)
            data = X
        else:
            checked = validate_data(
                self, X, ensure_all_finite="allow-nan", ensure_min_samples=MIN_ROWS, ensure_min_features=2
            )
            data = {f"x{place}": checked[:, place] for place in range(checked.shape[1])}
            # Arrays are numeric, even with few different values, except for columns in `labels`.
            labels = names(self.labels)
            options["numbers"] = [*names(self.numbers), *(name for name in data if name not in labels)]
        self.result_ = learn(data, **{"progress": False, **options, **more})
        self.graph_ = self.result_.graph
        self.adjacency_matrix_ = numpy.array(self.result_.adjacency_matrix)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
