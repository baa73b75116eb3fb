"""The estimators `fourier` and `neural` once more, in numpy and torch: a second opinion on code lengths, and something to be
faster than.

The recipe is that of crates/prequential/src/estimator, for columns of numbers without missing cells; `settings` are those
that the Rust side prints. Everything that can be done for many rows, children or families at once is: one Cholesky factor per
chunk and feature map serves all children of a parent set, and the networks of all families learn in lock-step. Random numbers
are drawn otherwise, so code lengths agree on average, not to the bit.
"""

from itertools import combinations

import numpy as np
import torch
import torch.nn.functional as F
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

N_BINS = 128
N_OPENING = 16  # rows coded before anything is learnt


class Column:
    """A column of numbers in bins of equal frequency, as in crates/prequential/src/table."""

    def __init__(self, numbers):
        n_rows = len(numbers)
        rank = rankdata(numbers)  # equal numbers share their mean rank
        bins = np.floor(min(N_BINS, n_rows) * (rank - 0.5) / n_rows).astype(int)
        _, self.codes, counts = np.unique(bins, return_inverse=True, return_counts=True)
        self.marginal = counts / n_rows
        scores = np.bincount(self.codes, ndtri((rank - 0.5) / n_rows)) / counts
        self.inputs = standardised(scores, self.marginal)(scores)[self.codes]
        below = np.r_[0, np.cumsum(counts)] / n_rows
        self.normal_edges = ndtri(np.minimum(below, 1))
        middle, low, high = np.quantile(numbers, [0.5, 0.16, 0.84])
        self.compressed_edges = np.arcsinh((np.quantile(numbers, below) - middle) / ((high - low) / 2))

    def losses_alone(self):
        return -np.log(self.marginal[self.codes])


def standardised(values, shares):
    mean = shares @ values
    sd = np.sqrt(shares @ (values - mean) ** 2)
    return lambda x: (x - mean) / sd


def growing_chunks(n_rows, growth):
    """Where chunks begin, and the end: the opening, then chunks that grow with what came before."""
    ends = [0, min(N_OPENING, n_rows)]
    while ends[-1] < n_rows:
        ends.append(min(n_rows, ends[-1] + max(1, int(ends[-1] * (growth - 1)))))
    return ends


def parent_sets(n_vars, max_parents):
    sizes = range(1, min(max_parents, n_vars - 1) + 1)
    return [parents for size in sizes for parents in combinations(range(n_vars), size)]


def code_lengths(data, max_parents, estimator, settings, seed=0):
    """{(child, parents): nats} of all families of the columns of `data`, by the estimator `fourier` or `neural`."""
    columns = [Column(numbers) for numbers in data.T]
    code = {"fourier": fourier, "neural": neural}[estimator]
    lengths = code(columns, parent_sets(len(columns), max_parents), settings, np.random.default_rng(seed))
    return {(child, ()): column.losses_alone().sum() for child, column in enumerate(columns)} | lengths


# fourier: Bayesian ridge regression on random waves of the parents

LINEAR_HEIGHT = 3.0
RESIDUAL_PARTS = ((0.65, 0.75), (0.35, 1.8))  # weight and sd of the normal distributions that make up a residual
OUTERMOST, BEYOND = 1e-3, 99.0


def fourier(columns, sets, settings, rng):
    frequencies = [scale * rng.normal(size=(len(columns), settings["n_waves"])) for scale in settings["scales"]]
    chunks = growing_chunks(len(columns[0].codes), settings["growth"])
    placed = [np.stack([place(column, edges) for edges in coordinates(column)]) for column in columns]
    lengths = {}
    for parents in sets:
        children = [child for child in range(len(columns)) if child not in parents]
        inputs = np.stack([columns[parent].inputs for parent in parents], 1)
        maps = [features(inputs), *(features(inputs, waves[list(parents)]) for waves in frequencies)]
        # Of all children in both coordinates, [child, coordinate, row]: centres and edges of the bins that came.
        centres, low, high = np.moveaxis(np.stack([placed[child] for child in children]), 2, 0)
        floors = settings["floor"] * np.stack([np.exp(-columns[child].losses_alone()) for child in children])
        masses = np.concatenate([by_regression(one, centres, low, high, chunks, settings) for one in maps], 1)
        losses = switched((1 - settings["floor"]) * masses + floors[:, None], chunks, settings["share"])
        for child, of_rows in zip(children, losses):
            opening = columns[child].losses_alone()[:N_OPENING].sum()
            lengths[child, parents] = opening + of_rows[N_OPENING:].sum()
    return lengths


