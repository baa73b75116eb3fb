#!/usr/bin/env python3
"""Wide numeric tables: seconds and errors by size, gated networks against networks for all families, and interrupted runs.

    python3 scripts/wide.py sizes [--sizes 10x2000 20x2000 50x1000 100x1000] [--seeds 3]
    python3 scripts/wide.py sizes --against COMMAND [--times 10]  # instead of `fourier`: another version, interrupted after ten times the CPU seconds of ours
    python3 scripts/wide.py everywhere [--seeds 10]     # 10 columns x 2,000 rows: is it the graph of --train-all-networks?
    python3 scripts/wide.py everywhere --paper [--rows 5000] [--only star5]  # the same for the paper's tables of 5 columns
    python3 scripts/wide.py stopped [--seconds 5 30 100]  # 50 columns x 1,000 rows
    python3 scripts/wide.py hidden                      # star5 among 20 independent columns
    python3 scripts/wide.py short                       # 5 columns x 5,000 rows, the paper's: seconds on the clock, if nothing else runs
    python3 scripts/wide.py long [--rows 1000000]       # six columns: seconds and memory

Tables are those of `simulate random-additive` and `random-functions`, one of each for every seed. Columns x rows; sizes of 20 columns have at most 3 parents. Builds
the release version, or measures `--command`. CPU seconds are those of the whole run, whatever else the machine does; 2 threads, or `--threads`.
"""

import argparse
import csv
import json
import math
import random
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import mean

import environment

KINDS = ["random-additive", "random-functions"]

#: The paper's tables of five columns.
PAPER = ["star5", "chain5", "chain5-periodic", *(f"mechanisms --set {number}" for number in range(1, 21))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["sizes", "everywhere", "stopped", "hidden", "short", "long"])
    parser.add_argument("--sizes", nargs="+", default=["10x2000", "20x2000", "50x1000", "100x1000"], metavar="COLUMNSxROWS")
    parser.add_argument("--seeds", type=int, help="tables of each kind [default: 3, and 10 for `everywhere`]")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, nargs="+", default=[5, 30, 100], help="when runs are stopped")
    parser.add_argument("--rows", type=int, help="of `long` [default: 1000000] and of the paper's tables [default: 5000]")
    parser.add_argument("--paper", action="store_true", help="`everywhere`: the paper's tables, with the data seed as seed of the run, too")
    parser.add_argument("--only", nargs="+", choices=PAPER, default=PAPER, metavar="TABLE", help="of the paper's tables [default: all]")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="of the tables of `sizes` [default: both]")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--command", type=Path, help="measure this command instead of building this tree's")
    parser.add_argument("--against", type=Path, metavar="COMMAND", help="`sizes`: measure this command, by its defaults, instead of our `fourier`")
    parser.add_argument("--times", type=float, default=10, help="CPU seconds that it is given, in those that ours took [default: 10]")
    options = parser.parse_args()
    options.command = options.command or environment.build()[0]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, Path(folder))
        {"sizes": sizes, "everywhere": everywhere, "stopped": stopped, "hidden": hidden, "short": short, "long": long}[options.what](bench)


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def seeds(self, default):
        return range(self.options.first_seed, self.options.first_seed + (self.options.seeds or default))

    def run(self, *arguments):
        return subprocess.run([self.options.command, *arguments], check=True, capture_output=True, text=True).stdout

    def draw(self, kind, n_columns, n_rows, seed):
        data = self.folder / f"{kind}-{n_columns}-{seed}.csv"
        truth = data.with_suffix(".json")
        self.run("simulate", kind, "--variables", str(n_columns), "--rows", str(n_rows), "--seed", str(seed), "--out", data, "--truth", truth)
        return data, truth

    def draw_of_paper(self, kind, n_rows, seed):
        data = self.folder / "paper.csv"
        self.run("simulate", *kind.split(), "--rows", str(n_rows), "--seed", str(seed), "--out", data)
        return data

    def learn(self, data, *arguments):
        return json.loads(self.run(*self.learning(data, arguments)))

    def learning(self, data, arguments):
        return ["learn", data, "--threads", str(self.options.threads), "--quiet", "--format", "json", *map(str, arguments)]

    def learn_for(self, seconds, command, data, *arguments):
        """What another command answers, interrupted after so many CPU seconds as by Ctrl-C; its own time limit is of the clock, which other work shares."""
        answer = data.with_suffix(".answer.json")  # a file: nobody would read a pipe meanwhile
        with answer.open("w") as output:
            run = subprocess.Popen([command, *self.learning(data, arguments)], stdout=output, stderr=subprocess.DEVNULL)
        while run.poll() is None and cpu_seconds(run.pid) < seconds:
            time.sleep(0.2)
        is_whole = run.poll() is not None
        if not is_whole:
            run.send_signal(signal.SIGINT)
            run.wait()
        return json.loads(answer.read_text()), is_whole


