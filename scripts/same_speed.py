"""Compares the CPU seconds of this tree with those of another commit: alternating runs, ratio of medians.

    python3 scripts/same_speed.py fb0d87a                         # builds that commit in target/same-numbers
    python3 scripts/same_speed.py --binary OTHER --ours OURS      # with binaries that are built already
    python3 scripts/same_speed.py fb0d87a --times 9 --only alarm

On a busy machine CPU seconds rise with the load, for both alike: runs alternate, and which begins alternates, too. One thread.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from same_numbers import ROOT, build, checked_out

#: (name, what is simulated, options of `learn`)
TABLES = [
    ("5 x 5,000 numbers", ["random-additive", "--variables", "5", "--rows", "5000"], []),
    ("20 x 2,000 numbers", ["random-additive", "--variables", "20", "--rows", "2000"], []),
    ("alarm, 5,000 rows", ["alarm", "--rows", "5000"], []),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", help="the other commit")
    parser.add_argument("--binary", type=Path, help="the binary of the other commit, if it is built already")
    parser.add_argument("--ours", type=Path, help="the binary of this tree, if it is built already")
    parser.add_argument("--times", type=int, default=5, help="runs of each [default: 5]")
    parser.add_argument("--only", help="only tables whose name has this word")
    arguments = parser.parse_args()
    if not (arguments.commit or arguments.binary):
        parser.error("name a commit or --binary")
    binaries = {"other": arguments.binary or build(checked_out(arguments.commit)), "ours": arguments.ours or build(ROOT)}
    print("| table | CPU seconds, other | this | ratio of medians | least, other | least, this | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as directory:
        for name, simulated, options in TABLES:
            if arguments.only and arguments.only not in name:
                continue
            table = Path(directory) / "table.csv"
            subprocess.run([binaries["other"], "simulate", *simulated, "--seed", "1", "--out", table], check=True)
            seconds = {"other": [], "ours": []}
            for i in range(arguments.times):
                for side in ["other", "ours"] if i % 2 == 0 else ["ours", "other"]:
                    seconds[side].append(cpu_seconds([binaries[side], "learn", table, "--threads", "1", "--quiet", *options]))
            middle = [median(seconds[side]) for side in ("other", "ours")]
            least = [min(seconds[side]) for side in ("other", "ours")]
            columns = [f"{values[0]:.2f} | {values[1]:.2f} | {values[1] / values[0]:.3f}" for values in (middle, least)]
            print(f"| {name} | {' | '.join(columns)} |", flush=True)


def cpu_seconds(command):
    """User and system seconds of one run."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed")
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
