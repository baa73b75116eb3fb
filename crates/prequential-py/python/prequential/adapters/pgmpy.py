"""pgmpy: our graph as its DAG, our score in its searches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx
from pgmpy.base import DAG
from pgmpy.structure_score import BaseStructureScore

from .._scorer import FamilyScorer


def dag(graph: networkx.DiGraph) -> DAG:
    """The graph as a DAG of pgmpy, isolated nodes too."""
    made = DAG()
    made.add_nodes_from(graph.nodes)
    made.add_edges_from(graph.edges)
    return made


class PrequentialScore(BaseStructureScore):  # type: ignore[misc]
    """Our code lengths as a score of pgmpy: `HillClimbSearch(scoring_method=PrequentialScore(scorer))`.

    In pgmpy higher is better, so scores are negative code lengths. Searches over equivalence classes (GES) need a score that
    is the same for all graphs of a class, which ours is not: use hill climbing.
    """

    def __init__(self, scorer: FamilyScorer) -> None:
        # The base copies the table and lists every number as a state.
        super(BaseStructureScore, self).__init__()
        self.scorer = scorer

    def local_score(self, variable: str, parents: Iterable[str]) -> float:
        return -self.scorer(variable, parents)

    def structure_prior(self, model: Any) -> float:
        return 0.0

    def structure_prior_ratio(self, operation: Any) -> float:
        return 0.0
