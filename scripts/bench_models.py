#!/usr/bin/env python3
"""Times the estimator `fourier` against a numpy version of the method from which it started, one core each, in the same run.

Run from anywhere: python3 scripts/bench_models.py [--rows N] [--set I] [--rounds N]
Makes its own environment with numpy and scipy under target/, builds the release version, draws a table of five variables and scores
all 80 families with ours and with scripts/reference_models.py: family by family, as the recipe is written, and with what the children
of a parent set can share. All run in turn; of each the fastest run counts, because other work on the machine only ever adds; CPU
seconds suffer less from it than those on the clock. The reference's densities become probabilities of our cells; mean code lengths
must agree within 3 %, single families may differ by more, because `fourier` has other experts too.
"""

import argparse
import json
import os
import subprocess
import sys
from time import perf_counter, process_time

import environment
from environment import TARGET

PACKAGES = ["numpy==2.4.6", "scipy==1.17.1"]
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

    reference = Reference(table)
    scorers = {
        "ours, `fourier`": lambda: score_all(example, table, reference.settings),
        "numpy, family by family": lambda: reference.score_all(is_shared=False),
        "numpy, shared by children": lambda: reference.score_all(is_shared=True),
    }
    runs = {name: [] for name in scorers}
    for _ in range(options.rounds):
        for name, score in scorers.items():
            runs[name].append(score())
    print(f"mechanism {options.set}, {options.rows:,} rows, one thread each; {', '.join(PACKAGES)}; best of {options.rounds}\n")
    show({name: fastest(of_name) for name, of_name in runs.items()})


def score_all(example, table, expected_settings):
    """All families by ours: seconds on the clock and of the CPU, and nats."""
    threads = "1"
    command = [example, table, str(MAX_PARENTS), threads, "fourier"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    settings = report["settings"]["estimator"]["regressions"]
    common = {name: settings[name] for name in expected_settings}
    assert common == expected_settings, f"the recipes have parted: {common}, reference {expected_settings}"
    lengths = {(child, tuple(parents)): length for child, parents, length in report["families"]}
    return report["score_seconds"], report["score_cpu_seconds"], lengths


class Reference:
    def __init__(self, table):
        import numpy
        import reference_models as recipe
        from conditionals import Cells

        self.code_lengths = recipe.code_lengths
        self.settings = {
            "growth": recipe.GROWTH,
            "scales": list(recipe.SCALES),
            "wave_height": recipe.WAVE_HEIGHT,
            "prior_precision": recipe.PRIOR_PRECISION,
            "share": recipe.SHARE,
        }
        self.names = table.open().readline().strip().split(",")
        self.data = numpy.loadtxt(table, delimiter=",", skiprows=1)
        # Ours codes cells of this width: what a density costs more or less for being a probability.
        self.of_cells = [-len(self.data) * numpy.log(Cells(column).width) for column in self.data.T]

    def score_all(self, is_shared):
        """The same of the reference."""
        start, busy = perf_counter(), process_time()
        lengths = self.code_lengths(self.data, MAX_PARENTS, is_shared)
        seconds, cpu_seconds = perf_counter() - start, process_time() - busy
        named = lambda child, parents: (self.names[child], tuple(self.names[parent] for parent in parents))
        return seconds, cpu_seconds, {named(*family): nats + self.of_cells[family[0]] for family, nats in lengths.items()}


def fastest(runs):
    """The least of either clock; code lengths are the same in every run."""
    return min(seconds for seconds, _, _ in runs), min(cpu_seconds for _, cpu_seconds, _ in runs), runs[0][2]


def show(scored):
    (seconds, cpu_seconds, lengths), *others = scored.values()
    print("| | families | s | CPU s | s / ours | CPU s / ours | mean nats a family |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, (of_clock, of_cpu, nats) in scored.items():
        ratios = f"{of_clock / seconds:.1f} | {of_cpu / cpu_seconds:.1f}"
        print(f"| {name} | {len(nats)} | {of_clock:.2f} | {of_cpu:.2f} | {ratios} | {mean(nats):.1f} |")
    for _, _, expected in others:
        check(lengths, expected)
    tell_apart(lengths, others[0][2])


def mean(lengths):
    return sum(lengths.values()) / len(lengths)


def check(found, expected):
    """Mean code lengths must agree, and no family may be scored by one alone."""
    assert found.keys() == expected.keys(), "both score the same families"
    assert abs(mean(found) / mean(expected) - 1) < TOLERANCE, f"{mean(found)} nats, reference {mean(expected)}"


def tell_apart(found, expected):
    apart = {family: found[family] - expected[family] for family in found}
    low, high = min(apart, key=apart.get), max(apart, key=apart.get)
    print(f"ours less numpy: {mean(apart):+.1f} nats, from {apart[low]:+.1f} for {low} to {apart[high]:+.1f} for {high}", file=sys.stderr)


if __name__ == "__main__":
    main()
