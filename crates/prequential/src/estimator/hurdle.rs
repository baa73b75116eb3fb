//! The hurdle model (Cragg 1971): whether a number has its most frequent value, and which other value it has otherwise.
//!
//! For zeros among amounts, doses and counts: whether there is anything and how much have different causes.

use std::collections::BTreeMap;

use super::column::{CodedColumn, Hurdle};
use super::counts::{Configurations, CountTables, CountedFamily, all_losses};
use super::fixed_share::{SLOW_SWITCH_RATE, fixed_share_losses};
use super::numeric::NumberColumn;
use super::prequential::{CHUNK_GROWTH_FACTOR, RefitSchedule, growing_chunks};
use crate::table::{Numbers, Quantised, QuantisedColumn};

/// The number of first coded rows that determine the frequent value, if there is one.
pub(super) const N_FIRST: usize = 64;

/// How often it must occur in these rows, and how many times as often as any other.
const N_LEAST: usize = 6;
const TIMES_AS_OFTEN: usize = 2;

/// Prior weights of the model without and with hurdle.
pub(super) const PRIOR: [f64; 2] = [2.0, 1.0];

impl Hurdle {
    /// From a numeric column; `None` if its first rows have no frequent value.
    pub(super) fn new(column: &CodedColumn, data: &Quantised, tables: &CountTables) -> Option<Hurdle> {
        let numbers = column.cells.numbers.as_ref()?;
        let coded: Vec<u32> = (0..column.n_rows()).map(|place| column.row(place) as u32).collect();
        let frequent = frequent_value(numbers, &coded)?;
        let is_frequent = |row: &u32| numbers.values[*row as usize] == frequent;
        let (_, others): (Vec<u32>, Vec<u32>) = coded.iter().partition(|row| is_frequent(row));
        let cells = indicator(numbers, frequent, column.cells.rows_used.clone());
        let marginal_losses =
            all_losses(&mut CountedFamily::new(tables, &Configurations::new(data, []), &cells));
        let is_frequent =
            CodedColumn { cells, number: None, hurdle: None, marginal_losses, epochs: column.epochs.clone() };
        let (number, marginal_losses) = NumberColumn::new(numbers.clone(), &others);
        let epochs = RefitSchedule::new(data.n_rows(), Some(&others));
        let cells = QuantisedColumn { rows_used: Some(others), ..column.cells.clone() };
        let otherwise = CodedColumn { cells, number: Some(number), hurdle: None, marginal_losses, epochs };
        Some(Hurdle { is_frequent, otherwise })
    }

    /// Mixes the losses without hurdle with those of the hurdle model, which starts when the frequent value
    /// is known.
    pub(super) fn join(&self, in_one: &[f64], of_frequent: &[f64], of_others: &[f64]) -> Vec<f64> {
        let codes = self.is_frequent.cells.coded(&self.is_frequent.cells.codes);
        let in_two = two_part_losses(codes.iter().copied(), in_one, of_frequent, of_others);
        fixed_share_losses(
            &[in_one, &in_two],
            &PRIOR,
            growing_chunks(&self.is_frequent.epochs, CHUNK_GROWTH_FACTOR, 1),
            SLOW_SWITCH_RATE,
        )
    }
}

/// Whether each row has the frequent value, as a categorical column.
pub(super) fn indicator(numbers: &Numbers, frequent: f64, rows_used: Option<Vec<u32>>) -> QuantisedColumn {
    let codes = numbers.values.iter().map(|&number| u32::from(number == frequent)).collect();
    QuantisedColumn { codes, n_levels: 2, n_missing: 0, rows_used, numbers: None, raw: None }
}

/// The losses of the hurdle model: the indicator of the frequent value (`codes` is 1), and the value if it is
/// another. Before the frequent value is known they are those without hurdle.
pub(super) fn two_part_losses(
    codes: impl Iterator<Item = u32>,
    in_one: &[f64],
    of_frequent: &[f64],
    of_others: &[f64],
) -> Vec<f64> {
    let mut of_others = of_others.iter();
    let mut in_two: Vec<f64> = Vec::with_capacity(in_one.len());
    for (code, loss) in codes.zip(of_frequent) {
        let further = if code == 1 { None } else { of_others.next() };
        in_two.push(loss + further.copied().unwrap_or(0.0));
    }
    in_two[..N_FIRST].copy_from_slice(&in_one[..N_FIRST]);
    in_two
}

/// The by far most frequent value in the first coded `rows`; `None` before there are enough of them.
pub(super) fn frequent_value(numbers: &Numbers, rows: &[u32]) -> Option<f64> {
    frequent(numbers, rows.get(..N_FIRST)?)
}

/// The by far most frequent number in `rows`.
fn frequent(numbers: &Numbers, rows: &[u32]) -> Option<f64> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for &row in rows {
        *counts.entry(numbers.values[row as usize].to_bits()).or_default() += 1;
    }
    let mut most: Vec<(usize, u64)> = counts.into_iter().map(|(number, count)| (count, number)).collect();
    most.sort_unstable();
    let (count, number) = most.pop()?;
    let second = most.last().map_or(0, |&(count, _)| count);
    (second > 0 && count >= N_LEAST && count >= TIMES_AS_OFTEN * second).then(|| f64::from_bits(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_first_rows(values: Vec<f64>) -> Option<f64> {
        let rows: Vec<u32> = (0..values.len() as u32).collect();
        frequent(&Numbers { values, width: 1.0 }, &rows)
    }

    #[test]
    fn a_number_is_frequent_if_it_comes_much_more_often_than_others() {
        let mostly_zeros = |i: i32| if i % 3 == 0 { f64::from(i) } else { 0.0 };
        assert_eq!(of_first_rows((0..64).map(mostly_zeros).collect()), Some(0.0));
        assert_eq!(of_first_rows((0..64).map(|i| f64::from(i % 4)).collect()), None);
        assert_eq!(of_first_rows((0..64).map(f64::from).collect()), None);
        // A constant column has nothing else to predict.
        assert_eq!(of_first_rows(vec![7.0; 64]), None);
    }
}
