//! The paper's regularised estimate of a categorical distribution, row by row.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::configurations::{Configurations, count_before};
use crate::estimator::prequential::Predictor;
use crate::estimator::prior::Prior;
use crate::table::QuantisedColumn;

/// Logarithms of counts plus a constant, and their sums, computed once and shared by all families that use them.
#[derive(Debug)]
pub(crate) struct CountTables {
    prior: Prior,
    /// How long a table is.
    len: usize,
    logs: Mutex<HashMap<u64, Arc<[f64]>>>,
    sums: Mutex<HashMap<u64, Arc<[f64]>>>,
}

/// The longest table, 1 MiB each. Values for larger counts are computed.
const MAX_TABLE: usize = 1 << 17;

/// The most numbers in cached tables: `Prior::Alpha` needs one per number of levels, `Prior::SampleSize` one
/// per shape of family.
const MAX_KEPT: usize = 64 * MAX_TABLE;

impl CountTables {
    pub(crate) fn new(prior: Prior, n_rows: usize) -> CountTables {
        CountTables { prior, len: n_rows.min(MAX_TABLE) + 1, logs: Mutex::default(), sums: Mutex::default() }
    }

    /// Bytes of the tables, if so many pseudo-counts are mixed and all variables have as many levels: of each, logarithms and their sums, of
    /// cells and of whole combinations.
    pub(super) fn memory(n_rows: usize, n_mixed: f64) -> f64 {
        4.0 * 8.0 * n_mixed * n_rows.min(MAX_TABLE) as f64
    }

    /// The pseudo-count of a cell of `child` under its parents' `configurations`.
    pub(super) fn alpha(&self, configurations: &Configurations, child: &QuantisedColumn) -> f64 {
        self.prior.per_cell(child.n_levels, configurations.n_possible)
    }

    /// The pseudo-counts that the code of `child` mixes; usually one.
    pub(super) fn mixed_alphas(&self, configurations: &Configurations, child: &QuantisedColumn) -> Vec<f64> {
        self.prior.mixed_per_cell(child.n_levels, configurations.n_possible)
    }

    fn logs(&self, offset: f64) -> OffsetLogs {
        let logs = || (0..self.len).map(|n| (n as f64 + offset).ln()).collect();
        OffsetLogs { offset, table: self.kept(&self.logs, offset, logs) }
    }

    pub(super) fn sums(&self, offset: f64) -> OffsetSums {
        let sums = || {
            let (mut sum, mut lost) = (0.0, 0.0);
            let add = |n| {
                let before: f64 = sum;
                // Compensated summation.
                let term = (n as f64 + offset).ln() - lost;
                sum = before + term;
                lost = (sum - before) - term;
                before
            };
            (0..self.len).map(add).collect()
        };
        OffsetSums { offset, table: self.kept(&self.sums, offset, sums) }
    }

    fn kept(
        &self,
        tables: &Mutex<HashMap<u64, Arc<[f64]>>>,
        offset: f64,
        table: impl FnOnce() -> Arc<[f64]>,
    ) -> Arc<[f64]> {
        let tables = || tables.lock().unwrap_or_else(PoisonError::into_inner);
        let known = tables().get(&offset.to_bits()).cloned();
        known.unwrap_or_else(|| {
            let (table, mut tables) = (table(), tables());
            if (tables.len() + 1) * self.len <= MAX_KEPT {
                tables.insert(offset.to_bits(), table.clone());
            }
            table
        })
    }
}

/// ln(n + offset) for counts n.
#[derive(Debug, Clone)]
pub(crate) struct OffsetLogs {
    offset: f64,
    table: Arc<[f64]>,
}

impl OffsetLogs {
    fn ln(&self, count: u32) -> f64 {
        self.table.get(count as usize).copied().unwrap_or_else(|| (f64::from(count) + self.offset).ln())
    }
}

/// ln(offset) + ln(1 + offset) + ... + ln(n - 1 + offset) for counts n.
#[derive(Debug, Clone)]
pub(super) struct OffsetSums {
    offset: f64,
    table: Arc<[f64]>,
}

