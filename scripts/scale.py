#!/usr/bin/env python3
"""Measures seconds and memory of searches by the number of variables, as tables and as a picture.

Run from anywhere: python3 scripts/scale.py [--out docs/figures/search-scale.svg]
Builds the release version. `exact` searches stored code lengths of counts with at most 3 parents (example exact_scale); `order` and
`hill-climb` learn tables of 5,000 rows from scratch, on all cores: ALARM (37 variables) and random categorical networks.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

import environment
from environment import TARGET, TOP

MATPLOTLIB = "matplotlib==3.11.2"
EXACT = [10, 15, 20, 23, 25]
TABLES = [("alarm", 37), ("random-categorical", 74), ("random-categorical", 100), ("random-categorical", 200)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=TOP / "docs" / "figures" / "search-scale.svg")
    options = parser.parse_args()
    environment.enter("venv-plot", [MATPLOTLIB])
    command, example = environment.build("exact_scale")
    print("| search | table | variables | families | s | peak memory, GiB | SHD of classes |\n|---|---|---:|---:|---:|---:|---:|")
    series = {"exact": [exact(example, n_vars) for n_vars in EXACT]}
    for search in ["order", "hill-climb"]:
        series[search] = [learn(command, search, *table) for table in TABLES]
    draw(series, options.out)


def exact(example, n_vars):
    out = subprocess.run([example, "counts", "3", str(n_vars)], check=True, capture_output=True, text=True).stdout
    cells = [cell.strip() for cell in out.splitlines()[-1].strip("| ").split("|")]
    families, seconds, memory = cells[3], float(cells[6].split()[0]), float(cells[8])
    print(f"| exact | counts of a random network | {n_vars} | {families} | {seconds:.1f} | {memory:.2f} | |", flush=True)
    return n_vars, max(seconds, 0.05), memory


def learn(command, search, name, n_vars):
    table, truth = TARGET / f"scale_{n_vars}.csv", TARGET / f"scale_{n_vars}.json"
    size = ["--variables", str(n_vars)] if name == "random-categorical" else []
    simulate = ["simulate", name, *size, "--rows", "5000", "--seed", "1", "--out", table, "--truth", truth]
    subprocess.run([command, *simulate], check=True)
    options = ["--search", search, "--truth", truth, "--format", "json", "--quiet", "--top", "1"]
    process = subprocess.Popen([command, "learn", table, *options], stdout=subprocess.PIPE)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{search} on {name}"
    result, memory = json.loads(out), usage.ru_maxrss / 2**20
    seconds, families, shd = result["cost"]["wall_seconds"], result["cost"]["families"], result["truth"]["shd_cpdag"]
    print(f"| {search} | {name} | {n_vars} | {families:,} | {seconds:.1f} | {memory:.2f} | {shd} |", flush=True)
    return n_vars, seconds, memory


def draw(series, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "prequential", "font.size": 9})
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(8, 3.2))
    for panel, place, label in zip(panels, [1, 2], ["seconds on the clock", "peak memory, GiB"]):
        for (name, points), marker in zip(series.items(), "osD"):
            panel.loglog([point[0] for point in points], [point[place] for point in points], marker=marker, label=name)
        panel.set_xlabel("variables")
        panel.set_ylabel(label)
        panel.set_xticks([10, 25, 50, 100, 200], ["10", "25", "50", "100", "200"])
        panel.minorticks_off()
        panel.grid(alpha=0.3)
    panels[0].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


main()
