//! Textbook scores of numbers: every variable is a line in its parents plus normal noise.

mod bge;
mod bic;
mod moments;

use std::fmt::Debug;
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Value};

use super::closed_form::COST;
use super::method::{Coded, Coder, Cost, Detail, Effort, Memory, Method};
use super::readings::losses_of;
use super::settings_map;
use crate::base::error::{Error, Result, TableProblem};
use crate::base::format::quoted;
use crate::base::message::{OptionName, message};
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::{Kind, Numbers, Quantised, Table, Variable};
pub use bge::Bge;
pub use bic::GaussianBic;
use moments::Moments;

/// What a family of normal variables costs.
pub(crate) trait NormalScore: Debug + Clone + PartialEq + Default + Send + Sync + 'static {
    /// The name by which users choose it.
    const NAME: &'static str;

    /// What it is, in a line.
    const SUMMARY: &'static str;

    /// In nats, as a density, the child first among `moments`; of a table of `n_vars` variables.
    fn nats(moments: &Moments, n_vars: usize) -> f64;
}

/// Numbers by lines with normal noise, weighed by the score `S`.
///
/// No code of one row after another: a score in nats that stands beside it, smaller is better.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Gaussian<S> {
    #[serde(skip)]
    score: PhantomData<S>,
}

impl<S: NormalScore> Method for Gaussian<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn summary(&self) -> &'static str {
        S::SUMMARY
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn check_table(&self, table: &Table) -> Result<()> {
        let problems: Vec<TableProblem> =
            table.variables().iter().filter_map(|variable| problem(S::NAME, variable)).collect();
        if problems.is_empty() { Ok(()) } else { Err(Error::Table { problems }) }
    }

    fn cost(&self) -> Cost {
        Cost { max_families: 100_000.0, grows: false, ..COST }
    }

    fn memory(&self, _data: &Quantised) -> Memory {
        Memory { shared: 0.0, per_thread: 0.0 }
    }

    fn prepare(&self, data: Quantised, _seed: u64) -> Box<dyn Coder> {
        Box::new(GaussianCoder::<S> { data, score: PhantomData })
    }

    fn depends_on_row_order(&self) -> bool {
        false
    }
}

/// Why a column has no line with normal noise, and the way out.
fn problem(estimator: &str, variable: &Variable) -> Option<TableProblem> {
    let name = quoted(&variable.name);
    let others = || message!["leave it out with ", OptionName::Ignore.set(&variable.name), ", or use "];
    if variable.kind() == Kind::Categorical {
        return Some(TableProblem {
            what: message![format!("column {name} holds labels, but `{estimator}` is for numbers")],
            hint: others() + OptionName::Estimator.set("linear"),
        });
    }
    let row = (0..variable.n_rows()).find(|&row| variable.is_missing(row))?;
    Some(TableProblem {
        what: message![format!(
            "column {name} has no number in row {}, but `{estimator}` needs one in every row",
            row + 1
        )],
        hint: others()
            + OptionName::Estimator.set("linear")
            + ", which takes a missing cell as a value of its own",
    })
}

#[derive(Debug)]
struct GaussianCoder<S> {
    data: Quantised,
    score: PhantomData<S>,
}

impl<S: NormalScore> GaussianCoder<S> {
    fn numbers(&self, node: usize) -> &Numbers {
        self.data.column(node).numbers.as_deref().unwrap_or_else(|| panic!("labels were refused"))
    }

    /// The score of `child` in the first `n_rows` rows in which it is coded, as the mass of cells.
    fn score(&self, parents: &NodeSet, child: usize, n_rows: usize) -> f64 {
        let columns: Vec<&[f64]> =
            std::iter::once(child).chain(parents.iter()).map(|node| &self.numbers(node).values[..]).collect();
        let rows = self.data.column(child).rows_used.as_deref();
        let width = self.numbers(child).width;
        let moments = Moments::new(&columns, rows, n_rows, width);
        S::nats(&moments, self.data.n_vars()) - n_rows as f64 * width.ln()
    }
}

impl<S: NormalScore> Coder for GaussianCoder<S> {
    fn data(&self) -> &Quantised {
        &self.data
    }

    fn code(&self, parents: &NodeSet, children: &[usize], detail: Detail, _stop: Stop) -> Option<Vec<Coded>> {
        let one = |&child: &usize| {
            let score = |n_rows: usize| self.score(parents, child, n_rows);
            let n_rows = self.data.column(child).n_rows_used();
            match detail {
                Detail::Length => Coded {
                    length: score(n_rows),
                    losses: None,
                    by_net: Vec::new(),
                    effort: Effort::default(),
                },
                Detail::Rows => Coded::of_losses(losses_of(n_rows, score)),
            }
        };
        Some(children.iter().map(one).collect())
    }
}
