//! Counts of child values per parent configuration: the paper's regularised estimate for categories.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::configurations::count_before;
use super::{Configurations, Predictor};
use crate::table::QuantisedColumn;

/// What every count starts from.
///
/// `Alpha(0.5)` is the paper's choice (Jeffreys), `Alpha(1.0)` gives K2, `SampleSize(s)` spreads `s` rows over all
/// cells of the family's table and gives BDeu.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// This much in every cell.
    Alpha(f64),
    /// This much in the whole table of a family: `ess / (child levels x parent configurations)` per cell.
    SampleSize(f64),
}

impl Prior {
    /// The pseudo-count of one cell.
    fn per_cell(self, n_levels: usize, n_possible_configurations: f64) -> f64 {
        match self {
            Prior::Alpha(alpha) => alpha,
            Prior::SampleSize(size) => size / (n_levels as f64 * n_possible_configurations),
        }
    }
}

impl Default for Prior {
    fn default() -> Prior {
        Prior::Alpha(0.5)
    }
}

/// Logarithms of counts plus a constant, computed once and shared by all families that use them.
#[derive(Debug)]
pub(crate) struct CountTables {
    prior: Prior,
    n_rows: usize,
    by_offset: Mutex<HashMap<u64, Arc<[f64]>>>,
}

/// Longest table of logarithms: 1 MiB each. For larger tables of data, the logarithms of larger counts are computed.
const MAX_TABLE: usize = 1 << 17;

/// Most tables that are kept: `--alpha` needs one per number of levels, `--ess` one per shape of family.
const MAX_TABLES: usize = 64;

impl CountTables {
    pub(crate) fn new(prior: Prior, n_rows: usize) -> CountTables {
        CountTables { prior, n_rows, by_offset: Mutex::default() }
    }

    fn logs(&self, offset: f64) -> OffsetLogs {
        let known =
            self.by_offset.lock().unwrap_or_else(PoisonError::into_inner).get(&offset.to_bits()).cloned();
        let table = known.unwrap_or_else(|| {
            let table: Arc<[f64]> =
                (0..=self.n_rows.min(MAX_TABLE)).map(|n| (n as f64 + offset).ln()).collect();
            let mut tables = self.by_offset.lock().unwrap_or_else(PoisonError::into_inner);
            if tables.len() < MAX_TABLES {
                tables.insert(offset.to_bits(), table.clone());
            }
            table
        });
        OffsetLogs { offset, table }
    }
}

/// ln(n + offset) for counts n.
#[derive(Debug, Clone)]
pub(crate) struct OffsetLogs {
    offset: f64,
    table: Arc<[f64]>,
}

/// One family, its rows numbered by what they count for, and room for the counts.
#[derive(Debug)]
pub(crate) struct CountedFamily<'a> {
    /// How many earlier rows have each row's configuration.
    n_before: Cow<'a, [u32]>,
    /// The number of each row's (configuration, child value) pair.
    cell_of_row: Vec<u32>,
    n_in_cell: Vec<u32>,
    ln_configuration: OffsetLogs,
    ln_cell: OffsetLogs,
    /// The loss of every row, if the child has no parents and all its values are known to come equally often.
    known_loss: Option<f64>,
}

impl<'a> CountedFamily<'a> {
    /// Empty counts of `child` under its parents' `configurations`.
    pub(crate) fn new(
        tables: &CountTables,
        configurations: &'a Configurations,
        child: &QuantisedColumn,
    ) -> Self {
        let configuration_of_row = child.coded(&configurations.of_row);
        let values = child.coded(&child.codes);
        let pairs = configurations.pairs_with(&configuration_of_row, &values, child.n_levels);
        let alpha = tables.prior.per_cell(child.n_levels, configurations.n_possible);
        // Which rows have the same parents is the same for all children, as long as no row is left out.
        let n_before = match &child.rows_used {
            None => Cow::Borrowed(configurations.n_before.as_slice()),
            Some(_) => Cow::Owned(count_before(&configuration_of_row, configurations.n_occurring)),
        };
        CountedFamily {
            n_before,
            cell_of_row: pairs.of_row,
            n_in_cell: vec![0; pairs.n_numbers],
            ln_configuration: tables.logs(alpha * child.n_levels as f64),
            ln_cell: tables.logs(alpha),
            known_loss: (child.is_uniform && configurations.n_possible == 1.0)
                .then(|| (child.n_levels as f64).ln()),
        }
    }

