"""Learns the causal graph behind a table: the graph under which the rows can be predicted with the least total log-loss.

>>> import prequential
>>> table, truth = prequential.simulate("asia", rows=1000, seed=1)
>>> result = prequential.learn(table, seed=7)
>>> result.graph.has_edge("either", "xray")
True
"""

from ._api import PartialWarning, Simulated, TableWarning, compare, learn, load, score, simulate
from ._dispatch import WorkerError
from ._results import Comparison, Learned, Scored
from ._scorer import FamilyScorer

__all__ = [
    "Comparison",
    "FamilyScorer",
    "Learned",
    "PartialWarning",
    "Scored",
    "Simulated",
    "TableWarning",
    "WorkerError",
    "compare",
    "learn",
    "load",
    "score",
    "simulate",
]
