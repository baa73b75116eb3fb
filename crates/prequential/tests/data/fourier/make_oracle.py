"""Makes oracle.json: a small table, random frequencies, and the code length of every family by another implementation.

    python make_oracle.py path/to/reference.py

The reference is a numpy prototype of the same estimator, written before this project and not part of it. It draws its
frequencies from numpy's default generator, parent set by parent set; they are drawn here again in the same order and
stored, so that our code can use the same ones. The table has 384 rows, a multiple of the 128 bins, and no ties, because
the prototype breaks ties by row order.
"""
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np


def load(path):
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(n_rows=384):
    rng = np.random.default_rng(11)
    a = rng.normal(size=n_rows)
    b = np.sin(2 * a) + 0.3 * rng.normal(size=n_rows)
    c = np.exp(a * b + 0.2 * rng.standard_t(3, size=n_rows))  # heavy tails
    return np.round(np.c_[a, b, c], 9)


reference = load(sys.argv[1])
X = table()
assert all(len(np.unique(column)) == len(X) for column in X.T)
losses = reference.fourier(X, seed=5)
rng = np.random.default_rng(5)
sets = []
for mask in range(1, 7):
    parents = reference.members(mask)
    waves = [rng.normal(size=(len(parents), reference.FOURIER_WAVES)) * s for s in reference.FOURIER_SCALES]
    children = [d for d in range(3) if not mask >> d & 1]
    sets.append({
        "parents": parents,
        "frequencies": [w.tolist() for w in waves],
        "children": children,
        "nats": [float(losses[child, mask].sum()) for child in children],
        "last_losses": [losses[child, mask, -3:].tolist() for child in children],
    })
out = {"columns": X.T.tolist(), "sets": sets}
Path(__file__).with_name("oracle.json").write_text(json.dumps(out) + "\n")
