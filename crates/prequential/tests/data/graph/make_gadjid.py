"""Makes gadjid.json: adjustment distances between random DAGs, computed by the package gadjid (pip install gadjid).

Each case is one line: [n_nodes, truth, guess, parent_aid, ancestor_aid], a graph being its list of [from, to].
Both distances are counts of wrong (cause, effect) pairs. Run: python make_gadjid.py > gadjid.json
"""

import json
from importlib.metadata import version

import gadjid
import numpy as np


def random_dag(rng, n_nodes):
    order = rng.permutation(n_nodes)
    upper = np.triu(rng.random((n_nodes, n_nodes)) < rng.uniform(0.1, 0.8), k=1).astype(np.int8)
    dag = np.zeros_like(upper)
    dag[np.ix_(order, order)] = upper
    return dag


def turn_some_edges(rng, dag):
    """A guess near the truth: the same skeleton under another order, some edges dropped."""
    n_nodes = len(dag)
    rank = rng.permutation(n_nodes)
    guess = np.zeros_like(dag)
    for a, b in zip(*np.nonzero(dag)):
        if rng.random() < 0.9:
            guess[(a, b) if rank[a] < rank[b] else (b, a)] = 1
    return guess


def distance(function, truth, guess):
    return int(function(truth, guess, edge_direction="from row to column")[1])


def edges(dag):
    return [[int(a), int(b)] for a, b in zip(*np.nonzero(dag))]


def main():
    rng = np.random.default_rng(20210705)
    lines = []
    for i in range(220):
        n_nodes = 2 + i % 11
        truth = random_dag(rng, n_nodes)
        guess = turn_some_edges(rng, truth) if i % 3 == 0 else random_dag(rng, n_nodes)
        parent = distance(gadjid.parent_aid, truth, guess)
        assert parent == distance(gadjid.sid, truth, guess)
        case = [n_nodes, edges(truth), edges(guess), parent, distance(gadjid.ancestor_aid, truth, guess)]
        lines.append(json.dumps(case, separators=(",", ":")))
    package = f"gadjid {version('gadjid')}"
    print(f'{{"package":"{package}","cases":[\n' + ",\n".join(lines) + "\n]}")


main()
