//! Random frequencies: those of a column are the same in every parent set that contains it.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::base::normal;
use crate::estimator::ParentInputs;

/// Marks the streams of this file, so that no other draw from the same seed repeats them.
const STREAMS: u64 = 1 << 63;

/// Frequencies of `n_waves` waves for every coordinate of the parents, `[coordinate][wave]`: normal with sd `scale`.
///
/// They hang on the seed, the column, the coordinate within it and the number of the scale: not on the other parents, nor on
/// the order of work.
pub(super) fn draw(
    inputs: &ParentInputs,
    (scale_number, scale): (usize, f64),
    n_waves: usize,
    seed: u64,
) -> Vec<Vec<f64>> {
    let mut frequencies = Vec::new();
    for part in inputs.parts() {
        for coordinate in 0..part.range.len() {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(
                STREAMS | (part.parent as u64) << 40 | (scale_number as u64) << 32 | coordinate as u64,
            );
            frequencies.push((0..n_waves).map(|_| scale * standard_normal(&mut rng)).collect());
        }
    }
    frequencies
}

fn standard_normal(rng: &mut ChaCha8Rng) -> f64 {
    // The middle of one of 2^52 equal parts of 0..1: never 0 or 1.
    let part = (rng.random::<u64>() >> 12) as f64 + 0.5;
    normal::quantile(part / (1u64 << 52) as f64)
}
