#!/usr/bin/env python3
"""Compares graphs by this project and by other programs on the same tables: errors and seconds.

Run from anywhere: python3 scripts/bench_peers.py [--programs ours pc ..] [--sets "Table 2" ..] [--tables 3] [--limit 120] [--print]
The tables are in `peer_tables.py`, the others with their settings in `peers.py`. Every fit is kept in docs/peers.json, so a run that was stopped goes on, and `--print`
only writes the tables of docs/results.md and the picture again. Fits of a program are forgotten when its version or its settings change; ours name their build, stay
until there is a newer one, and are made again with every build: `make peers-ours` makes these only.

All read the same files, in which every column of numbers has standard deviation 1, so that NOTEARS and DAGMA cannot tell effects from causes by their larger variance
(Reisach et al. 2021). One thread each, one after the other: ours and the quick ones on all tables before the slow ones. A fit that takes more CPU seconds than the limit
is ended, and the program is given no more tables of this kind with as many columns or more. Makes its own environment under target/ (6 GB, of which torch is nearly all) and builds
the release version.
"""

import argparse
import hashlib
import json
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
import peers_report
from graph_errors import judge
from peer_tables import SETS, draw
from peers import PEERS, QUICK, SLOW
from peers_results import Results

OURS = {"ours": [], "ours-fourier": ["--estimator", "fourier"]}
EVERYONE = [*OURS, *PEERS]
SCRIPT = environment.TOP / "scripts" / "peers.py"


def main():
    options = parse()
    results = Results(environment.TOP / "docs" / "peers.json", EVERYONE)
    if not options.print:
        command = options.command or environment.build()[0]
        results.build = hashlib.sha256(Path(command).read_bytes()).hexdigest()[:8]
        for name in options.programs:
            results.describe(name, description(command, name))
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(command, folder, options.limit)
            for group in OURS, QUICK, SLOW:
                run([name for name in group if name in options.programs], bench, results, options)
    peers_report.write(results, environment.TOP / "docs" / "figures" / "peers.svg")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", nargs="+", choices=EVERYONE, default=EVERYONE, metavar="NAME", help=f"of {', '.join(EVERYONE)} [default: all]")
    parser.add_argument("--sets", nargs="+", default=[""], metavar="TITLE", help="only sets of tables whose titles have one of these in them")
    parser.add_argument("--tables", type=int, help="the first so many tables of each set [default: all]")
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds for a fit [default: 120]")
    parser.add_argument("--command", type=Path, help="measure this command instead of building this tree's")
    parser.add_argument("--print", action="store_true", help="fit nothing, write tables and picture from what is kept")
    return parser.parse_args()


def description(command, name):
    if name in PEERS:
        return {"title": PEERS[name].title, "versions": PEERS[name].requirements, "settings": PEERS[name].settings}
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    settings = " ".join(OURS[name])
    return {"title": "ours" + (", fourier" if settings else ""), "versions": [version], "settings": settings or "defaults"}


def run(names, bench, results, options):
    for table_set in SETS:
        if not any(part in table_set.title for part in options.sets):
            continue
        for name in names:
            for table in table_set.tables[: options.tables]:
                if not results.has(name, table, options.limit) and not results.is_hopeless(name, table_set, options.limit):
                    fit = bench.fit(name, table)
                    results.keep(name, table, fit | {"build": results.build} if name in OURS else fit)
    bench.close()


class Bench:
    """Fits tables by any program. Those of others stay loaded from one table to the next."""

    def __init__(self, command, folder, limit):
        self.command, self.folder, self.limit = command, folder, limit
        self.workers, self.tables = {}, {}

    def table(self, name):
        if name not in self.tables:
            self.tables[name] = draw(self.command, name, self.folder)
        return self.tables[name]

    def fit(self, name, table_name):
        table = self.table(table_name)
        if name in PEERS and table.is_labels and not PEERS[name].labels:
            return {"failure": "numbers only"}
        fit = self.our_fit(OURS[name], table) if name in OURS else self.peer_fit(name, table)
        if "failure" in fit:
            return fit
        try:
            shd, shd_of_classes = judge(fit["edges"], name in OURS or PEERS[name].is_dag, table.truth)
        except ValueError as error:
            return {"failure": str(error)}
        return {"shd": shd, "shd_of_classes": shd_of_classes, "true_edges": len(table.truth), "wall": round(fit["wall"], 3), "cpu": round(fit["cpu"], 3)}

    def our_fit(self, estimator, table):
        graph = table.data.with_suffix(".ours.json")
        learn = ["learn", table.data, "--threads", "1", "--quiet", "--format", "json", "--top", "1", "--graph", graph, *estimator]
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))
        done = subprocess.run([self.command, *learn], capture_output=True, text=True, preexec_fn=limit)
        if done.returncode:
            return self.failure(done.returncode, done.stderr)
        cost = json.loads(done.stdout)["cost"]
        edges = {tuple(edge) for edge in json.loads(graph.read_text())["edges"]}
        return {"edges": edges, "wall": cost["wall_seconds"], "cpu": cost["cpu_seconds"]}

    def peer_fit(self, name, table):
        if name not in self.workers:
            if subprocess.run([sys.executable, SCRIPT, name], stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
                return {"failure": "could not be installed"}
            errors = tempfile.TemporaryFile("w+")
            worker = subprocess.Popen([sys.executable, SCRIPT, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
            self.workers[name] = worker, errors
        worker, errors = self.workers[name]
        print(json.dumps({"table": str(table.data), "limit": self.limit}), file=worker.stdin, flush=True)
        if line := worker.stdout.readline():
            fit = json.loads(line)
            fit["edges"] = {(table.columns[a], table.columns[b]) for a, b in fit.get("edges", [])}
            return fit
        del self.workers[name]
        errors.seek(0)
        return self.failure(worker.wait(), errors.read())

    def failure(self, code, errors):
        if code in (-signal.SIGPROF, -signal.SIGXCPU, -signal.SIGKILL):
            return {"failure": "out of time", "limit": self.limit}
        lines = errors.strip().splitlines()
        return {"failure": lines[-1] if lines else f"exit code {code}"}

    def close(self):
        for worker, _ in self.workers.values():
            worker.communicate()
        self.workers = {}


if __name__ == "__main__":
    main()
