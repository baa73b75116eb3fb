"""Nats above the true conditional distribution, on data where it is known: `make regret`.

Every conditional is drawn with a fixed seed at several numbers of rows and scored by every estimator; the ideal code knows the density. Code lengths count the
width of a cell, so the ideal is the density times that width. Needs numpy and scipy, which it installs into its own environment.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import environment

TOP = pathlib.Path(__file__).resolve().parents[1]
FINEST = 1 / 16384


def conditionals(np, stats):
    """Name -> (draw(rng, n) -> (parents, child, log density or mass of the child))."""

    def additive(mean, sd, n_parents=1, noise=stats.norm):
        def draw(rng, n):
            parents = rng.normal(size=(n, n_parents))
            centre, width = mean(*parents.T), sd(*parents.T)
            child = centre + width * noise.rvs(size=n, random_state=rng)
            return parents, child, noise.logpdf((child - centre) / width) - np.log(width)

        return draw

    def constant(value):
        return lambda *parents: np.full_like(parents[0], value)

    uniform, skewed = stats.uniform(-3**0.5, 2 * 3**0.5), stats.gamma(2, -(2**0.5), 1 / 2**0.5)
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
        "0 or a + 0.3 noise, half each": bimodal(np, stats),
        "0 with chance 1/2, else exp(a / 2 + 0.5 noise)": zero_inflated(np, stats),
        "counts: Poisson(exp(0.5 a + 1))": poisson(np, stats),
        "ordered 1..5, steps of a + noise": ordered(np, stats),
    }


def bimodal(np, stats):
    def draw(rng, n):
        a = rng.normal(size=n)
        child = np.where(rng.random(n) < 0.5, 0, a) + 0.3 * rng.normal(size=n)
        return a[:, None], child, np.log(0.5 * stats.norm.pdf(child, 0, 0.3) + 0.5 * stats.norm.pdf(child, a, 0.3))

    return draw


def zero_inflated(np, stats):
    def draw(rng, n):
        a, is_zero = rng.normal(size=n), rng.random(n) < 0.5
        noise = rng.normal(size=n)
        child = np.where(is_zero, 0, np.exp(a / 2 + 0.5 * noise))
        density = stats.norm.logpdf(noise) - np.log(0.5) - a / 2 - 0.5 * noise
        # A zero has no density: `ideal` knows its mass.
        return a[:, None], child, np.where(is_zero, np.nan, density + np.log(0.5))

    return draw


def poisson(np, stats):
    def draw(rng, n):
        a = rng.normal(size=n)
        child = rng.poisson(np.exp(0.5 * a + 1)).astype(float)
        return a[:, None], child, stats.poisson.logpmf(child, np.exp(0.5 * a + 1))

    return draw


def ordered(np, stats):
    def draw(rng, n):
        a = rng.normal(size=n)
        cuts = np.array([-np.inf, -1.5, -0.5, 0.5, 1.5, np.inf])
        child = np.searchsorted(cuts[1:-1], a + rng.normal(size=n)) + 1
        mass = stats.norm.cdf(cuts[child] - a) - stats.norm.cdf(cuts[child - 1] - a)
        return a[:, None], child.astype(float), np.log(mass)

    return draw


def scale(np, x):
    ordered = np.sort(x)
    quantile = lambda share: ordered[int(round((len(x) - 1) * share))]
    spreads = [(quantile(high) - quantile(low)) / units for low, high, units in ((0.16, 0.84, 2), (0.025, 0.975, 4), (0, 1, 6))]
    return next((spread for spread in spreads if spread > 0), 1.0)


def ideal(np, child, log_density):
    """The ideal code of the cells that are coded."""
    steps = np.diff(np.unique(child))
    if np.all(child == np.round(child)) and steps.min() == 1:
        return -log_density.sum()
    return -np.where(np.isnan(log_density), np.log(0.5), log_density + np.log(FINEST * scale(np, child))).sum()


def code_length(binary, path, estimator):
    command = [binary, "score", path, "--graph", path + ".json", "--estimator", estimator, "--numbers", "y", "--format", "json", "--quiet"]
    families = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["families"]
    return next(family["code_length_nats"] for family in families if family["child"] == "y")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", default="300,1000,2000,5000,20000")
    arguments.add_argument("--estimators", default="linear,fourier,mix")
    arguments = arguments.parse_args()
    import numpy as np
    from scipy import stats

    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "prequential-cli"], cwd=TOP, check=True)
    binary = str(TOP / "target" / "release" / "prequential")
    estimators = arguments.estimators.split(",")
    print("| y given its parents | rows | " + " | ".join(f"{name}: nats, a row" for name in estimators) + " |")
    print("|---" * (2 + len(estimators)) + "|")
    for number, (name, draw) in enumerate(conditionals(np, stats).items()):
        for n in map(int, arguments.rows.split(",")):
            parents, child, log_density = draw(np.random.default_rng([7, number, n]), n)
            with tempfile.TemporaryDirectory() as folder:
                path = f"{folder}/t.csv"
                names = [f"x{i}" for i in range(parents.shape[1])]
                np.savetxt(path, np.c_[parents, child], delimiter=",", header=",".join([*names, "y"]), comments="", fmt="%.17g")
                pathlib.Path(path + ".json").write_text(json.dumps([[x, "y"] for x in names]))
                best = ideal(np, child, log_density)
                above = [code_length(binary, path, estimator) - best for estimator in estimators]
            print(f"| {name} | {n:,} | " + " | ".join(f"{nats:.1f}, {nats / n:.4f}" for nats in above) + " |", flush=True)


if __name__ == "__main__":
    environment.enter("venv-regret", ["numpy==2.4.6", "scipy==1.17.1"])
    sys.exit(main())
