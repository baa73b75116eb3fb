"""Code lengths of numeric families in numpy: an independent check of `fourier`, and a reference for its speed.

Every nat is paid for. A number is coded as a density around its known location and scale, with nothing known of its shape. Experts
predict it in original and in compressed (asinh) units, by ridge regression on each feature map of its parents: a line, or a line
and waves of one of three scales; around that with constant noise, or with a scale that is regressed too; with residuals of normal,
heavy, learnt and finely learnt shape. A root has the same experts with a constant as its only feature. Rows come in growing chunks,
each predicted from those before, and a switching mixture joins the experts.

This is the recipe that `fourier` began from. `fourier` has since gained experts (ranks among earlier rows, products of parents,
histograms) and has fewer waves, and sees parents by ranks among earlier rows, not among all; so code lengths agree on average, not
to the bit.

The recipe goes family by family and shares nothing between them. Here one call scores all children of a parent set: feature maps
are made and precisions factorised once for all of them. With `is_shared=False` they are made anew for every child. Either way
whole chunks, maps and shapes are done at once, matrices go through LAPACK, and learnt shapes are smoothed by Fourier transforms.
"""

from itertools import combinations

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dposv, dpotrf
from scipy.special import ndtri

N_OPENING = 16  # rows from which nothing but the first regression is learnt
GROWTH = 1.2  # of the rows seen, from one chunk to the next
SHARE = 0.02  # of the weight that goes back to all experts alike, after each chunk
LEAST_LOG_DENSITY = -25.0


def code_lengths(data, max_parents, is_shared=True):
    """{(child, parents): nats} of all families of the columns of `data`, as densities in the columns' own units."""
    columns = [Column(numbers) for numbers in data.T]
    sizes = range(min(max_parents, len(columns) - 1) + 1)
    lengths = {}
    for parents in (parents for size in sizes for parents in combinations(range(len(columns)), size)):
        children = [child for child in range(len(columns)) if child not in parents]
        for group in [children] if is_shared else [[child] for child in children]:
            nats = lengths_given(columns, parents, group)
            lengths.update({(child, parents): nats for child, nats in zip(group, nats)})
    return lengths


def lengths_given(columns, parents, children):
    """Nats of each of the `children`, given the same `parents`."""
    n_rows = len(columns[0].original)
    chunks = growing_chunks(n_rows)
    originals, compressed, log_slopes = (
        np.stack([getattr(columns[child], name) for child in children]) for name in ("original", "compressed", "log_slope")
    )
    as_they_are, as_scores = (
        np.reshape([getattr(columns[parent], name) for parent in parents], (len(parents), n_rows)).T for name in ("original", "score")
    )
    log_densities = np.concatenate(
        [
            experts(feature_maps(as_they_are), originals, chunks),
            experts(feature_maps(as_scores), compressed, chunks) + log_slopes,
        ]
    )
    # The recipe leaves the opening out, because all families share it; so that totals can be compared, it is normal here.
    openings = -log_normal(originals[:, :N_OPENING]).sum(1)
    log_scales = np.array([columns[child].log_scale for child in children])
    return openings + mixture_lengths(log_densities, chunks) + n_rows * log_scales


def growing_chunks(n_rows):
    """First row and end of each chunk after the opening."""
    bounds = [min(N_OPENING, n_rows)]
    while bounds[-1] < n_rows:
        bounds.append(min(n_rows, max(bounds[-1] + 1, int(bounds[-1] * GROWTH))))
    return list(zip(bounds, bounds[1:]))


class Column:
    """A column of numbers as it is coded and as its children see it."""

    def __init__(self, numbers):
        scale = numbers.std()
        self.log_scale = np.log(scale)
        self.original = (numbers - np.median(numbers)) / scale
        low, middle, high = np.quantile(numbers, [0.16, 0.5, 0.84])
        unit = (high - low) / 2
        drawn_in = np.arcsinh((numbers - middle) / unit)
        self.compressed = (drawn_in - drawn_in.mean()) / drawn_in.std()
        # Of compressed by original units: what turns a density of the former into one of the latter.
        self.log_slope = np.log(scale / unit / drawn_in.std()) - 0.5 * np.log1p(((numbers - middle) / unit) ** 2)
        ranks = np.empty(len(numbers))
        ranks[np.argsort(numbers, kind="stable")] = np.arange(len(numbers))
        self.score = ndtri((ranks + 0.5) / len(numbers))


# Feature maps of the parents

LINEAR_HEIGHT = 3.0
SCALES = (0.5, 1.5, 4.0)  # standard deviations of the frequencies of waves, one map each
N_WAVES = 48
WAVE_HEIGHT = 2.0  # of all waves of a map together


