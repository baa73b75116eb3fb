//! Numbers that come again exactly: zeros, whole numbers, rounded or floored ones, ordered scales.

use std::collections::BTreeMap;

/// How a process of Pitman and Yor, without strength but this, expects new numbers.
const STRENGTH: f64 = 1.0;

/// The discounts of the processes: with a high one, what came once is hardly expected again, what came often is.
pub(super) const DISCOUNTS: [f64; 2] = [0.5, 0.95];

/// Of each coded row, what came before it.
#[derive(Debug)]
pub(super) struct Repeats {
    /// How often the row's own number.
    n_before: Vec<f64>,
    /// How many different numbers.
    n_kinds: Vec<f64>,
}

impl Repeats {
    /// Of these numbers in coding order.
    pub(super) fn new(numbers: &[f64]) -> Repeats {
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        let (mut n_before, mut n_kinds) = (Vec::new(), Vec::new());
        for number in numbers {
            n_kinds.push(counts.len() as f64);
            let count = counts.entry(number.to_bits()).or_default();
            n_before.push(*count);
            *count += 1.0;
        }
        Repeats { n_before, n_kinds }
    }

    /// Whether the number of row `row` has not come before.
    pub(super) fn is_new(&self, row: usize) -> bool {
        self.n_before[row] == 0.0
    }

    /// The probability that row `row` repeats the number it does, and that it has a new one, with this discount.
    pub(super) fn probabilities(&self, row: usize, discount: f64) -> (f64, f64) {
        let again = (self.n_before[row] - discount).max(0.0);
        let new = STRENGTH + discount * self.n_kinds[row];
        (again / (row as f64 + STRENGTH), new / (row as f64 + STRENGTH))
    }
}

/// The numbers that came again among those seen, and how often each came; none if they are few.
pub(super) fn atoms(sorted: &[f64]) -> Vec<(f64, usize)> {
    let repeated = sorted.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
    let atoms: Vec<(f64, usize)> = repeated.map(|same| (same[0], same.len())).collect();
    let n_again: usize = atoms.iter().map(|(_, count)| count - 1).sum();
    if n_again * 100 > sorted.len() { atoms } else { Vec::new() }
}

/// What processes with these weights give a number that came so often among `n_seen`.
pub(super) fn mass(count: usize, n_seen: usize, weights: &[f64]) -> f64 {
    let one = |(discount, weight): (&f64, &f64)| weight * (count as f64 - discount);
    DISCOUNTS.iter().zip(weights).map(one).sum::<f64>() / (n_seen as f64 + STRENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_come_has_probability_1() {
        let numbers = [0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 5.0, 0.0];
        let repeats = Repeats::new(&numbers);
        for discount in DISCOUNTS {
            // Before the last row: four zeros were three, two ones, one two, one five.
            let row = 7;
            let seen: f64 = [3.0, 2.0, 1.0, 1.0].iter().map(|count| (count - discount) / 8.0).sum();
            let (again, new) = repeats.probabilities(row, discount);
            assert!((again - (3.0 - discount) / 8.0).abs() < 1e-12);
            assert!((seen + new - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn atoms_are_what_came_again() {
        let sorted = [0.0, 0.0, 0.0, 1.0, 2.0, 2.0];
        assert_eq!(atoms(&sorted), [(0.0, 3), (2.0, 2)]);
        assert!((mass(3, 6, &[0.0, 1.0]) - 2.05 / 7.0).abs() < 1e-12);
        let few: Vec<f64> = (0..200).map(|i| f64::from(i).max(1.0)).collect();
        assert!(atoms(&few).is_empty());
    }
}
