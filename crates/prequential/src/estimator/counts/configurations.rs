//! Parent configurations: the combinations of parent values, numbered.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::simd::{Arithmetic, Kernel, vectorised};
use crate::table::{Quantised, QuantisedColumn};

/// Which combination of parent values each row has.
///
/// If there are at most as many combinations as rows, every one has a number. Otherwise only those that occur
/// get one, in order of first appearance, so memory never grows with the product of the numbers of levels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Configurations {
    /// The number of each row's combination.
    pub(crate) of_row: Vec<u32>,
    /// All numbers are below this.
    pub(crate) n_numbers: usize,
    /// The number of possible combinations: the product of the parents' levels.
    pub(crate) n_possible: f64,
    n_before: OnceCell<Vec<u32>>,
}

impl Configurations {
    /// How many bins `child` has, if it is a number and there are no parents.
    pub(super) fn n_alike(&self, child: &QuantisedColumn) -> Option<usize> {
        (child.numbers.is_some() && self.n_possible == 1.0).then_some(child.n_levels)
    }

    /// Numbers the combinations of `parents` in `data`.
    pub(crate) fn new(data: &Quantised, parents: impl IntoIterator<Item = usize>) -> Configurations {
        let (mut of_row, mut n_numbers, mut n_possible) = (vec![0; data.n_rows()], 1, 1.0);
        for parent in parents {
            let (codes, n_levels) = (&data.column(parent).codes, data.column(parent).n_parent_levels());
            n_possible *= n_levels as f64;
            if n_numbers * n_levels <= data.n_rows() {
                vectorised(AddDigit { of_row: &mut of_row, n_levels: n_levels as u32, codes });
                n_numbers *= n_levels;
            } else {
                (of_row, n_numbers) = number_pairs(&of_row, n_numbers, codes, n_levels);
            }
        }
        Configurations { of_row, n_numbers, n_possible, n_before: OnceCell::new() }
    }

    /// For each row, how many earlier ones share its combination.
    pub(crate) fn n_before(&self) -> &[u32] {
        self.n_before.get_or_init(|| count_before(&self.of_row, self.n_numbers))
    }

    /// Numbers the (configuration, value) pairs of some rows; `configuration_of_row` is the part of `of_row` for them.
    ///
    /// Pairs that do not occur have numbers too if that is cheap: renumbering costs more than a few unused
    /// cells.
    pub(crate) fn pairs_with(&self, configuration_of_row: &[u32], values: &[u32], n_levels: usize) -> Pairs {
        let n_numbers = self.n_numbers.saturating_mul(n_levels);
        if is_dense(n_numbers, values.len()) {
            let mut of_row = configuration_of_row.to_vec();
            vectorised(AddDigit { of_row: &mut of_row, n_levels: n_levels as u32, codes: values });
            return Pairs { of_row, n_numbers, is_complete: true };
        }
        let (of_row, n_numbers) = number_pairs(configuration_of_row, self.n_numbers, values, n_levels);
        Pairs { of_row, n_numbers, is_complete: false }
    }
}

/// Appends the values of one more column to numbers made of others, as a digit is appended to a number.
struct AddDigit<'a> {
    of_row: &'a mut [u32],
    n_levels: u32,
    codes: &'a [u32],
}

impl Kernel for AddDigit<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for (number, &code) in self.of_row.iter_mut().zip(self.codes) {
            *number = *number * self.n_levels + code;
        }
    }
}

/// Numbered (configuration, value) pairs.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// The number of each row's pair.
    pub(crate) of_row: Vec<u32>,
    /// All numbers are below this.
    pub(crate) n_numbers: usize,
    /// Whether pairs that do not occur have numbers too: those of the first configuration come first.
    pub(crate) is_complete: bool,
}

/// For each row, how many earlier ones have the same number.
pub(crate) fn count_before(of_row: &[u32], n_numbers: usize) -> Vec<u32> {
    let mut n_seen = vec![0; n_numbers];
    let one = |&number: &u32| {
        let seen = &mut n_seen[number as usize];
        *seen += 1;
        *seen - 1
    };
    of_row.iter().map(one).collect()
}

/// Whether a table with `n_cells` entries is small compared with `n_rows` rows: at 16 per row it is still ten
/// times faster than hashing.
fn is_dense(n_cells: usize, n_rows: usize) -> bool {
    n_cells <= 16 * n_rows.max(16)
}

/// Numbers the pairs (a, b) that occur, in order of first appearance; returns each row's number and how many there are.
fn number_pairs(a: &[u32], n_a: usize, b: &[u32], n_b: usize) -> (Vec<u32>, usize) {
    let n_pairs = n_a.saturating_mul(n_b);
    let pairs = a.iter().zip(b).map(|(&a, &b)| a as usize * n_b + b as usize);
    let mut n_seen = 0;
    let mut number = |place: &mut u32| {
        if *place == u32::MAX {
            *place = n_seen;
            n_seen += 1;
        }
        *place
    };
    let of_row = if is_dense(n_pairs, a.len()) {
        let mut number_of = vec![u32::MAX; n_pairs];
        pairs.map(|pair| number(&mut number_of[pair])).collect()
    } else {
        let mut number_of = HashMap::new();
        pairs.map(|pair| number(number_of.entry(pair).or_insert(u32::MAX))).collect()
    };
    (of_row, n_seen as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_share_a_number_exactly_if_they_share_all_values(
            a in proptest::collection::vec(0u32..1000, 30), b in proptest::collection::vec(0u32..3, 30),
        ) {
            for (n_a, n_b) in [(1000, 3), (1 << 40, 1 << 20)] {
                // The second pair of sizes forces the sparse way.
                let (of_row, n_numbers) = number_pairs(&a, n_a, &b, n_b);
                for i in 0..30 {
                    prop_assert!((of_row[i] as usize) < n_numbers);
                    for j in 0..30 {
                        prop_assert_eq!(of_row[i] == of_row[j], a[i] == a[j] && b[i] == b[j]);
                    }
                    let before = (0..i).filter(|&j| of_row[i] == of_row[j]).count();
                    prop_assert_eq!(count_before(&of_row, n_numbers)[i] as usize, before);
                }
            }
        }
    }
}
