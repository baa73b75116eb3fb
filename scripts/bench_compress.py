#!/usr/bin/env python3
"""Sizes of tables as `prequential compress` codes them, compared with gzip -9, xz -9, zstd -19 and Parquet with zstd.

Run from anywhere: python3 scripts/bench_compress.py [--only NAME,..] [--command PATH]
Makes its own environment under target/, builds the release version, and prints two Markdown tables: bytes of every file, and
the parts of ours beside what `score` says of the same graph. Every file of ours is read back and compared byte for byte.
Simulated tables are coded by the graph that made them, the others by one that is learnt without networks.
"""

import argparse
import gzip
import json
import lzma
import math
import resource
import subprocess
from pathlib import Path
from random import Random

import environment
from environment import TARGET, TOP

REQUIREMENTS = ["pyarrow==26.0.1", "zstandard==0.25.0"]
FOLDER = TARGET / "bench_compress"

SIMULATED = {
    "alarm": ["alarm", "--rows", "10000"],
    "tabular-chain": ["tabular-chain", "--rows", "5000"],
    "mechanisms": ["mechanisms", "--set", "1", "--rows", "5000"],
    "chain5": ["chain5", "--rows", "5000"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="names of tables, separated by commas [default: all]")
    parser.add_argument("--command", type=Path, help="measure this command instead of building this tree's")
    options = parser.parse_args()
    environment.enter("venv-compress", REQUIREMENTS)
    command = options.command or environment.build()[0]
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, (table, graph) in tables(command):
        if options.only and name not in options.only.split(","):
            continue
        rows.append((name, table, measured(command, name, table, graph or learnt(command, name, table))))
    show(rows)


def tables(command):
    """Name, and the files of table and graph, `None` if it is to be learnt."""
    data = TOP / "data"
    yield "asia", (data / "asia.csv", data / "asia-graph.json")
    yield "titanic", (data / "titanic.csv", None)
    yield "titanic, shuffled", (rewritten("titanic-shuffled", data / "titanic.csv", shuffled), None)
    yield "star5", (data / "star5.csv", data / "star5-graph.json")
    yield "star5, 3 decimals", (rewritten("star5-rounded", data / "star5.csv", rounded), data / "star5-graph.json")
    yield "star5, 5 % missing", (rewritten("star5-missing", data / "star5.csv", missing), data / "star5-graph.json")
    for name, words in SIMULATED.items():
        table, graph = FOLDER / f"{name}.csv", FOLDER / f"{name}.json"
        subprocess.run([command, "simulate", *words, "--seed", "1", "--out", table, "--truth", graph], check=True)
        yield name, (table, graph)
    shifts, graph = FOLDER / "shifts-all.csv", FOLDER / "shifts.json"
    words = ["shifts", "--rows", "4000", "--seed", "1", "--out", shifts, "--truth", graph]
    subprocess.run([command, "simulate", *words], check=True)
    yield "shifts, mixed", (rewritten("shifts", shifts, observed), graph)


def rewritten(name, source, change):
    header, *lines = source.read_text().splitlines()
    path = FOLDER / f"{name}.csv"
    if change is observed:
        header = observed([header], None)[0]
    path.write_text("\n".join([header, *change(lines, Random(1))]) + "\n")
    return path


def observed(lines, random):
    """Without the last column, that of interventions."""
    return [line.rpartition(",")[0] for line in lines]


def shuffled(lines, random):
    return random.sample(lines, len(lines))


def rounded(lines, random):
    return [",".join(f"{float(cell):.3f}" for cell in line.split(",")) for line in lines]


def missing(lines, random):
    return [",".join("" if random.random() < 0.05 else cell for cell in line.split(",")) for line in lines]


def learnt(command, name, table):
    graph = FOLDER / f"{name.replace(', ', '-')}-learnt.json"
    subprocess.run([command, "learn", table, "--networks", "0", "--graph", graph, "--quiet"], check=True, capture_output=True)
    return graph


def measured(command, name, table, graph):
    file, back = FOLDER / "table.prq", FOLDER / "back.csv"
    start = cpu_seconds()
    words = [command, "compress", table, "--graph", graph, "--out", file, "--format", "json", "--quiet"]
    sizes = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    middle = cpu_seconds()
    subprocess.run([command, "decompress", file, "--out", back], check=True)
    seconds = (middle - start, cpu_seconds() - middle)
    if back.read_bytes() != table.read_bytes():
        raise SystemExit(f"{name}: what came back differs")
    # By the same estimator: labels are compressed by the paper's counts, which a score takes only if it is told to.
    score = [command, "score", table, "--graph", graph, "--estimator", sizes["estimator"], "--format", "json", "--quiet"]
    if sizes["estimator"] == "mix":
        score += ["--networks", "0"]
    scored = json.loads(subprocess.run(score, check=True, capture_output=True, text=True).stdout)
    return sizes, scored["code_length_nats"], seconds


def cpu_seconds():
    """Of all commands that have ended: other work on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(rows):
    print("| table | rows | text | gzip -9 | xz -9 | zstd -19 | Parquet, zstd | ours | ours / xz |")
    print("|---|" + "---:|" * 8)
    for name, table, (sizes, _, _) in rows:
        others = rivals(table)
        ours = sizes["file_bytes"]
        cells = [sizes["rows"], sizes["table_bytes"], *others, ours]
        print(f"| {name} | " + " | ".join(f"{cell:,}" for cell in cells) + f" | {ours / others[1]:.2f} |")
    print()
    print("| table | estimator | header | digits | code | `score`, nats | as bytes | code longer by | CPU s there, back |")
    print("|---|---|" + "---:|" * 7)
    for name, _, (sizes, nats, seconds) in rows:
        predicted = nats / (8 * math.log(2))
        parts = [f"{sizes[part]:,}" for part in ("header_bytes", "digits_bytes", "code_bytes")]
        longer = f"{100 * (sizes['code_bytes'] / predicted - 1):+.3f} %"
        if sizes["coded_rows"] < sizes["rows"]:
            longer = f"{sizes['coded_rows']} runs of equal lines"
        times = ", ".join(f"{second:.1f}" for second in seconds)
        cells = [sizes["estimator"], *parts, f"{nats:,.2f}", f"{predicted:,.0f}", longer, times]
        print(f"| {name} | " + " | ".join(cells) + " |")


def rivals(table):
    import pyarrow.csv
    import pyarrow.parquet
    import zstandard

    content = table.read_bytes()
    parquet = FOLDER / "table.parquet"
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(table), parquet, compression="zstd", compression_level=19)
    return [
        len(gzip.compress(content, 9)),
        len(lzma.compress(content, preset=9)),
        len(zstandard.ZstdCompressor(level=19).compress(content)),
        parquet.stat().st_size,
    ]


if __name__ == "__main__":
    main()
