"""Measures regret, the nats above the true conditional distribution, where it is known: `make regret`.

Every conditional (`conditionals.py`) is drawn with a fixed seed at several numbers of rows and scored by every estimator, and by the Gaussian BIC of a linear
regression; the ideal code knows the distribution. Code lengths count the width of a cell, so the ideal is the true chance of that cell. `counts` is for families of
labels alone: it bins numbers. Code lengths are kept in target/regret.jsonl, and none is worked out again that the same program made of the same table.
Needs numpy, scipy and matplotlib, which it installs into its own environment.
"""

import argparse
import hashlib
import json
import math
import subprocess
import tempfile
from pathlib import Path

import environment
from environment import TARGET, TOP

REQUIREMENTS = ["numpy==2.4.6", "scipy==1.17.1", "matplotlib==3.11.2"]
BIC = "Gaussian BIC"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default="300,1000,2000,5000,20000")
    parser.add_argument("--estimators", default="mix,fourier,neural,linear,counts", help="the summary shows the first at all numbers of rows")
    parser.add_argument("--only", default="", help="conditionals whose name has this in it [default: all]")
    parser.add_argument("--binary", type=Path, help="measure this command instead of building this tree's")
    parser.add_argument("--plot", type=Path, nargs="?", const=TOP / "docs" / "figures" / "regret.svg", help="also draw a picture [default: docs/figures/regret.svg]")
    options = parser.parse_args()
    environment.enter("venv-regret", REQUIREMENTS)
    results = Results(TARGET / "regret.jsonl", options.binary or environment.build()[0])
    rows, estimators = [int(n) for n in options.rows.split(",")], options.estimators.split(",")
    regrets = measure(results, samples(rows, options.only), estimators)
    print_summary(regrets, rows, estimators)
    if options.plot:
        import regret_plot

        regret_plot.draw(regrets, options.plot)


class Results:
    """Code lengths in a file of JSON lines, by program, table and estimator: a run that was interrupted goes on."""

    def __init__(self, path, binary):
        self.path, self.binary = path, binary
        self.program = digest(Path(binary).read_bytes())
        lines = map(json.loads, path.read_text().splitlines()) if path.exists() else []
        self.known = {(line["program"], line["table"], line["estimator"]): line["code_length_nats"] for line in lines}

    def code_length(self, name, sample, estimator):
        key = self.program, digest(table(sample).encode()), estimator
        if key not in self.known:
            self.known[key], seconds = score(self.binary, sample, estimator)
            line = {"program": key[0], "table": key[1], "conditional": name, "rows": len(sample.child), "estimator": estimator}
            with self.path.open("a") as file:
                file.write(json.dumps(line | {"code_length_nats": self.known[key], "seconds": seconds}) + "\n")
        return self.known[key]


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def samples(rows, only):
    """Every conditional whose name has `only` in it, at every number of rows."""
    import numpy as np
    from conditionals import conditionals

    for number, (name, draw) in enumerate(conditionals().items()):
        for n in rows if only in name else []:
            yield name, n, draw(np.random.default_rng([7, number, n]), n)


def measure(results, samples, estimators):
    """Conditional -> rows -> estimator -> nats above the truth; prints a line of a table for each of the first two."""
    columns = [*estimators, BIC]
    print("| y given its parents | rows | " + " | ".join(f"{name}: nats, a row" for name in columns) + " |")
    print("|---|---:" + "|---:" * len(columns) + "|")
    regrets = {}
    for name, n, sample in samples:
        above = {estimator: results.code_length(name, sample, estimator) for estimator in estimators if can_code(estimator, sample)}
        above |= gaussian_bic(sample)
        above = {estimator: nats - sample.ideal() for estimator, nats in above.items()}
        regrets.setdefault(name, {})[n] = above
        print(f"| {name} | {n:,} | " + " | ".join(f"{above[c]:.1f}, {above[c] / n:.4f}" if c in above else "-" for c in columns) + " |", flush=True)
    return regrets


def can_code(estimator, sample):
    from conditionals import is_labels

    return estimator != "counts" or all(map(is_labels, [*sample.parents, sample.child]))


def table(sample):
    """The sample as CSV. A table needs two columns: a child without parents has one of labels beside it that is not linked."""
    columns = sample.parents or [[("left", "right")[row % 2] for row in range(len(sample.child))]]
    names = [f"x{i}" for i in range(len(columns))]
    cell = lambda value: value if isinstance(value, str) else f"{value:.17g}"
    rows = zip(*columns, sample.child)
    return "\n".join([",".join([*names, "y"]), *(",".join(map(cell, row)) for row in rows)]) + "\n"


def score(binary, sample, estimator, is_linked=True):
    """Nats of the child given its parents, or without them, and seconds for the whole graph."""
    from conditionals import is_labels

    n_parents = len(sample.parents) if is_linked else 0
    with tempfile.TemporaryDirectory() as folder:
        data, graph = Path(folder, "table.csv"), Path(folder, "graph.json")
        data.write_text(table(sample))
        graph.write_text(json.dumps({"nodes": ["y"], "edges": [[f"x{i}", "y"] for i in range(n_parents)]}))
        kind = "--labels" if is_labels(sample.child) else "--numbers"
        command = [binary, "score", data, "--graph", graph, "--estimator", estimator, kind, "y", "--format", "json", "--quiet"]
        result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    nats = next(family["code_length_nats"] for family in result["families"] if family["child"] == "y")
    return nats, result["cost"]["wall_seconds"]


def gaussian_bic(sample):
    """The BIC of a linear regression with normal noise as nats of the same cells; labels among the parents as a column for each but the first."""
    import numpy as np
    from conditionals import Cells, is_labels

    if is_labels(sample.child):
        return {}
    n, columns = len(sample.child), [np.ones(len(sample.child))]
    for parent in sample.parents:
        columns += [parent == level for level in np.unique(parent)[1:]] if is_labels(parent) else [parent]
    design = np.column_stack(columns).astype(float)
    residuals = sample.child - design @ np.linalg.lstsq(design, sample.child)[0]
    variance, n_parameters = np.mean(residuals**2), design.shape[1] + 1
    fit = n / 2 * np.log(2 * np.pi * np.e * variance) - n * np.log(Cells(sample.child).width)
    return {BIC: fit + n_parameters / 2 * np.log(n)}


def print_summary(regrets, rows, estimators):
    """A line for each conditional: the first estimator at all rows, the others at the last number of rows."""
    first, *others = [*estimators, BIC]
    heads = [f"{first}: {rows[0]:,} rows", *(f"{n:,}" for n in rows[1:]), "fall a row, 2,000 to 20,000", *(f"{name}: {rows[-1]:,} rows" for name in others)]
    print("\nNats above the truth:\n\n| y given its parents | " + " | ".join(heads) + " |")
    print("|---" + "|---:" * len(heads) + "|")
    for name, by_rows in regrets.items():
        ours = [f"{by_rows[n][first]:,.0f}" for n in rows]
        theirs = [f"{by_rows[rows[-1]].get(other, math.nan):,.0f}".replace("nan", "-") for other in others]
        print("| " + " | ".join([name, *ours, fall(by_rows, first), *theirs]) + " |")


def fall(by_rows, estimator):
    """How many times less a row costs above the truth at 20,000 rows than at 2,000."""
    if not {2_000, 20_000} <= by_rows.keys() or by_rows[20_000][estimator] <= 0:
        return "-"
    return f"{by_rows[2_000][estimator] / by_rows[20_000][estimator] * 10:.1f}"


if __name__ == "__main__":
    main()
