#!/usr/bin/env python3
"""Seconds and memory of whole runs by columns, rows and cores, compared with the estimates of a dry run: tables and a picture.

Run from anywhere: python3 scripts/growth.py [--quick] [--series columns rows cores estimates] [--limit 900] [--out docs/figures/growth.svg]
Draws tables of numbers (`random-functions`, `random-additive`) and of labels (`random-categorical`), asks for a dry run and learns each in a process of its own,
with the defaults. What was measured is kept in target/growth.jsonl and not measured again unless the table, the options or the command differ; `--fresh` forgets
it. A run that takes longer than `--limit` seconds on the clock is told to stop and marked. CPU seconds are of the process, reading included; memory is the largest
resident set. The whole takes about 30 CPU minutes without the tables above 100,000 rows and 100 columns, which `--large` adds; `--quick` a minute or two.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import environment
from environment import TARGET, TOP

MATPLOTLIB = "matplotlib==3.11.2"
KEPT = TARGET / "growth.jsonl"
NUMBERS, ADDITIVE, LABELS = "random-functions", "random-additive", "random-categorical"
N_CORES = os.cpu_count() or 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--series", nargs="+", choices=SERIES, default=list(SERIES), help="what to measure [default: all]")
    parser.add_argument("--quick", action="store_true", help="small tables only, to see that it works")
    parser.add_argument("--large", action="store_true", help="also 1,000,000 rows of numbers and 200 columns of them: hours")
    parser.add_argument("--limit", type=int, default=900, help="seconds on the clock for a run [default: 900]")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured")
    parser.add_argument("--command", type=Path, help="measure this command instead of building this tree's")
    parser.add_argument("--out", type=Path, default=TOP / "docs" / "figures" / "growth.svg")
    options = parser.parse_args()
    environment.enter("venv-plot", [MATPLOTLIB])
    command = options.command or environment.build()[0]
    if options.fresh:
        KEPT.unlink(missing_ok=True)
    measured = {}
    for name in options.series:
        tables = SERIES[name]["tables"]
        tables = [table for table in tables if n_cells(table) <= (20_000 if options.quick else 1e9)]
        tables = [table for table in tables if options.large or not is_large(table)]
        print(f"\n**{SERIES[name]['title']}**\n\n{HEADER}", flush=True)
        measured[name] = [measure(command, table, options.limit) for table in tables]
    if not options.quick:
        draw(measured, options.out)


def table(kind, columns, rows, threads=N_CORES, seed=1):
    return {"kind": kind, "columns": columns, "rows": rows, "threads": threads, "seed": seed}


def n_cells(table):
    return table["columns"] * table["rows"]


def is_large(table):
    return table["kind"] != LABELS and (table["rows"] > 100_000 or table["columns"] > 100)


ROWS = [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
COLUMNS = [5, 10, 20, 50, 100, 200]
SERIES = {
    "columns": {
        "title": "By columns, 1,000 rows",
        "tables": [table(kind, columns, 1_000) for kind in [NUMBERS, LABELS] for columns in COLUMNS],
    },
    "rows": {"title": "By rows, 6 columns", "tables": [table(kind, 6, rows) for kind in [NUMBERS, LABELS] for rows in ROWS]},
    "cores": {
        "title": "By cores",
        "tables": [table(*size, threads) for size in [(NUMBERS, 10, 2_000), (LABELS, 37, 10_000)] for threads in [1, N_CORES]],
    },
    "estimates": {
        "title": "What a dry run says, and what the run takes",
        "tables": [
            table(kind, columns, rows, seed=seed)
            for seed, kind in enumerate([ADDITIVE, NUMBERS], 2)
            for columns, of_columns in [(5, [300, 1_000, 5_000]), (10, [300, 1_000, 5_000]), (20, [300, 1_000, 5_000]), (50, [300, 1_000])]
            for rows in of_columns
        ],
    },
}
HEADER = (
    "| table | columns | rows | threads | CPU s said | CPU s | off by | s on the clock | memory said, MiB | MiB | off by | families, with networks |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def measure(command, table, limit):
    key = {**table, "command": Path(command).stat().st_mtime_ns, "limit": limit}
    kept = [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []
    found = next((one["found"] for one in kept if one["key"] == key), None)
    if found is None:
        found = run(command, table, limit)
        with KEPT.open("a") as file:
            file.write(json.dumps({"key": key, "found": found}) + "\n")
    show(table, found)
    return table, found


def run(command, table, limit):
    data = TARGET / "growth.csv"
    size = ["--variables", str(table["columns"]), "--rows", str(table["rows"]), "--seed", str(table["seed"])]
    subprocess.run([command, "simulate", table["kind"], *size, "--out", data], check=True)
    options = ["--threads", str(table["threads"]), "--format", "json", "--quiet", "--top", "1"]
    plan, *_ = learn([command, "learn", data, *options, "--dry-run"])
    result, cpu, memory = learn([command, "learn", data, *options, "--time-limit", f"{limit}s"])
    return {
        "estimate": plan["estimate"],
        "cost": result["cost"],
        "cpu_seconds": cpu,
        "memory_bytes": memory,
        "stopped": result.get("partial") is not None,
        "networks": ((result.get("shortcuts") or {}).get("networks") or {}).get("families", 0),
    }


#: Runs a command from a process of its own: the largest resident set of a new process begins with that of the one it comes from.
MEASURE = """
import json, os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(json.dumps([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]), file=sys.stderr)
"""


def learn(words):
    """The JSON that a command prints, its CPU seconds and its largest resident set; below 10 MiB it is that of a small Python."""
    run = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, *map(str, words)], check=True, capture_output=True, text=True)
    status, cpu, memory = json.loads(run.stderr.splitlines()[-1])
    assert status == 0, (words, run.stderr)
    return json.loads(run.stdout), cpu, memory


def show(table, found):
    estimate, said = found["estimate"], found["estimate"]["cpu_seconds"]
    memory, said_memory = found["memory_bytes"] / 2**20, estimate["memory_bytes"] / 2**20
    stopped = " (stopped)" if found["stopped"] else ""
    cells = [
        table["kind"], table["columns"], f"{table['rows']:,}", table["threads"],
        f"{number(said['least'])} to {number(said['most'])}", number(found["cpu_seconds"]) + stopped,
        factor(said["least"], said["most"], found["cpu_seconds"]), number(found["cost"]["wall_seconds"]),
        f"{said_memory:.0f}", f"{memory:.0f}", factor(said_memory, said_memory, memory),
        f"{found['cost']['families']:,}, {found['networks']:,}",
    ]  # fmt: skip
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def number(seconds):
    return f"{seconds:.2f}" if seconds < 10 else f"{seconds:.0f}"


def factor(least, most, real):
    """How far what was said is from what was measured: its geometric middle, as a factor."""
    middle = (max(least, 1e-3) * max(most, 1e-3)) ** 0.5
    return f"{middle / real:.2f}"


def draw(measured, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "prequential", "font.size": 9})
    from matplotlib import pyplot

    series = [name for name in ["columns", "rows"] if measured.get(name)]
    if not series:
        return
    figure, panels = pyplot.subplots(2, len(series), figsize=(4 * len(series), 6), squeeze=False)
    for place, name in enumerate(series):
        for panel, what in zip(panels[:, place], ["CPU seconds", "peak memory, MiB"]):
            for kind, marker in [(NUMBERS, "o"), (LABELS, "s")]:
                points = [(one[name], found) for one, found in measured[name] if one["kind"] == kind and not found["stopped"]]
                values = [found["cpu_seconds"] if what == "CPU seconds" else found["memory_bytes"] / 2**20 for _, found in points]
                panel.loglog([x for x, _ in points], values, marker=marker, label="numbers" if kind == NUMBERS else "labels")
            panel.set_xlabel(SERIES[name]["title"][3:])
            panel.set_ylabel(what)
            panel.grid(alpha=0.3)
    panels[0, 0].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
