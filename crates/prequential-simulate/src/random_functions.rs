//! Random numeric systems of any size, each variable a random function of its parents, plus noise;
//! standardised.

use std::f64::consts::PI;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::equations::{Equation, Equations};

/// The most parents of a variable.
const MAX_PARENTS: usize = 3;
/// Variances of the noise, relative to a signal of variance 1.
const NOISE_VARIANCE: std::ops::Range<f64> = 0.05..1.0;
/// Rows from which a variable's location and scale are taken.
const N_PILOT: usize = 2_000;

/// The function applied to a weighted sum of parents, or to one parent.
#[derive(Debug, Clone, Copy, PartialEq)]
enum SignalShape {
    Line,
    /// sin(w x + phase), w up to two periods within two standard deviations.
    Wave {
        frequency: f64,
        phase: f64,
    },
    /// Saturates: tanh(w x).
    Saturating(f64),
    /// (x - centre)².
    Bowl(f64),
    /// |x - centre|: a kink.
    Kink(f64),
    /// One value below, one above.
    Step(f64),
}

/// How a variable depends on its parents.
#[derive(Debug, Clone, PartialEq)]
enum Signal {
    /// A sum of functions of one parent each.
    Sum(Vec<SignalShape>),
    /// A function of a weighted sum of all parents.
    Index(SignalShape, Vec<f64>),
    /// A product of functions of one parent each.
    Product(Vec<SignalShape>),
}

/// A system of `n_vars` equations along a random order of the columns: one to three parents for most variables, none for the others.
/// Additive: sums of functions of each parent; otherwise functions of weighted sums, and products, among them.
pub(crate) fn random_functions(n_vars: usize, is_additive: bool, rng: &mut ChaCha8Rng) -> Equations {
    let mut order: Vec<usize> = (0..n_vars).collect();
    order.shuffle(rng);
    let mut pilot: Vec<Vec<f64>> = vec![Vec::new(); n_vars];
    let mut equations: Vec<Option<Equation>> = (0..n_vars).map(|_| None).collect();
    for (place, &node) in order.iter().enumerate() {
        let n_parents = rng.random_range(0..=MAX_PARENTS.min(place));
        let mut parents: Vec<usize> = order[..place].to_vec();
        parents.shuffle(rng);
        parents.truncate(n_parents);
        let (equation, values) =
            standardised(&parents, Signal::random(n_parents, is_additive, rng), &pilot, rng);
        (equations[node], pilot[node]) = (Some(equation), values);
    }
    Equations::new(equations.into_iter().flatten().collect())
}

/// The equation of a variable with mean 0 and variance 1, and its values in the pilot rows.
fn standardised(
    parents: &[usize],
    signal: Signal,
    pilot: &[Vec<f64>],
    rng: &mut ChaCha8Rng,
) -> (Equation, Vec<f64>) {
    let noise_sd = rng.random_range(NOISE_VARIANCE).sqrt();
    if parents.is_empty() {
        return (Equation::root(1.0), (0..N_PILOT).map(|_| crate::equations::normal(rng)).collect());
    }
    let arguments = |row: usize| parents.iter().map(|&parent| pilot[parent][row]).collect::<Vec<f64>>();
    let signals: Vec<f64> = (0..N_PILOT).map(|row| signal.value(&arguments(row))).collect();
    let mean = signals.iter().sum::<f64>() / N_PILOT as f64;
    let variance = signals.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / N_PILOT as f64;
    let sd = variance.sqrt().max(1e-9);
    let all = (1.0 + noise_sd * noise_sd).sqrt();
    let values =
        signals.iter().map(|value| ((value - mean) / sd + noise_sd * crate::equations::normal(rng)) / all);
    let values = values.collect();
    let value = move |x: &[f64], noise: f64| ((signal.value(x) - mean) / sd + noise) / all;
    (Equation::new(parents, noise_sd, value), values)
}

impl SignalShape {
    fn random(rng: &mut ChaCha8Rng) -> SignalShape {
        let centre = rng.random_range(-1.0..1.0);
        match rng.random_range(0..6) {
            0 => SignalShape::Line,
            1 => SignalShape::Wave { frequency: rng.random_range(1.0..PI), phase: rng.random_range(-PI..PI) },
            2 => SignalShape::Saturating(rng.random_range(1.0..4.0)),
            3 => SignalShape::Bowl(centre),
            4 => SignalShape::Kink(centre),
            _ => SignalShape::Step(centre),
        }
    }

    fn value(self, x: f64) -> f64 {
        match self {
            SignalShape::Line => x,
            SignalShape::Wave { frequency, phase } => (frequency * x + phase).sin(),
            SignalShape::Saturating(steepness) => (steepness * x).tanh(),
            SignalShape::Bowl(centre) => (x - centre).powi(2),
            SignalShape::Kink(centre) => (x - centre).abs(),
            SignalShape::Step(centre) => f64::from(x > centre),
        }
    }
}

impl Signal {
    fn random(n_parents: usize, is_additive: bool, rng: &mut ChaCha8Rng) -> Signal {
        let shapes: Vec<SignalShape> = (0..n_parents).map(|_| SignalShape::random(rng)).collect();
        let kind = if is_additive || n_parents < 2 { 0 } else { rng.random_range(0..3) };
        match kind {
            0 => Signal::Sum(shapes),
            1 => {
                let weight = |_| rng.random_range(0.5..1.0) * if rng.random::<bool>() { 1.0 } else { -1.0 };
                let weights = (0..n_parents).map(weight).collect();
                Signal::Index(shapes[0], weights)
            }
            _ => Signal::Product(shapes),
        }
    }

    fn value(&self, x: &[f64]) -> f64 {
        match self {
            Signal::Sum(shapes) => shapes.iter().zip(x).map(|(shape, &x)| shape.value(x)).sum(),
            Signal::Index(shape, weights) => {
                shape.value(weights.iter().zip(x).map(|(weight, x)| weight * x).sum())
            }
            Signal::Product(shapes) => shapes.iter().zip(x).map(|(shape, &x)| shape.value(x)).product(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn sums_indices_and_products_are_what_they_say() {
        let shapes = vec![SignalShape::Line, SignalShape::Bowl(1.0)];
        assert_eq!(Signal::Sum(shapes.clone()).value(&[2.0, 3.0]), 6.0);
        assert_eq!(Signal::Product(shapes).value(&[2.0, 3.0]), 8.0);
        assert_eq!(Signal::Index(SignalShape::Kink(0.0), vec![1.0, -1.0]).value(&[2.0, 3.0]), 1.0);
    }

    #[test]
    fn additive_systems_have_no_indices_and_no_products() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut drawn = |is_additive| (0..100).map(|_| Signal::random(3, is_additive, &mut rng)).collect();
        let (additive, all): (Vec<Signal>, Vec<Signal>) = (drawn(true), drawn(false));
        assert!(additive.iter().all(|signal| matches!(signal, Signal::Sum(_))));
        let n_sums = all.iter().filter(|signal| matches!(signal, Signal::Sum(_))).count();
        assert!((15..55).contains(&n_sums), "{n_sums} of 100, a third expected");
    }
}
