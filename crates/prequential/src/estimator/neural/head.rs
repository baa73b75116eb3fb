//! From the outputs of a network to the probability of a level: a mixture of logistics for numbers, softmax for labels.

use super::elementary::{exp, sigmoid};
use crate::simd::Arithmetic;

/// Components of the mixture: as many as fit one vector register.
const N_COMPONENTS: usize = 8;

/// One number per component.
type Components = [f32; N_COMPONENTS];

/// Log scales of components start here and stay between the next two, in units of six standard deviations.
const LOG_SCALE_START: f32 = -2.3;
const LOG_SCALES: (f32, f32) = (-7.0, 1.0);

/// How far a mean moves per unit of output.
const MEAN_STEP: f32 = 0.3;

/// What a row holds, as far as a network is to say how likely that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Outcome {
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
    /// Its share without parents.
    pub(crate) share: f32,
}

/// Turns outputs into the probability of a level.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    kind: Kind,
    /// The share of the child's own distribution in every prediction.
    floor: f32,
}

#[derive(Debug, Clone)]
enum Kind {
    /// A mixture of logistic densities in normal scores, integrated over bins.
    Mixture,
    /// One output per level.
    Softmax { n_levels: usize },
}

impl Head {
    /// For bins of numbers.
    pub(crate) fn mixture(floor: f32) -> Head {
        Head { kind: Kind::Mixture, floor }
    }

    /// For so many levels.
    pub(crate) fn softmax(n_levels: usize, floor: f32) -> Head {
        Head { kind: Kind::Softmax { n_levels }, floor }
    }

    /// How many outputs it needs.
    pub(crate) fn n_outputs(&self) -> usize {
        match &self.kind {
            Kind::Mixture => 3 * N_COMPONENTS,
            Kind::Softmax { n_levels } => *n_levels,
        }
    }

    /// -ln p of an outcome, its distribution widened by `log_temperature`.
    #[inline(always)]
    pub(crate) fn loss<A: Arithmetic>(&self, outputs: &[f32], outcome: Outcome, log_temperature: f32) -> f64 {
        let (mass, base) = match (&self.kind, outcome) {
            (Kind::Mixture, Outcome::Bin(bin)) => {
                (Mixture::new::<A>(outputs, bin.low, bin.high, log_temperature).mass, bin.share)
            }
            (Kind::Softmax { n_levels }, Outcome::Level(level)) => {
                let (top, total) = exponentials::<A>(&outputs[..*n_levels], log_temperature);
                let cooling = exp::<A>(-log_temperature);
                (exp::<A>((outputs[level as usize] - top) * cooling) / total, 1.0 / *n_levels as f32)
            }
            _ => (f32::NAN, 0.0),
        };
        // A network that has diverged gives NaN, and max would hide it.
        let mass = if mass < 0.0 { 0.0 } else { mass };
        -f64::from((1.0 - self.floor) * mass + self.floor * base).ln()
    }

    /// Writes the derivatives of the loss at log temperature 0 with respect to the outputs, times `weight`.
    #[inline(always)]
    pub(crate) fn gradient<A: Arithmetic>(
        &self,
        outputs: &[f32],
        outcome: Outcome,
        weight: f32,
        gradient: &mut [f32],
    ) {
        let kept = 1.0 - self.floor;
        match (&self.kind, outcome) {
            (Kind::Mixture, Outcome::Bin(bin)) => {
                let mixture = Mixture::new::<A>(outputs, bin.low, bin.high, 0.0);
                let slope = weight * kept / (kept * mixture.mass + self.floor * bin.share);
                mixture.gradient(outputs, slope, gradient);
            }
            (Kind::Softmax { n_levels }, Outcome::Level(level)) => {
                let (top, total) = exponentials::<A>(&outputs[..*n_levels], 0.0);
                let share = |i: usize| exp::<A>(outputs[i] - top) / total;
                let p = share(level as usize);
                let slope = weight * kept * p / (kept * p + self.floor / *n_levels as f32);
                for i in 0..*n_levels {
                    gradient[i] = slope * share(i);
                }
                gradient[level as usize] -= slope;
            }
            _ => gradient.fill(f32::NAN),
        }
    }
}

