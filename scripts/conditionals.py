"""Known conditional distributions: draws of a child and its parents, with the true probability of every cell of the child. Needs numpy and scipy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.interpolate import CubicSpline
from scipy.special import log_softmax, ndtr

FINEST = 1 / 16384


class Cells:
    """The cells in which a column of numbers is coded: as in crates/prequential/src/table/cells/numbers.rs."""

    def __init__(self, column):
        ordered = np.sort(column)
        quantile = lambda share: ordered[int((len(column) - 1) * share + 0.5)]
        spreads = [(quantile(high) - quantile(low)) / units for low, high, units in ((0.16, 0.84, 2), (0.025, 0.975, 4), (0, 1, 6))]
        scale = next((spread for spread in spreads if spread > 0), 1.0)
        least = np.diff(np.unique(column)).min()
        steps = (column - ordered[0]) / least
        is_stepped = np.all(np.abs(steps - np.round(steps)) < 1e-4)
        self.width = max(least, FINEST * scale) if is_stepped else FINEST * scale
        centres = quantile(0.5) + np.round((column - quantile(0.5)) / self.width) * self.width
        self.low, self.high = centres - self.width / 2, centres + self.width / 2


@dataclass
class Sample:
    """A child drawn from its parents; columns of labels hold text."""

    parents: list[np.ndarray]
    child: np.ndarray
    # The log of the true chance of every row's cell, or label.
    log_mass: Callable[[Cells | None], np.ndarray]

    def ideal(self):
        """The nats of the code that knows the distribution."""
        return -self.log_mass(None if is_labels(self.child) else Cells(self.child)).sum()


def is_labels(column):
    return column.dtype.kind == "U"


def labels(codes):
    return np.char.add("l", np.asarray(codes).astype(str))


def conditionals():
    """Name -> draw(rng, n) -> Sample. The place in this list is part of the seed: new ones come last."""
    uniform, skewed = stats.uniform(-(3**0.5), 2 * 3**0.5), stats.gamma(2, -(2**0.5), 1 / 2**0.5)
    return {
        "0.2 a + noise": additive(lambda a: 0.2 * a, constant(0.96**0.5)),
        "0.9 a + noise": additive(lambda a: 0.9 * a, constant(0.19**0.5)),
        "sin(a) + 0.1 noise": additive(np.sin, constant(0.1)),
        "sin(4a) + 0.1 noise": additive(lambda a: np.sin(4 * a), constant(0.1)),
        "a^2, sd 0.1 + 0.3 abs(a)": additive(lambda a: a * a, lambda a: 0.1 + 0.3 * np.abs(a)),
        "a b + 0.3 noise": additive(lambda a, b: a * b, constant(0.3), 2),
        "sign(a) abs(b) + 0.3 noise": additive(lambda a, b: np.sign(a) * np.abs(b), constant(0.3), 2),
        "a + sin(2b) + c^2 / 2 + 0.3 noise": additive(lambda a, b, c: a + np.sin(2 * b) + c * c / 2, constant(0.3), 3),
        "0.5 a, sd exp(a / 2)": additive(lambda a: 0.5 * a, lambda a: np.exp(a / 2)),
        "0.5 a + heavy noise (t, 3)": additive(lambda a: 0.5 * a, constant(0.5), 1, stats.t(3)),
        "0.5 a + skewed noise": additive(lambda a: 0.5 * a, constant(0.5), 1, skewed),
        "0.5 a + uniform noise": additive(lambda a: 0.5 * a, constant(0.5), 1, uniform),
        "0 or a + 0.3 noise, half each": bimodal,
        "0 with chance 1/2, else exp(a / 2 + 0.5 noise)": zero_inflated,
        "counts: Poisson(exp(0.5 a + 1))": poisson,
        "ordered 1..5, steps of a + noise": ordered,
        "two labels: logistic(2a)": chosen(lambda a: (0 * a, 2 * a), 1),
        "three labels: softmax(2a, 2b, 0)": chosen(lambda a, b: (2 * a, 2 * b, 0 * a), 2),
        "five labels, steps of a + noise": ordered_labels,
        "three labels by a table of two labels": tabulated(),
        "by two labels, 1 sd apart": by_label([0, 1], [0, 0], [1, 1]),
        "by three labels, other means and sds": by_label([0, 1, 3], [0, 0, 0], [0.5, 1, 2]),
        "by label -a, 0 or 2a, + 0.5 noise": by_label([0, 0, 0], [-1, 0, 2], [0.5, 0.5, 0.5]),
        "no parents: normal": alone(lambda z: z, ndtr),
        "no parents: sin(3 noise)": alone(lambda z: np.sin(3 * z), sine_of_normal),
        "no parents: (a + 0.1 noise)^3": alone(lambda z: 1.01**1.5 * z**3, lambda y: ndtr(np.cbrt(y) / 1.01**0.5)),
        "no parents: sin(2a) + 0.1 noise": blurred(lambda a: np.sin(2 * a), 0.1),
        "no parents: sign(a) / (abs(a) + 0.1) + 0.1 noise": blurred(lambda a: np.sign(a) / (np.abs(a) + 0.1), 0.1),
    }


def of_density(log_density):
    return lambda cells: log_density + np.log(cells.width)


def of_mass(log_mass):
    return lambda _: log_mass


def constant(value):
    return lambda *parents: np.full_like(parents[0], value)


def additive(mean, sd, n_parents=1, noise=stats.norm):
    """Normal parents; a mean and a standard deviation that follow from them."""

    def draw(rng, n):
        parents = rng.normal(size=(n, n_parents)).T
        centre, width = mean(*parents), sd(*parents)
        child = centre + width * noise.rvs(size=n, random_state=rng)
        return Sample(list(parents), child, of_density(noise.logpdf((child - centre) / width) - np.log(width)))

    return draw


def bimodal(rng, n):
    a = rng.normal(size=n)
    child = np.where(rng.random(n) < 0.5, 0, a) + 0.3 * rng.normal(size=n)
    density = 0.5 * stats.norm.pdf(child, 0, 0.3) + 0.5 * stats.norm.pdf(child, a, 0.3)
    return Sample([a], child, of_density(np.log(density)))


def zero_inflated(rng, n):
    a, is_zero = rng.normal(size=n), rng.random(n) < 0.5
    noise = rng.normal(size=n)
    child = np.where(is_zero, 0, np.exp(a / 2 + 0.5 * noise))
    log_density = stats.norm.logpdf(noise) - np.log(0.5) - a / 2 - 0.5 * noise
    return Sample([a], child, lambda cells: np.log(0.5) + np.where(is_zero, 0, log_density + np.log(cells.width)))


def poisson(rng, n):
    a = rng.normal(size=n)
    child = rng.poisson(np.exp(0.5 * a + 1)).astype(float)
    return Sample([a], child, of_mass(stats.poisson.logpmf(child, np.exp(0.5 * a + 1))))


def ordered(rng, n):
    a = rng.normal(size=n)
    cuts = np.array([-np.inf, -1.5, -0.5, 0.5, 1.5, np.inf])
    child = np.searchsorted(cuts[1:-1], a + rng.normal(size=n)) + 1
    return Sample([a], child.astype(float), of_mass(np.log(ndtr(cuts[child] - a) - ndtr(cuts[child - 1] - a))))


def ordered_labels(rng, n):
    sample = ordered(rng, n)
    return Sample(sample.parents, labels(sample.child.astype(int)), sample.log_mass)


def chosen(scores, n_parents):
    """Labels with chances that are the softmax of scores of normal parents."""

    def draw(rng, n):
        parents = list(rng.normal(size=(n, n_parents)).T)
        return pick(rng, parents, log_softmax(np.column_stack(scores(*parents)), axis=1))

    return draw


def tabulated():
    """A label of three by its two parents, labels of three, with chances that are drawn once."""
    chances = np.random.default_rng(7).dirichlet(np.ones(3), size=(3, 3))

    def draw(rng, n):
        a, b = rng.integers(3, size=(2, n))
        return pick(rng, [labels(a), labels(b)], np.log(chances[a, b]))

    return draw


def pick(rng, parents, log_chances):
    """Draws a label a row from its chances."""
    codes = (np.exp(log_chances).cumsum(axis=1)[:, :-1] < rng.random((len(log_chances), 1))).sum(axis=1)
    return Sample(parents, labels(codes), of_mass(log_chances[np.arange(len(codes)), codes]))


def by_label(means, slopes, sds):
    """A line in a normal parent for every label; without that parent if all slopes are 0."""
    means, slopes, sds = np.array(means), np.array(slopes), np.array(sds)

    def draw(rng, n):
        code, a, noise = rng.integers(len(means), size=n), rng.normal(size=n), rng.normal(size=n)
        child = means[code] + slopes[code] * a + sds[code] * noise
        parents = [labels(code), a] if slopes.any() else [labels(code)]
        return Sample(parents, child, of_density(stats.norm.logpdf(noise) - np.log(sds[code])))

    return draw


def alone(value, distribution):
    """A function of one normal number without its parents. Where the density has a pole only cells have a chance: the difference of the distribution function."""

    def draw(rng, n):
        return Sample([], value(rng.normal(size=n)), lambda cells: np.log(distribution(cells.high) - distribution(cells.low)))

    return draw


def sine_of_normal(y):
    """The chance that the sine of 3 times a normal number is at most y: intervals of the number, period after period."""
    angle, periods = np.arcsin(np.clip(y, -1, 1)), 2 * np.pi * np.arange(-5, 6)[:, None]
    return (ndtr((periods + angle) / 3) - ndtr((periods - np.pi - angle) / 3)).sum(axis=0)


def blurred(function, sd):
    """A function of a normal number, plus noise, without its parents: the density is the noise's, averaged over that number."""

    def draw(rng, n):
        child = function(rng.normal(size=n)) + sd * rng.normal(size=n)
        centres = function(stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000))
        grid = np.arange(child.min() - sd, child.max() + sd, sd / 10)
        density = [stats.norm.pdf(place, centres, sd).mean() for place in grid]
        return Sample([], child, of_density(CubicSpline(grid, np.log(density))(child)))

    return draw
