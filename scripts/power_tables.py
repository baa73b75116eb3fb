"""The tables that power.py draws: a draw takes a random generator and a number of rows, and returns columns by name.

Columns of numbers are arrays of floats, columns of labels arrays of text.
"""

import numpy as np

SHAPES = {
    "exponential": lambda rng, n: rng.exponential(size=n),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "bimodal": lambda rng, n: rng.normal(size=n) + 4 * (rng.random(n) < 0.4),
    "zero-inflated": lambda rng, n: np.where(rng.random(n) < 0.6, 0, rng.exponential(size=n)),
    "heavy tails": lambda rng, n: rng.normal(size=n) ** 3,
    "heaped at both ends": lambda rng, n: np.sin(3 * rng.normal(size=n)),
    "integers": lambda rng, n: np.round(10 * rng.normal(size=n)),
    "1 to 5": lambda rng, n: rng.integers(1, 6, n).astype(float),
}


def as_labels(codes):
    return np.char.add("l", np.asarray(codes).astype(int).astype(str))


def normal(rng, n):
    return rng.normal(size=n)


def any_shape(rng, n):
    return SHAPES[rng.choice(list(SHAPES))](rng, n)


def unequal_labels(rng, n, n_levels=None):
    """Labels whose shares are as 1 to 2, or 1 to 2 to 3, and so on up to five of them."""
    n_levels = n_levels or rng.integers(2, 6)
    shares = np.arange(1, n_levels + 1)
    return as_labels(rng.choice(n_levels, n, p=shares / shares.sum()))


# Correlated pairs and trials


def normal_pair(rho):
    def draw(rng, n):
        x = rng.normal(size=n)
        return {"x": x, "y": rho * x + (1 - rho**2) ** 0.5 * rng.normal(size=n)}

    return draw


def digit_pairs():
    """What y is given x, how both are written, and the draw: the logarithms of x and y are normal."""

    def significant(n_digits):
        return np.vectorize(lambda number: float(f"{number:.{n_digits}g}"))

    def heaped(rng, numbers):
        """Ages, of which three in five are told in multiples of five."""
        years = 40 + 15 * numbers
        return np.where(rng.random(len(numbers)) < 0.6, 5 * np.round(years / 5), np.round(years))

    def of_digits(n_digits):
        return lambda rng, numbers: significant(n_digits)(np.exp(3 + numbers)) if n_digits else np.exp(3 + numbers)

    def draw(rho, x_written, y_written):
        pair = normal_pair(rho)

        def drawn(rng, n):
            table = pair(rng, n)
            return {"x": x_written(rng, table["x"]), "y": y_written(rng, table["y"])}

        return drawn

    all_digits, three, two = of_digits(None), of_digits(3), of_digits(2)
    ways = {"all digits": (all_digits, all_digits), "three digits": (three, three), "two digits": (two, two), "two digits (x)": (two, all_digits), "heaped": (heaped, heaped)}
    for rho in (0, 0.2, 0.7):
        for written, both in ways.items():
            yield f"correlation {rho}", written, draw(rho, *both)


def trial(difference):
    """Two arms by a fair coin, and an outcome whose means differ by so many standard deviations."""

    def draw(rng, n):
        treated = rng.random(n) < 0.5
        return {"arm": np.where(treated, "treated", "control"), "outcome": difference * treated + rng.normal(size=n)}

    return draw


# Columns that have nothing to do with each other


def five(*kinds):
    """Independent columns, of each of these kinds one."""
    return lambda rng, n: {f"v{place}": kind(rng, n) for place, kind in enumerate(kinds)}


def five_shapes(rng, n):
    return five(*(SHAPES[name] for name in rng.choice(list(SHAPES), 5, replace=False)))(rng, n)


def five_mixed(rng, n):
    """One to four columns of labels; half of the numbers are normal."""
    n_labels = rng.integers(1, 5)
    numbers = [normal if rng.random() < 0.5 else any_shape for _ in range(5 - n_labels)]
    return five(*[unequal_labels] * n_labels, *numbers)(rng, n)


INDEPENDENT = {
    "normal": five(*[normal] * 5),
    "other shapes": five_shapes,
    "labels": five(*[unequal_labels] * 5),
    "mixed": five_mixed,
}


# Labels that have nothing to do with each other, by their number of levels and their shares

SHARES = {
    "even": lambda n_levels: np.ones(n_levels),
    "as 1 to 2 to 3": lambda n_levels: np.arange(1, n_levels + 1),
    "halving": lambda n_levels: 0.5 ** np.arange(n_levels) if n_levels > 2 else np.array([9, 1]),
}
LEVELS = {"2": [2], "3": [3], "5": [5], "10": [10], "2, 3, 5 or 10": [2, 3, 5, 10]}


