"""Compares every number of this tree with those of another commit, to the last bit.

For changes that move code and must move no number. Scores, learns and compresses tables with every estimator and search, and repeats
the paper's experiments, with both binaries. Numbers and the names of variables may not differ. Words and places may: they are
counted, and `--words` lists them. The answers of the other binary are kept beside it, so a second run takes half as long.

    python3 scripts/same_numbers.py fb0d87a                       # builds that commit in target/same-numbers
    python3 scripts/same_numbers.py --binary OTHER --ours OURS    # with binaries that are built already
    python3 scripts/same_numbers.py fb0d87a --quick               # small tables, no experiments
    python3 scripts/same_numbers.py fb0d87a --only penguins       # the comparisons whose name has this word
"""

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "target" / "same-numbers"
ESTIMATORS = ["counts", "linear", "fourier", "neural", "mix"]
TEXTBOOK = ["bic", "aic", "fnml", "qnml", "gaussian-bic", "bge"]
COMPRESSING = ["auto", "counts", "linear", "fourier", "mix"]
EXPERIMENTS = ["chain3", "star5", "chain5", "yu", "mechanisms"]
# Options that have been renamed: whichever of the two a binary knows is given to it.
RENAMED_OPTIONS = {
    "--networks-everywhere": "--train-all-networks",
    "--row-orders": "--permutations",
    "--inputs": "--parent-values",
    "--tabu": "--tabu-steps",
}
# What a run took is no number of its answer, and settings are written in another way.
LEFT_OUT = {"cost", "cpu_seconds", "wall_seconds", "settings", "schema", "version", "options", "command", "path", "hints"}
# The file of a compressed table names its version and estimator: some bytes more or fewer are no change of the code.
LEFT_OUT |= {"header_bytes", "file_bytes", "bits_per_row"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", help="the other commit")
    parser.add_argument("--binary", type=Path, help="the binary of the other commit, if it is built already")
    parser.add_argument("--ours", type=Path, help="the binary of this tree, if it is built already")
    parser.add_argument("--quick", action="store_true", help="small tables only, and no experiments")
    parser.add_argument("--only", help="only comparisons whose name has this word")
    parser.add_argument("--words", action="store_true", help="list words and places that differ, too")
    arguments = parser.parse_args()
    if not (arguments.commit or arguments.binary):
        parser.error("name a commit or --binary")
    other = Program(arguments.binary or build(checked_out(arguments.commit)), is_kept=True)
    ours = Program(arguments.ours or build(ROOT))
    n_numbers, differing = 0, []
    with tempfile.TemporaryDirectory() as directory:
        for name, options in runs(Path(directory), other, arguments.quick):
            if arguments.only and arguments.only not in name:
                continue
            comparison = Comparison(other.answer(options), ours.answer(options))
            n_numbers += comparison.n_numbers
            differing += [f"{name}{mistake}" for mistake in comparison.mistakes]
            n_mistakes, n_words, n_moved = (len(comparison.mistakes), len(comparison.words), len(comparison.moved))
            elsewhere = "; both refuse" if comparison.is_refused else ""
            elsewhere += f", {n_words} words differ, {n_moved} places moved" if n_words + n_moved else ""
            print(f"{name}: {comparison.n_numbers} numbers and names, {n_mistakes} differ{elsewhere}", flush=True)
            if arguments.words:
                print("\n".join(f"    {line}" for line in comparison.words + comparison.moved))
    print("\n".join(differing[:40]))
    print(f"{n_numbers} compared, {len(differing)} differ")
    return 1 if differing or not n_numbers else 0


def checked_out(commit):
    tree = KEPT / commit
    if not tree.exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tree)], check=True)
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=tree, check=True)
    return tree


def build(tree):
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "prequential-cli"], cwd=tree, check=True)
    return tree / "target" / "release" / "prequential"


