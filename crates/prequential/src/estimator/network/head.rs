//! From the outputs of a network to the probability of a level: a mixture of logistics for numbers (Bishop 1994), softmax for labels.

use super::elementary::{exp, sigmoid};
use crate::simd::Arithmetic;

/// Components of the mixture.
const N_COMPONENTS: usize = 8;

/// One number per component.
type Components = [f32; N_COMPONENTS];

/// Rows whose mixtures are computed together: as many as fit one vector register.
const N_TOGETHER: usize = 2;

/// Log scales of components start here and stay between the next two, in units of six standard deviations.
const LOG_SCALE_START: f32 = -2.3;
const LOG_SCALES: (f32, f32) = (-7.0, 1.0);

/// How far a mean moves per unit of output.
const MEAN_STEP: f32 = 0.3;

/// The outcome of a row that a network predicts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum NetworkOutcome {
    /// A label.
    Level(u32),
    /// A bin of a number's ranks.
    Bin(Bin),
}

/// A bin of normal scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bin {
    /// Its edges: between -3 and 3 standard deviations, an edge lies between 0 and 1.
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// Its marginal probability.
    pub(crate) share: f32,
}

/// Turns outputs into the probability of a level.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    kind: HeadKind,
    /// The weight of the marginal in every prediction.
    floor: f32,
}

#[derive(Debug, Clone)]
enum HeadKind {
    /// A mixture of logistic densities in normal scores, integrated over bins.
    Mixture,
    /// One output per level.
    Softmax { n_levels: usize },
}

impl Head {
    /// For bins of numbers.
    pub(crate) fn mixture(floor: f32) -> Head {
        Head { kind: HeadKind::Mixture, floor }
    }

    /// For this many levels.
    pub(crate) fn softmax(n_levels: usize, floor: f32) -> Head {
        Head { kind: HeadKind::Softmax { n_levels }, floor }
    }

    /// How many outputs it needs.
    pub(crate) fn n_outputs(&self) -> usize {
        match &self.kind {
            HeadKind::Mixture => 3 * N_COMPONENTS,
            HeadKind::Softmax { n_levels } => *n_levels,
        }
    }

    /// -ln p of an outcome, its distribution widened by `log_temperature`.
    #[inline(always)]
    pub(crate) fn loss<A: Arithmetic>(
        &self,
        outputs: &[f32],
        outcome: NetworkOutcome,
        log_temperature: f32,
    ) -> f64 {
        self.losses_together::<A, 1>([outputs], [outcome], log_temperature)[0]
    }

    /// The losses of several rows, `stride` outputs from one to the next.
    #[inline(always)]
    pub(crate) fn losses<A: Arithmetic>(
        &self,
        outputs: &[f32],
        stride: usize,
        outcomes: &[NetworkOutcome],
        log_temperature: f32,
        losses: &mut [f64],
    ) {
        let (pairs, rest) = outcomes.as_chunks::<N_TOGETHER>();
        let (losses_of_pairs, losses_of_rest) = losses.as_chunks_mut::<N_TOGETHER>();
        for (number, (outcomes, losses)) in pairs.iter().zip(losses_of_pairs).enumerate() {
            let rows = side_by_side(&outputs[number * N_TOGETHER * stride..], stride);
            *losses = self.losses_together::<A, N_TOGETHER>(rows, *outcomes, log_temperature);
        }
        let outputs = outputs[pairs.len() * N_TOGETHER * stride..].chunks_exact(stride);
        for ((outputs, outcome), loss) in outputs.zip(rest).zip(losses_of_rest) {
            *loss = self.loss::<A>(outputs, *outcome, log_temperature);
        }
    }

