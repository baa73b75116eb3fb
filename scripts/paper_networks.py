#!/usr/bin/env python3
"""Compares the paper's own networks with the default on the same tables: graphs, margins, CPU seconds.

    python3 scripts/paper_networks.py [TABLE ..] [--steps 1000] [--patience 1] [--learning-rate 0.0003] [--time-limit 90m]

Tables are star5, chain5, chain5-periodic and mechanisms-1 to mechanisms-20 (by default the first six of them), 5,000 rows and data seed 1. The paper's networks are `--preset
paper` with at most `--steps` steps a training run instead of 25,000, evaluated every 50 steps and stopped after `--patience` evaluations without improvement (the paper:
"if the calibrated log-loss increased"): about half a CPU hour a table of 80 families, up to twice that with a patience of four, about a third with one `--learning-rate` instead
of the paper's two, of which each split takes the better. Code lengths of families are kept below reproduced/paper-networks/, so that a run that was stopped goes on where it was;
CPU seconds of all its parts are added. `--time-limit` stops a table after so long. Prints a table of what is finished.
"""

import argparse
import json
import subprocess
from pathlib import Path

import environment

TABLES = ["star5", "chain5", "chain5-periodic", *(f"mechanisms-{number}" for number in range(1, 7))]
HEADER = """
| table | patience | the paper's networks: SHD | of classes | nats, found | true graph behind | CPU s | default: SHD | of classes | true graph behind | CPU s |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", default=TABLES, metavar="TABLE")
    parser.add_argument("--rows", type=int, default=5_000)
    parser.add_argument("--steps", type=int, default=1_000)
    parser.add_argument("--patience", type=int, default=1)
    parser.add_argument("--learning-rate", help="one, or several with commas between [default: the paper's two]")
    parser.add_argument("--time-limit", default="24h", help="on the clock, for each table [default: 24h]")
    parser.add_argument("--out", type=Path, default=environment.TOP / "reproduced" / "paper-networks")
    parser.add_argument("--command", type=Path, help="run this command instead of building this tree's")
    options = parser.parse_args()
    bench = Bench(options, options.command or environment.build()[0])
    rows = []
    for table in options.tables:
        learnt = [bench.learnt(table, name, settings) for name, settings in bench.settings().items()]
        print(f"{table}: {learnt}", flush=True)
        if all(learnt):
            rows.append(row(table, options.patience, *learnt))
    print("\n".join([HEADER, *rows]))


class Bench:
    def __init__(self, options, command):
        self.options, self.command = options, command
        options.out.mkdir(parents=True, exist_ok=True)

    def settings(self):
        steps = ["--steps", self.options.steps, "--evaluation-interval", 50, "--patience", self.options.patience]
        rate = ["--learning-rate", self.options.learning_rate] if self.options.learning_rate else []
        return {"paper": ["--preset", "paper", *steps, *rate], "default": []}

    def run(self, *words):
        return subprocess.run([self.command, *map(str, words)], check=True, capture_output=True, text=True).stdout

    def learnt(self, table, name, settings):
        """What is learnt of a table with these settings; `None` if it was stopped."""
        rate = f"-{self.options.learning_rate}" if self.options.learning_rate else ""
        kept = self.options.out / f"{table}-{self.options.rows}-{self.options.steps}-{self.options.patience}{rate}-{name}.json"
        before = json.loads(kept.read_text()) if kept.exists() else {"cpu_seconds": 0.0}
        if "shd" in before:
            return before
        data, truth = self.draw(table)
        shared = [*settings, "--store", kept.with_suffix(".db"), "--quiet", "--format", "json"]
        result = json.loads(self.run("learn", data, "--truth", truth, "--time-limit", self.options.time_limit, *shared))
        found = {"cpu_seconds": before["cpu_seconds"] + result["cost"]["cpu_seconds"], "families": result["cost"]["families"]}
        if result.get("partial") is None:
            of_truth = json.loads(self.run("score", data, "--graph", truth, *shared))["code_length_nats"]
            found |= {
                "shd": result["truth"]["shd"],
                "shd_of_classes": result["truth"]["shd_cpdag"],
                "edges": [[edge["from"], edge["to"]] for edge in result["dag"]["edges"]],
                "code_length": result["dag"]["code_length_nats"],
                "of_truth": of_truth,
            }
        kept.write_text(json.dumps(found))
        return found if "shd" in found else None

    def draw(self, table):
        experiment, _, number = table.partition("-") if table.startswith("mechanisms-") else (table, "", "")
        data, truth = self.options.out / f"{table}.csv", self.options.out / f"{table}.truth.json"
        chosen = ["--set", number] if number else []
        self.run("simulate", experiment, *chosen, "--rows", self.options.rows, "--seed", 1, "--out", data, "--truth", truth)
        return data, truth


def row(table, patience, paper, default):
    def errors(found):
        return [found["shd"], found["shd_of_classes"]]

    def rest(found):
        return [f"{found['of_truth'] - found['code_length']:,.1f}", f"{found['cpu_seconds']:,.0f}"]

    cells = [table, patience, *errors(paper), f"{paper['code_length']:,.1f}", *rest(paper), *errors(default), *rest(default)]
    return f"| {' | '.join(map(str, cells))} |"



if __name__ == "__main__":
    main()
