"""The tables that calibration.py draws, of five kinds: columns by name, and the true pairs (cause, effect).

Columns of numbers are arrays of floats, columns of labels arrays of text. Every variable has up to three causes; what each of them adds is
drawn from weak to strong, so that some links are lost in few rows.
"""

import numpy as np

N_PARENTS = [0.25, 0.4, 0.25, 0.1]  # how often a variable has 0, 1, 2 or 3 causes
WEIGHTS = (0.2, 1.2)  # what a cause adds, in standard deviations of the noise


def draw(kind, n_vars, seed, n_rows):
    """Columns, and edges as pairs of names; the same for the same arguments."""
    rng = np.random.default_rng([seed, n_rows, n_vars, list(KINDS).index(kind)])
    order = rng.permutation(n_vars)
    parents, columns = {}, {}
    for place, node in enumerate(order):
        n_parents = min(place, rng.choice(len(N_PARENTS), p=N_PARENTS))
        parents[node] = rng.choice(order[:place], n_parents, replace=False) if place else np.array([], dtype=int)
        columns[node] = KINDS[kind](rng, [columns[parent] for parent in parents[node]], n_rows)
    name = lambda node: f"v{node}"
    edges = [(name(parent), name(node)) for node in range(n_vars) for parent in parents[node]]
    return {name(node): columns[node] for node in range(n_vars)}, edges


def linear_pair(seed, n_rows):
    """A normal column and a multiple of it with normal noise: nothing tells which of the two is the cause."""
    rng = np.random.default_rng([seed, n_rows])
    x = rng.normal(size=n_rows)
    slope = rng.uniform(0.3, 0.95)
    return {"x": x, "y": slope * x + (1 - slope**2) ** 0.5 * rng.normal(size=n_rows)}, [("x", "y")]


def as_labels(codes):
    return np.char.add("l", np.asarray(codes).astype(int).astype(str))


def is_label(column):
    return column.dtype.kind == "U"


def standard(column):
    sd = column.std()
    return (column - column.mean()) / (sd if sd > 0 else 1.0)


def weight(rng):
    return rng.uniform(*WEIGHTS) * rng.choice([-1, 1])


# What a cause adds


def linear_effect(rng, column):
    """Of a number a multiple, of a label another mean for each level."""
    if not is_label(column):
        return weight(rng) * standard(column)
    levels, codes = np.unique(column, return_inverse=True)
    means = rng.normal(size=len(levels))
    return abs(weight(rng)) * standard(means[codes])


def curved_effect(rng, column):
    if is_label(column):
        return linear_effect(rng, column)
    x, centre = standard(column), rng.uniform(-1, 1)
    curve = rng.choice(5)
    shapes = [x, np.tanh(2 * x), (x - centre) ** 2, abs(x - centre), np.sin(rng.uniform(1, 3) * x + centre)]
    return 1.5 * weight(rng) * standard(shapes[curve])


def total(rng, causes, effect):
    """What all causes add."""
    return sum((effect(rng, cause) for cause in causes), 0.0)


# One kind of table each


def linear_normal(rng, causes, n):
    return total(rng, causes, linear_effect) + rng.normal(size=n)


NOISES = [
    lambda rng, n: rng.normal(size=n),
    lambda rng, n: rng.uniform(-1.7, 1.7, n),
    lambda rng, n: rng.laplace(size=n) / 1.4,
    lambda rng, n: rng.exponential(size=n) - 1,
    lambda rng, n: rng.normal(size=n) / 2 + 2 * (rng.random(n) < 0.4),
]


def nonlinear(rng, causes, n):
    noise = NOISES[rng.choice(len(NOISES), p=[0.5, 0.15, 0.15, 0.1, 0.1])](rng, n)
    if len(causes) == 2 and rng.random() < 0.3:
        first, second = (standard(curved_effect(rng, cause)) for cause in causes)
        return 1.5 * abs(weight(rng)) * first * second + noise
    if causes and rng.random() < 0.3:
        noise = noise * np.exp(0.5 * weight(rng) * np.tanh(standard(causes[0])))
    value = total(rng, causes, curved_effect) + noise
    # Noise inside a function, or none around it.
    return np.exp(0.5 * standard(value)) if rng.random() < 0.15 else value


def label(rng, causes, n, effect):
    """The largest of some scores with Gumbel noise: a draw from their softmax."""
    n_levels = rng.integers(2, 5)
    scores = np.stack([rng.normal() * 0.5 + total(rng, causes, effect) + rng.gumbel(size=n) for _ in range(n_levels)])
    return as_labels(scores.argmax(axis=0))


def mixed(rng, causes, n):
    if rng.random() < 0.5:
        return label(rng, causes, n, linear_effect)
    effect = curved_effect if rng.random() < 0.3 else linear_effect
    value = total(rng, causes, effect) + rng.normal(size=n)
    return np.exp(0.5 * value) if rng.random() < 0.2 else value


def categorical(rng, causes, n):
    if rng.random() < 0.5 or not causes:
        return label(rng, causes, n, linear_effect)
    # Probabilities of its own for every combination of the causes' labels.
    n_levels = rng.integers(2, 5)
    combinations = np.unique(np.stack(causes), axis=1, return_inverse=True)[1].ravel()
    shares = rng.dirichlet(np.ones(n_levels), combinations.max() + 1)
    return as_labels((rng.random(n)[:, None] > shares[combinations].cumsum(axis=1)[:, :-1]).sum(axis=1))


def counted(rng, causes, n):
    """Counts, rounded and cut off numbers, answers from 1 to 5, and heavy tails."""
    signal = total(rng, causes, linear_effect)
    form = rng.choice(5)
    if form == 0:
        return rng.poisson(np.exp(np.clip(0.5 + 0.5 * signal + np.zeros(n), -5, 5))).astype(float)
    if form == 1:
        return np.round(2 * (signal + rng.normal(size=n)))
    if form == 2:
        return np.maximum(0.0, np.round(signal + rng.normal(size=n), 2))
    if form == 3:
        return np.clip(np.round(signal + rng.normal(size=n) + 3), 1, 5)
    return signal + rng.standard_t(3, n)


KINDS = {
    "linear normal": linear_normal,
    "nonlinear": nonlinear,
    "mixed": mixed,
    "categorical": categorical,
    "counts and tails": counted,
}