    /// How many rows there are to code.
    pub(crate) fn n_rows(&self) -> usize {
        self.cell_of_row.len()
    }

    /// The predictor that fills these counts.
    pub(crate) fn predictor(&mut self) -> Predictors<'_> {
        if let Some(loss) = self.known_loss {
            return Predictors::Known(Uniform { loss });
        }
        let logs = (&self.ln_configuration, &self.ln_cell);
        let counts = Counts {
            n_before: &self.n_before,
            cell_of_row: &self.cell_of_row,
            n_in_cell: &mut self.n_in_cell,
            logs,
        };
        if counts.cell_of_row.len() < logs.0.table.len() {
            Predictors::Tabulated(counts.with_logs((&*logs.0.table, &*logs.1.table)))
        } else {
            Predictors::Computed(counts)
        }
    }
}

/// The predictor of a family, by where its logarithms come from.
pub(crate) enum Predictors<'a> {
    /// There is nothing to learn.
    Known(Uniform),
    /// Every count has its logarithm in the tables. A loop that may have to call `ln` spills the sum of losses for every row,
    /// which makes it half as fast; so this case has its own copy.
    Tabulated(Counts<'a, &'a [f64]>),
    /// Counts may be larger than the tables are long.
    Computed(Counts<'a, &'a OffsetLogs>),
}

/// Predicts values that are known to come equally often.
///
/// Equal-frequency bins are side information, the same for every graph. If a child without parents had to learn that its bins are
/// uniform, parents that tell nothing would win: a table with more cells than rows predicts uniformly from the start.
#[derive(Debug)]
pub(crate) struct Uniform {
    loss: f64,
}

impl Predictor for Uniform {
    type Prediction = ();

    #[inline(always)]
    fn log_loss(&self, _rows: Range<usize>, losses: &mut [f64]) {
        losses.fill(self.loss);
    }

    #[inline(always)]
    fn observe(&mut self, _rows: Range<usize>, _prediction: ()) {}
}

/// ln(n + offset) for counts n.
pub(crate) trait Logs: Copy {
    fn ln(self, count: u32) -> f64;
}

impl Logs for &[f64] {
    #[inline(always)]
    fn ln(self, count: u32) -> f64 {
        self[count as usize]
    }
}

impl Logs for &OffsetLogs {
    #[inline(always)]
    fn ln(self, count: u32) -> f64 {
        self.table.get(count as usize).copied().unwrap_or_else(|| (f64::from(count) + self.offset).ln())
    }
}

/// Predicts a child by p = (N_kl + alpha) / sum_m (N_ml + alpha), where N_kl counts value k under configuration l.
///
/// Holds slices, not vectors: an increment through a vector might overwrite the vector itself, for all the compiler knows,
/// and it would load every pointer anew for every row.
#[derive(Debug)]
pub(crate) struct Counts<'a, L> {
    n_before: &'a [u32],
    cell_of_row: &'a [u32],
    n_in_cell: &'a mut [u32],
    /// Of counts in a configuration, plus its pseudo-counts; of counts in a cell, plus its pseudo-count.
    logs: (L, L),
}

impl<'a, L> Counts<'a, L> {
    fn with_logs<M>(self, logs: (M, M)) -> Counts<'a, M> {
        let Counts { n_before, cell_of_row, n_in_cell, .. } = self;
        Counts { n_before, cell_of_row, n_in_cell, logs }
    }
}

impl<L: Logs> Predictor for Counts<'_, L> {
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
