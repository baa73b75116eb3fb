"""Tests whether a graph from continuous optimisation helps `--search order` as a start: linear DAGMA (Bello, Aragam and Ravikumar 2022) in numpy.

    python3 scripts/continuous_start.py [--variables N] [--rows N] [--seed N]

Draws a table of `random-additive` and one of `random-functions`, fits DAGMA to standardised columns, drops the weakest edges of cycles, and learns each table with the
estimator `linear` with and without `--start`, with the default restarts and with none. Needs numpy and the command line (`cargo build --release`).
"""

import argparse
import csv
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ROOT / "target" / "release" / "prequential"
KINDS = ["random-additive", "random-functions"]
MIN_WEIGHT = 0.15


def dagma(rows, sparsity=0.03, rate=0.001):
    """Weights of a linear graph: `w[i, j]` from i to j."""
    n_rows, n_vars = rows.shape
    covariance, unit = rows.T @ rows / n_rows, np.eye(n_vars)
    weights = np.zeros((n_vars, n_vars))
    steps = zip([1.0, 0.1, 0.01, 0.001], [1.0, 0.9, 0.8, 0.7], [6000, 6000, 6000, 12000], strict=True)
    for centrality, scale, n_steps in steps:
        weights = descend(weights, covariance, unit, centrality, scale, n_steps, sparsity, rate)
    return weights


def descend(weights, covariance, unit, centrality, scale, n_steps, sparsity, rate):
    """Adam on the central path, half as fast whenever a step would leave the domain."""
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    last = weights
    for step in range(1, n_steps + 1):
        inverse = np.linalg.inv(scale * unit - weights * weights)
        if np.any(inverse < -1e-12):
            weights, rate = last, rate / 2
            if rate < 1e-12:
                break
            continue
        gradient = centrality * (covariance @ (weights - unit) + sparsity * np.sign(weights)) + 2 * weights * inverse.T
        mean, square = 0.99 * mean + 0.01 * gradient, 0.999 * square + 0.001 * gradient**2
        last = weights
        weights = weights - rate * (mean / (1 - 0.99**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        np.fill_diagonal(weights, 0)
    return weights


def acyclic_edges(weights):
    """The edges that count, strongest first, without those that would close a cycle."""
    n_vars = len(weights)
    above = [{node} for node in range(n_vars)]
    edges = []
    strongest = sorted(((-abs(weights[i, j]), i, j) for i in range(n_vars) for j in range(n_vars)))
    for strength, cause, effect in strongest:
        if -strength >= MIN_WEIGHT and effect not in above[cause]:
            edges.append((cause, effect))
            for node in range(n_vars):
                if effect in above[node]:
                    above[node] |= above[cause]
    return edges


def run(*arguments):
    return subprocess.run([COMMAND, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def learn(table, truth, *options):
    """Nats, SHD of classes and CPU seconds of one run."""
    options = ["--estimator", "linear", "--search", "order", "--top", 1, "--quiet", "--format", "json", *options]
    result = json.loads(run("learn", table, "--truth", truth, *options))
    return result["dag"]["code_length_nats"], result["truth"]["shd_cpdag"], result["cost"]["cpu_seconds"]


def measure(kind, arguments, directory):
    table, truth, start = (Path(directory) / name for name in ["table.csv", "truth.json", "start.json"])
    size = ["--variables", arguments.variables, "--rows", arguments.rows, "--seed", arguments.seed]
    run("simulate", kind, *size, "--out", table, "--truth", truth)
    names, *cells = csv.reader(table.open())
    rows = np.array(cells, dtype=float)
    began = time.process_time()
    edges = acyclic_edges(dagma((rows - rows.mean(0)) / rows.std(0)))
    seconds = time.process_time() - began
    start.write_text(json.dumps([[names[cause], names[effect]] for cause, effect in edges]))
    print(f"| {kind} | DAGMA alone | {len(edges)} edges | | {seconds:.1f} |")
    for label, options in [("default", []), ("no restarts", ["--restarts", 0])]:
        for where, begin in [("", []), (", from DAGMA", ["--start", start])]:
            nats, shd, cpu = learn(table, truth, *options, *begin)
            print(f"| {kind} | {label}{where} | {nats:,.1f} | {shd} | {cpu:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, default=50)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| table | search | nats | SHD of classes | CPU s |\n|---|---|---|---|---|")
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as directory:
            measure(kind, arguments, directory)


if __name__ == "__main__":
    main()
