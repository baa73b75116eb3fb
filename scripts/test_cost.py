#!/usr/bin/env python3
"""CPU seconds of each part of `make test` from a clean clone, and of its slowest tests.

    python3 scripts/test_cost.py                 # all parts, in target/test-cost
    python3 scripts/test_cost.py --slowest 30    # then every test by itself, the slowest listed

User and system seconds of a part and of all that it starts: what else the machine does hardly changes them.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TESTS = ["cargo", "test", "--workspace", "--quiet", "--lib", "--bins", "--tests"]
PARTS = {
    "compile": [*TESTS, "--no-run"],
    "run": TESTS,
    "documentation": ["cargo", "test", "--workspace", "--quiet", "--doc"],
    "without features": ["make", "--no-print-directory", "test-without-features"],
    "browser": ["make", "--no-print-directory", "browser-test"],
    "python": ["make", "--no-print-directory", "python-test"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS), help="which parts, in this order")
    parser.add_argument("--slowest", type=int, default=0, help="list so many tests that took the most CPU time")
    asked = parser.parse_args()
    clone = TOP / "target" / "test-cost"
    shutil.rmtree(clone, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(TOP), str(clone)], check=True)
    total = 0.0
    for part in asked.parts.split(","):
        seconds = cpu_seconds(PARTS[part], clone)
        total += seconds
        print(f"{part:17} {seconds:7.1f} CPU s", flush=True)
    print(f"{'together':17} {total:7.1f} CPU s ({total / 60:.1f} min)")
    if asked.slowest:
        for seconds, name in slowest(clone)[: asked.slowest]:
            print(f"{seconds:7.1f}  {name}")


def cpu_seconds(command, folder):
    """What a command and all that it starts take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "CARGO_INCREMENTAL": "0"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def slowest(clone):
    """Every test run by itself, those with the most CPU seconds first."""
    built = subprocess.run(
        [*TESTS, "--no-run", "--message-format=json"], cwd=clone, check=True, capture_output=True, text=True
    )
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    programs = [m for m in messages if m.get("executable") and m.get("profile", {}).get("test")]
    found = []
    for program in programs:
        folder = Path(program["manifest_path"]).parent
        listed = subprocess.run([program["executable"], "--list"], cwd=folder, capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            if line.endswith(": test"):
                name = line.removesuffix(": test")
                seconds = cpu_seconds([program["executable"], "--exact", name], folder)
                found.append((seconds, f"{program['target']['name']} {name}"))
    return sorted(found, reverse=True)


if __name__ == "__main__":
    main()