class Program:
    """A binary, its names of options, and its answers as JSON."""

    def __init__(self, path, is_kept=False):
        self.path = Path(path).resolve()
        self.digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        self.help = subprocess.run([str(self.path), "learn", "--help"], check=True, capture_output=True, text=True).stdout
        self.is_kept = is_kept

    def answer(self, options):
        """What it says, or that it refuses; from the file of kept answers if it has said it before."""
        if not self.is_kept:
            return self.asked(options)
        files = [hashlib.sha256(Path(option).read_bytes()).hexdigest() for option in options if Path(option).is_file()]
        words = [Path(option).name if "/" in option else option for option in options]
        key = hashlib.sha256(json.dumps([self.digest, words, files]).encode()).hexdigest()
        kept = self.path.with_name(f"{self.path.name}.answers") / f"{key}.json"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(self.asked(options)))
        return json.loads(kept.read_text())

    def asked(self, options):
        with tempfile.TemporaryDirectory() as directory:
            command = [str(self.path), *(self.named(option) for option in options)]
            if options[0] in ("compress", "reproduce"):
                command += ["--out", f"{directory}/out"]
            ended = subprocess.run(command, capture_output=True, text=True)
            if ended.returncode:
                return {"refused": True, "words": ended.stderr}
            if options[0] != "reproduce":
                return json.loads(ended.stdout)
            read = {str(file.relative_to(directory)): file for file in sorted(Path(directory).rglob("*.*"))}
            numbers = {name: json.loads(file.read_text()) for name, file in read.items() if file.suffix == ".json"}
            return numbers | {name: numbers_in(file.read_text()) for name, file in read.items() if file.suffix == ".svg"}

    def named(self, option):
        now = RENAMED_OPTIONS.get(option)
        return now if now and re.search(rf"{now}(?![\w-])", self.help) else option