    #[inline(always)]
    fn losses_together<A: Arithmetic, const R: usize>(
        &self,
        outputs: [&[f32]; R],
        outcomes: [NetworkOutcome; R],
        log_temperature: f32,
    ) -> [f64; R] {
        let (mut masses, mut bases) = ([f32::NAN; R], [0.0; R]);
        match &self.kind {
            HeadKind::Mixture => {
                if let Some(bins) = bins(outcomes) {
                    masses = Mixture::new::<A>(outputs, &bins, log_temperature).mass;
                    bases = bins.map(|bin| bin.share);
                }
            }
            HeadKind::Softmax { n_levels } => {
                for r in 0..R {
                    let NetworkOutcome::Level(level) = outcomes[r] else { continue };
                    let (top, total) = exponentials::<A>(&outputs[r][..*n_levels], log_temperature);
                    let cooling = exp::<A>(-log_temperature);
                    masses[r] = exp::<A>((outputs[r][level as usize] - top) * cooling) / total;
                    bases[r] = 1.0 / *n_levels as f32;
                }
            }
        }
        let mut losses = [0.0; R];
        for r in 0..R {
            // A diverged network gives NaN, which max would hide.
            let mass = if masses[r] < 0.0 { 0.0 } else { masses[r] };
            losses[r] = -f64::from((1.0 - self.floor) * mass + self.floor * bases[r]).ln();
        }
        losses
    }

    /// Writes the derivatives of the loss at log temperature 0 with respect to the outputs, times `weight`, for several rows, `stride`
    /// outputs from one to the next.
    #[inline(always)]
    pub(crate) fn gradients<A: Arithmetic>(
        &self,
        outputs: &[f32],
        stride: usize,
        outcomes: &[NetworkOutcome],
        weight: f32,
        gradients: &mut [f32],
    ) {
        let (pairs, rest) = outcomes.as_chunks::<N_TOGETHER>();
        for (number, outcomes) in pairs.iter().enumerate() {
            let first = number * N_TOGETHER * stride;
            let rows = side_by_side(&outputs[first..], stride);
            let gradients = &mut gradients[first..][..N_TOGETHER * stride];
            self.gradients_together::<A, N_TOGETHER>(rows, *outcomes, weight, stride, gradients);
        }
        let first = pairs.len() * N_TOGETHER * stride;
        let rows = outputs[first..].chunks_exact(stride).zip(gradients[first..].chunks_exact_mut(stride));
        for ((outputs, gradient), outcome) in rows.zip(rest) {
            self.gradients_together::<A, 1>([outputs], [*outcome], weight, stride, gradient);
        }
    }

    #[inline(always)]
    fn gradients_together<A: Arithmetic, const R: usize>(
        &self,
        outputs: [&[f32]; R],
        outcomes: [NetworkOutcome; R],
        weight: f32,
        stride: usize,
        gradients: &mut [f32],
    ) {
        let kept = 1.0 - self.floor;
        match (&self.kind, bins(outcomes)) {
            (HeadKind::Mixture, Some(bins)) => {
                let mixture = Mixture::new::<A>(outputs, &bins, 0.0);
                let mut slopes = [0.0; R];
                for r in 0..R {
                    slopes[r] = weight * kept / (kept * mixture.mass[r] + self.floor * bins[r].share);
                }
                mixture.gradients(outputs, slopes, stride, gradients);
            }
            (HeadKind::Softmax { n_levels }, None) => {
                for (r, gradient) in gradients.chunks_exact_mut(stride).enumerate() {
                    let (outputs, NetworkOutcome::Level(level)) = (outputs[r], outcomes[r]) else { continue };
                    let (top, total) = exponentials::<A>(&outputs[..*n_levels], 0.0);
                    let share = |i: usize| exp::<A>(outputs[i] - top) / total;
                    let p = share(level as usize);
                    let slope = weight * kept * p / (kept * p + self.floor / *n_levels as f32);
                    for i in 0..*n_levels {
                        gradient[i] = slope * share(i);
                    }
                    gradient[level as usize] -= slope;
                }
            }
            _ => gradients.fill(f32::NAN),
        }
    }
}

/// The first rows of outputs.
#[inline(always)]
fn side_by_side<const R: usize>(outputs: &[f32], stride: usize) -> [&[f32]; R] {
    let mut rows = [outputs; R];
    for (r, row) in rows.iter_mut().enumerate() {
        *row = &outputs[r * stride..][..stride];
    }
    rows
}

