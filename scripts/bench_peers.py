#!/usr/bin/env python3
"""Graphs of numbers by this project and by others, on the same tables: errors and seconds, in one run.

Run from anywhere: python3 scripts/bench_peers.py [--variables 10 20] [--tables 3] [--peers notears pc ..] [--limit 300]
Draws tables of `random-additive` and of `random-functions`, as many of each as `--tables` says, and fits all on one thread, one after the other. Settings of the
others are in `peers.py`. SHD counts pairs of variables whose edge differs, so a reversed edge once. SHD of classes is between equivalence classes; where a program
answers with a class, it is the only one. Means are over the tables that were finished. A fit that takes longer than the limit, with the start of its program, is
ended, and the program is given no more tables of that size. All columns vary alike, so that NOTEARS and DAGMA cannot tell effects from causes by their larger
variance (Reisach et al. 2021). Makes its own environment under target/ (6 GB, of which torch is nearly all) and builds the release version.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import mean

import environment
from peers import PEERS

OURS = {"ours": [], "ours-fourier": ["--estimator", "fourier"]}
KINDS = ["random-additive", "random-functions"]
N_ROWS = 2000


def main():
    everyone = [*OURS, *PEERS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variables", type=int, nargs="+", default=[10, 20], metavar="N", help="sizes of tables [default: 10 20]")
    parser.add_argument("--tables", type=int, default=3, help="tables of each kind and size [default: 3]")
    parser.add_argument("--peers", nargs="+", choices=everyone, default=everyone, metavar="PEER", help=f"of {', '.join(everyone)} [default: all]")
    parser.add_argument("--limit", type=int, default=300, help="seconds for a fit [default: 300]")
    parser.add_argument("--command", type=Path, help="measure this command instead of building this tree's")
    options = parser.parse_args()
    command = options.command or environment.build()[0]
    why_not = {name: install(name) for name in options.peers}
    print_settings(command, options)
    with tempfile.TemporaryDirectory() as folder:
        for n_vars in options.variables:
            tables = draw(command, Path(folder), n_vars, options.tables)
            n_edges = mean(len(table.truth) for table in tables)
            print(f"\n{n_vars} variables, {len(tables)} tables of {N_ROWS:,} rows, whose graphs have {n_edges:.1f} edges on average\n")
            print("| | SHD | SHD of classes | s | CPU s | tables finished | |\n|---|---:|---:|---:|---:|---:|---|")
            for name in options.peers:
                outcome = Outcome(note=why_not[name]) if why_not[name] else run(command, name, tables, options.limit)
                print(outcome.row(name, len(tables)), flush=True)


def title(name):
    return PEERS[name].title if name in PEERS else f"prequential{', fourier' if OURS[name] else ''}"


def install(name):
    """Why there is no such program here, if there is none."""
    if name in OURS:
        return ""
    done = subprocess.run([sys.executable, environment.TOP / "scripts" / "peers.py", name], stdout=sys.stderr)
    return "could not be installed" if done.returncode else ""


def print_settings(command, options):
    ours = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    for name in options.peers:
        if name in OURS:
            print(f"- {title(name)}: {ours}; {' '.join(OURS[name]) or 'defaults'}")
        else:
            print(f"- {title(name)}: {', '.join(PEERS[name].requirements)}; {PEERS[name].settings}")
    print(f"\nOne thread each, columns standardised, at most {options.limit} s for a fit.")


@dataclass
class Table:
    name: str
    data: Path
    columns: list
    truth: set


def draw(command, folder, n_vars, n_tables):
    tables = []
    for kind in KINDS:
        for seed in range(1, n_tables + 1):
            data, truth = folder / f"{kind}-{n_vars}-{seed}.csv", folder / f"{kind}-{n_vars}-{seed}.json"
            drawn = ["simulate", kind, "--variables", str(n_vars), "--rows", str(N_ROWS), "--seed", str(seed), "--out", data, "--truth", truth]
            subprocess.run([command, *drawn], check=True, capture_output=True)
            graph = json.loads(truth.read_text())
            tables.append(Table(data.stem, data, graph["nodes"], {tuple(edge) for edge in graph["edges"]}))
    return tables


@dataclass
class Outcome:
    """What a program made of the tables of one size."""

    fits: list = field(default_factory=list)  # (SHD or None, SHD of classes, wall seconds, CPU seconds) for each finished table
    note: str = ""

    def row(self, name, n_tables):
        means = ["" if None in column else f"{mean(column):.{digits}f}" for column, digits in zip(zip(*self.fits), (1, 1, 2, 2))] or [""] * 4
        return f"| {title(name)} | {' | '.join(means)} | {len(self.fits)} of {n_tables} | {self.note} |"


def run(command, name, tables, limit):
    outcome, notes = Outcome(), []
    for table in tables:
        try:
            fitted = our_fit(command, OURS[name], table, limit) if name in OURS else peer_fit(name, table, limit)
            outcome.fits.append(judge(*fitted, table.truth))
            print(f"{title(name)}, {table.name}: {outcome.fits[-1]}", file=sys.stderr, flush=True)
        except subprocess.TimeoutExpired:
            rest = len(tables) - tables.index(table) - 1
            notes.append(f"out of time on {table.name}" + (f", {rest} not tried" if rest else ""))
            break
        except (subprocess.CalledProcessError, ValueError) as error:
            notes.append(f"{table.name}: {reason(error)}")
    outcome.note = "; ".join(notes)
    return outcome


def our_fit(command, estimator, table, limit):
    graph = table.data.with_suffix(".ours.json")
    learn = ["learn", table.data, "--threads", "1", "--quiet", "--format", "json", "--top", "1", "--graph", graph, *estimator]
    result = subprocess.run([command, *learn], check=True, capture_output=True, timeout=limit)
    cost = json.loads(result.stdout)["cost"]
    edges = {tuple(edge) for edge in json.loads(graph.read_text())["edges"]}
    return edges, True, cost["wall_seconds"], cost["cpu_seconds"]


def peer_fit(name, table, limit):
    answer = table.data.with_suffix(f".{name}.json")
    python = [sys.executable, environment.TOP / "scripts" / "peers.py"]
    subprocess.run([*python, name, table.data, answer], check=True, capture_output=True, timeout=limit)
    fit = json.loads(answer.read_text())
    edges = {(table.columns[a], table.columns[b]) for a, b in fit["edges"]}
    return edges, PEERS[name].is_dag, fit["wall"], fit["cpu"]


def reason(error):
    if isinstance(error, ValueError):
        return str(error)
    lines = error.stderr.decode().strip().splitlines()
    return f"fails ({lines[-1].replace('|', ' ')})" if lines else f"fails (exit code {error.returncode})"


def judge(edges, is_dag, wall, cpu, truth):
    if not is_dag:
        return None, shd(edges, class_of(truth)), wall, cpu
    if has_cycle(edges):
        raise ValueError("the answer has a cycle")
    return shd(edges, truth), shd(class_of(edges), class_of(truth)), wall, cpu


def shd(edges, others):
    """Pairs of variables that one graph links and the other does not, or not the same way."""
    different = edges ^ others
    return len({frozenset(edge) for edge in different})


def has_cycle(edges):
    rest = set(edges)
    while inner := {(a, b) for a, b in rest if any(a == end for _, end in rest)}:
        if inner == rest:
            return True
        rest = inner
    return False


def class_of(dag):
    """The edges of a DAG's equivalence class, both ways where its members differ (Meek 1995)."""
    is_linked = lambda a, b: (a, b) in dag or (b, a) in dag
    is_open = lambda a, b: is_linked(a, b) and not {(a, b), (b, a)} & fixed
    fixed = {edge for one, other in combinations(dag, 2) if one[1] == other[1] and not is_linked(one[0], other[0]) for edge in (one, other)}

    def is_forced(a, b):
        into_b = [c for c, end in fixed if end == b]
        return (
            any(end == a and not is_linked(c, b) for c, end in fixed)
            or any((a, c) in fixed for c in into_b)
            or any(is_open(a, c) and is_open(a, d) and not is_linked(c, d) for c, d in combinations(into_b, 2))
        )

    while forced := {edge for edge in dag - fixed if is_forced(*edge)}:
        fixed |= forced
    return dag | {(b, a) for a, b in dag - fixed}


if __name__ == "__main__":
    main()
