#!/usr/bin/env python3
"""Times K2 scores of families with at most two parents: this project on one thread against pgmpy, in the same run.

Run from anywhere: python3 scripts/bench_pgmpy.py [--families N] [--rows 1000,10000,100000]
Makes its own environment with pgmpy under target/, builds the release version, and prints a Markdown table.
Ours scores all families of the table; pgmpy a fixed random sample, of which the mean is given. Both run in turn, ours first
and last; of each the fastest run counts, because other work on the machine only ever adds. Every sampled score is compared.
"""

import argparse
import json
import subprocess
from itertools import combinations
from math import lgamma, prod
from random import Random
from time import perf_counter

import environment
from environment import TARGET

PGMPY = "pgmpy==1.1.2"
N_VARS = 37
MAX_PARENTS = 2
N_ROUNDS = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--families", type=int, default=300, help="how many families pgmpy scores [default: 300]")
    parser.add_argument("--rows", default="1000,10000,100000", help="numbers of rows [default: 1000,10000,100000]")
    options = parser.parse_args()
    environment.enter("venv-pgmpy", [PGMPY])
    command, example = environment.build("score_families")
    print(f"{N_VARS} variables, families with at most {MAX_PARENTS} parents; {PGMPY} on {options.families} of them\n")
    print("| rows | families | ours, s per 1000 | pgmpy, s per 1000 | pgmpy / ours | ours, all (s) | pgmpy, all (s, extrapolated) |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for n_rows in map(int, options.rows.split(",")):
        print(compare(command, example, n_rows, options.families), flush=True)


def compare(command, example, n_rows, n_families):
    table = TARGET / f"bench_pgmpy_{n_rows}.csv"
    simulate = ["simulate", "random-categorical", "--variables", str(N_VARS), "--rows", str(n_rows), "--seed", "1"]
    subprocess.run([command, *simulate, "--out", table], check=True)

    peer = Peer(table)
    sample = some_families(peer.names, n_families)
    peer.seconds_per_family(sample[:10])  # warm-up
    ours, theirs = [score_all(example, table)], []
    for _ in range(N_ROUNDS):
        theirs.append(peer.seconds_per_family(sample))
        ours.append(score_all(example, table))

    check(peer, sample, ours[0])
    n_all = ours[0]["n_families"]
    ours, theirs = min(run["score_seconds"] for run in ours) / n_all, min(theirs)
    cells = [f"{n_rows:,}", f"{n_all:,}", f"{1000 * ours:.4f}", f"{1000 * theirs:.2f}", f"{theirs / ours:.0f}"]
    return "| " + " | ".join([*cells, f"{n_all * ours:.2f}", f"{n_all * theirs:.0f}"]) + " |"


def score_all(example, table):
    threads = "1"
    out = subprocess.run([example, table, str(MAX_PARENTS), threads], check=True, capture_output=True).stdout
    return json.loads(out)


class Peer:
    def __init__(self, table):
        import pandas
        from pgmpy.structure_score import K2

        self.data = pandas.read_csv(table, dtype="category")
        self.names = list(self.data.columns)
        self.K2 = K2

    def seconds_per_family(self, families):
        self.k2 = self.K2(self.data)  # a new one, because it remembers local scores
        start = perf_counter()
        for child, parents in families:
            self.k2.local_score(child, parents)
        return (perf_counter() - start) / len(families)

    def excess(self, family):
        """By how much pgmpy's K2 is too high: it adds ln Gamma(levels) for parent values that never occur."""
        child, parents = family
        n_possible = prod(self.data[parent].nunique() for parent in parents)
        n_seen = len(self.data.groupby(list(parents), observed=True)) if parents else 1
        return (n_possible - n_seen) * lgamma(self.data[child].nunique())


def some_families(names, n_families):
    families = [
        (child, parents)
        for child in names
        for n_parents in range(MAX_PARENTS + 1)
        for parents in combinations([name for name in names if name != child], n_parents)
    ]
    return Random(1).sample(families, n_families)


def check(peer, sample, ours):
    code_lengths = {(child, tuple(parents)): length for child, parents, length in ours["families"]}
    for family in sample:
        found, expected = code_lengths[family], peer.excess(family) - peer.k2.local_score(*family)
        assert abs(found - expected) <= 1e-9 * expected, f"{family}: ours {found}, pgmpy {expected}"


main()
