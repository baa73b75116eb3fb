"""The picture of `regret.py`: nats a row above the truth by rows, a small panel for each conditional."""

import math
import textwrap

N_COLUMNS = 4
STYLES = {
    "mix": {"color": "C3", "linewidth": 4, "alpha": 0.5},
    "fourier": {"color": "C0", "marker": "s"},
    "neural": {"color": "C2", "marker": "^"},
    "linear": {"color": "C1", "marker": "D"},
    "counts": {"color": "C4", "marker": "v"},
    "Gaussian BIC": {"color": "0.45", "linestyle": "--", "marker": "x"},
}


def draw(regrets, path):
    """Regrets: conditional -> rows -> estimator -> nats above the truth. Values at or below 0 have no place on a logarithmic axis and are left out."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "prequential", "font.size": 8, "lines.markersize": 3, "lines.linewidth": 1})
    from matplotlib import pyplot

    n_lines = math.ceil(len(regrets) / N_COLUMNS)
    figure, panels = pyplot.subplots(n_lines, N_COLUMNS, figsize=(9.4, 0.8 + 1.55 * n_lines), sharex=True, sharey=True, layout="constrained")
    handles = {}
    for panel, (name, by_rows) in zip(panels.flat, regrets.items()):
        handles |= fill(panel, name, by_rows)
    for panel in panels.flat[len(regrets) :]:
        panel.axis("off")
    names = [name for name in [*STYLES, "½ ln(rows) / rows"] if name in handles]
    figure.legend([handles[name] for name in names], names, loc="outside upper center", ncols=len(names), frameon=False)
    figure.supxlabel("rows")
    figure.supylabel("nats a row above the truth")
    figure.savefig(path, metadata={"Date": None})


def fill(panel, name, by_rows):
    """Draws a panel; returns its lines by name."""
    rows = sorted(by_rows)
    panel.set(xscale="log", yscale="log")
    handles = {"½ ln(rows) / rows": panel.plot(rows, [math.log(n) / 2 / n for n in rows], ":", color="0.3")[0]}
    for estimator, style in STYLES.items():
        points = [(n, by_rows[n][estimator] / n) for n in rows if by_rows[n].get(estimator, 0) > 0]
        if points:
            handles[estimator] = panel.plot(*zip(*points), **style)[0]
    panel.set_title("\n".join(textwrap.wrap(name, 38)), fontsize=7.5)
    ticks = [n for n in rows if n != 2_000]  # which has no room beside 1,000
    panel.set_xticks(ticks, [f"{n:,}" for n in ticks])
    panel.minorticks_off()
    panel.grid(alpha=0.3)
    return handles
