//! Columns that number the rows, as identifiers do.

/// This many different whole numbers in a narrow range are not a coincidence.
const MIN_NUMBERING: usize = 50;

/// Whole numbers of which no two are the same, in any order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numbering {
    pub(super) first: f64,
    pub(super) last: f64,
    pub(super) n_observed: usize,
}

impl Numbering {
    /// The range of the numbers, if they are such, and more than half of the cells are observed.
    pub(super) fn of(numbers: &[f64]) -> Option<Numbering> {
        let mut observed: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
        if 2 * observed.len() <= numbers.len() || observed.iter().any(|number| number.fract() != 0.0) {
            return None;
        }
        observed.sort_unstable_by(f64::total_cmp);
        let (&first, &last) = (observed.first()?, observed.last()?);
        let differ = first < last && observed.windows(2).all(|pair| pair[0] < pair[1]);
        differ.then_some(Numbering { first, last, n_observed: observed.len() })
    }

    pub(super) fn has_no_gaps(&self) -> bool {
        self.last - self.first + 1.0 == self.n_observed as f64
    }

    /// Whether numbers drawn at random would hardly all differ.
    pub(super) fn is_dense(&self) -> bool {
        self.n_observed >= MIN_NUMBERING && self.last - self.first < 2.0 * self.n_observed as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(numbers: impl IntoIterator<Item = f64>) -> Option<Numbering> {
        Numbering::of(&numbers.into_iter().collect::<Vec<_>>())
    }

    /// The whole numbers from 0 in a jumbled order; 7919 is prime.
    fn jumbled(n: u32) -> impl Iterator<Item = f64> {
        (0..n).map(move |row| f64::from(row * 7919 % n))
    }

    #[test]
    fn a_numbering_does_not_depend_on_the_order_of_rows() {
        assert!(numbering((0..100).map(f64::from)).unwrap().has_no_gaps());
        assert_eq!(numbering(jumbled(100)), numbering((0..100).map(f64::from)));
        assert!(numbering((0..100).rev().map(|row| f64::from(row) - 40.0)).unwrap().has_no_gaps());
        assert!(numbering(jumbled(100).chain([f64::NAN; 10])).unwrap().has_no_gaps());
    }

    #[test]
    fn numbers_with_repetitions_fractions_or_many_gaps_are_no_numbering() {
        assert_eq!(numbering(jumbled(100).chain([3.0])), None);
        assert_eq!(numbering(jumbled(100).map(|number| number / 2.0)), None);
        assert_eq!(numbering(jumbled(100).chain([f64::NAN; 100])), None);
        assert_eq!(numbering([]), None);
        let gaps = |last: f64| numbering(jumbled(99).chain([last])).unwrap();
        assert!(!gaps(199.0).has_no_gaps() && gaps(199.0).is_dense());
        assert!(!gaps(200.0).is_dense());
        assert!(!numbering(jumbled(49)).unwrap().is_dense());
    }
}
