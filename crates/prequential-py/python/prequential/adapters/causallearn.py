"""causal-learn: our graph as its DAG, our score in its permutation and exact searches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import networkx
from causallearn.graph.Dag import Dag
from causallearn.graph.GraphNode import GraphNode
from causallearn.search.PermutationBased import BOSS, GRaSP
from causallearn.search.ScoreBased import GES, ExactSearch

from .._scorer import FamilyScorer

REFUSAL = (
    "GES needs a score that is the same for all graphs of an equivalence class, which prequential code lengths are not: "
    "it may drop strong edges or not terminate\nhint: use BOSS, GRaSP or exact search, or `prequential.learn`"
)


def dag(graph: networkx.DiGraph) -> Dag:
    """The graph as a DAG of causal-learn, isolated nodes too."""
    nodes = {name: GraphNode(str(name)) for name in graph.nodes}
    made = Dag(list(nodes.values()))
    for one, other in graph.edges:
        made.add_directed_edge(nodes[one], nodes[other])
    return made


@contextmanager
def scored_by(scorer: FamilyScorer) -> Iterator[None]:
    """Within it, `boss`, `grasp` (with `score_func="local_score_BDeu"`) and `bic_exact_search` use our code lengths.

    causal-learn has no parameter for a custom score, so its functions are replaced temporarily: not thread-safe. The columns
    of its array are the variables of `scorer`, in their order.
    """
    names = scorer.names

    def code_length(child: int, parents: Any) -> float:
        return scorer(names[int(child)], [names[int(parent)] for parent in parents])

    def higher_is_better(data: Any, child: int, parents: Any, parameters: Any = None) -> float:
        return -code_length(child, parents)

    def lower_is_better(data: Any, child: int, structure: Any, *rest: Any) -> float:
        return code_length(child, structure)

    def refuse(*arguments: Any, **options: Any) -> float:
        raise ValueError(REFUSAL)

    with (
        mock.patch.object(BOSS, "local_score_BDeu", higher_is_better),
        mock.patch.object(GRaSP, "local_score_BDeu", higher_is_better),
        mock.patch.object(ExactSearch, "bic_score_node", lower_is_better),
        mock.patch.object(GES, "local_score_BDeu", refuse),
        mock.patch.object(GES, "local_score_BIC", refuse),
    ):
        yield
