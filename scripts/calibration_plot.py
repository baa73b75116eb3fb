"""The picture of `calibration.py`: the share of right claims by claimed probability, a panel for links and one for directions."""

import numpy as np

EDGES = np.array([0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0])


def draw(claims, path):
    """Claims: (kind, rows, sort) -> probabilities and whether they are right."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "prequential", "font.size": 8, "lines.markersize": 4, "lines.linewidth": 1})
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(7.4, 3.7), sharex=True, sharey=True, layout="constrained")
    kinds = list(dict.fromkeys(kind for kind, _, _ in claims))
    for panel, sort in zip(panels, ("link", "direction")):
        panel.plot([0, 1], [0, 1], color="0.7", linestyle="--")
        for number, kind in enumerate(kinds):
            probability, is_right = np.concatenate([claims[key] for key in claims if key[0] == kind and key[2] == sort]).T
            places = np.clip(np.searchsorted(EDGES, probability, side="right") - 1, 0, len(EDGES) - 2)
            filled = [place for place in range(len(EDGES) - 1) if (places == place).sum() >= 10]
            said = [probability[places == place].mean() for place in filled]
            right = [is_right[places == place].mean() for place in filled]
            panel.plot(said, right, color=f"C{number}", marker="o", label=kind)
        panel.set_title(f"{sort}s")
        panel.set_xlabel("probability that was said")
    panels[0].set_ylabel("share that is right")
    panels[0].legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
