//! Random streams that depend on their purpose, never on the order of work.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The purpose of a stream of random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Frequencies of Fourier features of all parents.
    JointWaves = 1,
    /// Frequencies of Fourier features of one parent.
    AxisWaves,
    /// Initial weights of a network.
    Weights,
    /// The rows of a batch.
    Batches,
    /// The units dropped out.
    Dropout,
    /// The rows held out.
    Validation,
}

/// The stream for `purpose` and two numbers, such as a network and a column.
pub(crate) fn stream(seed: u64, purpose: Purpose, first: u64, second: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    for (part, number) in key.chunks_exact_mut(8).zip([seed, purpose as u64, first, second]) {
        part.copy_from_slice(&number.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// Fills `values` with standard normal draws (Box and Muller).
pub(crate) fn normal_draws(rng: &mut ChaCha8Rng, values: &mut [f32]) {
    for pair in values.chunks_mut(2) {
        let (radius, angle) = (1.0 - rng.random::<f64>(), rng.random::<f64>() * std::f64::consts::TAU);
        let radius = (-2.0 * radius.ln()).sqrt();
        pair[0] = (radius * angle.cos()) as f32;
        if let Some(second) = pair.get_mut(1) {
            *second = (radius * angle.sin()) as f32;
        }
    }
}