def coordinates(column):
    """The edges of the bins in normal scores, and compressed."""
    limit = ndtri(1 - OUTERMOST)
    return np.clip(column.normal_edges, -limit, limit), column.compressed_edges


def place(column, edges):
    """Centre, lower and upper edge of each row's bin, standardised."""
    centres = (edges[1:] + edges[:-1]) / 2
    scaled = standardised(centres, column.marginal)
    edges = np.maximum.accumulate(scaled(edges) + 1e-9 * np.arange(len(edges)))
    edges[[0, -1]] = -BEYOND, BEYOND
    return np.stack([scaled(centres), edges[:-1], edges[1:]])[:, column.codes]


def features(inputs, frequencies=np.zeros((0, 0))):
    """A constant, the inputs, and sines and cosines of waves through them: [row, feature]."""
    (n_rows, n_inputs), n_waves = inputs.shape, frequencies.shape[1]
    out = np.empty((n_rows, 1 + n_inputs + 2 * n_waves))
    out[:, 0] = LINEAR_HEIGHT
    np.multiply(LINEAR_HEIGHT, inputs, out=out[:, 1 : 1 + n_inputs])
    if n_waves > 0:
        phases, waves = inputs @ frequencies, out[:, 1 + n_inputs :]
        np.sin(phases, out=waves[:, :n_waves])
        np.cos(phases, out=waves[:, n_waves:])
        waves *= 2 / np.sqrt(n_waves)
    return out


def by_regression(features, centres, low, high, chunks, settings):
    """The mass that a ridge regression of all children together gave to each bin that came."""
    responses = np.ascontiguousarray(centres.reshape(-1, len(features)).T)
    means, leverages = ridge(features, responses, chunks, settings["prior_precision"])
    means = np.ascontiguousarray(means.T).reshape(centres.shape)
    # The variance of the noise comes from past residuals, old ones counting less.
    chunk_squares = np.add.reduceat((centres - means) ** 2 / (1 + leverages), chunks[1:-1], axis=-1)
    squares, weight, variances = np.ones(centres.shape[:2]), 2.0, []
    for number, n_rows in enumerate(np.diff(chunks[1:])):
        variances.append(squares / weight)
        squares = settings["variance_memory"] * squares + chunk_squares[..., number]
        weight = settings["variance_memory"] * weight + n_rows
    variances = np.repeat(np.stack(variances, -1), np.diff(chunks[1:]), axis=-1)
    inverse_sd = np.ones(centres.shape)
    inverse_sd[..., N_OPENING:] = 1 / np.sqrt(variances * (1 + leverages[N_OPENING:]))
    low, high = (low - means) * inverse_sd, (high - means) * inverse_sd
    return np.maximum(sum(weight * (ndtr(high / sd) - ndtr(low / sd)) for weight, sd in RESIDUAL_PARTS), 0)


def ridge(features, responses, chunks, prior_precision):
    """Mean [row, response] and leverage [row] of predictions from the chunks before; zeros for the opening."""
    n_rows, n_features = features.shape
    precision, moments = prior_precision * np.eye(n_features), np.zeros((n_features, responses.shape[1]))
    means, leverages = np.zeros((n_rows, responses.shape[1])), np.zeros(n_rows)
    for before, start, end in zip(chunks, chunks[1:], chunks[2:]):
        seen = features[before:start].T
        precision += seen @ seen.T
        moments += seen @ responses[before:start]
        factor, failed = dpotrf(precision.T, lower=1)
        assert failed == 0, "the precision is positive definite"
        white = dtrsm(1.0, factor, features[start:end].T, lower=1)
        means[start:end] = white.T @ dtrsm(1.0, factor, moments, lower=1)
        leverages[start:end] = np.einsum("ij,ij->j", white, white)
    return means, leverages


