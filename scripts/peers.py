"""Other programs that learn causal graphs, for `bench_peers.py`: each fits one table in a process of its own.

python3 scripts/peers.py PEER                      installs it, into an environment under target/
python3 scripts/peers.py PEER TABLE.csv FIT.json   fits it and writes edges and seconds

Settings are the packages' defaults where they have any. Columns are standardised; libraries get one thread. Edges are pairs of column numbers, an undirected edge
is there both ways. Seconds are those of the fit, from the table in memory, without the start of Python and its imports.
"""

import contextlib
import json
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Callable

import environment

ENVIRONMENT = "venv-peers"
NUMPY = "numpy==2.2.6"  # one for all, since they share the environment
TORCH = "torch==2.15.0"
CAUSAL_LEARN = "causal-learn==0.1.4.8"
LINGAM = "lingam==1.13.0"
KERNEL = "{}; this version centres kernels element by element, see bench_kernel_scores.py"


@dataclass
class Peer:
    """A package's algorithm: `prepare(data)` imports what it needs and returns what is timed, a function that returns the edges."""

    title: str
    requirements: list
    settings: str
    prepare: Callable
    is_dag: bool = True  # or the answer is an equivalence class, or a part of one


def notears(data):
    import torch
    from castle.algorithms import NotearsNonlinear

    torch.manual_seed(0)

    def fit():
        model = NotearsNonlinear(model_type="mlp")
        model.learn(data)
        return links(model.causal_matrix)

    return fit


def dagma(data):
    import torch
    from dagma.nonlinear import DagmaMLP, DagmaNonlinear

    torch.manual_seed(0)
    return lambda: links(DagmaNonlinear(DagmaMLP([data.shape[1], 10, 1])).fit(data))


def resit(data):
    from lingam import RESIT
    from sklearn.ensemble import RandomForestRegressor

    regressor = RandomForestRegressor(max_depth=4, random_state=0)
    return lambda: links(RESIT(regressor).fit(data).adjacency_matrix_.T)


def direct_lingam(data):
    from lingam import DirectLiNGAM

    return lambda: links(DirectLiNGAM().fit(data).adjacency_matrix_.T)


def boss(score):
    def prepare(data):
        from causallearn.search.PermutationBased.BOSS import boss

        return lambda: marks(boss(data, score, verbose=False).graph)

    return prepare


def pc(data):
    from causallearn.search.ConstraintBased.PC import pc

    return lambda: marks(pc(data, show_progress=False).G.graph)


def flop(data):
    from flopsearch import flop

    return lambda: links(flop(data, 2.0, restarts=50))


PEERS = {
    "notears": Peer("NOTEARS-MLP", ["gcastle==1.0.4", TORCH, NUMPY], "10 hidden units, lambda 0.01 and 0.01, edges from a weight of 0.3: defaults", notears),
    "dagma": Peer("DAGMA-MLP", ["dagma==1.1.1", TORCH, NUMPY], "10 hidden units as in its manual, lambda 0.02 and 0.005, edges from a weight of 0.3: defaults", dagma),
    "resit": Peer("RESIT", [LINGAM, NUMPY], "random forests of depth 4 as in its manual (it has no default), HSIC at 0.01", resit),
    "direct-lingam": Peer("DirectLiNGAM", [LINGAM, NUMPY], "defaults; linear", direct_lingam),
    "boss": Peer("BOSS, BIC", [CAUSAL_LEARN, NUMPY], "lambda 2, the default; linear", boss("local_score_BIC_from_cov"), False),
    "boss-cv": Peer("BOSS, kernel, cross-validated", [CAUSAL_LEARN, NUMPY], KERNEL.format("10 folds, lambda 0.01: defaults"), boss("local_score_CV_general"), False),
    "boss-marginal": Peer("BOSS, kernel, marginal", [CAUSAL_LEARN, NUMPY], KERNEL.format("defaults"), boss("local_score_marginal_general"), False),
    "pc": Peer("PC, Fisher-z", [CAUSAL_LEARN, NUMPY], "alpha 0.05, the default; linear", pc, False),
    "flop": Peer("FLOP, BIC", ["flopsearch==0.3.0", NUMPY], "lambda 2 and 50 restarts as in its manual (they have no defaults); linear", flop, False),
}


def links(matrix):
    """Edges of a matrix whose row is the cause."""
    n_vars = len(matrix)
    return [(a, b) for a in range(n_vars) for b in range(n_vars) if matrix[a][b] != 0]


def marks(graph):
    """Edges of causal-learn's matrix: -1 is a tail and 1 a head, at the end of the row's variable. Heads at both ends count as undirected."""
    return [(a, b) for a, b in links(graph) if not graph[a][b] > graph[b][a]]


def main():
    peer = PEERS[sys.argv[1]]
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", CASTLE_BACKEND="pytorch")  # before they are loaded
    environment.enter(ENVIRONMENT, peer.requirements)
    if len(sys.argv) == 2:
        return
    import numpy as np

    random.seed(0)
    np.random.seed(0)
    data = np.loadtxt(sys.argv[2], delimiter=",", skiprows=1)
    data = (data - data.mean(axis=0)) / data.std(axis=0)
    with contextlib.redirect_stdout(sys.stderr):
        fit = peer.prepare(data)
        wall, cpu = perf_counter(), process_time()
        edges = fit()
        wall, cpu = perf_counter() - wall, process_time() - cpu
    Path(sys.argv[3]).write_text(json.dumps({"edges": edges, "wall": wall, "cpu": cpu}))


if __name__ == "__main__":
    main()
