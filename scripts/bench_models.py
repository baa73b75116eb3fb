#!/usr/bin/env python3
"""Times the estimators `fourier` and `neural` against a numpy and torch version of them, one core each, in the same run.

Run from anywhere: python3 scripts/bench_models.py [--rows N] [--set I] [--rounds N]
Makes its own environment with numpy, scipy and torch under target/, builds the release version, draws a table of five
variables and scores all 80 families with scripts/reference_models.py and with ours. Both run in turn; of each the fastest run
counts, because other work on the machine only ever adds; CPU seconds suffer less from it than those on the clock. Random
numbers differ, so code lengths are compared on average.
"""

import argparse
import json
import os
import subprocess
import sys
from time import perf_counter, process_time

import environment
from environment import TARGET

PACKAGES = ["numpy==2.4.6", "scipy==1.17.1", "torch==2.15.0"]
MAX_PARENTS = 4
TOLERANCE = 0.03  # of the mean code length


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5000, help="how many rows [default: 5000]")
    parser.add_argument("--set", type=int, default=7, help="which of the 20 mechanisms draws the table [default: 7]")
    parser.add_argument("--rounds", type=int, default=3, help="how often each runs [default: 3]")
    options = parser.parse_args()
    environment.enter("venv-models", PACKAGES)
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")  # before they are loaded
    command, example = environment.build("score_families")
    table = TARGET / f"bench_models_{options.set}_{options.rows}.csv"
    simulate = ["simulate", "mechanisms", "--set", str(options.set), "--rows", str(options.rows), "--seed", "1"]
    subprocess.run([command, *simulate, "--out", table], check=True)

    print(f"mechanism {options.set}, {options.rows:,} rows, one thread each; {', '.join(PACKAGES)}; best of {options.rounds}\n")
    print("| estimator | families | ours (s) | reference (s) | reference / ours | the same of CPU seconds | ours, mean nats | reference, mean nats |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for estimator in "fourier", "neural":
        print(compare(example, table, estimator, options.rounds), flush=True)


def compare(example, table, estimator, n_rounds):
    reference = Reference(table)
    reference.score_all(estimator, score_all(example, table, estimator))  # warm-up, a second or two in torch
    ours, theirs = [], []
    for _ in range(n_rounds):
        ours.append(score_all(example, table, estimator))
        theirs.append(reference.score_all(estimator, ours[-1]))
    means = check(ours[0]["families"], theirs[0]["families"], estimator)
    fastest = lambda runs, clock: min(run[clock] for run in runs)
    clocks = [(fastest(ours, clock), fastest(theirs, clock)) for clock in ("score_seconds", "score_cpu_seconds")]
    ratios = [f"{slow / fast:.1f}" for fast, slow in clocks]
    seconds = [f"{seconds:.2f}" for seconds in clocks[0]]
    cells = [estimator, str(ours[0]["n_families"]), *seconds, *ratios, *(f"{mean:.1f}" for mean in means)]
    return "| " + " | ".join(cells) + " |"


def score_all(example, table, estimator):
    threads = nets = "1"
    options = [str(MAX_PARENTS), threads, estimator, *([nets] if estimator == "neural" else [])]
    report = json.loads(subprocess.run([example, table, *options], check=True, capture_output=True).stdout)
    report["families"] = {(child, tuple(parents)): length for child, parents, length in report["families"]}
    return report


class Reference:
    def __init__(self, table):
        import numpy
        import reference_models
        import torch

        torch.set_num_threads(1)
        torch.set_flush_denormal(True)  # a tenth faster
        self.code_lengths = reference_models.code_lengths
        self.names = table.open().readline().strip().split(",")
        self.data = numpy.loadtxt(table, delimiter=",", skiprows=1)

    def score_all(self, estimator, ours):
        """What ours reports of the same work."""
        settings = ours["settings"]["estimator"]["schedule" if estimator == "neural" else "regressions"]
        start, busy = perf_counter(), process_time()
        lengths = self.code_lengths(self.data, MAX_PARENTS, estimator, settings)
        seconds, cpu_seconds = perf_counter() - start, process_time() - busy
        named = lambda nodes: tuple(self.names[node] for node in nodes)
        families = {(self.names[child], named(parents)): length for (child, parents), length in lengths.items()}
        return {"score_seconds": seconds, "score_cpu_seconds": cpu_seconds, "families": families}


def check(found, expected, estimator):
    """The mean code length of each, which must agree: then the work was the same."""
    assert found.keys() == expected.keys(), "both score the same families"
    mean, expected_mean = (sum(lengths.values()) / len(lengths) for lengths in (found, expected))
    assert abs(mean / expected_mean - 1) < TOLERANCE, f"{estimator}: {mean} nats, reference {expected_mean}"
    worst = max(found, key=lambda family: abs(found[family] / expected[family] - 1))
    print(f"{estimator}: farthest apart is {worst}, {found[worst]:.1f} and {expected[worst]:.1f}", file=sys.stderr)
    return mean, expected_mean


main()
