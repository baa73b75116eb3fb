//! Repeated values as point masses: Pitman-Yor processes (Pitman and Yor 1997).

use std::collections::BTreeMap;

/// The strength of the Pitman-Yor processes.
const STRENGTH: f64 = 1.0;

/// The discounts of the processes: with a high one, a number that occurred once is hardly expected again, one
/// that occurred often is.
pub(super) const DISCOUNTS: [f64; 2] = [0.5, 0.95];

/// The history of values when a row is predicted.
pub(in crate::estimator) trait RepeatHistory {
    /// Whether the number has not occurred before.
    fn is_new(&self, number: f64) -> bool;

    /// The probability that this number is repeated, and that a new one occurs, with this discount.
    fn probabilities(&self, number: f64, discount: f64) -> (f64, f64);

    /// Adds the number of the row.
    fn observe(&mut self, number: f64);
}

/// For each coded row, the counts before it.
#[derive(Debug)]
pub(super) struct RepeatCounts {
    /// How often the row's number occurred.
    n_before: Vec<f64>,
    /// How many different numbers occurred.
    n_kinds: Vec<f64>,
}

impl RepeatCounts {
    /// From these numbers in coding order.
    pub(super) fn new(numbers: &[f64]) -> RepeatCounts {
        let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
        let (mut n_before, mut n_kinds) = (Vec::new(), Vec::new());
        for number in numbers {
            n_kinds.push(counts.len() as f64);
            let count = counts.entry(number.to_bits()).or_default();
            n_before.push(*count);
            *count += 1.0;
        }
        RepeatCounts { n_before, n_kinds }
    }

    /// Whether the number of row `row` has not occurred before.
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

/// The history of one row after another, counted beforehand.
#[derive(Debug)]
pub(super) struct CountedHistory<'a> {
    counts: &'a RepeatCounts,
    row: usize,
}

impl RepeatCounts {
    /// The history from this row on.
    pub(super) fn starting_at(&self, row: usize) -> CountedHistory<'_> {
        CountedHistory { counts: self, row }
    }
}

impl RepeatHistory for CountedHistory<'_> {
    fn is_new(&self, _number: f64) -> bool {
        self.counts.is_new(self.row)
    }

    fn probabilities(&self, _number: f64, discount: f64) -> (f64, f64) {
        self.counts.probabilities(self.row, discount)
    }

    fn observe(&mut self, _number: f64) {
        self.row += 1;
    }
}

/// All numbers seen so far, in order: the history that also knows how much lies below a number.
///
/// Recent ones are kept separately, so that adding one is cheap however many there are.
#[derive(Debug, Clone)]
pub(in crate::estimator) struct PitmanYor {
    long_ago: SortedNumbers,
    of_late: SortedNumbers,
}

/// Numbers in order, and those of them that were new.
#[derive(Debug, Clone, Default)]
struct SortedNumbers {
    all: Vec<f64>,
    different: Vec<f64>,
}

impl SortedNumbers {
    fn count(&self, number: f64) -> usize {
        let first = self.all.partition_point(|&seen| seen < number);
        self.all[first..].partition_point(|&seen| seen <= number)
    }
}

impl PitmanYor {
    /// These numbers.
    pub(super) fn new(mut all: Vec<f64>) -> PitmanYor {
        all.sort_by(f64::total_cmp);
        let mut different = all.clone();
        different.dedup();
        PitmanYor::of_sorted(all, different)
    }

    /// All numbers in order, and the different ones.
    pub(super) fn of_sorted(all: Vec<f64>, different: Vec<f64>) -> PitmanYor {
        PitmanYor { long_ago: SortedNumbers { all, different }, of_late: SortedNumbers::default() }
    }

    /// How often a number occurred.
    pub(super) fn count(&self, number: f64) -> usize {
        self.long_ago.count(number) + self.of_late.count(number)
    }

    /// The probability that one of the numbers below `edge` is repeated, with this discount.
    pub(super) fn repeat_mass_below(&self, edge: f64, discount: f64) -> f64 {
        let n_below = |numbers: &[f64]| numbers.partition_point(|&seen| seen < edge) as f64;
        let again = |numbers: &SortedNumbers| n_below(&numbers.all) - discount * n_below(&numbers.different);
        (again(&self.long_ago) + again(&self.of_late)) / self.weight()
    }

    /// The probability of a new number, with this discount.
    pub(super) fn new_probability(&self, discount: f64) -> f64 {
        let n_different = self.long_ago.different.len() + self.of_late.different.len();
        (STRENGTH + discount * n_different as f64) / self.weight()
    }

    fn weight(&self) -> f64 {
        (self.long_ago.all.len() + self.of_late.all.len()) as f64 + STRENGTH
    }

    /// Adds many numbers at once.
    pub(super) fn observe_all(&mut self, numbers: impl Iterator<Item = f64>) {
        let SortedNumbers { all, .. } = &mut self.long_ago;
        all.extend(numbers);
        all.append(&mut self.of_late.all);
        *self = PitmanYor::new(std::mem::take(all));
    }
}

impl RepeatHistory for PitmanYor {
    fn is_new(&self, number: f64) -> bool {
        self.count(number) == 0
    }

    fn probabilities(&self, number: f64, discount: f64) -> (f64, f64) {
        let again = (self.count(number) as f64 - discount).max(0.0);
        (again / self.weight(), self.new_probability(discount))
    }

    fn observe(&mut self, number: f64) {
        let is_new = self.count(number) == 0;
        let SortedNumbers { all, different } = &mut self.of_late;
        if is_new {
            different.insert(different.partition_point(|&seen| seen < number), number);
        }
        all.insert(all.partition_point(|&seen| seen < number), number);
    }
}

/// The repeated values among those seen, with their counts; none if they are few.
pub(super) fn atoms(sorted: &[f64]) -> Vec<(f64, usize)> {
    let repeated = sorted.chunk_by(|a, b| a == b).filter(|same| same.len() > 1);
    let atoms: Vec<(f64, usize)> = repeated.map(|same| (same[0], same.len())).collect();
    let n_again: usize = atoms.iter().map(|(_, count)| count - 1).sum();
    if n_again * 100 > sorted.len() { atoms } else { Vec::new() }
}

/// The probability under processes with these weights of a number that occurred this often among `n_seen`.
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
        let repeats = RepeatCounts::new(&numbers);
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
    fn numbers_in_order_know_what_numbers_in_turn_know() {
        let numbers = [0.0, 1.0, 0.0, 2.0, 0.0, 1.0, 5.0, 0.0];
        let repeats = RepeatCounts::new(&numbers);
        let mut seen = PitmanYor::new(Vec::new());
        for (row, number) in numbers.into_iter().enumerate() {
            for discount in DISCOUNTS {
                assert_eq!(seen.probabilities(number, discount), repeats.probabilities(row, discount));
            }
            seen.observe(number);
        }
        let [below, above] = [1.5, 9.0].map(|edge| seen.repeat_mass_below(edge, 0.5));
        assert!((below - 5.0 / 9.0).abs() < 1e-12 && (above - 6.0 / 9.0).abs() < 1e-12);
        assert_eq!((seen.count(0.0), seen.count(3.0)), (4, 0));
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