def five_labels(levels, shares):
    def label(rng, n):
        weights = shares(rng.choice(levels))
        return as_labels(rng.choice(len(weights), n, p=weights / weights.sum()))

    return five(*[label] * 5)


# A child, its parent and a column without use


def linear_child(rng, n):
    x = rng.normal(size=n)
    return x, 0.7 * x + rng.normal(size=n)


def nonlinear_child(rng, n):
    x = rng.normal(size=n)
    return x, np.sin(2 * x) + 0.3 * rng.normal(size=n)


def child_of_label(rng, n):
    level = rng.integers(0, 3, n)
    return as_labels(level), np.array([0, 1, -1])[level] + rng.normal(size=n)


def with_useless(child, useless):
    def draw(rng, n):
        x, y = child(rng, n)
        return {"x": x, "y": y, "z": useless(rng, n)}

    return draw


CHILDREN = {"0.7 x + noise": linear_child, "sin(2x) + 0.3 noise": nonlinear_child, "shifted by 3 labels": child_of_label}
USELESS = {"normal": normal, "3 labels": lambda rng, n: unequal_labels(rng, n, 3)}


# Cause and effect of two kinds, or both numbers


def label_to_number(level, means, sds=lambda rng: np.ones(5)):
    """A number whose mean and spread depend on the label; both may be drawn anew for every table."""

    def draw(rng, n):
        levels, mean, sd = level(rng, n), np.asarray(means(rng)), np.asarray(sds(rng))
        return {"cause": as_labels(levels), "effect": mean[levels] + sd[levels] * rng.normal(size=n)}

    return draw


def number_to_label(number, level):
    def draw(rng, n):
        x = number(rng, n)
        return {"cause": x, "effect": as_labels(level(rng, x))}

    return draw


def linear_pair(noise, slope, spread):
    def draw(rng, n):
        x, e = noise(rng, n), noise(rng, n)
        return {"cause": x, "effect": slope * x + spread * e}

    return draw


def two_levels(rng, n):
    return (rng.random(n) < 0.4).astype(int)


def even_levels(n_levels):
    return lambda rng, n: rng.integers(0, n_levels, n)


def by_logistic(rng, x):
    return rng.random(len(x)) < 1 / (1 + np.exp(-2 * x))


def by_thresholds(rng, x):
    return np.searchsorted([-0.5, 0.7], x + 0.5 * rng.normal(size=len(x)))


def by_rounding(rng, x):
    return np.clip(np.round(1.2 * x + 2 + 0.5 * rng.normal(size=len(x))), 0, 4)


def by_softmax(rng, x):
    slopes, starts = 1.5 * rng.normal(size=5), 0.5 * rng.normal(size=5)
    # The largest of logits with Gumbel noise is a draw from their softmax.
    return (starts + np.outer(x, slopes) + rng.gumbel(size=(len(x), 5))).argmax(axis=1)


TWO_KINDS = {
    "2 labels -> number, 3 sd apart": label_to_number(two_levels, lambda rng: [0, 3]),
    "2 labels -> number, 1 sd apart": label_to_number(two_levels, lambda rng: [0, 1]),
    "3 labels -> number, means and sds differ": label_to_number(even_levels(3), lambda rng: [0, 1.5, -1], lambda rng: [1, 0.5, 0.7]),
    "5 labels -> number, steps of 0.8 sd": label_to_number(even_levels(5), lambda rng: 0.8 * np.arange(5)),
    "5 labels -> number, random means and sds": label_to_number(
        even_levels(5), lambda rng: 1.5 * rng.normal(size=5), lambda rng: np.exp(rng.uniform(-0.7, 0.4, 5))
    ),
    "normal -> 2 labels, logistic": number_to_label(normal, by_logistic),
    "normal -> 3 labels, two thresholds": number_to_label(normal, by_thresholds),
    "uniform -> 5 labels, rounded": number_to_label(lambda rng, n: rng.uniform(-1.7, 1.7, n), by_rounding),
    "normal -> 5 labels, random softmax": number_to_label(normal, by_softmax),
}
LINEAR = {
    "0.8 x + 0.6 e, normal: no direction": linear_pair(normal, 0.8, 0.6),
    "0.8 x + 0.8 e, uniform": linear_pair(lambda rng, n: rng.uniform(-1, 1, n), 0.8, 0.8),
    "0.8 x + 0.8 e, Laplace": linear_pair(lambda rng, n: rng.laplace(size=n), 0.8, 0.8),
}