def cpu_seconds(pid):
    """What a process has taken so far; 0 if it has just ended."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # Linux's name for this clock of another process
    except OSError:
        return 0.0


def edges(learned):
    return sorted(map(edge_of, learned["dag"]["edges"]))


def edge_of(edge):
    return (edge["from"], edge["to"]) if isinstance(edge, dict) else tuple(edge)


def sizes(bench):
    other = f"the other ({bench.options.times:g} times)" if bench.options.against else "`fourier`"
    print(f"| columns x rows | table | links | SHD | CPU s | families | with networks | SHD, {other} | CPU s, {other} |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for size in bench.options.sizes:
        n_columns, n_rows = map(int, size.split("x"))
        limit = ["--max-parents", 3] if n_columns == 20 else []
        rows = []
        for kind in bench.options.kinds:
            for seed in bench.seeds(3):
                data, truth = bench.draw(kind, n_columns, n_rows, seed)
                ours = bench.learn(data, "--truth", truth, *limit)
                plain, is_whole = beside(bench, ours["cost"]["cpu_seconds"], data, "--truth", truth, *limit)
                n_networks = ours["shortcuts"]["networks"]["families"]
                n_links = len(json.loads(truth.read_text())["edges"])
                row = [n_links, ours["truth"]["shd"], ours["cost"]["cpu_seconds"], ours["cost"]["families"], n_networks]
                rows.append(row + [plain["truth"]["shd"], plain["cost"]["cpu_seconds"]])
                stopped = "" if is_whole else " (stopped)"
                print(f"| {size} | {kind} {seed} | " + " | ".join(f"{cell:,.0f}" for cell in rows[-1]) + f"{stopped} |", flush=True)
        print(f"| {size} | mean | " + " | ".join(f"{mean(column):,.1f}" for column in zip(*rows)) + " |", flush=True)


def beside(bench, seconds, data, *arguments):
    """What ours is measured against, and whether it came to its end."""
    if bench.options.against is None:
        return bench.learn(data, "--estimator", "fourier", *arguments), True
    return bench.learn_for(seconds * bench.options.times, bench.options.against, data, *arguments)


def everywhere(bench):
    print("| table | CPU s | with networks everywhere | the same graph | excess, nats |\n|---|---:|---:|---|---:|")
    n_same, n_all = 0, 0
    for seed in bench.seeds(10):
        for kind in bench.options.only if bench.options.paper else KINDS:
            data, options = drawn_for_everywhere(bench, kind, seed)
            ours, whole = bench.learn(data, *options), bench.learn(data, "--train-all-networks", *options)
            is_same = edges(ours) == edges(whole)
            excess = ours["dag"]["code_length_nats"] - whole["dag"]["code_length_nats"]
            n_same, n_all = n_same + is_same, n_all + 1
            seconds = [learned["cost"]["cpu_seconds"] for learned in (ours, whole)]
            print(f"| {kind} {seed} | {seconds[0]:.1f} | {seconds[1]:.1f} | {'yes' if is_same else 'no'} | {excess:.2f} |", flush=True)
    print(f"\nThe same graph in {n_same} of {n_all}")


def drawn_for_everywhere(bench, kind, seed):
    """A table, and how it is learnt."""
    if not bench.options.paper:
        return bench.draw(kind, 10, 2000, seed)[0], []
    return bench.draw_of_paper(kind, bench.options.rows or 5_000, seed), ["--seed", seed]


def stopped(bench):
    """The code of a stopped run's answer against the best graph of the families that it had scored in closed form by then."""
    print("| table | stopped after, s | families | with networks | columns with parents | SHD | nats | closed form by then, nats more |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for kind in KINDS:
        for seed in bench.seeds(1):
            data, truth = bench.draw(kind, 50, 1000, seed)
            for seconds in bench.options.seconds:
                store = bench.folder / f"{kind}-{seed}-{seconds}.db"
                ours = bench.learn(data, "--truth", truth, "--time-limit", f"{seconds}s", "--store", store)
                plain = json.loads(bench.run("search", store, "--settings", "1", "--search", "order", "--format", "json"))
                nats = ours["dag"]["code_length_nats"]
                n_children = len({child for _, child in edges(ours)})
                n_networks = ours["shortcuts"]["networks"]["families"]
                cells = [ours["cost"]["families"], n_networks, n_children, ours["truth"]["shd"], round(nats, 1)]
                cells.append(round(plain["dag"]["code_length_nats"] - nats, 1))
                print(f"| {kind} {seed} | {seconds} | " + " | ".join(map(str, cells)) + " |", flush=True)


def short(bench):
    seconds = []
    for kind in PAPER:
        learned = bench.learn(bench.draw_of_paper(kind, 5_000, 1))
        seconds.append(learned["cost"]["wall_seconds"])
        networks = learned["shortcuts"]["networks"]["families"]
        print(f"{kind}: {seconds[-1]:.2f} s, {networks} of {learned['cost']['families']} families with networks", flush=True)
    print(f"{min(seconds):.2f} to {max(seconds):.2f} s, mean {mean(seconds):.2f}, {sum(one > 2 for one in seconds)} of {len(seconds)} above 2")


def long(bench):
    """a -> b, b -> c, a and c -> d, d and e -> f."""
    data = bench.folder / "long.csv"
    normal = random.Random(1).gauss
    with data.open("w") as file:
        file.write("a,b,c,d,e,f\n")
        for _ in range(bench.options.rows or 1_000_000):
            a = normal(0, 1)
            b = math.sin(a) + 0.5 * normal(0, 1)
            c = 0.5 * b + normal(0, 1)
            d = a * c + normal(0, 1)
            e = normal(0, 1)
            f = e * e + 0.3 * d + normal(0, 1)
            file.write(f"{a:.5f},{b:.5f},{c:.5f},{d:.5f},{e:.5f},{f:.5f}\n")
    learned = bench.learn(data)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    cost = learned["cost"]
    print(", ".join(f"{cause} -> {effect}" for cause, effect in edges(learned)))
    print(f"{cost['wall_seconds']:.0f} s, {cost['cpu_seconds']:.0f} CPU s, {cost['families']} families, {peak:,.0f} MiB at the peak")


def hidden(bench):
    rows = list(csv.reader((environment.TOP / "data" / "star5.csv").open()))
    normal = random.Random(1)
    columns = [f"N{i}" for i in range(20)]
    data = bench.folder / "hidden.csv"
    with data.open("w") as file:
        writer = csv.writer(file)
        writer.writerow(rows[0] + columns)
        writer.writerows(row + [f"{normal.gauss(0, 1):.6f}" for _ in columns] for row in rows[1:])
    learned = bench.learn(data)
    print(", ".join(f"{a} -> {b}" for a, b in edges(learned)))
    print(f"{learned['cost']['families']:,} families, {learned['cost']['cpu_seconds']:.1f} CPU s")


if __name__ == "__main__":
    main()