/// The bins of these outcomes; `None` if one is a label.
#[inline(always)]
fn bins<const R: usize>(outcomes: [NetworkOutcome; R]) -> Option<[Bin; R]> {
    let mut bins = [Bin { low: 0.0, high: 0.0, share: 0.0 }; R];
    for r in 0..R {
        let NetworkOutcome::Bin(bin) = outcomes[r] else { return None };
        bins[r] = bin;
    }
    Some(bins)
}

/// The largest output, and the sum of exponentials relative to it.
#[inline(always)]
fn exponentials<A: Arithmetic>(outputs: &[f32], log_temperature: f32) -> (f32, f32) {
    let top = outputs.iter().fold(f32::NEG_INFINITY, |top, &x| if x > top { x } else { top });
    let cooling = exp::<A>(-log_temperature);
    (top, outputs.iter().map(|&x| exp::<A>((x - top) * cooling)).sum())
}

/// For each of several rows, a mixture of logistics around a bin: one number for each component of each row.
struct Mixture<const R: usize> {
    /// The mixtures' masses in the bins.
    mass: [f32; R],
    weights: [Components; R],
    /// Each component's mass in the bin.
    masses: [Components; R],
    inverse_scale: [Components; R],
    /// Density of the standard logistic at the edges, and the edges in units of the component.
    low: ([Components; R], [Components; R]),
    high: ([Components; R], [Components; R]),
}

/// An empty value.
const fn zeros<const R: usize>() -> [Components; R] {
    [[0.0; N_COMPONENTS]; R]
}

/// One number for all components of a row.
#[inline(always)]
fn spread<const R: usize>(of_rows: [f32; R]) -> [Components; R] {
    let mut all = zeros();
    for r in 0..R {
        all[r] = [of_rows[r]; N_COMPONENTS];
    }
    all
}

/// One kind of output for each component: the `part`-th eight of each row.
#[inline(always)]
fn part<const R: usize>(outputs: [&[f32]; R], part: usize) -> [Components; R] {
    let mut all = zeros();
    for r in 0..R {
        all[r].copy_from_slice(&outputs[r][part * N_COMPONENTS..][..N_COMPONENTS]);
    }
    all
}

impl<const R: usize> Mixture<R> {
    /// All rows go through each loop together: each number as if its row were alone.
    #[inline(always)]
    fn new<A: Arithmetic>(outputs: [&[f32]; R], bins: &[Bin; R], log_temperature: f32) -> Mixture<R> {
        let mut mixture = Mixture {
            mass: [0.0; R],
            weights: part(outputs, 0),
            masses: zeros(),
            inverse_scale: zeros(),
            low: (zeros(), zeros()),
            high: (zeros(), zeros()),
        };
        let (mut tops, mut lows, mut highs) = ([0.0; R], [0.0; R], [0.0; R]);
        for r in 0..R {
            (tops[r], lows[r], highs[r]) = (largest(&mixture.weights[r]), bins[r].low, bins[r].high);
        }
        let (tops, lows, highs) = (spread(tops), spread(lows), spread(highs));
        let (means, scales) = (part(outputs, 1), part(outputs, 2));
        let n = R * N_COMPONENTS;
        let (tops, lows, highs) = (tops.as_flattened(), lows.as_flattened(), highs.as_flattened());
        let (means, scales) = (means.as_flattened(), scales.as_flattened());
        let weights = mixture.weights.as_flattened_mut();
        for i in 0..n {
            weights[i] = exp::<A>(weights[i] - tops[i]);
        }
        let (masses, inverse_scales) =
            (mixture.masses.as_flattened_mut(), mixture.inverse_scale.as_flattened_mut());
        let (low_density, low) = (mixture.low.0.as_flattened_mut(), mixture.low.1.as_flattened_mut());
        let (high_density, high) = (mixture.high.0.as_flattened_mut(), mixture.high.1.as_flattened_mut());
        for i in 0..n {
            let mean = ((i % N_COMPONENTS) as f32 + 0.5) / N_COMPONENTS as f32 + MEAN_STEP * means[i];
            let log_scale = (scales[i] + LOG_SCALE_START).clamp(LOG_SCALES.0, LOG_SCALES.1);
            let inverse_scale = exp::<A>(-(log_scale + log_temperature));
            let (l, h) = ((lows[i] - mean) * inverse_scale, (highs[i] - mean) * inverse_scale);
            // Above the mean, where both shares are almost 1, the shares above the edges differ by the same.
            let flip = if l + h > 0.0 { -1.0 } else { 1.0 };
            let (below_l, below_h) = (sigmoid::<A>(flip * l), sigmoid::<A>(flip * h));
            masses[i] = flip * (below_h - below_l);
            low_density[i] = below_l * (1.0 - below_l);
            high_density[i] = below_h * (1.0 - below_h);
            low[i] = l;
            high[i] = h;
            inverse_scales[i] = inverse_scale;
        }
        for r in 0..R {
            let total = sum(&mixture.weights[r]);
            let mut parts = [0.0; N_COMPONENTS];
            for k in 0..N_COMPONENTS {
                mixture.weights[r][k] /= total;
                parts[k] = mixture.weights[r][k] * mixture.masses[r][k];
            }
            mixture.mass[r] = sum(&parts);
        }
        mixture
    }

