#!/usr/bin/env python3
"""Times searches on the network ALARM (37 variables): this project against pgmpy's hill climbing, in the same run.

Run from anywhere: python3 scripts/bench_search.py [--rows 10000]
Makes its own environment with pgmpy under target/, builds the release version, and prints a Markdown table. All use the K2 score and one
thread; both sides are timed from the table in memory (ours: what the result states as its cost). SHD is between equivalence classes.
"""

import argparse
import json
import subprocess
from time import perf_counter

import environment
from environment import TARGET

PGMPY = "pgmpy==1.1.2"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000, help="number of rows [default: 10000]")
    options = parser.parse_args()
    environment.enter("venv-pgmpy", [PGMPY])
    command = environment.build()[0]
    table, truth = TARGET / "bench_alarm.csv", TARGET / "bench_alarm.json"
    simulate = ["simulate", "alarm", "--rows", str(options.rows), "--seed", "1", "--out", table, "--truth", truth]
    subprocess.run([command, *simulate], check=True)

    # One climb, as theirs, then the defaults: 20 restarts.
    ours = [learn(command, table, truth, *search) for search in [("hill-climb", 0), ("order", 0), ("hill-climb", 20), ("order", 20)]]
    theirs = climb(command, table, truth)
    print(f"ALARM, {options.rows:,} rows, K2, one thread\n")
    print("| | s | families scored | edges | code length, nats | SHD of classes | pgmpy's time / this |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, seconds, families, edges, length, shd in [*ours, theirs]:
        ratio = f"{theirs[1] / seconds:.0f}"
        print(f"| {name} | {seconds:.2f} | {families} | {edges} | {length:,.1f} | {shd} | {ratio} |")


def learn(command, table, truth, search, restarts):
    options = ["--alpha", "1", "--threads", "1", "--search", search, "--restarts", str(restarts), "--truth", truth, "--format", "json", "--quiet", "--top", "1"]
    result = json.loads(subprocess.run([command, "learn", table, *options], check=True, capture_output=True).stdout)
    cost, dag = result["cost"], result["dag"]
    edges, length = len(dag["edges"]), dag["code_length_nats"]
    return f"ours, {search}, {restarts} restarts", cost["wall_seconds"], f"{cost['families']:,}", edges, length, result["truth"]["shd_cpdag"]


def climb(command, table, truth):
    import pandas
    from pgmpy.causal_discovery import HillClimbSearch

    labels = pandas.read_csv(table, dtype="category")
    data = labels.apply(lambda column: column.cat.codes).astype("category")  # it wants categories that are numbers
    start = perf_counter()
    search = HillClimbSearch(scoring_method="k2", return_type="dag", show_progress=False).fit(data)
    seconds = perf_counter() - start
    edges = list(search.causal_graph_.edges())
    graph = TARGET / "bench_alarm_pgmpy.json"
    graph.write_text(json.dumps([list(edge) for edge in edges]))
    compare = [command, "compare", graph, truth, "--format", "json"]
    comparison = json.loads(subprocess.run(compare, check=True, capture_output=True).stdout)
    score = [command, "score", table, "--graph", graph, "--alpha", "1", "--format", "json", "--quiet"]
    scored = json.loads(subprocess.run(score, check=True, capture_output=True).stdout)
    return f"{PGMPY}, hill climbing", seconds, "", len(edges), scored["code_length_nats"], comparison["shd_cpdag"]


main()
