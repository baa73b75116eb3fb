//! The curve of an edge: the predicted child at values of a parent (partial dependence), and some of the
//! rows.

use serde::{Deserialize, Serialize};

use super::additive::Additive;
use super::numbers::{quantile, rounded, sorted};
use super::parent::ParentView;
use super::response::{Response, ResponseKind};

/// A cell of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A label.
    Label(String),
    /// Missing.
    Missing,
}

/// The predicted child at each value of a parent, averaged over the other parents (partial dependence).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Predicted {
    /// For a numeric child: the median, and the limits of the central 80 %.
    Number {
        /// The 10 % quantile.
        low: Vec<f64>,
        /// The median.
        median: Vec<f64>,
        /// The 90 % quantile.
        high: Vec<f64>,
    },
    /// For labels: the share of each.
    Labels {
        /// The labels; of many, the most frequent, and the rest combined.
        levels: Vec<String>,
        /// `[level][value]`: predicted, averaged over the other parents in all rows.
        shares: Vec<Vec<f64>>,
        /// `[level][value]`: observed in the rows near this value.
        observed: Vec<Vec<f64>>,
    },
}

/// Values of a number at which the child is predicted: from 1 % to 99 % of the rows.
const N_AT: usize = 21;

/// The most rows that are shown.
const MAX_POINTS: usize = 150;

/// How many quantiles summarise the distribution of the effects of other parents, or of the residuals.
const N_QUANTILES: usize = 41;

/// One value of the parent, and the rows near it.
pub(super) struct Near {
    pub(super) value: f64,
    pub(super) rows: Vec<usize>,
}

/// Values along a number, and about n^(3/4) rows around each.
fn along(view: &ParentView) -> Vec<Near> {
    let rows = view.sorted_rows();
    let values: Vec<f64> = rows.iter().map(|&row| view.values[row]).collect();
    let window = ((0.7 * (rows.len() as f64).powf(0.75)) as usize).clamp(1, rows.len());
    let near = |place: usize| {
        let share = 0.01 + 0.98 * place as f64 / (N_AT - 1) as f64;
        let middle = (share * (rows.len() - 1) as f64) as usize;
        let first = middle.saturating_sub(window / 2).min(rows.len() - window);
        Near { value: quantile(&values, share), rows: rows[first..first + window].to_vec() }
    };
    let mut all: Vec<Near> = (0..N_AT).map(near).collect();
    all.dedup_by(|a, b| a.value == b.value);
    all
}

/// A child against one parent.
pub(super) struct Against<'a> {
    pub(super) view: &'a ParentView,
    pub(super) parent: usize,
    pub(super) response: &'a Response,
    pub(super) additive: &'a Additive,
}

impl Against<'_> {
    /// The values at which the child is predicted.
    pub(super) fn places(&self) -> Vec<Near> {
        let missing = self.view.missing_rows().map(|rows| Near { value: f64::NAN, rows });
        let observed: Vec<Near> = match self.view.groups() {
            Some(groups) => groups.into_iter().map(|(value, rows)| Near { value, rows }).collect(),
            None => along(self.view),
        };
        observed.into_iter().chain(missing).collect()
    }

    /// The cell that a value of the parent means.
    pub(super) fn cell(&self, value: f64) -> Cell {
        match &self.view.levels {
            _ if value.is_nan() => Cell::Missing,
            Some(levels) => Cell::Label(levels[value as usize].clone()),
            None => Cell::Number(rounded(value)),
        }
    }

    /// The predictions at these values.
    pub(super) fn predicted(&self, places: &[Near]) -> Predicted {
        match &self.response.kind {
            ResponseKind::Number { least, largest, .. } => self.numbers(places, *least, *largest),
            ResponseKind::Labels(levels) => self.labels(places, levels),
        }
    }

    /// Parent and child in some rows, for a numeric child.
    pub(super) fn points(&self) -> Vec<(Cell, f64)> {
        let n_rows = self.response.n_rows();
        let n_shown = n_rows.min(MAX_POINTS);
        let shown = (0..n_shown).map(|place| place * n_rows / n_shown);
        let child = |row: usize| rounded(self.response.number(self.response.columns[0][row]));
        match &self.response.kind {
            ResponseKind::Number { .. } => {
                shown.map(|row| (self.cell(self.view.values[row]), child(row))).collect()
            }
            ResponseKind::Labels(_) => Vec::new(),
        }
    }

    /// Median and limits of the effect of the value, plus every sum of an effect of the other parents and a
    /// residual nearby.
    fn numbers(&self, places: &[Near], least: f64, largest: f64) -> Predicted {
        let n_rows = self.response.n_rows();
        let others = match self.additive.has_others() {
            true => summed_up((0..n_rows).map(|row| self.additive.of_others(self.parent, 0, row))),
            false => vec![0.0],
        };
        let mut bands: [Vec<f64>; 3] = Default::default();
        for near in places {
            let left = summed_up(near.rows.iter().map(|&row| self.left_over(0, row)));
            let effect = self.additive.effect(self.view, self.parent, 0, near.value);
            let all =
                sorted(others.iter().flat_map(|other| left.iter().map(move |rest| effect + other + rest)));
            for (band, share) in bands.iter_mut().zip([0.1, 0.5, 0.9]) {
                let value = self.response.number(quantile(&all, share));
                band.push(rounded(if value.is_nan() { least } else { value.clamp(least, largest) }));
            }
        }
        let [low, median, high] = bands;
        Predicted::Number { low, median, high }
    }

    /// The residual of a number; with a single parent, including its mean.
    fn left_over(&self, response: usize, row: usize) -> f64 {
        let of_others = match self.additive.has_others() {
            true => self.additive.of_others(self.parent, response, row),
            false => 0.0,
        };
        self.response.columns[response][row] - of_others - self.additive.of_parent(self.parent, response, row)
    }

    /// Shares in the rows near the value, corrected for the effects of the other parents there relative to
    /// all rows.
    fn labels(&self, places: &[Near], levels: &[String]) -> Predicted {
        let n_levels = levels.len();
        let (mut shares, mut observed) = (vec![Vec::new(); n_levels], vec![Vec::new(); n_levels]);
        for near in places {
            let n = near.rows.len() as f64;
            let of_level = |level: usize| {
                let effect = self.additive.effect(self.view, self.parent, level, near.value);
                let left: f64 = near.rows.iter().map(|&row| self.left_over(level, row) / n).sum();
                (effect + left + self.mean_of_others(level)).clamp(0.0, 1.0)
            };
            let predicted: Vec<f64> = (0..n_levels).map(of_level).collect();
            let sum: f64 = predicted.iter().sum();
            for level in 0..n_levels {
                shares[level].push(rounded(if sum > 0.0 { predicted[level] / sum } else { 0.0 }));
                let column = &self.response.columns[level];
                observed[level].push(rounded(near.rows.iter().map(|&row| column[row]).sum::<f64>() / n));
            }
        }
        Predicted::Labels { levels: levels.to_vec(), shares, observed }
    }

    fn mean_of_others(&self, response: usize) -> f64 {
        let n_rows = self.response.n_rows();
        match self.additive.has_others() {
            true => {
                let sum: f64 =
                    (0..n_rows).map(|row| self.additive.of_others(self.parent, response, row)).sum();
                sum / n_rows as f64
            }
            false => 0.0,
        }
    }
}

/// A few quantiles that summarise a distribution.
fn summed_up(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let all = sorted(numbers);
    if all.len() <= N_QUANTILES {
        return all;
    }
    (0..N_QUANTILES).map(|place| quantile(&all, (place as f64 + 0.5) / N_QUANTILES as f64)).collect()
}
