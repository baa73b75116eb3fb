"""Code lengths of single families, for searches of other packages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from . import _api, _native, _options
from ._keywords import ScoringOptions
from ._results import Scored
from ._run import wait


class FamilyScorer:
    """The code length of a variable given its parents, in nats; smaller is better. Every family is scored once and cached.

    >>> import prequential
    >>> table, _ = prequential.simulate("asia", rows=500, seed=1)
    >>> scorer = prequential.FamilyScorer(table)
    >>> scorer("lung", ["smoke"]) < scorer("lung")
    True
    """

    def __init__(self, data: Any, *, names: Iterable[str] | None = None, **options: Unpack[ScoringOptions]) -> None:
        given = _options.checked(options, ScoringOptions)
        self._table = _api._read(data, names, given)
        self._options = _options.to_json(given)
        self._known: dict[tuple[str, frozenset[str]], float] = {}

    @property
    def names(self) -> list[str]:
        """The variables, in the order of the columns."""
        return self._table.names

    def __call__(self, child: str, parents: Iterable[str] = ()) -> float:
        """The code length of one family."""
        family = (child, frozenset(parents))
        if family not in self._known:
            self.score([family])
        return self._known[family]

    def score(self, families: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Scores several families at once, in parallel."""
        wanted = {(child, frozenset(parents)) for child, parents in families} - set(self._known)
        listed = [(child, sorted(parents)) for child, parents in sorted(wanted, key=lambda family: (family[0], sorted(family[1])))]
        run = _native.Run.score(self._table, self._options, listed, None, None, None)
        wait(run, False)
        for family in Scored(run.scored().to_json(), "").to_dict()["families"]:
            self._known[family["child"], frozenset(family["parents"])] = family["code_length_nats"]