def feature_maps(inputs, seed=0):
    """Of the parents' coordinates [row, parent]: a line, and for each scale a line with waves. Without parents a constant alone."""
    n_rows, n_parents = inputs.shape
    line = LINEAR_HEIGHT * np.column_stack([np.ones(n_rows), inputs])
    if n_parents == 0:
        return [line]
    rng = np.random.default_rng(seed)
    frequencies = [scale * rng.normal(size=(n_parents, N_WAVES)) for scale in SCALES]
    return [line, *(with_waves(line, inputs @ of_scale) for of_scale in frequencies)]


def with_waves(line, phases):
    n_linear, n_waves = line.shape[1], phases.shape[1]
    features = np.empty((len(line), n_linear + 2 * n_waves))
    features[:, :n_linear] = line
    np.sin(phases, out=features[:, n_linear : n_linear + n_waves])
    np.cos(phases, out=features[:, n_linear + n_waves :])
    features[:, n_linear:] *= WAVE_HEIGHT / np.sqrt(n_waves)
    return features


# Ridge regressions of the children, and of the logarithm of their noise

PRIOR_PRECISION, PRIOR_PRECISION_OF_NOISE = 0.05, 4.0
MEMORY = 0.8  # of old residuals in the variance, from one chunk to the next
PRIOR_WEIGHT = 2.0  # of a variance of 1
MEAN_LOG_SQUARE = -1.27  # of a standard normal number
LEAST_SQUARE = 1e-3  # keeps the logarithm of a residual of 0 finite
LESSONS, LOG_VARIANCES = (-5.0, 5.0), (-6.0, 6.0)


def experts(maps, responses, chunks):
    """Log densities [expert, child, row] of the responses [child, row]: every map with either noise and every shape."""
    regressed = [residuals(features, responses, chunks) for features in maps]
    z, log_sds = (np.stack(parts) for parts in zip(*regressed))  # [map, noise, child, row]
    n_children, n_rows = responses.shape
    shaped = log_shapes(z.reshape(-1, n_rows), chunks).reshape(N_SHAPES, *z.shape) - log_sds
    return shaped.reshape(-1, n_children, n_rows)


def residuals(features, responses, chunks):
    """Standardised residuals [noise, child, row] from predictions by the chunks before, and the logarithms of their units."""
    n_children, n_rows = responses.shape
    z, log_sds = np.zeros((2, 2, n_children, n_rows))
    opening = features[:N_OPENING].T
    precision, moments = prior(features, PRIOR_PRECISION, n_children)
    precision, moments = precision + opening @ opening.T, moments + opening @ responses[:, :N_OPENING].T
    noise_precision, noise_moments = prior(features, PRIOR_PRECISION_OF_NOISE, n_children)
    squares, weight = np.full((n_children, 1), PRIOR_WEIGHT), PRIOR_WEIGHT
    for start, end in chunks:
        seen = features[start:end].T
        means, leverages = predictions(seen, precision, moments)
        errors, constant = responses[:, start:end] - means, np.sqrt(squares / weight * (1 + leverages))
        log_variances = log_variances_of(seen, noise_precision, noise_moments) if start >= 2 * N_OPENING else 0.0
        log_sds[0, :, start:end] = np.log(constant)
        log_sds[1, :, start:end] = log_sds[0, :, start:end] + 0.5 * log_variances
        z[0, :, start:end] = errors / constant
        z[1, :, start:end] = z[0, :, start:end] * np.exp(-0.5 * log_variances)

        lessons = np.clip(np.log(z[0, :, start:end] ** 2 + LEAST_SQUARE) - MEAN_LOG_SQUARE, *LESSONS)
        gram = seen @ seen.T
        precision, moments = precision + gram, moments + seen @ responses[:, start:end].T
        noise_precision, noise_moments = noise_precision + gram, noise_moments + seen @ lessons.T
        squares = MEMORY * squares + (errors**2 / (1 + leverages)).sum(1, keepdims=True)
        weight = MEMORY * weight + end - start
    return z, log_sds


def prior(features, precision, n_responses):
    n_features = features.shape[1]
    return precision * np.eye(n_features), np.zeros((n_features, n_responses))


def predictions(seen, precision, moments):
    """Means [child, row], and leverages [row], by which the variance of a prediction exceeds that of the noise."""
    factor, failed = dpotrf(precision, lower=1)
    assert failed == 0, "the precision is positive definite"
    white = dtrsm(1.0, factor, seen, lower=1)
    return dtrsm(1.0, factor, moments, lower=1).T @ white, np.einsum("ij,ij->j", white, white)