impl OffsetSums {
    /// The sum of the logarithms of all counts below this one.
    pub(super) fn below(&self, count: u32) -> f64 {
        self.table.get(count as usize).copied().unwrap_or_else(|| {
            let last = self.table.len() - 1;
            self.table[last] + ln_gamma(f64::from(count) + self.offset) - ln_gamma(last as f64 + self.offset)
        })
    }
}

/// ln Gamma(x) for large x, by Stirling's series; from 1,000 on the next term is below 1e-18.
fn ln_gamma(x: f64) -> f64 {
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3))
}

/// One family, its rows mapped to counters, and buffers for the counts.
#[derive(Debug)]
pub(crate) struct CountedFamily<'a> {
    /// How many earlier rows have each row's configuration.
    n_before: Cow<'a, [u32]>,
    /// The number of each row's (configuration, child value) pair.
    cell_of_row: Vec<u32>,
    n_in_cell: Vec<u32>,
    ln_configuration: OffsetLogs,
    ln_cell: OffsetLogs,
    /// How many bins a number without parents has.
    pub(super) n_alike: Option<usize>,
}

impl<'a> CountedFamily<'a> {
    /// Empty counts of `child` under its parents' `configurations`.
    pub(crate) fn new(
        tables: &CountTables,
        configurations: &'a Configurations,
        child: &QuantisedColumn,
    ) -> Self {
        let alpha = tables.alpha(configurations, child);
        CountedFamily::starting_from(alpha, tables, configurations, child)
    }

    /// Counts with this pseudo-count in every cell.
    pub(super) fn starting_from(
        alpha: f64,
        tables: &CountTables,
        configurations: &'a Configurations,
        child: &QuantisedColumn,
    ) -> Self {
        let configuration_of_row = child.coded(&configurations.of_row);
        let values = child.coded(&child.codes);
        let pairs = configurations.pairs_with(&configuration_of_row, &values, child.n_levels);
        // The grouping of rows by parents is shared by all children if no row is left out.
        let n_before = match &child.rows_used {
            None => Cow::Borrowed(configurations.n_before()),
            Some(_) => Cow::Owned(count_before(&configuration_of_row, configurations.n_numbers)),
        };
        CountedFamily {
            n_before,
            cell_of_row: pairs.of_row,
            n_in_cell: vec![0; pairs.n_numbers],
            ln_configuration: tables.logs(alpha * child.n_levels as f64),
            ln_cell: tables.logs(alpha),
            n_alike: configurations.n_alike(child),
        }
    }

    /// How many rows there are to code.
    pub(crate) fn n_rows(&self) -> usize {
        self.cell_of_row.len()
    }

    /// The predictor that fills these counts.
    pub(crate) fn predictor(&mut self) -> CountingPredictor<'_> {
        CountingPredictor {
            n_before: &self.n_before,
            cell_of_row: &self.cell_of_row,
            n_in_cell: &mut self.n_in_cell,
            logs: (&self.ln_configuration, &self.ln_cell),
        }
    }
}

/// Predicts a child by p = (N_kl + alpha) / sum_m (N_ml + alpha), where N_kl counts value k under configuration l.
///
/// Holds slices, not vectors: an increment through a vector might overwrite the vector itself, for all the compiler knows,
/// and it would load every pointer anew for every row.
#[derive(Debug)]
pub(crate) struct CountingPredictor<'a> {
    n_before: &'a [u32],
    cell_of_row: &'a [u32],
    n_in_cell: &'a mut [u32],
    /// Of counts in a configuration, plus its pseudo-counts; of counts in a cell, plus its pseudo-count.
    logs: (&'a OffsetLogs, &'a OffsetLogs),
}

impl Predictor for CountingPredictor<'_> {
    type Prediction = ();

    #[inline(always)]
    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) {
        let (ln_configuration, ln_cell) = self.logs;
        for (loss, row) in losses.iter_mut().zip(rows) {
            let n_same = self.n_in_cell[self.cell_of_row[row] as usize];
            *loss = ln_configuration.ln(self.n_before[row]) - ln_cell.ln(n_same);
        }
    }

    #[inline(always)]
    fn observe(&mut self, rows: Range<usize>, _prediction: ()) {
        for row in rows {
            self.n_in_cell[self.cell_of_row[row] as usize] += 1;
        }
    }
}
