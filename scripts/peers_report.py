"""Tables and picture of the measurements of `bench_peers.py`. Means are over the finished tables; their number is given unless it is all."""

from collections import Counter
from statistics import mean

import peers_plot
from peer_tables import SETS
from peers import QUICK

SUMMARY = {  # rows of the README's table, by what the titles of their sets contain
    "the paper's Table 1": ["Table 1"],
    "the paper's Table 2": ["Table 2"],
    "the paper's chains and star": ["chain", "star"],
    "random, 5 columns": [" 5 columns"],
    "random, 10 columns": [" 10 columns"],
    "random, 20 columns": [" 20 columns"],
}
IN_CLASS = "In the true class, of the tables finished"
MEASURES = {
    "SHD": lambda fits: f"{mean(fit['shd'] for fit in fits):.1f}",
    "SHD of classes": lambda fits: f"{mean(fit['shd_of_classes'] for fit in fits):.1f}",
    IN_CLASS: lambda fits: f"{sum(fit['shd_of_classes'] == 0 for fit in fits)} of {len(fits)}",
    "CPU seconds": lambda fits: seconds(mean(fit["cpu"] for fit in fits)),
}


def seconds(value):
    return "< 0.01" if value < 0.01 else f"{value:.{1 if value >= 1 else 2}f}"


def write(results, picture):
    for name, program in results.programs.items():
        print(f"- {program['title']}: {', '.join(program['versions'])}{builds(results, name)}; {program['settings']}")
    print_summary(results, ["ours", *QUICK])
    for measure in MEASURES:
        print_table(results, measure)
    print()
    for name in results.programs:
        if gaps := describe_gaps(results, name):
            print(f"- {results.programs[name]['title']}: {'; '.join(gaps)}")
    picture.write_text(peers_plot.svg(results, SETS))


def builds(results, name):
    """Which builds of ours the fits are of, and how many."""
    found = Counter(fit["build"] for fit in results.fits.get(name, {}).values() if "build" in fit)
    return "".join(f", build {build} ({count} tables)" for build, count in found.items())


def print_summary(results, names):
    """Mean SHD on the tables that all of these finished."""
    names = [name for name in names if name in results.programs]
    print(f"\nMean SHD\n\n| tables (how many) | {' | '.join(results.programs[name]['title'] for name in names)} |\n|---|{'---:|' * len(names)}")
    for title, parts in SUMMARY.items():
        sets = [table_set for table_set in SETS if any(part in table_set.title for part in parts)]
        done = [{table: fit for table_set in sets for table, fit in finished(results, name, table_set).items()} for name in names]
        if tables := set.intersection(*map(set, done)):
            means = [f"{mean(fits[table]['shd'] for table in tables):.1f}" for fits in done]
            print(f"| {title} ({len(tables)}) | {' | '.join(means)} |")


def print_table(results, measure):
    names = list(results.programs)
    titles = [results.programs[name]["title"] for name in names]
    last = " less than ours |" if measure == "SHD" else ""
    print(f"\n{measure}\n\n| tables (how many) | {' | '.join(titles)} |{last}")
    print(f"|---|{'---:|' * len(names)}{'---|' if last else ''}")
    for table_set in SETS:
        cells = [cell(results, name, table_set, measure) for name in names]
        last = f" {better(results, table_set)} |" if measure == "SHD" else ""
        print(f"| {table_set.title} ({len(table_set.tables)}) | {' | '.join(cells)} |{last}")


def finished(results, name, table_set):
    fits = results.fits.get(name, {})
    return {table: fits[table] for table in table_set.tables if "shd" in fits.get(table, {})}


def cell(results, name, table_set, measure):
    fits = finished(results, name, table_set)
    if not fits:
        return why_not(results, name, table_set)
    n_tables = len(table_set.tables)
    is_part = len(fits) < n_tables and measure != IN_CLASS
    return MEASURES[measure](fits.values()) + (f" ({len(fits)} of {n_tables})" if is_part else "")


def why_not(results, name, table_set):
    fits = results.fits.get(name, {})
    tried = [fits[table] for table in table_set.tables if table in fits]
    if not tried:
        late = results.out_of_time(name, table_set)
        return out_of_time(late[0]) if late else "not run"
    if "limit" in tried[0]:
        return out_of_time(tried[0])
    return tried[0]["failure"] if tried[0]["failure"] == "numbers only" else "fails"


def out_of_time(fit):
    return f"out of time ({fit['limit']} s)"


def better(results, table_set):
    """Programs with a smaller mean SHD than ours, on the tables that both finished."""
    ours = finished(results, "ours", table_set)
    if not ours:
        return f"ours {why_not(results, 'ours', table_set)}"
    found = []
    for name in results.programs:
        theirs = finished(results, name, table_set)
        both = theirs.keys() & ours.keys()
        if both and not name.startswith("ours"):
            their_mean, our_mean = (mean(fits[table]["shd"] for table in both) for fits in (theirs, ours))
            if their_mean < our_mean:
                found.append(f"{results.programs[name]['title']} ({their_mean:.1f}, ours {our_mean:.1f})")
    return "; ".join(found) or "none"


def describe_gaps(results, name):
    fits = results.fits.get(name, {})
    late = [table for table, fit in fits.items() if "limit" in fit]
    broken = {table: fit["failure"] for table, fit in fits.items() if "failure" in fit and "limit" not in fit and fit["failure"] != "numbers only"}
    n_open = sum(table not in fits and not results.out_of_time(name, table_set) for table_set in SETS for table in table_set.tables)
    gaps = [f"out of time ({fits[table]['limit']} s) on `{table}`" for table in late]
    gaps += [f"fails on `{table}` ({why})" for table, why in broken.items()]
    return gaps + ([f"not run on {n_open} tables"] if n_open else [])
