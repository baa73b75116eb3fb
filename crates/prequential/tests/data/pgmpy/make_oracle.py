"""Makes asia.json and random_12.json: K2 and BDeu scores by pgmpy of families and graphs of the tables beside them.

Needs pgmpy 1.1.2 and our command. Run: python make_oracle.py ../../../../../target/release/prequential
A family is one line: [child, parents, [K2, BDeu with sample size 1, BDeu with 10]], in nats, larger is better; a graph is
[edges, [the same three]]. For a combination of parent values that occurs in no row, pgmpy 1.1.2 adds ln Gamma(levels of the
child) to K2 without taking it off again (in BDeu it does); values are stored as it gives them, so K2 is too high by that.
"""

import gzip
import hashlib
import json
import subprocess
import sys
from importlib.metadata import version
from itertools import combinations
from math import lgamma, prod
from pathlib import Path
from random import Random

import pandas as pd
from pgmpy.base import DAG
from pgmpy.structure_score import K2, BDeu
from pgmpy.utils import get_state_counts

FOLDER = Path(__file__).parent
TABLES = {
    "asia": ["simulate", "asia", "--seed", "1", "--rows", "2000"],
    "random_12": ["simulate", "random-categorical", "--variables", "12", "--seed", "1", "--rows", "1000"],
}
MAX_FAMILIES_OF_A_SIZE = 150
N_RANDOM_GRAPHS = 8


class Oracle:
    def __init__(self, data):
        self.data = data
        self.scores = [K2(data), BDeu(data, equivalent_sample_size=1), BDeu(data, equivalent_sample_size=10)]

    def family(self, child, parents):
        return [child, parents, [float(score.local_score(child, tuple(parents))) for score in self.scores]]

    def graph(self, edges):
        dag = DAG()
        dag.add_nodes_from(self.data.columns)
        dag.add_edges_from(edges)
        return [edges, [float(score.score(dag)) for score in self.scores]]

    def unseen(self, parents):
        n_possible = prod(self.data[parent].nunique() for parent in parents)
        return n_possible - (len(self.data.groupby(parents, observed=True)) if parents else 1)

    def check_note_on_unseen(self, child, parents):
        """The claim in the first comment: with all combinations in the table of counts, K2 is lower by just that much."""
        names = self.scores[0].state_names
        n_levels = len(names[child])
        counts = get_state_counts(self.scores[0].data, names, child, parents).to_numpy()
        assert len(counts) == n_levels
        textbook = sum(
            lgamma(n_levels) - lgamma(column.sum() + n_levels) + sum(lgamma(count + 1) for count in column)
            for column in counts.T
        )
        given = self.scores[0].local_score(child, tuple(parents))
        assert abs(textbook - given + self.unseen(parents) * lgamma(n_levels)) < 1e-9 * abs(textbook), (child, parents)


def some_families(names, rng):
    for n_parents in range(4):
        families = [
            (child, list(parents))
            for child in names
            for parents in combinations([name for name in names if name != child], n_parents)
        ]
        yield from rng.sample(families, min(len(families), MAX_FAMILIES_OF_A_SIZE))


def some_graphs(names, rng):
    yield []
    for _ in range(N_RANDOM_GRAPHS):
        order = rng.sample(names, len(names))
        for_child = {child: rng.sample(order[:i], rng.randint(0, min(i, 3))) for i, child in enumerate(order)}
        yield [[parent, child] for child, parents in for_child.items() for parent in parents]


def lines(rows):
    return "[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]"


def make(command, name, arguments):
    table = gzip.compress(subprocess.run([command, *arguments], check=True, capture_output=True).stdout, mtime=0)
    path = FOLDER / f"{name}.csv.gz"
    path.write_bytes(table)
    rng = Random(1)
    oracle = Oracle(pd.read_csv(path, dtype="category"))
    names = list(oracle.data.columns)
    families = list(some_families(names, rng))
    for child, parents in families:
        oracle.check_note_on_unseen(child, parents)
    head = {
        "package": f"pgmpy {version('pgmpy')}",
        "command": " ".join(["prequential", *arguments]),
        "sha256": hashlib.sha256(table).hexdigest(),
    }
    stored = json.dumps(head, separators=(",", ":"))[:-1]
    stored += f',"families":{lines(oracle.family(*family) for family in families)}'
    stored += f',"graphs":{lines(oracle.graph(edges) for edges in some_graphs(names, rng))}}}\n'
    (FOLDER / f"{name}.json").write_text(stored)


for name, arguments in TABLES.items():
    make(sys.argv[1], name, arguments)
