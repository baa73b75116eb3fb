"""The tables of `bench_peers.py`: simulated from known graphs, in sets, each a row of the results."""

import csv
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev

RANDOM = {"random-mechanisms": "random mechanisms", "random-gp": "Gaussian processes", "random-mlp": "random networks", "random-additive": "random sums", "random-functions": "random functions"}
N_SEEDS = {5: 3, 10: 3, 20: 2}  # tables of a random kind, by columns


@dataclass
class TableSet:
    """Tables whose results are averaged; each is named by the arguments of `prequential simulate` that draw it."""

    title: str
    kind: str
    n_vars: int
    tables: list


def paper(title, kind, n_vars=5, n_sets=0):
    tables = [f"{kind} --set {i}" for i in range(1, n_sets + 1)] or [kind]
    return TableSet(title, kind, n_vars, [f"{table} --rows 5000 --seed 1" for table in tables])


def drawn(kind, n_vars):
    tables = [f"{kind} --variables {n_vars} --rows 2000 --seed {seed}" for seed in range(1, N_SEEDS[n_vars] + 1)]
    return TableSet(f"{RANDOM[kind]}, {n_vars} columns", kind, n_vars, tables)


SETS = [
    paper("Table 1, first equation", "yu-a", n_sets=5),
    paper("Table 1, second equation", "yu-b", n_sets=5),
    paper("Table 2, mechanisms", "mechanisms", n_sets=20),
    paper("chain3", "chain3", n_vars=3),
    paper("star5", "star5"),
    paper("chain5", "chain5"),
    paper("chain5-periodic", "chain5-periodic"),
    *(drawn(kind, n_vars) for n_vars in N_SEEDS for kind in RANDOM),
    paper("ALARM, labels", "alarm", n_vars=37),
]


@dataclass
class Table:
    data: Path
    columns: list
    truth: set
    is_labels: bool


def draw(command, table, folder):
    data, truth = Path(folder, f"{table}.csv"), Path(folder, f"{table}.json")
    subprocess.run([command, "simulate", *table.split(), "--out", data, "--truth", truth], check=True, capture_output=True)
    is_labels = not standardise(data)
    graph = json.loads(truth.read_text())
    return Table(data, graph["nodes"], {tuple(edge) for edge in graph["edges"]}, is_labels)


def standardise(data):
    """Gives every column mean 0 and standard deviation 1; returns whether they are numbers."""
    with open(data) as lines:
        names, *rows = csv.reader(lines)
    try:
        columns = [list(map(float, column)) for column in zip(*rows)]
    except ValueError:
        return False
    centres = [(fmean(column), pstdev(column)) for column in columns]
    with open(data, "w", newline="") as lines:
        csv.writer(lines).writerows([names, *zip(*([(x - mean) / deviation for x in column] for column, (mean, deviation) in zip(columns, centres)))])
    return True
