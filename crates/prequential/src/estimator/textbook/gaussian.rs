//! Textbook scores of numeric variables: every one is a line in its parents plus normal noise.

use std::fmt::Debug;
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Value};

use super::moments::{Moments, pivots};
use super::{Formula, FormulaCoder};
use crate::base::error::{Error, Result, TableProblem};
use crate::base::format::quoted;
use crate::base::message::{OptionName, message};
use crate::estimator::closed_form::COST;
use crate::estimator::method::{Coder, Cost, Memory, Method, settings_map};
use crate::graph::NodeSet;
use crate::table::{Kind, Numbers, Quantised, Table, Variable};

/// The score of a family of normal variables.
pub(crate) trait NormalScore: Debug + Clone + PartialEq + Default + Send + Sync + 'static {
    /// The name by which users choose it.
    const NAME: &'static str;

    /// A one-line summary.
    const SUMMARY: &'static str;

    /// In nats, as a density, with the child first among `moments`, for a table of `n_vars` variables.
    fn nats(moments: &Moments, n_vars: usize) -> f64;
}

/// Linear regressions with normal noise, by the score `S`.
///
/// It is not a prequential code: a score in nats for comparison, smaller is better.
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
        FormulaCoder::<LineFormula<S>>::boxed(data)
    }

    fn depends_on_row_order(&self) -> bool {
        false
    }
}

/// The error and hint for a column without a linear Gaussian model.
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

/// The score of a line, as the mass of cells.
#[derive(Debug)]
struct LineFormula<S>(PhantomData<S>);

impl<S: NormalScore> Formula for LineFormula<S> {
    type Parents = NodeSet;

    fn parents(_data: &Quantised, parents: &NodeSet) -> NodeSet {
        parents.clone()
    }

    fn nats(data: &Quantised, parents: &NodeSet, child: usize, n_rows: usize) -> f64 {
        let columns: Vec<&[f64]> = std::iter::once(child)
            .chain(parents.iter())
            .map(|node| &numbers(data, node).values[..])
            .collect();
        let rows = data.column(child).rows_used.as_deref();
        let width = numbers(data, child).width;
        let moments = Moments::new(&columns, rows, n_rows, width);
        S::nats(&moments, data.n_vars()) - n_rows as f64 * width.ln()
    }
}

fn numbers(data: &Quantised, node: usize) -> &Numbers {
    data.column(node).numbers.as_deref().unwrap_or_else(|| panic!("labels were refused"))
}

/// The Bayesian information criterion of linear regressions with normal noise, which most linear programs
/// minimise.
pub type GaussianBic = Gaussian<GaussianPenalty>;

/// Half a ln of the rows for each slope, the intercept and the variance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GaussianPenalty;

impl NormalScore for GaussianPenalty {
    const NAME: &'static str = "gaussian-bic";
    const SUMMARY: &'static str = "Bayesian information criterion (BIC) of linear regressions with normal noise, for comparison; numbers only";

    fn nats(moments: &Moments, _n_vars: usize) -> f64 {
        let n_rows = moments.n_rows;
        if n_rows == 0.0 {
            return 0.0;
        }
        let rest = pivots(moments.scatter.clone(), moments.n_columns())[0] / n_rows;
        let variance = rest.max(moments.least_variance);
        let n_parameters = (moments.n_columns() + 1) as f64;
        0.5 * n_rows * ((std::f64::consts::TAU * variance).ln() + rest / variance)
            + 0.5 * n_parameters * n_rows.ln()
    }
}

/// The BGe score: the marginal likelihood of linear regressions with normal noise under a normal-Wishart prior, the same for all graphs of a
/// class (Geiger and Heckerman 2002, as corrected by Kuipers, Moffa and Heckerman 2014).
///
/// The prior is the usual one: mean 0 with the weight of 1 row, n + 2 degrees of freedom for n variables, and T = t I with
/// t = 1 / 2, all in units of each column's location and scale.
pub type Bge = Gaussian<NormalWishart>;

/// The marginal likelihood under a normal-Wishart prior.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NormalWishart;

/// Rows that the prior mean counts for.
const N_OF_MEAN: f64 = 1.0;

impl NormalScore for NormalWishart {
    const NAME: &'static str = "bge";
    const SUMMARY: &'static str =
        "Marginal likelihood of linear regressions with normal noise (BGe), for comparison; numbers only";

    fn nats(moments: &Moments, n_vars: usize) -> f64 {
        let n_columns = moments.n_columns();
        let posterior = posterior_matrix(moments, prior_height(n_vars));
        let pivots = pivots(posterior, n_columns);
        let joint = marginal(&pivots, moments.n_rows, n_vars);
        joint - marginal(&pivots[1..], moments.n_rows, n_vars)
    }
}

/// Degrees of freedom of the prior.
fn dof(n_vars: usize) -> f64 {
    n_vars as f64 + N_OF_MEAN + 1.0
}

/// t in the prior matrix t I.
fn prior_height(n_vars: usize) -> f64 {
    N_OF_MEAN * (dof(n_vars) - n_vars as f64 - 1.0) / (N_OF_MEAN + 1.0)
}

/// The posterior matrix: the prior matrix, the scatter, and the shift of the means.
fn posterior_matrix(moments: &Moments, height: f64) -> Vec<f64> {
    let n = moments.n_columns();
    let weight = moments.n_rows * N_OF_MEAN / (moments.n_rows + N_OF_MEAN);
    let cell = |(place, scatter): (usize, &f64)| {
        let (i, j) = (place / n, place % n);
        let prior = if i == j { height } else { 0.0 };
        prior + scatter + weight * moments.means[i] * moments.means[j]
    };
    moments.scatter.iter().enumerate().map(cell).collect()
}

/// The negative log marginal likelihood of some columns, from the pivots of their posterior matrix.
fn marginal(pivots: &[f64], n_rows: f64, n_vars: usize) -> f64 {
    let n_columns = pivots.len() as f64;
    let dof = dof(n_vars) - n_vars as f64 + n_columns;
    let log_determinant: f64 = pivots.iter().map(|pivot| pivot.ln()).sum();
    let log_prior_determinant = n_columns * prior_height(n_vars).ln();
    let gammas: f64 = (0..pivots.len())
        .map(|i| libm::lgamma(0.5 * (n_rows + dof - i as f64)) - libm::lgamma(0.5 * (dof - i as f64)))
        .sum();
    0.5 * n_columns * ((n_rows + N_OF_MEAN) / N_OF_MEAN).ln()
        + 0.5 * n_columns * n_rows * std::f64::consts::PI.ln()
        - gammas
        - 0.5 * dof * log_prior_determinant
        + 0.5 * (n_rows + dof) * log_determinant
}
