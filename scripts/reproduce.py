"""Runs the paper's experiments as in docs/results.md: `make reproduce`.

Every experiment goes into a directory of its own below reproduced/, with its summary, numbers and plots. What the same program has already made is not made again,
so that a run that was stopped goes on where it was; within an experiment nothing is kept. Names of experiments make only these: python3 scripts/reproduce.py chain3 yu
"""

import argparse
import hashlib
import json
import subprocess
from pathlib import Path
from time import perf_counter

import environment

#: The directory, and what is run: an hour or so of two cores in all. `scripts/paper_networks.py` has the paper's networks on more tables than `chain3`.
EXPERIMENTS = {
    "tabular-chain": ["tabular-chain", "--seeds", "20"],
    "cancer": ["cancer", "--seeds", "20"],
    "held-out": ["held-out", "--seeds", "200"],
    "theorem1": ["theorem1", "--seeds", "5"],
    "scores": ["scores", "--seeds", "5"],
    "primes": ["primes", "--seeds", "5"],
    "chain3": ["chain3", "--seeds", "10"],
    "star5": ["star5", "--seeds", "10"],
    "chain5": ["chain5", "--seeds", "10"],
    "yu": ["yu", "--seeds", "3"],
    "mechanisms": ["mechanisms", "--seeds", "3"],
    "chain3-20000": ["chain3", "--rows", "20000", "--seeds", "10"],
    "star5-20000": ["star5", "--rows", "20000", "--seeds", "10"],
    "chain5-20000": ["chain5", "--rows", "20000", "--seeds", "10"],
    "yu-20000": ["yu", "--rows", "20000", "--seeds", "1"],
    "mechanisms-20000": ["mechanisms", "--rows", "20000", "--seeds", "1"],
    "robustness": ["robustness", "--estimator", "neural", "--seeds", "3"],
    "shifts": ["shifts", "--estimator", "linear", "--seeds", "20"],
    "ablations": ["ablations"],
    "robustness-paper": ["robustness", "--preset", "paper", "--rows", "1000", "--steps", "400", "--evaluation-interval", "50", "--patience", "4", "--learning-rate", "0.0003"],
    "chain3-paper": ["chain3", "--preset", "paper", "--steps", "1000", "--evaluation-interval", "50", "--patience", "4"],
    "sachs": ["sachs", "--estimator", "mix"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *EXPERIMENTS], metavar="NAME", help=f"of {', '.join(EXPERIMENTS)} [default: all]")
    parser.add_argument("--out", type=Path, default=environment.TOP / "reproduced", help="where directories are made [default: reproduced]")
    parser.add_argument("--command", type=Path, help="run this command instead of building this tree's")
    options = parser.parse_args()
    command = options.command or environment.build()[0]
    program = hashlib.sha256(command.read_bytes()).hexdigest()
    names = options.names or list(EXPERIMENTS)
    for number, name in enumerate(names, 1):
        made = {"program": program, "arguments": EXPERIMENTS[name]}
        stamp = options.out / name / "made.json"
        if stamp.exists() and json.loads(stamp.read_text()) == made:
            print(f"{number}/{len(names)} {name}: made before, {stamp.parent}", flush=True)
            continue
        print(f"{number}/{len(names)} {name}: prequential reproduce {' '.join(EXPERIMENTS[name])}", flush=True)
        seconds = run(command, EXPERIMENTS[name], options.out / name)
        stamp.write_text(json.dumps(made))
        print(f"{number}/{len(names)} {name}: {seconds:.0f} s, {stamp.parent}", flush=True)


def run(command, arguments, directory):
    """Makes an experiment; its files go into `directory`."""
    start = perf_counter()
    unfinished = directory.parent / f".{directory.name}"
    subprocess.run([command, "reproduce", *arguments, "--out", unfinished], check=True, stdout=subprocess.DEVNULL)
    directory.mkdir(parents=True, exist_ok=True)
    for file in (unfinished / arguments[0]).iterdir():
        file.replace(directory / file.name)
    (unfinished / arguments[0]).rmdir()
    unfinished.rmdir()
    return perf_counter() - start


if __name__ == "__main__":
    main()
