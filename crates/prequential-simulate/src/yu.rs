//! Random weighted graphs with the two equations of Yu, Chen, Gao and Yu (2019), as in the paper's Table 1.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::equations::{Equation, Equations};

const N_VARS: usize = 5;
/// Two neighbours a variable, on average.
const LINK_PROBABILITY: f64 = 0.5;
/// The range of absolute weights; their signs are random.
const WEIGHTS: std::ops::Range<f64> = 0.5..2.0;

/// Which of the two equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YuKind {
    /// X = W cos(X + 1) + Z.
    A,
    /// X = 2 sin(W (X + 0.5)) + W (X + 0.5) + Z.
    B,
}

/// A random system of five equations, with standard normal Z.
pub(crate) fn yu(kind: YuKind, rng: &mut ChaCha8Rng) -> Equations {
    // Edges run along a random order of the columns.
    let mut order: Vec<usize> = (0..N_VARS).collect();
    order.shuffle(rng);
    let mut parents = vec![Vec::new(); N_VARS];
    let mut weights = vec![Vec::new(); N_VARS];
    for place in 1..N_VARS {
        for before in 0..place {
            if rng.random::<f64>() < LINK_PROBABILITY {
                let sign = if rng.random::<bool>() { 1.0 } else { -1.0 };
                parents[order[place]].push(order[before]);
                weights[order[place]].push(sign * rng.random_range(WEIGHTS));
            }
        }
    }
    let one = |(parents, weights): (Vec<usize>, Vec<f64>)| {
        Equation::new(&parents, 1.0, move |x, noise| kind.value(&weights, x) + noise)
    };
    Equations::new(parents.into_iter().zip(weights).map(one).collect())
}

impl YuKind {
    /// The value without noise.
    fn value(self, weights: &[f64], x: &[f64]) -> f64 {
        let weighted = |term: fn(f64) -> f64| -> f64 {
            weights.iter().zip(x).map(|(weight, &x)| weight * term(x)).sum()
        };
        match self {
            YuKind::A => weighted(|x| (x + 1.0).cos()),
            YuKind::B => {
                let drive = weighted(|x| x + 0.5);
                2.0 * drive.sin() + drive
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_equations_are_those_of_the_paper() {
        let (weights, x) = ([2.0, -1.0], [0.5, 0.25]);
        let a = 2.0 * 1.5f64.cos() - 1.25f64.cos();
        assert!((YuKind::A.value(&weights, &x) - a).abs() < 1e-12);
        let drive = 2.0 * 1.0 - 0.75;
        let b = 2.0 * f64::sin(drive) + drive;
        assert!((YuKind::B.value(&weights, &x) - b).abs() < 1e-12);
        // A root is its noise.
        assert_eq!([YuKind::A, YuKind::B].map(|kind| kind.value(&[], &[])), [0.0, 0.0]);
    }
}
