//! Textbook scores of labels: the likelihood of the shares that fit best, and a penalty for how much could have been fitted.

mod aic;
mod bic;
mod fnml;
mod qnml;
mod regret;

use std::fmt::Debug;
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Value};

use super::counts::{BYTES_PER_FAMILY, Configurations, Tallied};
use super::method::{Coded, Coder, Cost, Detail, Effort, Memory, Method};
use super::readings::losses_of;
use super::settings_map;
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::{Quantised, QuantisedColumn};
pub use aic::Aic;
pub use bic::Bic;
pub use fnml::Fnml;
pub use qnml::Qnml;

/// What is added to the cost of a family for what its shares could have fitted.
pub(crate) trait Penalty: Debug + Clone + PartialEq + Default + Send + Sync + 'static {
    /// The name by which users choose it.
    const NAME: &'static str;

    /// What it is, in a line.
    const SUMMARY: &'static str;

    /// In nats.
    fn nats(shape: &Shape) -> f64;
}

/// What a penalty may depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'a> {
    /// Values that the child can take.
    n_levels: usize,
    /// Combinations of values that its parents could have.
    n_configurations: f64,
    /// How often each of those that have a number occurs.
    in_configurations: &'a [u32],
    /// Rows in which the child is coded.
    n_rows: usize,
}

impl Shape<'_> {
    /// Shares that are free to be fitted.
    fn n_parameters(&self) -> f64 {
        self.n_configurations * (self.n_levels as f64 - 1.0)
    }
}

/// Labels by the likelihood of the shares that fit best, and the penalty `P`; numbers are binned.
///
/// No code of one row after another: a score in nats that stands beside it, smaller is better.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Criterion<P> {
    /// Parent sets with more combinations of values than this are left out; `None` for the number of rows.
    pub max_configurations: Option<usize>,
    #[serde(skip)]
    penalty: PhantomData<P>,
}

impl<P: Penalty> Method for Criterion<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn summary(&self) -> &'static str {
        P::SUMMARY
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn without_effect(&self) -> &'static [&'static str] {
        &["max_configurations"]
    }

    fn settle(&mut self, n_rows: usize) {
        self.max_configurations.get_or_insert(n_rows);
    }

    fn cost(&self) -> Cost {
        Cost {
            max_families: 100_000.0,
            grows: false,
            bytes_per_family: BYTES_PER_FAMILY,
            n_networks: 0,
            n_trainings: 0,
            n_trainings_alone: 0,
        }
    }

    fn memory(&self, data: &Quantised) -> Memory {
        Memory { shared: 0.0, per_thread: 16.0 * data.n_rows() as f64 }
    }

    fn prepare(&self, data: Quantised, _seed: u64) -> Box<dyn Coder> {
        Box::new(CriterionCoder::<P> { data, penalty: PhantomData })
    }

    fn default_bins(&self) -> Option<usize> {
        Some(8)
    }

    fn max_configurations(&self) -> Option<usize> {
        self.max_configurations
    }

    fn depends_on_row_order(&self) -> bool {
        false
    }
}

#[derive(Debug)]
struct CriterionCoder<P> {
    data: Quantised,
    penalty: PhantomData<P>,
}

impl<P: Penalty> Coder for CriterionCoder<P> {
    fn data(&self) -> &Quantised {
        &self.data
    }

    fn code(&self, parents: &NodeSet, children: &[usize], detail: Detail, _stop: Stop) -> Option<Vec<Coded>> {
        let configurations = Configurations::new(&self.data, parents.iter());
        let one = |&child: &usize| {
            let column = self.data.column(child);
            let score = |n_rows: usize| score::<P>(&configurations, column, n_rows);
            match detail {
                Detail::Length => Coded {
                    length: score(column.n_rows_used()),
                    losses: None,
                    by_net: Vec::new(),
                    effort: Effort::default(),
                },
                Detail::Rows => Coded::of_losses(losses_of(column.n_rows_used(), score)),
            }
        };
        Some(children.iter().map(one).collect())
    }
}

/// The score of `child` in the first `n_rows` rows in which it is coded.
fn score<P: Penalty>(configurations: &Configurations, child: &QuantisedColumn, n_rows: usize) -> f64 {
    let tallied = Tallied::new(configurations, child, n_rows);
    let shape = Shape {
        n_levels: child.n_levels,
        n_configurations: configurations.n_possible,
        in_configurations: &tallied.in_configurations,
        n_rows,
    };
    surprise(&tallied.in_configurations, &tallied.in_cells) + P::nats(&shape)
}

/// What the rows cost by the shares that fit them best: sum of N ln N over configurations, less sum of n ln n over cells.
fn surprise(in_configurations: &[u32], in_cells: &[u32]) -> f64 {
    let sum = |counts: &[u32]| -> f64 {
        let counts = counts.iter().filter(|&&count| count > 1).map(|&count| f64::from(count));
        counts.map(|count| count * count.ln()).sum()
    };
    sum(in_configurations) - sum(in_cells)
}
