//! A parent as a predictor: a few features of each value.

use super::numbers::{quantile, sorted};
use super::response::{most_frequent, order_of_labels};
use crate::table::{MISSING, Values, Variable};

/// Numbers with at most this many different values have one feature per value.
const MAX_VALUES: usize = 12;

/// The most labels of a parent that have features of their own.
const MAX_LEVELS: usize = 12;

/// Values with fewer rows are not shown.
const MIN_ROWS: usize = 5;

/// Quantile levels of the knots of the piecewise linear effect of a number.
const KNOTS: [f64; 8] = [0.01, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 0.99];

/// A feature of a row and its value; all others are 0.
pub(super) type Feature = (usize, f64);

/// A parent in the rows that are used.
#[derive(Debug)]
pub(super) struct ParentView {
    /// The value of each row; NaN if missing, for labels their number.
    pub(super) values: Vec<f64>,
    pub(super) basis: Basis,
    /// The labels of a categorical parent.
    pub(super) levels: Option<Vec<String>>,
    /// The rank of each label, if they have an order.
    pub(super) order: Option<Vec<f64>>,
    /// Whether any cell is missing.
    pub(super) has_missing: bool,
}

/// How a value becomes features.
#[derive(Debug)]
pub(super) enum Basis {
    /// One feature for each of these values; others have none.
    Values(Vec<f64>),
    /// Piecewise linear between these knots, constant beyond.
    Lines(Vec<f64>),
}

impl ParentView {
    pub(super) fn new(parent: &Variable, rows: &[usize]) -> ParentView {
        let (values, levels): (Vec<f64>, Option<Vec<String>>) = match &parent.values {
            Values::Numbers(numbers) => (rows.iter().map(|&row| numbers[row]).collect(), None),
            Values::Labels { levels, codes } => {
                let number = |code: u32| if code == MISSING { f64::NAN } else { f64::from(code) };
                (rows.iter().map(|&row| number(codes[row])).collect(), Some(levels.clone()))
            }
        };
        let observed = sorted(values.iter().copied().filter(|value| !value.is_nan()));
        let basis = match &levels {
            Some(levels) => {
                let codes: Vec<usize> = observed.iter().map(|&code| code as usize).collect();
                let shown = most_frequent(levels.len(), &codes, MAX_LEVELS);
                Basis::Values(shown.into_iter().map(|level| level as f64).collect())
            }
            None => Basis::of_numbers(&observed),
        };
        let order = levels.as_deref().map_or_else(|| Some(Vec::new()), order_of_labels);
        let has_missing = observed.len() < values.len();
        ParentView { values, basis, levels, order, has_missing }
    }

    /// How many features it has.
    pub(super) fn n_features(&self) -> usize {
        self.basis.len() + usize::from(self.has_missing)
    }

    /// The features of a value, at most two of them.
    pub(super) fn features(&self, value: f64) -> [Option<Feature>; 2] {
        if value.is_nan() {
            return [self.has_missing.then(|| (self.basis.len(), 1.0)), None];
        }
        match &self.basis {
            Basis::Values(values) => {
                [values.iter().position(|known| *known == value).map(|place| (place, 1.0)), None]
            }
            Basis::Lines(knots) => {
                let above = knots.partition_point(|knot| *knot < value);
                if above == 0 || above == knots.len() {
                    return [Some((above.min(knots.len() - 1), 1.0)), None];
                }
                let (low, high) = (knots[above - 1], knots[above]);
                // Halves, because the difference of two numbers may overflow.
                let part = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
                [Some((above - 1, 1.0 - part)), Some((above, part))]
            }
        }
    }

    /// The values that are shown one by one, with their rows; `None` for numbers that are shown as a line.
    pub(super) fn groups(&self) -> Option<Vec<(f64, Vec<usize>)>> {
        let Basis::Values(values) = &self.basis else { return None };
        let of = |&value: &f64| (value, self.rows_where(|other| other == value));
        Some(values.iter().map(of).filter(|(_, rows)| rows.len() >= MIN_ROWS).collect())
    }

    /// The rows in which the cell is missing, if there are enough to be shown.
    pub(super) fn missing_rows(&self) -> Option<Vec<usize>> {
        let rows = self.rows_where(f64::is_nan);
        (rows.len() >= MIN_ROWS).then_some(rows)
    }

    /// Rows with an observed value, sorted by value and then by position.
    pub(super) fn sorted_rows(&self) -> Vec<usize> {
        let mut rows = self.rows_where(|value| !value.is_nan());
        rows.sort_by(|&a, &b| self.values[a].total_cmp(&self.values[b]).then(a.cmp(&b)));
        rows
    }

    /// The sort key of values: numbers themselves, labels by their rank.
    pub(super) fn place(&self, value: f64) -> f64 {
        match (&self.levels, &self.order) {
            (Some(_), Some(order)) => order[value as usize],
            _ => value,
        }
    }

    fn rows_where(&self, holds: impl Fn(f64) -> bool) -> Vec<usize> {
        (0..self.values.len()).filter(|&row| holds(self.values[row])).collect()
    }
}

impl Basis {
    fn of_numbers(observed: &[f64]) -> Basis {
        let mut distinct = observed.to_vec();
        distinct.dedup();
        if distinct.len() <= MAX_VALUES {
            return Basis::Values(distinct);
        }
        let mut knots: Vec<f64> = KNOTS.iter().map(|&share| quantile(observed, share)).collect();
        knots.dedup();
        Basis::Lines(knots)
    }

    fn len(&self) -> usize {
        match self {
            Basis::Values(all) | Basis::Lines(all) => all.len(),
        }
    }
}