def switched(probabilities, chunks, share):
    """Losses [child, row] of a switching mixture of experts, from [child, expert, row]: Bayes' rule inside a chunk."""
    n_children, n_experts, n_rows = probabilities.shape
    log_weights = np.full((n_children, n_experts), -np.log(n_experts))
    logs, losses = np.log(probabilities), np.zeros((n_children, n_rows))
    for start, end in zip(chunks[1:], chunks[2:]):
        after = log_weights[..., None] + np.cumsum(logs[..., start:end], -1)
        evidence = logsumexp(after, 1)
        losses[:, start:end] = -np.diff(evidence, prepend=0.0)
        posterior = np.exp(after[..., -1] - evidence[:, -1:])
        log_weights = np.log((1 - share) * posterior + share / n_experts)
    return losses


def logsumexp(x, axis):
    top = x.max(axis, keepdims=True)
    return np.log(np.exp(x - top).sum(axis)) + top.squeeze(axis)


# neural: small networks that learn by replay, those of all families in lock-step

N_COMPONENTS = 8
LOG_SCALE_START, LOG_SCALES = -2.3, (-7.0, 1.0)
MEAN_STEP = 0.3
FAR = 50.0
LAST_SCALE = 0.1
TEMPERATURE_STEP, LOG_TEMPERATURES = 0.05, (-1.0, 2.5)


def neural(columns, sets, settings, rng):
    families = [(child, parents) for parents in sets for child in range(len(columns)) if child not in parents]
    networks = Networks(columns, families, settings, rng)
    chunks = growing_chunks(networks.n_rows, settings["growth"])
    sums = np.array([columns[child].losses_alone()[:N_OPENING].sum() for child, _ in families])
    for start, end in zip(chunks[1:], chunks[2:]):
        sums += networks.code(start, end)
        if end < networks.n_rows:
            networks.learn(end)
    return dict(zip(families, sums))


