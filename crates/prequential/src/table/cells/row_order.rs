//! The order in which the rows are coded.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The order of rows for `repeat`, drawn from the seed.
pub fn shuffled_rows(n_rows: usize, seed: u64, repeat: usize) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(repeat as u64);
    let mut order: Vec<u32> = (0..n_rows as u32).collect();
    order.shuffle(&mut rng);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_comes_once_and_repeats_differ() {
        let orders: Vec<Vec<u32>> = (0..3).map(|repeat| shuffled_rows(100, 7, repeat)).collect();
        for order in &orders {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        }
        assert!(orders[0] != orders[1] && orders[1] != orders[2]);
        assert_eq!(orders[1], shuffled_rows(100, 7, 1));
    }
}