def log_variances_of(seen, precision, moments):
    _, weights, failed = dposv(precision, moments, lower=1)
    assert failed == 0, "the precision is positive definite"
    return np.clip(weights.T @ seen, *LOG_VARIANCES)


# Shapes of residuals: normal, heavy, and learnt from earlier residuals with two widths

N_SHAPES = 4
REACH, N_NODES = 10.0, 2001
NODES, STEP = np.linspace(-REACH, REACH, N_NODES, retstep=True)
HEAVY = ((0.65, 0.75), (0.35, 1.8))  # weights and standard deviations of two normal distributions
WIDE, WIDE_SHARE = 3.0, 0.005  # what learnt shapes have beyond all residuals seen
N_FIRST = 8  # residuals before a shape is learnt
FINENESS = (1.0, 0.35)
N_PADDED = next_fast_len(N_NODES + int(4 * 0.6 / STEP), real=True)  # no smoothing is wider than 0.6
ANGLES = 2 * np.pi * np.arange(N_PADDED // 2 + 1) / N_PADDED / STEP


def log_normal(x, sd=1.0):
    return -0.5 * (x / sd) ** 2 - np.log(sd * np.sqrt(2 * np.pi))


NORMAL_NODES, WIDE_NODES = np.exp(log_normal(NODES)), np.exp(log_normal(NODES, WIDE))


def log_shapes(z, chunks):
    """Log densities [shape, series, row] of standardised residuals [series, row], learnt from the chunks before."""
    logs = np.zeros((N_SHAPES, *z.shape))
    logs[0] = log_normal(z)
    logs[1] = np.log(sum(weight * np.exp(log_normal(z, sd)) for weight, sd in HEAVY) + 1e-300)
    counts = np.zeros((len(z), N_NODES))
    for start, end in chunks:
        if start - N_OPENING < N_FIRST:
            logs[2:, :, start:end] = logs[0, :, start:end]
        else:
            logs[2:, :, start:end] = log_learnt(counts, z[:, N_OPENING:start], z[:, start:end])
        counts += node_counts(z[:, start:end])
    return logs


def node_counts(z):
    """How many residuals of each series lie nearest to each node."""
    nodes = np.rint((np.clip(z, -REACH + 0.1, REACH - 0.1) + REACH) / STEP).astype(int)
    series = np.arange(len(z))[:, None]
    return np.bincount((nodes + N_NODES * series).ravel(), minlength=N_NODES * len(z)).reshape(len(z), N_NODES)


def log_learnt(counts, past, z):
    """Of both widths: smoothed `counts` of the `past`, with some of a normal and of a wide density; straight lines between nodes."""
    n_past = past.shape[1]
    low, high = np.quantile(np.clip(past, -REACH + 0.1, REACH - 0.1), [0.25, 0.75], axis=1)
    widths = np.maximum(0.05, 0.9 * n_past**-0.2 * np.minimum(1, (high - low) / 1.34 + 1e-3))
    spectrum = rfft(counts / (n_past * STEP), N_PADDED)
    smoothed = np.stack([irfft(spectrum * np.exp(-0.5 * (fine * widths[:, None] * ANGLES) ** 2), N_PADDED) for fine in FINENESS])

    places = (np.clip(z, -REACH + STEP, REACH - STEP) + REACH) / STEP
    left = np.minimum(places.astype(int), N_NODES - 2)
    part, series = places - left, np.arange(len(z))[:, None]
    between = lambda nodes: (1 - part) * nodes(left) + part * nodes(left + 1)
    of_normal = 4 / (4 + n_past**0.7)
    learnt = (1 - of_normal) * between(lambda node: smoothed[:, series, node]) + of_normal * between(NORMAL_NODES.take)
    return np.log((1 - WIDE_SHARE) * np.maximum(learnt, 0) + WIDE_SHARE * between(WIDE_NODES.take) + 1e-12)


# The switching mixture


def mixture_lengths(log_densities, chunks):
    """Nats of each child after the opening, from [expert, child, row]: Bayes' rule inside a chunk, some weight for all after it."""
    n_experts = len(log_densities)
    starts = [start for start, _ in chunks]
    of_chunks = np.add.reduceat(np.maximum(log_densities, LEAST_LOG_DENSITY), starts, axis=2)
    log_weights, total = np.full(log_densities.shape[:2], -np.log(n_experts)), 0.0
    for chunk in range(len(chunks)):
        after = log_weights + of_chunks[..., chunk]
        top = after.max(0)
        evidence = top + np.log(np.exp(after - top).sum(0))
        total += evidence
        log_weights = np.log((1 - SHARE) * np.exp(after - evidence) + SHARE / n_experts)
    return -total
