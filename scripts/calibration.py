"""Measures the calibration of probabilities on tables with known truth: `make calibration`.

Of every two variables the program says how likely they are linked, and how likely each way. Tables of five kinds (calibration_tables.py), 100 of each at
300, 1,000 and 3,000 rows: four in five have 5 variables, the others 6 to 11. The rule was chosen on tables with seeds below 1,000; these begin there.
Prints for each kind and number of rows how many claims are made above 0.95, how many of them are wrong, and how many claims between 0.4 and 0.6 are
right; then linear normal pairs, whose direction nothing can tell. `--plot` draws the picture of docs/results.md.

Builds the release version and runs two processes at a time, one thread each. What was learnt of each table is kept under target/calibration, so that a run
that was stopped goes on where it was. Needs numpy (and matplotlib for the picture), which it installs into its own environment.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import environment

environment.enter("venv-calibration", ["numpy==2.4.6", *(["matplotlib==3.11.2"] if "--plot" in sys.argv else [])])
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import numpy as np
from calibration_tables import KINDS, draw, linear_pair

N_PROCESSES = 2
ROWS = (300, 1000, 3000)
SURE = 0.95
MIDDLE = (0.4, 0.6)
FIRST_SEED = 1_000
N_VARS = [5, 5, 5, 6, 5, 5, 5, 5, 8, 5, 5, 5, 5, 7, 5, 5, 5, 5, 11, 5]  # of one table after another


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100, help="tables of each kind and number of rows [default: 100]")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help="[default: %(default)s]")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="[default: all five]")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, help="[default: 300 1000 3000]")
    parser.add_argument("--variables", type=int, help="of every table [default: 5 to 11]")
    parser.add_argument("--networks", type=int, help="[default: the program's]")
    parser.add_argument("--binary", type=Path, help="measure this command instead of building this tree's")
    parser.add_argument("--plot", action="store_true", help="draw docs/figures/calibration.svg")
    options = parser.parse_args()
    program = Program(options.binary or environment.build()[0], options.networks)
    claims = program.claims_of_tables(options)
    show_cells(claims)
    if "linear normal" in options.kinds:
        show_pairs(program, options)
    if options.plot:
        import calibration_plot

        calibration_plot.draw(claims, environment.TOP / "docs" / "figures" / "calibration.svg")


class Program:
    """The command, and what it said of tables before."""

    def __init__(self, command, networks):
        self.command = command
        self.options = [] if networks is None else ["--networks", str(networks)]
        self.kept = environment.TARGET / "calibration"
        self.kept.mkdir(parents=True, exist_ok=True)

    def claims_of_tables(self, options):
        """Kind, rows, sort of claim (link or direction) -> probabilities and whether they are right."""
        seeds = range(options.first_seed, options.first_seed + options.tables)
        jobs = [(kind, n_rows, seed) for seed in seeds for n_rows in options.rows for kind in options.kinds]

        def one(job):
            kind, n_rows, seed = job
            n_vars = options.variables or N_VARS[seed % len(N_VARS)]
            name = f"{kind}-{n_rows}-{seed}-{n_vars}".replace(" ", "-")
            return job, self.pairs(name, lambda: draw(kind, n_vars, seed, n_rows))

        claims = {}
        with ThreadPoolExecutor(N_PROCESSES) as pool:
            for (kind, n_rows, _), (pairs, edges) in pool.map(one, jobs):
                for sort, probability, is_right in judged(pairs, edges):
                    claims.setdefault((kind, n_rows, sort), []).append((probability, is_right))
        return {key: np.array(values) for key, values in claims.items()}

    def pairs(self, name, table):
        """What the command says of every two columns of a table, and the edges that made it."""
        file = self.kept / ("".join([name, *self.options]) + ".json")
        if not file.exists():
            columns, edges = table()
            file.write_text(json.dumps({"pairs": self.learn(columns), "edges": edges}))
        kept = json.loads(file.read_text())
        return kept["pairs"], {tuple(edge) for edge in kept["edges"]}

    def learn(self, columns):
        lines = zip(*(column.tolist() for column in columns.values()))
        text = "\n".join([",".join(columns), *(",".join(map(str, line)) for line in lines)]) + "\n"
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "table.csv"
            path.write_text(text)
            command = [self.command, "learn", path, "--quiet", "--format", "json", "--threads", "1", *self.options]
            done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stderr}\n(a table of the kind {list(columns)})")
        return json.loads(done.stdout)["pairs"]


def judged(pairs, edges):
    """Every claim that the pairs make: its sort, its probability, whether it is right."""
    for pair in pairs:
        forth, back = (pair["a"], pair["b"]) in edges, (pair["b"], pair["a"]) in edges
        yield "link", pair["linked"], forth or back
        yield "direction", pair["a_to_b"], forth
        yield "direction", pair["b_to_a"], back


def show_cells(claims):
    sorts = ("link", "direction")
    print("| tables | rows |" + "".join(f" {sort}s above {SURE}: wrong | {sort}s between {MIDDLE[0]} and {MIDDLE[1]}: right |" for sort in sorts))
    print("|---|---|" + "---|---|" * len(sorts))
    for kind in KINDS:
        for n_rows in sorted({rows for of_kind, rows, _ in claims if of_kind == kind}):
            print(f"| {kind} | {n_rows:,} |" + "".join(cell(claims[kind, n_rows, sort]) for sort in sorts))
    print("| all | |" + "".join(cell(np.concatenate([claims[key] for key in claims if key[2] == sort])) for sort in sorts))


def cell(claims):
    probability, is_right = claims.T
    sure, middle = probability > SURE, (probability >= MIDDLE[0]) & (probability <= MIDDLE[1])
    return f" {share(1 - is_right[sure])} | {share(is_right[middle])} |"


def share(holds):
    return f"{int(holds.sum())} of {len(holds)}" + (f" ({100 * holds.mean():.1f} %)" if len(holds) else "")


def show_pairs(program, options):
    """Two columns, linear and normal: a direction above 0.95 is luck."""
    print("\nLinear normal pairs, a direction above 0.95:")
    for n_rows in options.rows:
        claimed = []
        for seed in range(options.first_seed, options.first_seed + options.tables):
            pairs, _ = program.pairs(f"pair-{n_rows}-{seed}", lambda: linear_pair(seed, n_rows))
            claimed.append(max(pairs[0]["a_to_b"], pairs[0]["b_to_a"]) > SURE)
        print(f"{n_rows:,} rows: {share(np.array(claimed))}")


if __name__ == "__main__":
    main()