    /// Derivatives of -ln(mass) with respect to the outputs, where `slopes` stand for 1 / mass.
    #[inline(always)]
    fn gradients(&self, outputs: [&[f32]; R], slopes: [f32; R], stride: usize, gradients: &mut [f32]) {
        let (slopes, mass, scales) = (spread(slopes), spread(self.mass), part(outputs, 2));
        let (slopes, mass, scales) = (slopes.as_flattened(), mass.as_flattened(), scales.as_flattened());
        let (weights, masses) = (self.weights.as_flattened(), self.masses.as_flattened());
        let inverse_scales = self.inverse_scale.as_flattened();
        let (low_density, low) = (self.low.0.as_flattened(), self.low.1.as_flattened());
        let (high_density, high) = (self.high.0.as_flattened(), self.high.1.as_flattened());
        let mut all: [[Components; R]; 3] = [zeros(); 3];
        let [by_weight, by_mean, by_scale] = &mut all;
        let by_weight = by_weight.as_flattened_mut();
        let (by_mean, by_scale) = (by_mean.as_flattened_mut(), by_scale.as_flattened_mut());
        for i in 0..R * N_COMPONENTS {
            let share = slopes[i] * weights[i];
            by_weight[i] = share * (mass[i] - masses[i]);
            by_mean[i] = MEAN_STEP * share * (inverse_scales[i] * (high_density[i] - low_density[i]));
            let log_scale = scales[i] + LOG_SCALE_START;
            let free = log_scale > LOG_SCALES.0 && log_scale < LOG_SCALES.1;
            let slope = high_density[i] * high[i] - low_density[i] * low[i];
            by_scale[i] = if free { share * slope } else { 0.0 };
        }
        for (r, gradient) in gradients.chunks_exact_mut(stride).enumerate() {
            for (part, of_part) in all.iter().enumerate() {
                gradient[part * N_COMPONENTS..][..N_COMPONENTS].copy_from_slice(&of_part[r]);
            }
        }
    }
}

/// Three comparisons one after another instead of eight.
#[inline(always)]
fn largest(x: &Components) -> f32 {
    let mut pairs = *x;
    for half in [4, 2, 1] {
        for k in 0..half {
            pairs[k] = if pairs[k] > pairs[k + half] { pairs[k] } else { pairs[k + half] };
        }
    }
    pairs[0]
}

#[inline(always)]
fn sum(x: &Components) -> f32 {
    (x[0] + x[4] + (x[2] + x[6])) + (x[1] + x[5] + (x[3] + x[7]))
}