def numbers_in(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def runs(directory, program, quick):
    """(name, options) of every run to compare."""
    data = {name: [str(ROOT / "data" / f"{name}.csv")] for name in ["star5", "asia", "penguins", "titanic"]}
    mixed = directory / "mixed.csv"
    mixed.write_text(mixed_table(300))
    tables = data | {"mixed": [str(mixed), "--context", "site", "--interventions", "set"]}
    for name, table in tables.items():
        for estimator in ESTIMATORS + TEXTBOOK:
            if estimator in TEXTBOOK[-2:] and name != "star5":
                continue  # they are for numbers only
            ending = ["--estimator", estimator, "--format", "json", "--quiet"]
            # `learn` with networks scores some families without them; quickly, it is enough.
            if not quick or estimator in TEXTBOOK:
                yield f"score {name} {estimator}", ["score", *table, *ending]
            if not (quick and name == "penguins" and estimator == "neural"):
                yield f"learn {name} {estimator}", ["learn", *table, *ending, "--families"]
    yield from settings_runs(data, tables["mixed"])
    yield from search_runs(directory, program, data, quick)
    graphs = {name: ROOT / "data" / f"{name}-graph.json" for name in ["star5", "asia"]}
    for name in ["penguins", "titanic"]:
        graphs[name] = directory / f"{name}-graph.json"
        learn = ["learn", *data[name], "--estimator", "counts", "--quiet", "--graph", str(graphs[name])]
        subprocess.run([program.path, *learn], check=True, stdout=subprocess.DEVNULL)
    for name, graph in graphs.items():
        for estimator in COMPRESSING:
            if estimator == "counts" and name in ["star5", "penguins"]:
                continue  # counts code labels only
            ending = ["--graph", str(graph), "--estimator", estimator, "--format", "json", "--quiet"]
            yield f"compress {name} {estimator}", ["compress", *data[name], *ending]
        yield f"score {name} by its graph", ["score", *data[name], "--graph", str(graph), "--format", "json", "--quiet"]
    if not quick:
        for experiment in EXPERIMENTS:
            yield f"reproduce {experiment}", ["reproduce", experiment, "--seeds", "1", "--quiet"]
        interventions = ["reproduce", "cancer", "tabular-chain", "shifts", "--rows", "500", "--seeds", "1", "--quiet"]
        yield "reproduce cancer, tabular-chain, shifts", interventions


def settings_runs(data, mixed):
    """One run for each setting that reaches an estimator."""
    paper = ["--estimator", "neural", "--schedule", "blockwise", "--steps", "10", "--splits", "2"]
    asked = [
        ("star5", ["--row-orders", "2", "--estimator", "fourier"]),
        ("star5", ["--networks", "2"]),
        ("star5", ["--networks", "0"]),
        ("star5", ["--networks-everywhere"]),
        ("star5", ["--estimator", "linear", "--inputs", "quantised"]),
        ("star5", ["--estimator", "fourier", "--seed", "3", "--row-order", "given"]),
        ("star5", ["--estimator", "fourier", "--max-parents", "2", "--require", "A->C", "--forbid", "C->D", "--roots", "B"]),
        ("star5", ["--estimator", "counts", "--bins", "5", "--binning", "tanh"]),
        ("star5", [*paper, "--max-parents", "1"]),
        ("star5", ["--preset", "paper", "--columns", "A,C", "--steps", "3", "--splits", "2"]),
        ("titanic", ["--alpha", "0.5"]),
        ("titanic", ["--ess", "4"]),
        ("titanic", ["--estimator", "mix", "--ordered", "class=crew<3rd<2nd<1st"]),
        ("titanic", [*paper, "--no-calibration"]),
        ("titanic", ["--estimator", "neural", "--optimiser", "rmsprop", "--hidden", "8", "--learning-rate", "0.01"]),
        ("asia", ["--max-configurations", "8", "--context", "smoke"]),
        ("penguins", ["--labels", "year", "--estimator", "linear", "--max-parents", "3"]),
        ("penguins", []),
    ]
    for name, options in asked:
        yield f"learn {name} {' '.join(options)}", ["learn", *data[name], *options, "--families", "--format", "json", "--quiet"]
    for options in [["--networks-everywhere"], ["--row-orders", "2", "--networks", "2"], ["--alpha", "1"]]:
        yield f"learn mixed {' '.join(options)}", ["learn", *mixed, *options, "--families", "--format", "json", "--quiet"]


def search_runs(directory, program, data, quick):
    """Every search, on small tables and on ALARM."""
    for search in ["exhaustive", "hill-climb", "order", "exact", "ilp"]:
        for name, max_parents in [("titanic" if search == "exhaustive" else "asia", 3), ("star5", 4)]:
            options = ["--search", search, "--max-parents", str(max_parents), "--format", "json", "--quiet"]
            yield f"learn {name} {search}", ["learn", *data[name], *options]
    alarm = directory / "alarm.csv"
    simulate = ["simulate", "alarm", "--rows", "500" if quick else "2000", "--out", str(alarm)]
    subprocess.run([program.path, *simulate], check=True)
    yield "simulated alarm", ["score", str(alarm), "--max-parents", "1", "--format", "json", "--quiet"]
    for search in ["hill-climb", "order"] if quick else ["hill-climb", "order", "ilp"]:
        options = ["--search", search, "--max-parents", "2", "--restarts", "2", "--tabu", "5", "--format", "json", "--quiet"]
        yield f"learn alarm {search}", ["learn", str(alarm), *options]
    for search in ["hill-climb", "exact"] if quick else ["hill-climb", "order", "exact"]:
        table = directory / f"additive-{search}.csv"
        simulate = ["simulate", "random-additive", "--variables", "8", "--rows", "500", "--out", str(table)]
        subprocess.run([program.path, *simulate], check=True)
        options = ["--search", search, "--format", "json", "--quiet"] + (["--networks", "0"] if quick else [])
        yield f"learn additive {search}", ["learn", str(table), *options]


def mixed_table(n_rows):
    """Labels and numbers, missing cells, interventions, a context, zeros, repeated and censored values; the same each time."""
    draw = random.Random(31)
    lines = ["site,set,dose,smoker,spend,grade,delay,level"]
    for _ in range(n_rows):
        site = draw.choice(["north", "south", "west"])
        target = draw.choice([""] * 6 + ["dose", "smoker", "dose;level"])
        dose = draw.gauss(0, 1) if "dose" not in target else draw.uniform(-2, 2)
        smoker = draw.random() < (0.5 if "smoker" in target else 0.2 + 0.4 * (site == "west"))
        spend = 0.0 if draw.random() < 0.4 + 0.2 * smoker else 10 * 2 ** draw.gauss(0.5 * dose, 0.5)  # hurdle
        grade = round(2 * (dose + (site == "south") + draw.gauss(0, 0.5))) / 2  # repeated values
        delay = min(max(3 + dose**2 + draw.gauss(0, 1), 2.5), 5)  # censored at both ends
        level = draw.uniform(0, 1) if "level" in target else 1 / (1 + 2 ** -(grade - 0.2 * spend**0.5 + draw.gauss(0, 0.3)))
        cells = [site, target, f"{dose:.3f}", "yes" if smoker else "no", f"{spend:.2f}", f"{grade:.1f}", f"{delay:.2f}", f"{level:.4f}"]
        cells[2:] = [cell if draw.random() > 0.04 else "" for cell in cells[2:]]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


class Comparison:
    """Two answers, place by place.

    A number or the name of a variable that differs is a mistake. So is a number of a place that is gone, unless it stands
    elsewhere now: places may move. Other words may differ.
    """

    def __init__(self, theirs, mine):
        self.n_numbers, self.mistakes, self.words, self.moved = 0, [], [], []
        self.is_refused = "refused" in theirs
        self.names = names(theirs)
        self.known = {leaf for _, leaf in leaves(mine)}
        self.compare(theirs, mine, "")

    def compare(self, theirs, mine, path):
        if isinstance(theirs, dict) and isinstance(mine, dict):
            for key, value in theirs.items():
                # A key whose value is null may as well be left out.
                if key in LEFT_OUT or (value is None and key not in mine):
                    continue
                if key in mine:
                    self.compare(value, mine[key], f"{path}/{key}")
                else:
                    self.look_for(value, f"{path}/{key}")
        elif isinstance(theirs, list) and isinstance(mine, list) and len(theirs) == len(mine):
            for i, pair in enumerate(zip(theirs, mine)):
                self.compare(*pair, f"{path}/{i}")
        elif isinstance(theirs, (dict, list)) or isinstance(mine, (dict, list)):
            self.look_for(theirs, path)
        elif isinstance(theirs, str) and theirs not in self.names:
            if theirs != mine:
                self.words.append(f"{path}: {str(theirs)[:80]} is now {str(mine)[:80]}")
        else:
            self.n_numbers += 1
            # json keeps every digit of a float: equal texts are equal bits.
            if json.dumps(theirs) != json.dumps(mine):
                self.mistakes.append(f"{path}: {str(theirs)[:60]} is now {str(mine)[:60]}")

    def look_for(self, theirs, path):
        """Whether what stood in a place that is gone stands anywhere now."""
        self.moved.append(path)
        for place, leaf in leaves(theirs, path):
            if isinstance(leaf, float) and leaf != int(leaf):
                self.n_numbers += 1
                if leaf not in self.known:
                    self.mistakes.append(f"{place}: {leaf} is nowhere now")


def leaves(value, path=""):
    """(place, value) of all that is no list and no object."""
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in LEFT_OUT:
                yield from leaves(part, f"{path}/{key}")
    else:
        yield path, value


def names(answer):
    """The names of variables that an answer lists."""
    data = answer.get("data")
    variables = data.get("variables", []) if isinstance(data, dict) else []
    return {variable["name"] for variable in variables}


if __name__ == "__main__":
    sys.exit(main())
