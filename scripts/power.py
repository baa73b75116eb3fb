"""Measures links found and false links on tables with known truth: `make power`.

links    normal pairs by correlation and rows: nats that the link gains, how often it is found, beside Gaussian BIC
digits   pairs of numbers written with all their digits, with three or two, or heaped: nats that the link gains, and by which the directions differ
trials   two arms and an outcome: the probability of the edge, with the arm a root
nulls    five independent columns of one kind or several: how often the best graph has an edge
labels   five independent labels by number of levels, shares and rows: false edges a table
truths   ASIA and random networks of labels: links found, links made up, SHD of equivalence classes
useless  a further parent without use beside a linear, a nonlinear and a label parent: how often it pays
kinds    label and number as cause and effect, and linear pairs: nats by which the right direction is shorter

Tables are drawn with fixed seeds, fewer of them (`--tables`) are the first of the same ones. Builds the release version and runs two
processes at a time, one thread each. `--tables 1` forecasts the minutes of a full run. Most of it are the nulls; with `--max-parents 2`
they are a third quicker, and on 240 tables `fourier` gave the same answers. Needs numpy, which it installs into its own environment.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from time import perf_counter
from zlib import crc32

import environment

environment.enter("venv-power", ["numpy==2.4.6"])
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import numpy as np
import power_tables

N_PROCESSES = 2
LINKS = [(rho, n_rows) for rho in (0.05, 0.1, 0.2, 0.3) for n_rows in (300, 1000, 3000, 10000)] + [(0.2, 2000), (0.3, 500)]
DIGITS_ROWS = (300, 1000, 4000)
TRIALS = [(0.3, 2000), (0.2, 10000)]
LABEL_ROWS = (50, 100, 300)
TRUTH_ROWS = (50, 100, 300, 1000, 5000)
TRUTHS = {"asia": ["asia"]} | {
    f"random, {n_vars} labels": ["random-categorical", "--variables", str(n_vars)] for n_vars in (5, 8)
}
SURE = 0.95
CLEARLY = 3  # nats


def main():
    sections = {section.__name__: section for section in (links, digits, trials, nulls, labels, truths, useless, kinds)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=sections, default=list(sections), help="these sections [default: all]")
    parser.add_argument("--tables", type=int, help="at most so many tables for each line")
    parser.add_argument("--estimator", help="[default: the program's]")
    parser.add_argument("--max-parents", type=int, help="in the section nulls [default: the program's]")
    parser.add_argument("--networks", type=int, help="a family, where there are numbers; 0 is much quicker [default: the program's]")
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 1000, 5000], help="in the section nulls [default: 300 1000 5000]")
    parser.add_argument("--independent", nargs="+", choices=power_tables.INDEPENDENT, default=list(power_tables.INDEPENDENT), help="columns in the section nulls [default: all four]")
    parser.add_argument("--binary", type=Path, help="measure this command instead of building this tree's")
    options = parser.parse_args()
    command = options.binary or environment.build()[0]
    for name in options.only:
        program = Program(command, options)
        print(f"\n### {name}\n")
        sections[name](program)
        print(f"\n{name}: {program.account()}", file=sys.stderr, flush=True)


class Program:
    """The command with the options of this run, and an account of its time."""

    def __init__(self, command, options):
        self.command, self.most_tables, self.rows = command, options.tables, options.rows
        self.estimator = ["--estimator", options.estimator] if options.estimator else []
        self.networks = [] if options.networks is None else ["--networks", str(options.networks)]
        self.max_parents = ["--max-parents", str(options.max_parents)] if options.max_parents else []
        self.independent = options.independent
        self.n_tables, self.seconds, self.n_full, self.full_seconds = 0, 0.0, 0, 0.0

    def over_tables(self, measure, name, draw, n_rows, n_full):
        """What `measure` makes of each table of this draw, as one array for each of its numbers."""
        n_tables = min(n_full, self.most_tables or n_full)
        seed = crc32(name.encode())

        def one(number):
            return measure(self, draw(np.random.default_rng([seed, n_rows, number]), n_rows))

        start = perf_counter()
        with ThreadPoolExecutor(N_PROCESSES) as pool:
            measured = list(pool.map(one, range(n_tables)))
        self.add(perf_counter() - start, n_tables, n_full)
        return np.array(measured, dtype=float).T

    def add(self, seconds, n_tables, n_full):
        self.n_tables += n_tables
        self.n_full += n_full
        self.seconds += seconds
        self.full_seconds += seconds * n_full / max(n_tables, min(N_PROCESSES, n_full))  # one table leaves a process idle

    def account(self):
        taken = f"{self.n_tables:,} tables in {self.seconds / 60:.1f} minutes"
        return taken if self.n_tables == self.n_full else f"{taken}; all {self.n_full:,} would take about {self.full_seconds / 60:.0f}"

    def run(self, task, table, *arguments):
        """The JSON result of `learn` or `score` for this table; columns are of the kind they were drawn as."""
        numbers = [name for name, column in table.items() if is_number(column)]
        kinds = ["--numbers", ",".join(numbers), *self.networks] if numbers else []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            write(path, table)
            asked = [task, path, *arguments, *kinds, *self.estimator, "--threads", "1", "--format", "json", "--quiet"]
            process = subprocess.run([self.command, *asked], capture_output=True, text=True)
        if process.returncode:
            sys.exit(f"{' '.join(map(str, asked))}: {process.stderr}")
        return json.loads(process.stdout)

    def code_lengths(self, table, *arguments):
        """Nats of every family, by child and parents: ("y",), ("y", "x"), ("y", "x", "z")."""
        families = self.run("score", table, *arguments)["families"]
        return {(family["child"], *sorted(family["parents"])): family["code_length_nats"] for family in families}


def is_number(column):
    return column.dtype.kind == "f"


def write(path, table):
    texts = [[f"{value:.9g}" for value in column] if is_number(column) else column for column in table.values()]
    path.write_text("\n".join([",".join(table), *map(",".join, zip(*texts))]) + "\n")


def bic_gain(child, parents):
    """Nats by which Gaussian BIC prefers these parents to none."""
    n_rows = len(child)
    centred = [column - column.mean() for column in (child, *parents)]
    y, x = centred[0], np.column_stack(centred[1:])
    residual = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    return n_rows / 2 * np.log((y @ y) / (residual @ residual)) - len(parents) / 2 * np.log(n_rows)


def heading(*names):
    print("| " + " | ".join(names) + " |\n|---" + "|---:" * (len(names) - 1) + "|")


def line(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def count(hits):
    return f"{int(hits.sum())} of {len(hits)}"


def links(program):
    """The link is found where either direction is shorter than no edge, as `learn` decides; gains are means of both directions.

    The ideal gain is that of the true correlation, less half the logarithm of the rows for its coefficient.
    """
    heading("rho", "rows", "nats gained", "by BIC", "ideal", "found", "by BIC")
    for rho, n_rows in LINKS:
        draw = power_tables.normal_pair(rho)
        gain, best, bic = program.over_tables(link_gains, f"normal pair {rho}", draw, n_rows, 20)
        ideal = -n_rows / 2 * np.log(1 - rho**2) - np.log(n_rows) / 2
        nats = [f"{value:.1f}" for value in (gain.mean(), bic.mean(), ideal)]
        line(rho, f"{n_rows:,}", *nats, count(best > 0), count(bic > 0))


def link_gains(program, table):
    codes = program.code_lengths(table)
    gains = [codes[child,] - codes[child, parent] for child, parent in (("x", "y"), ("y", "x"))]
    return np.mean(gains), max(gains), bic_gain(table["y"], [table["x"]])


def digits(program):
    heading("y given x", "written with", *(f"{n_rows:,} rows" for n_rows in DIGITS_ROWS))

    def measure(program, table):
        lengths = program.code_lengths(table)
        forward, backward = (lengths[(a,)] + lengths[(b, a)] for a, b in (("x", "y"), ("y", "x")))
        return lengths[("x",)] + lengths[("y",)] - min(forward, backward), backward - forward

    for name, written, draw in power_tables.digit_pairs():
        cells = []
        for n_rows in DIGITS_ROWS:
            gains, leads = program.over_tables(measure, f"digits {name} {written}", draw, n_rows, 10)
            cells.append(f"{gains.mean():.1f}; {leads.mean():+.1f} ± {leads.std():.1f}")
        line(name, written, *cells)


def trials(program):
    heading("difference, sd", "rows", f"edge above {SURE}", "least probability", "mean probability", f"BIC above {SURE}")
    for difference, n_rows in TRIALS:
        draw = power_tables.trial(difference)
        ours, bic = program.over_tables(edge_probability, f"trial {difference}", draw, n_rows, 20)
        line(difference, f"{n_rows:,}", count(ours > SURE), f"{ours.min():.4f}", f"{ours.mean():.4f}", count(bic > SURE))


def edge_probability(program, table):
    pairs = program.run("learn", table, "--roots", "arm")["pairs"]
    ours = next(pair["a_to_b"] for pair in pairs if (pair["a"], pair["b"]) == ("arm", "outcome"))
    gain = bic_gain(table["outcome"], [(table["arm"] == "treated").astype(float)])
    return ours, 1 / (1 + np.exp(-gain))


def nulls(program):
    """For BIC, of numbers only, the best of all graphs has an edge where some parents gain: that family alone makes no cycle."""
    heading("five independent columns", "rows", "tables with an edge", "by BIC", "CPU s a table")
    for name in program.independent:
        draw = power_tables.INDEPENDENT[name]
        for n_rows in program.rows:
            found, bic, seconds = program.over_tables(false_edges, f"independent {name}", draw, n_rows, 200)
            line(name, f"{n_rows:,}", count(found), "" if np.isnan(bic).any() else count(bic), f"{seconds.mean():.2f}")


def false_edges(program, table):
    result = program.run("learn", table, "--top", "1", *program.max_parents)
    bic = any_gain(table) if all(map(is_number, table.values())) else np.nan
    return bool(result["dag"]["edges"]), bic, result["cost"]["cpu_seconds"]


def any_gain(table):
    columns = list(table.values())
    for place, child in enumerate(columns):
        others = columns[:place] + columns[place + 1 :]
        if any(bic_gain(child, parents) > 0 for size in range(1, 5) for parents in combinations(others, size)):
            return True
    return False


def labels(program):
    heading("levels", "shares", *(f"false edges a table, {n_rows} rows" for n_rows in LABEL_ROWS), "worst table")
    for levels_name, levels in power_tables.LEVELS.items():
        for shares_name, shares in power_tables.SHARES.items():
            name, draw = f"labels {levels_name} {shares_name}", power_tables.five_labels(levels, shares)
            counts = [program.over_tables(n_edges, name, draw, n_rows, 200)[0] for n_rows in LABEL_ROWS]
            line(levels_name, shares_name, *(f"{edges.mean():.3f}" for edges in counts), int(max(edges.max() for edges in counts)))


def n_edges(program, table):
    return (len(program.run("learn", table, "--top", "1")["dag"]["edges"]),)


def truths(program):
    heading("network", "rows", "links", "found", "made up", "SHD of classes")
    for name, simulation in TRUTHS.items():
        for n_rows in TRUTH_ROWS:

            def measure(program, seed):
                return errors(program, [*simulation, "--rows", str(n_rows)], seed)

            n_links, n_found, n_made_up, shd = program.over_tables(measure, name, lambda rng, _: rng.integers(1 << 30), n_rows, 40)
            line(name, f"{n_rows:,}", *(f"{mean:.2f}" for mean in map(np.mean, (n_links, n_found, n_made_up, shd))))


def errors(program, simulation, seed):
    """Links of a simulated network, those of them that are found, those that are made up, and the SHD of classes."""
    with tempfile.TemporaryDirectory() as folder:
        table, truth = Path(folder) / "table.csv", Path(folder) / "truth.json"
        simulate = ["simulate", *simulation, "--seed", str(seed), "--out", table, "--truth", truth]
        subprocess.run([program.command, *simulate], check=True, capture_output=True)
        asked = ["learn", table, "--truth", truth, *program.estimator, "--threads", "1", "--top", "1", "--format", "json", "--quiet"]
        learned = json.loads(subprocess.run([program.command, *asked], check=True, capture_output=True, text=True).stdout)
        true = {frozenset(edge) for edge in json.loads(truth.read_text())["edges"]}
    found = {frozenset((edge["from"], edge["to"])) for edge in learned["dag"]["edges"]}
    return len(true), len(true & found), len(found - true), learned["truth"]["shd_cpdag"]


def useless(program):
    heading("y given x", "further parent", "it pays", "its cost, mean nats", "least")
    for child_name, child in power_tables.CHILDREN.items():
        for useless_name, further in power_tables.USELESS.items():
            draw = power_tables.with_useless(child, further)
            (cost,) = program.over_tables(cost_of_useless, f"{child_name}, {useless_name}", draw, 1000, 200)
            line(child_name, useless_name, count(cost < 0), f"{cost.mean():.2f}", f"{cost.min():.2f}")


def cost_of_useless(program, table):
    codes = program.code_lengths(table, "--roots", "x,z")
    return (codes["y", "x", "z"] - codes["y", "x"],)


def kinds(program):
    heading("cause -> effect", "rows", "right shorter by, mean nats", "mean distance", "right", f"wrong by more than {CLEARLY}")
    lines = [(name, draw, n_rows, 20) for name, draw in power_tables.TWO_KINDS.items() for n_rows in (300, 1000, 3000)]
    lines += [(name, draw, 1000, 40) for name, draw in power_tables.LINEAR.items()]
    for name, draw, n_rows, n_tables in lines:
        (gap,) = program.over_tables(lead_of_right, name, draw, n_rows, n_tables)
        means = f"{gap.mean():.1f}", f"{np.abs(gap).mean():.1f}"
        line(name, f"{n_rows:,}", *means, count(gap > 0), count(gap < -CLEARLY))


def lead_of_right(program, table):
    codes = program.code_lengths(table)
    return (codes["effect",] + codes["cause", "effect"] - codes["cause",] - codes["effect", "cause"],)


if __name__ == "__main__":
    main()
