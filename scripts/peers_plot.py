"""The picture of `bench_peers.py`: errors by program and set of tables, as dots."""

from statistics import mean

ROW, LEFT, WIDTH, RIGHT, TOP = 26, 236, 600, 24, 74
WORST = 2.5  # what is worse is drawn here
LEGEND_COLUMNS = 6
STYLES = {  # colour and shape: ours red, programs for linear equations blue and grey, the others green and orange
    "ours": ("#c0392b", "disc"),
    "ours-fourier": ("#c0392b", "ring"),
    "pc": ("#2e6da4", "square"),
    "ges": ("#2e6da4", "diamond"),
    "boss": ("#7fb2dd", "square"),
    "flop": ("#7fb2dd", "diamond"),
    "direct-lingam": ("#777777", "square"),
    "notears": ("#777777", "diamond"),
    "dagma": ("#b5b5b5", "square"),
    "notears-mlp": ("#2f8f4e", "triangle"),
    "dagma-mlp": ("#8cc79c", "triangle"),
    "resit": ("#d98b1d", "triangle"),
    "dag-gnn": ("#e8bd6d", "triangle"),
    "boss-marginal": ("#8e5ea8", "triangle"),
    "boss-cv": ("#c9a6d8", "triangle"),
}


def svg(results, sets):
    """A row for each set of tables; from left to right, mean SHD over the true edges."""
    shown = [name for name in STYLES if any("shd" in fit for fit in results.fits.get(name, {}).values())]
    height = TOP + ROW * len(sets) + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{LEFT + WIDTH + RIGHT}" height="{height}" fill="white"/>',
        *legend([(name, results.programs[name]["title"]) for name in shown]),
        *axis(TOP + ROW * len(sets)),
    ]
    for i, table_set in enumerate(sets):
        parts += row(results, shown, table_set, TOP + ROW * i, "#f6f6f6" if i % 2 else "none")
    return "\n".join([*parts, "</svg>", ""])


def legend(names):
    for i, (name, title) in enumerate(names):
        x, y = 14 + i % LEGEND_COLUMNS * (LEFT + WIDTH) / LEGEND_COLUMNS, 16 + i // LEGEND_COLUMNS * 20
        yield dot(name, x, y)
        yield f'<text x="{x + 10}" y="{y + 4}">{title}</text>'


def axis(bottom):
    for step in range(int(WORST / 0.5) + 1):
        x, value = LEFT + WIDTH * 0.5 * step / WORST, 0.5 * step
        label = f"{value:g}" + (" or more" if value == WORST else "")
        yield f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}" stroke="{"#999" if value == 1 else "#ddd"}"/>'
        yield f'<text x="{x}" y="{bottom + 16}" text-anchor="{"end" if value == WORST else "middle"}" fill="#555">{label}</text>'
    yield f'<text x="{LEFT + WIDTH / 2}" y="{bottom + 33}" text-anchor="middle" fill="#555">mean SHD for each true edge (a graph without edges: 1); pale: not all tables of the row</text>'


def row(results, names, table_set, top, background):
    yield f'<rect x="0" y="{top}" width="{LEFT + WIDTH + RIGHT}" height="{ROW}" fill="{background}" style="mix-blend-mode:multiply"/>'
    yield f'<text x="{LEFT - 12}" y="{top + ROW / 2 + 4}" text-anchor="end">{table_set.title}</text>'
    for lane, name in reversed(list(enumerate(names))):  # ours on top
        fits = [fit for table in table_set.tables if "shd" in (fit := results.fits[name].get(table, {}))]
        if fits:
            share = mean(fit["shd"] for fit in fits) / mean(fit["true_edges"] for fit in fits)
            is_part = len(fits) < len(table_set.tables)
            yield dot(name, LEFT + WIDTH * min(share, WORST) / WORST, top + 5 + (ROW - 10) * lane / max(len(names) - 1, 1), 0.4 if is_part else 1)


def dot(name, x, y, opacity=1):
    colour, shape = STYLES[name]
    return f'<g opacity="{opacity}">{mark(colour, shape, x, y)}</g>'


def mark(colour, shape, x, y):
    x, y = round(x, 1), round(y, 1)
    if shape == "disc":
        return f'<circle cx="{x}" cy="{y}" r="5" fill="{colour}"/>'
    if shape == "ring":
        return f'<circle cx="{x}" cy="{y}" r="4" fill="white" stroke="{colour}" stroke-width="2"/>'
    corners = {"square": "-3.5,-3.5 3.5,-3.5 3.5,3.5 -3.5,3.5", "diamond": "0,-5 5,0 0,5 -5,0", "triangle": "0,-5 4.8,4 -4.8,4"}[shape]
    return f'<polygon transform="translate({x} {y})" points="{corners}" fill="{colour}"/>'
