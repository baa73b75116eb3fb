//! Experts: ways to predict a child from its parents. An estimator is a list of them, joined by one fixed-share mixture.
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

/// One way to predict children from their parents.
pub(super) trait Expert: Debug + Send + Sync {
    /// What every coded row of each child costs, children of one parent set that are coded in the same rows; `None` for children that it
    /// does not predict. If the work is stopped, losses may be missing.
    fn code(&self, task: &FamilyTask, children: &[usize]) -> Vec<Option<ExpertCode>>;

    /// Whether its training takes so long that it waits until cheap experts have shown where it can change the answer.
    fn is_expensive(&self) -> bool {
        false
    }

    /// Whether it learns the distribution of a child's own values too, so that no other expert has it.
    fn learns_marginals(&self) -> bool {
        false
    }

    /// Whether its losses are worth keeping until expensive experts are trained for the same families.
    fn keeps_losses(&self) -> bool {
        false
    }

    /// Bytes that it holds while it codes one parent set.
    fn memory(&self, _table: &TableSize) -> f64 {
        0.0
    }

    /// How it predicts columns that become known row by row; `None` if it cannot.
    fn sequential(&self) -> Option<SequentialExpert>;
}

/// What predicts a column that becomes known row by row.
#[derive(Debug, Clone)]
pub(super) enum SequentialExpert {
    /// Regressions on features of the parents.
    Regressions(FourierSettings),
    /// Counts of labels given labels.
    Counts,
}

/// What an expert made of a child.
#[derive(Debug, Clone)]
pub(super) struct ExpertCode {
    /// What every coded row costs.
    pub(super) losses: Vec<f64>,
    /// The same by each of several members that it averages; empty if it has none.
    pub(super) by_member: Vec<Vec<f64>>,
    /// What the work took.
    pub(super) effort: Effort,
}

impl ExpertCode {
    /// Of an expert without members that trains nothing.
    pub(super) fn of_losses(losses: Vec<f64>) -> ExpertCode {
        ExpertCode { losses, by_member: Vec::new(), effort: Effort::default() }
    }
}

/// A table with what is learnt of every column without parents.
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

/// What memory depends on.
#[derive(Debug)]
pub(super) struct TableSize {
    pub(super) n_rows: usize,
    /// Numeric columns.
    pub(super) n_numbers: f64,
    pub(super) schedule: RefitSchedule,
}

/// The experts of an estimator, each with its weight before any row.
#[derive(Debug, Clone)]
pub(super) struct ExpertList {
    /// What the counts of labels start from.
    pub(super) prior: Prior,
    pub(super) experts: Vec<(f64, Arc<dyn Expert>)>,
    /// The weight of experts that are not there, but might have been: it is paid for, so that a code with them is never longer.
    pub(super) absent_weight: f64,
}

impl ExpertList {
    /// The experts that need not wait, and the weight of the others as that of absent ones.
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
