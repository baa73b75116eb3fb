"""Runs the fuzz targets, and reports how many inputs each ran and whether any of them crashed it.

    python3 scripts/fuzz.py [--seconds 600] [--at-once 1] [TARGET ...]

Needs `cargo install cargo-fuzz`. Finds go to fuzz/corpus, inputs that crash to fuzz/artifacts.
"""

import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FUZZ = Path(__file__).resolve().parent.parent / "fuzz"
# `cargo fuzz` wants a nightly compiler; this lets the stable one do. Our code has no unsafe block to sanitise.
ENVIRONMENT = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
# Nothing small may take ten seconds or a gigabyte.
LIMITS = ["-rss_limit_mb=1024", "-malloc_limit_mb=1024", "-print_final_stats=1"]

SECONDS_PER_INPUT = 10
# The decoder of Parquet steps through lists in a damaged footer as long as they say they are: seconds for two billion items.
SLOW = {"table_parquet": 60}


def cargo_fuzz(*arguments: str, **options) -> subprocess.CompletedProcess:
    command = ["cargo", "fuzz", arguments[0], "--sanitizer", "none", *arguments[1:]]
    return subprocess.run(command, cwd=FUZZ.parent, env=ENVIRONMENT, **options)


def all_targets() -> list[str]:
    return sorted(path.stem for path in (FUZZ / "fuzz_targets").glob("*.rs"))


def dictionary(target: str) -> list[str]:
    """The words of the target's format, else of its family's: those of `table` for `table_csv`."""
    names = [target, target.split("_")[0]]
    found = [FUZZ / "dictionaries" / f"{name}.dict" for name in names]
    return [f"-dict={path}" for path in found if path.exists()][:1]


def run(target: str, seconds: int) -> tuple[str, str, int]:
    corpus, artifacts = FUZZ / "corpus" / target, FUZZ / "artifacts" / target
    for directory in (corpus, artifacts):
        directory.mkdir(parents=True, exist_ok=True)
    before = set(artifacts.iterdir())
    finished = cargo_fuzz(
        "run", target, str(corpus), str(FUZZ / "seeds" / target), "--",
        f"-max_total_time={seconds}", f"-timeout={SLOW.get(target, SECONDS_PER_INPUT)}", *LIMITS, *dictionary(target),
        capture_output=True, text=True, errors="replace",
    )
    found = set(artifacts.iterdir()) - before
    # Slow within the limit is no failure.
    crashes = sorted(path for path in found if not path.name.startswith("slow-unit-"))
    inputs = re.search(r"number_of_executed_units: *(\d+)", finished.stderr)
    places = re.findall(r"cov: (\d+)", finished.stderr)
    memory = re.search(r"peak_rss_mb: *(\d+)", finished.stderr)
    if inputs is None or (finished.returncode and not crashes):
        return target, f"did not run:\n{finished.stderr[-2000:]}", 1
    line = f"{int(inputs[1]):>12,} inputs, {places[-1] if places else '?'} places reached, {memory[1]} MB, "
    shown = "".join(f"\n  {path}" for path in crashes)
    return target, line + (f"{len(crashes)} crashes{shown}" if crashes else "no crash"), len(crashes)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", default=all_targets())
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--at-once", type=int, default=1, help="targets that run at the same time")
    arguments = parser.parse_args()
    for target in arguments.targets:
        cargo_fuzz("build", target, check=True)
    n_crashes = 0
    with ThreadPoolExecutor(arguments.at_once) as pool:
        for target, line, crashes in pool.map(lambda target: run(target, arguments.seconds), arguments.targets):
            print(f"{target:<16}{line}", flush=True)
            n_crashes += crashes
    return 1 if n_crashes else 0


if __name__ == "__main__":
    sys.exit(main())
