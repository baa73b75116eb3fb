"""Compares every number of this tree with those of another commit, to the last bit.

For changes that move code and must move no number. Scores all families of three tables with every estimator, learns them, and
repeats the paper's experiments with both binaries; schema and wording may differ, code lengths, graphs and probabilities may not.

    python3 scripts/same_numbers.py fe291fa            # builds that commit in target/same-numbers
    python3 scripts/same_numbers.py fe291fa --quick    # without the experiments
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLES = ["star5.csv", "asia.csv", "titanic.csv"]
ESTIMATORS = ["counts", "linear", "fourier", "neural", "mix"]
EXPERIMENTS = ["chain3", "star5", "chain5", "yu", "mechanisms"]
# (options of the other commit, options of this tree): what used to be one option is two.
REPEATS = {"fourier": (["--repeats", "2"], ["--row-orders", "2"]), "mix": (["--repeats", "2"], ["--networks", "2"])}
# What a run took is no number of its answer, and settings are written in another way.
LEFT_OUT = {"cost", "cpu_seconds", "wall_seconds", "settings", "schema", "version", "kind", "options", "command"}
# Keys that schema 2 calls otherwise, in the agreement of networks and row orders.
RENAMED = {"/agreement": {"networks": "n"}, "/agreement/edges": {"networks": "found_by"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the other commit")
    parser.add_argument("--binary", type=Path, help="its binary, if it is built already")
    parser.add_argument("--quick", action="store_true", help="leave the paper's experiments out")
    arguments = parser.parse_args()
    other = arguments.binary or build(checked_out(arguments.commit))
    ours = build(ROOT)
    n_numbers, differing = 0, []
    for name, theirs, mine in comparisons(other, ours, arguments.quick):
        numbers, mistakes = compared(theirs, mine)
        n_numbers += numbers
        differing += [f"{name}: {mistake}" for mistake in mistakes]
        print(f"{name}: {numbers} numbers and words, {len(mistakes)} differ", flush=True)
    print("\n".join(differing[:20]))
    print(f"{n_numbers} compared, {len(differing)} differ")
    return 1 if differing else 0


def checked_out(commit):
    tree = ROOT / "target" / "same-numbers" / commit
    if not tree.exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tree)], check=True)
        subprocess.run(["git", "checkout", "--quiet", commit], cwd=tree, check=True)
    return tree


def build(tree):
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "prequential-cli"], cwd=tree, check=True)
    return tree / "target" / "release" / "prequential"


def comparisons(other, ours, quick):
    """(name, what the other commit says, what this tree says)"""
    for table in TABLES:
        path = str(ROOT / "data" / table)
        for estimator in ESTIMATORS:
            options = [path, "--estimator", estimator, "--format", "json", "--quiet"]
            yield f"score {table} {estimator}", run(other, "score", *options), run(ours, "score", *options)
            options += ["--families"]
            yield f"learn {table} {estimator}", run(other, "learn", *options), run(ours, "learn", *options)
    for estimator, (theirs, mine) in REPEATS.items():
        options = ["learn", str(ROOT / "data" / "star5.csv"), "--estimator", estimator, "--format", "json", "--quiet"]
        yield f"repeats {estimator}", run(other, *options, *theirs), run(ours, *options, *mine)
    for search in ["hill-climb", "order", "exact"]:
        options = ["learn", str(ROOT / "data" / "asia.csv"), "--search", search, "--format", "json", "--quiet"]
        yield f"learn asia.csv {search}", run(other, *options), run(ours, *options)
    if not quick:
        yield from experiments(other, ours)


def experiments(other, ours):
    with tempfile.TemporaryDirectory() as directory:
        for binary, name in [(other, "theirs"), (ours, "ours")]:
            command = [str(binary), "reproduce", *EXPERIMENTS, "--seeds", "1", "--quiet", "--out", f"{directory}/{name}"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for experiment in EXPERIMENTS:
            theirs, mine = (Path(directory) / name / experiment for name in ["theirs", "ours"])
            read = [json.loads((folder / "numbers.json").read_text()) for folder in (theirs, mine)]
            yield f"reproduce {experiment}", *read
            for plot in sorted(theirs.glob("*.svg")):
                yield f"reproduce {experiment} {plot.name}", plot.read_text(), (mine / plot.name).read_text()


def run(binary, *options):
    return json.loads(subprocess.run([str(binary), *options], check=True, capture_output=True, text=True).stdout)


def compared(theirs, mine, path=""):
    """How many numbers and words were compared, and where they differ."""
    if isinstance(theirs, dict) and isinstance(mine, dict):
        # A key whose value is null may as well be left out.
        renamed = RENAMED.get("/".join(part for part in path.split("/") if not part.isdigit()), {})
        pairs = [(key, theirs[key], mine.get(renamed.get(key, key))) for key in theirs if key not in LEFT_OUT]
    elif isinstance(theirs, list) and isinstance(mine, list) and len(theirs) == len(mine):
        pairs = [(i, *pair) for i, pair in enumerate(zip(theirs, mine))]
    else:
        # json keeps every digit of a float: equal texts are equal bits.
        return 1, [] if theirs == mine else [f"{path}: {str(theirs)[:60]} is now {str(mine)[:60]}"]
    n_numbers, differing = 0, []
    for key, one, another in pairs:
        numbers, mistakes = compared(one, another, f"{path}/{key}")
        n_numbers, differing = n_numbers + numbers, differing + mistakes
    return n_numbers, differing


if __name__ == "__main__":
    sys.exit(main())