/// The largest output, and the sum of exponentials relative to it.
#[inline(always)]
fn exponentials<A: Arithmetic>(outputs: &[f32], log_temperature: f32) -> (f32, f32) {
    let top = outputs.iter().fold(f32::NEG_INFINITY, |top, &x| if x > top { x } else { top });
    let cooling = exp::<A>(-log_temperature);
    (top, outputs.iter().map(|&x| exp::<A>((x - top) * cooling)).sum())
}

/// A mixture of logistics around one bin.
struct Mixture {
    /// The mixture's mass in the bin.
    mass: f32,
    weights: Components,
    /// Each component's mass in the bin.
    masses: Components,
    inverse_scale: Components,
    /// Density of the standard logistic at the edges, and the edges in units of the component.
    low: (Components, Components),
    high: (Components, Components),
}

impl Mixture {
    #[inline(always)]
    fn new<A: Arithmetic>(outputs: &[f32], low: f32, high: f32, log_temperature: f32) -> Mixture {
        let outputs = &outputs[..3 * N_COMPONENTS];
        let mut mixture = Mixture {
            mass: 0.0,
            weights: [0.0; N_COMPONENTS],
            masses: [0.0; N_COMPONENTS],
            inverse_scale: [0.0; N_COMPONENTS],
            low: ([0.0; N_COMPONENTS], [0.0; N_COMPONENTS]),
            high: ([0.0; N_COMPONENTS], [0.0; N_COMPONENTS]),
        };
        let top = largest(&std::array::from_fn(|k| outputs[k]));
        for k in 0..N_COMPONENTS {
            mixture.weights[k] = exp::<A>(outputs[k] - top);
        }
        for k in 0..N_COMPONENTS {
            let mean = (k as f32 + 0.5) / N_COMPONENTS as f32 + MEAN_STEP * outputs[N_COMPONENTS + k];
            let log_scale =
                (outputs[2 * N_COMPONENTS + k] + LOG_SCALE_START).clamp(LOG_SCALES.0, LOG_SCALES.1);
            let inverse_scale = exp::<A>(-(log_scale + log_temperature));
            let (l, h) = ((low - mean) * inverse_scale, (high - mean) * inverse_scale);
            // Above the mean, where both shares are almost 1, the shares above the edges differ by the same.
            let flip = if l + h > 0.0 { -1.0 } else { 1.0 };
            let (below_l, below_h) = (sigmoid::<A>(flip * l), sigmoid::<A>(flip * h));
            mixture.masses[k] = flip * (below_h - below_l);
            mixture.low.0[k] = below_l * (1.0 - below_l);
            mixture.high.0[k] = below_h * (1.0 - below_h);
            mixture.low.1[k] = l;
            mixture.high.1[k] = h;
            mixture.inverse_scale[k] = inverse_scale;
        }
        let total = sum(&mixture.weights);
        for k in 0..N_COMPONENTS {
            mixture.weights[k] /= total;
        }
        let parts: Components = std::array::from_fn(|k| mixture.weights[k] * mixture.masses[k]);
        mixture.mass = sum(&parts);
        mixture
    }

    /// Derivatives of -ln(mass) with respect to the outputs, where `slope` stands for 1 / mass.
    #[inline(always)]
    fn gradient(&self, outputs: &[f32], slope: f32, gradient: &mut [f32]) {
        let (outputs, gradient) = (&outputs[..3 * N_COMPONENTS], &mut gradient[..3 * N_COMPONENTS]);
        for k in 0..N_COMPONENTS {
            let share = slope * self.weights[k];
            gradient[k] = share * (self.mass - self.masses[k]);
            let by_mean = self.inverse_scale[k] * (self.high.0[k] - self.low.0[k]);
            gradient[N_COMPONENTS + k] = MEAN_STEP * share * by_mean;
            let by_scale = self.high.0[k] * self.high.1[k] - self.low.0[k] * self.low.1[k];
            let log_scale = outputs[2 * N_COMPONENTS + k] + LOG_SCALE_START;
            let free = log_scale > LOG_SCALES.0 && log_scale < LOG_SCALES.1;
            gradient[2 * N_COMPONENTS + k] = if free { share * by_scale } else { 0.0 };
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
