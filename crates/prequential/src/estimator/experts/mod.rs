//! Experts: models that predict a child from its parents. An estimator is a list of them, joined by one
//! fixed-share mixture.
//!
//! A new expert is a file here that implements [`Expert`], and a line in the list of the estimators that have it ([`ExpertList`]).

mod counts;
mod loss_cache;
mod marginal;
mod networks;
mod regressions;

use std::fmt::Debug;
use std::sync::Arc;

use super::column::CodedColumn;
use super::counts::CountTables;
use super::family_group::FamilyGroup;
use super::method::Effort;
use super::prequential::RefitSchedule;
use super::prior::Prior;
use super::regression::FourierSettings;
use crate::base::stop::Stop;
use crate::table::Quantised;
pub(super) use counts::CountsExpert;
pub(super) use loss_cache::{LossCache, MAX_BYTES};
pub(super) use marginal::MarginalExpert;
pub(super) use networks::NetworkExpert;
pub(super) use regressions::RegressionExpert;

/// A model that predicts children from their parents.
pub(super) trait Expert: Debug + Send + Sync {
    /// The loss of every coded row of each child, for children of one parent set that are coded in the same
    /// rows; `None` for children that it does not predict. If the run is stopped, losses may be missing.
    fn code(&self, task: &FamilyTask, children: &[usize]) -> Vec<Option<ExpertCode>>;

    /// Whether it is expensive: it is then trained only where it can change the answer (gating).
    fn is_expensive(&self) -> bool {
        false
    }

    /// Whether it learns marginals itself, so that no other expert does.
    fn learns_marginals(&self) -> bool {
        false
    }

    /// Whether its losses are worth keeping until expensive experts are trained for the same families.
    fn keeps_losses(&self) -> bool {
        false
    }

    /// The memory it needs while it codes one parent set, in bytes.
    fn memory(&self, _table: &TableSize) -> f64 {
        0.0
    }

    /// Its predictor of columns that become known row by row; `None` if it has none.
    fn sequential(&self) -> Option<SequentialExpert>;
}

/// The predictors of a column that becomes known row by row.
#[derive(Debug, Clone)]
pub(super) enum SequentialExpert {
    /// Regressions on features of the parents.
    Regressions(FourierSettings),
    /// Counts of labels given labels.
    Counts,
}

/// The code of a child by an expert.
#[derive(Debug, Clone)]
pub(super) struct ExpertCode {
    /// The loss of every coded row.
    pub(super) losses: Vec<f64>,
    /// The losses of each of its averaged members; empty if it has none.
    pub(super) by_member: Vec<Vec<f64>>,
    /// The cost of the work.
    pub(super) effort: Effort,
}

impl ExpertCode {
    /// The code of an expert without members or training.
    pub(super) fn of_losses(losses: Vec<f64>) -> ExpertCode {
        ExpertCode { losses, by_member: Vec::new(), effort: Effort::default() }
    }
}

/// A table with the marginals of all columns.
#[derive(Debug)]
pub(super) struct LearntTable {
    pub(super) data: Quantised,
    pub(super) tables: CountTables,
    pub(super) columns: Vec<CodedColumn>,
}

impl LearntTable {
    pub(super) fn is_label(&self, node: usize) -> bool {
        !self.columns[node].is_number()
    }
}

/// A parent set whose children are to be coded.
pub(super) struct FamilyTask<'a> {
    pub(super) table: &'a LearntTable,
    pub(super) group: FamilyGroup<'a>,
    pub(super) seed: u64,
    pub(super) stop: Stop<'a>,
}

impl FamilyTask<'_> {
    pub(super) fn has_parents(&self) -> bool {
        !self.group.parents.is_empty()
    }
}

/// The quantities on which memory depends.
#[derive(Debug)]
pub(super) struct TableSize {
    pub(super) n_rows: usize,
    /// Numeric columns.
    pub(super) n_numbers: f64,
    pub(super) schedule: RefitSchedule,
}

/// The experts of an estimator, each with its prior weight.
#[derive(Debug, Clone)]
pub(super) struct ExpertList {
    /// The prior of the counts of labels.
    pub(super) prior: Prior,
    pub(super) experts: Vec<(f64, Arc<dyn Expert>)>,
    /// The prior weight of absent experts: it is paid for, so that a code with them is never longer.
    pub(super) absent_weight: f64,
}

impl ExpertList {
    /// The list without expensive experts, whose weight counts as absent.
    pub(super) fn cheap(&self) -> ExpertList {
        let (waiting, experts): (Vec<_>, Vec<_>) =
            self.experts.iter().cloned().partition(|(_, expert)| expert.is_expensive());
        let waiting: f64 = waiting.iter().map(|(weight, _)| weight).sum();
        ExpertList { experts, absent_weight: self.absent_weight + waiting, ..self.clone() }
    }

    pub(super) fn has_expensive(&self) -> bool {
        self.experts.iter().any(|(_, expert)| expert.is_expensive())
    }

    pub(super) fn learn_marginals(&self) -> bool {
        self.experts.iter().any(|(_, expert)| expert.learns_marginals())
    }
}