class Networks:
    """One network per family. Inputs that belong to one column, its coordinate and its waves, are the same for all families:
    one product serves them all, with weights that stay 0 for columns that are no parents. Joint waves belong to a parent set."""

    def __init__(self, columns, families, settings, rng):
        self.settings, self.rng, self.n_rows = settings, rng, len(columns[0].codes)
        waves, n_vars, n_families = settings["waves"], len(columns), len(families)
        tensor = lambda values: torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32))
        inputs = np.stack([column.inputs for column in columns], 1)
        axis = inputs[:, :, None] * waves["axis_scale"] * rng.normal(size=(n_vars, waves["n_axis"]))
        self.own = tensor(np.concatenate([inputs[:, :, None], np.sin(axis), np.cos(axis)], 2).reshape(self.n_rows, -1))
        n_own = self.own.shape[1] // n_vars
        scales = np.repeat(waves["joint_scales"], waves["n_joint"] // len(waves["joint_scales"]))
        joint = rng.normal(size=(n_vars, waves["n_joint"])) * scales
        sets = list(dict.fromkeys(parents for _, parents in families))
        phases = np.stack([inputs[:, parents] @ joint[list(parents)] for parents in sets])
        self.joint = tensor(np.concatenate([np.sin(phases), np.cos(phases)], 2))
        self.set_of = torch.tensor([sets.index(parents) for _, parents in families])
        is_parent = np.array([[column in parents for column in range(n_vars)] for _, parents in families])
        self.mask = tensor(np.repeat(is_parent, n_own, axis=1).T[:, :, None])

        # Of the bin that came, [., family, row]: lower edge, upper edge, share.
        edges = [np.clip((column.normal_edges + 3) / 6, -FAR, FAR) for column in columns]
        bins = [np.stack([edges[:-1], edges[1:], column.marginal]) for edges, column in zip(edges, columns)]
        bins = [of_column[:, column.codes] for of_column, column in zip(bins, columns)]
        self.bins = tensor(np.stack([bins[child] for child, _ in families], 1))

        # All families begin with the same weights, but for the number of inputs that they are scaled by.
        n_joint, hidden = 2 * waves["n_joint"], settings["hidden"]
        scale = tensor(np.sqrt(2 / (n_own * is_parent.sum(1) + n_joint)))
        draw = lambda *sizes: tensor(rng.normal(size=sizes))
        self.weights = [
            self.mask * scale[:, None] * draw(n_own * n_vars, 1, hidden[0]),
            scale[:, None, None] * draw(1, n_joint, hidden[0]),
            torch.zeros(n_families, 1, hidden[0]),
        ]
        for n_inputs, n_outputs in zip(hidden, [*hidden[1:], 3 * N_COMPONENTS]):
            last = LAST_SCALE if n_outputs == 3 * N_COMPONENTS else 1.0
            self.weights.append((last * (2 / n_inputs) ** 0.5 * draw(1, n_inputs, n_outputs)).repeat(n_families, 1, 1))
            self.weights.append(torch.zeros(n_families, 1, n_outputs))
        self.average = [weight.clone() for weight in self.weights]
        for weight in self.weights:
            weight.requires_grad_()
        self.optimiser = torch.optim.Adam(self.weights, lr=settings["learning_rate"], fused=True)
        self.n_steps = 0
        self.log_temperature = torch.zeros(n_families, 1)
        self.first_means = ((torch.arange(N_COMPONENTS) + 0.5) / N_COMPONENTS)[:, None, None]

    def outputs(self, weights, rows):
        """[family, row, output]; `rows` is a slice or an index."""
        own, joint, bias, *rest = weights
        n_families, n_hidden = self.mask.shape[1], own.shape[2]
        sums = (self.own[rows] @ own.view(-1, n_families * n_hidden)).view(-1, n_families, n_hidden)
        sums = torch.baddbmm(sums.transpose(0, 1) + bias, self.joint[:, rows][self.set_of], joint)
        for weight, bias in zip(rest[::2], rest[1::2]):
            units = F.relu(F.layer_norm(sums, sums.shape[-1:]))
            sums = torch.baddbmm(bias, units, weight)
        return sums

    def losses(self, outputs, rows, log_temperature):
        """[family, row]: a mixture of logistics, integrated over the bin that came."""
        # Components first: the innermost loops are long.
        logits, means, log_scales = outputs.permute(2, 0, 1).contiguous().split(N_COMPONENTS)
        low, high, shares = self.bins[..., rows]
        means = MEAN_STEP * means + self.first_means
        inverse = torch.exp(-(log_scales + LOG_SCALE_START).clamp(*LOG_SCALES) - log_temperature)
        low, high = (low - means) * inverse, (high - means) * inverse
        # Above the mean, where both shares are almost 1, the shares above the edges differ by the same.
        flip = torch.where(low + high > 0, -1.0, 1.0)
        masses = flip * (torch.sigmoid(flip * high) - torch.sigmoid(flip * low))
        mass = (torch.softmax(logits, 0) * masses).sum(0)
        floor = self.settings["floor"]
        return -torch.log((1 - floor) * mass + floor * shares)

    @torch.no_grad()
    def code(self, start, end):
        """What each family's rows cost; then one damped Newton step of the temperature."""
        rows = slice(start, end)
        outputs = self.outputs(self.average, rows)
        cost = lambda shift: self.losses(outputs, rows, self.log_temperature + shift).double().sum(1)
        here = cost(0.0)
        if self.settings["calibrate"]:
            warmer, colder = cost(TEMPERATURE_STEP), cost(-TEMPERATURE_STEP)
            slope = (warmer - colder) / (2 * TEMPERATURE_STEP)
            curvature = (warmer + colder - 2 * here) / TEMPERATURE_STEP**2
            damped = curvature.clamp(min=0) + 0.5 * curvature.abs() + 0.05 * (end - start) + 2
            step = -0.7 * (slope / damped).clamp(-0.5, 0.5)
            self.log_temperature = (self.log_temperature + step.float()[:, None]).clamp(*LOG_TEMPERATURES)
        return here.numpy()

    def learn(self, n_seen):
        """Steps on rows drawn from those seen, the same for all families."""
        for _ in range(self.settings["n_steps"]):
            rows = torch.from_numpy(self.rng.integers(n_seen, size=min(self.settings["batch"], n_seen)))
            self.optimiser.zero_grad()
            self.losses(self.outputs(self.weights, rows), rows, 0.0).mean(1).sum().backward()
            self.weights[0].grad.mul_(self.mask)
            self.optimiser.step()
            self.n_steps += 1
            keep = min(self.settings["decay"], (self.n_steps + 1) / (self.n_steps + 10))
            with torch.no_grad():
                for average, weight in zip(self.average, self.weights):
                    average.lerp_(weight, 1 - keep)
