"""Other programs that learn causal graphs, for `bench_peers.py`: each fits tables in a separate process.

python3 scripts/peers.py PEER   installs it into an environment under target/, then reads lines {"table": CSV, "limit": CPU seconds} and answers each with a line:
{"edges": pairs of column numbers, "wall": seconds, "cpu": seconds} or {"failure": why}. Beyond the limit the process ends by SIGPROF.

Settings are the packages' defaults where they have any. Libraries get one thread. An undirected edge is there both ways. Seconds are those of the fit, from the table
in memory, without the start of Python and its imports.
"""

import contextlib
import csv
import json
import os
import random
import signal
import sys
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Callable

import environment

ENVIRONMENT = "venv-peers"
NUMPY = "numpy==2.2.6"  # one for all, since they share the environment
TORCH = "torch==2.15.0"
CASTLE = "gcastle==1.0.4"
DAGMA = "dagma==1.1.1"
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
    labels: Callable = None  # the same for a table of labels, as numbers from 0 on, if it has such a score or test
    is_dag: bool = True  # or the answer is an equivalence class, or a part of one


def notears(data):
    from castle.algorithms import Notears

    return castle(data, Notears)


def notears_mlp(data):
    from castle.algorithms import NotearsNonlinear

    return castle(data, lambda: NotearsNonlinear(model_type="mlp"))


def dag_gnn(data):
    from castle.algorithms import DAG_GNN

    return castle(data, DAG_GNN)


def castle(data, algorithm):
    import torch

    torch.manual_seed(0)

    def fit():
        model = algorithm()
        model.learn(data)
        return links(model.causal_matrix)

    return fit


def dagma(data):
    from dagma.linear import DagmaLinear

    return lambda: links(DagmaLinear("l2").fit(data))


def dagma_mlp(data):
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


def ges(score):
    def prepare(data):
        from causallearn.search.ScoreBased.GES import ges

        return lambda: marks(ges(data, score)["G"].graph)

    return prepare


def pc(test):
    def prepare(data):
        from causallearn.search.ConstraintBased.PC import pc

        return lambda: marks(pc(data, indep_test=test, show_progress=False).G.graph)

    return prepare


def flop(data):
    from flopsearch import flop

    return lambda: links(flop(data, 2.0, restarts=50))


def of_classes(title, requirements, settings, prepare, labels=None):
    return Peer(title, requirements, settings, prepare, labels, is_dag=False)


QUICK = {
    "pc": of_classes("PC", [CAUSAL_LEARN, NUMPY], "Fisher's z of partial correlations, labels by chi-squared; alpha 0.05, the default", pc("fisherz"), pc("chisq")),
    "ges": of_classes("GES", [CAUSAL_LEARN, NUMPY], "Gaussian BIC with lambda 0.5, labels by BDeu: defaults", ges("local_score_BIC_from_cov"), ges("local_score_BDeu")),
    "boss": of_classes("BOSS", [CAUSAL_LEARN, NUMPY], "Gaussian BIC with lambda 2, labels by BDeu: defaults", boss("local_score_BIC_from_cov"), boss("local_score_BDeu")),
    "flop": of_classes("FLOP", ["flopsearch==0.3.0", NUMPY], "Gaussian BIC with lambda 2, 50 restarts, as in its manual (they have no defaults)", flop),
    "direct-lingam": Peer("DirectLiNGAM", [LINGAM, NUMPY], "defaults; linear", direct_lingam),
    "notears": Peer("NOTEARS", [CASTLE, TORCH, NUMPY], "linear, lambda 0.1, edges from a weight of 0.3: defaults", notears),
    "dagma": Peer("DAGMA", [DAGMA, TORCH, NUMPY], "linear, squared loss, lambda 0.03, edges from a weight of 0.3: defaults", dagma),
}
SLOW = {
    "notears-mlp": Peer("NOTEARS-MLP", [CASTLE, TORCH, NUMPY], "10 hidden units, lambda 0.01 and 0.01, edges from a weight of 0.3: defaults", notears_mlp),
    "dagma-mlp": Peer("DAGMA-MLP", [DAGMA, TORCH, NUMPY], "10 hidden units as in its manual, lambda 0.02 and 0.005, edges from a weight of 0.3: defaults", dagma_mlp),
    "resit": Peer("RESIT", [LINGAM, NUMPY], "random forests of depth 4 as in its manual (it has no default), HSIC at 0.01", resit),
    "dag-gnn": Peer("DAG-GNN", [CASTLE, TORCH, NUMPY], "300 epochs, batches of 100, edges from a weight of 0.3: defaults", dag_gnn),
    "boss-marginal": of_classes("BOSS, kernel, marginal", [CAUSAL_LEARN, NUMPY], KERNEL.format("defaults"), boss("local_score_marginal_general")),
    "boss-cv": of_classes("BOSS, kernel, cross-validated", [CAUSAL_LEARN, NUMPY], KERNEL.format("10 folds, lambda 0.01: defaults"), boss("local_score_CV_general")),
}
PEERS = QUICK | SLOW


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
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        for line in sys.stdin:
            print(json.dumps(answer(peer, **json.loads(line))), file=answers, flush=True)


def answer(peer, table, limit):
    import numpy as np

    random.seed(0)
    np.random.seed(0)
    data, is_labels = read(table)
    try:
        fit = (peer.labels if is_labels else peer.prepare)(data)
        signal.setitimer(signal.ITIMER_PROF, limit)
        wall, cpu = perf_counter(), process_time()
        edges = fit()
        return {"edges": edges, "wall": perf_counter() - wall, "cpu": process_time() - cpu}
    except Exception as error:
        return {"failure": f"{type(error).__name__}: {error}"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def read(table):
    """The cells as numbers, and whether they are labels."""
    import numpy as np

    with open(table) as lines:
        _, *cells = csv.reader(lines)
    try:
        return np.array(cells, dtype=float), False
    except ValueError:
        columns = [np.unique(column, return_inverse=True)[1] for column in zip(*cells)]
        return np.stack(columns, axis=1), True


if __name__ == "__main__":
    main()
