//! Textbook scores of categorical variables: the likelihood of the shares that fit best, and a penalty for how much could have been fitted.

use std::fmt::Debug;
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::{Map, Value};

use super::regret::log_regret;
use super::{Formula, FormulaCoder};
use crate::estimator::counts::{BYTES_PER_FAMILY, Configurations, Tallied};
use crate::estimator::method::{Coder, Cost, Memory, Method, settings_map};
use crate::graph::NodeSet;
use crate::table::Quantised;

/// The complexity penalty of a family.
pub(crate) trait Penalty: Debug + Clone + PartialEq + Default + Send + Sync + 'static {
    /// The name by which users choose it.
    const NAME: &'static str;

    /// A one-line summary.
    const SUMMARY: &'static str;

    /// The value in nats.
    fn nats(shape: &Shape) -> f64;
}

/// What a penalty may depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'a> {
    /// Values that the child can take.
    n_levels: usize,
    /// Combinations of values that its parents could have.
    n_configurations: f64,
    /// The counts of the numbered combinations.
    in_configurations: &'a [u32],
    /// Rows in which the child is coded.
    n_rows: usize,
}

impl Shape<'_> {
    /// The number of free parameters.
    fn n_parameters(&self) -> f64 {
        self.n_configurations * (self.n_levels as f64 - 1.0)
    }
}

/// The maximum likelihood of a categorical variable, with the penalty `P`; numbers are binned.
///
/// It is not a prequential code: a score in nats for comparison, smaller is better.
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
        FormulaCoder::<P>::boxed(data)
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

impl<P: Penalty> Formula for P {
    type Parents = Configurations;

    fn parents(data: &Quantised, parents: &NodeSet) -> Configurations {
        Configurations::new(data, parents.iter())
    }

    fn nats(data: &Quantised, configurations: &Configurations, child: usize, n_rows: usize) -> f64 {
        let child = data.column(child);
        let tallied = Tallied::new(configurations, child, n_rows);
        let shape = Shape {
            n_levels: child.n_levels,
            n_configurations: configurations.n_possible,
            in_configurations: &tallied.in_configurations,
            n_rows,
        };
        surprise(&tallied.in_configurations, &tallied.in_cells) + P::nats(&shape)
    }
}

/// The negative maximum log-likelihood: sum of N ln N over configurations, less sum of n ln n over cells.
fn surprise(in_configurations: &[u32], in_cells: &[u32]) -> f64 {
    let sum = |counts: &[u32]| -> f64 {
        let counts = counts.iter().filter(|&&count| count > 1).map(|&count| f64::from(count));
        counts.map(|count| count * count.ln()).sum()
    };
    sum(in_configurations) - sum(in_cells)
}

/// The Bayesian information criterion: half a ln of the rows for every fitted parameter (Schwarz 1978).
pub type Bic = Criterion<HalfLogRows>;

/// Half a ln of the rows for each parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HalfLogRows;

impl Penalty for HalfLogRows {
    const NAME: &'static str = "bic";
    const SUMMARY: &'static str =
        "Bayesian information criterion (BIC) of categorical variables, for comparison; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        0.5 * shape.n_parameters() * (shape.n_rows as f64).ln()
    }
}

/// Akaike's information criterion: one nat for every fitted parameter (Akaike 1973).
pub type Aic = Criterion<OneNat>;

/// One nat for each parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OneNat;

impl Penalty for OneNat {
    const NAME: &'static str = "aic";
    const SUMMARY: &'static str =
        "Akaike's information criterion (AIC) of categorical variables, for comparison; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        shape.n_parameters()
    }
}

/// Factorised normalised maximum likelihood (Silander, Roos, Kontkanen and Myllymaki 2008): for every
/// combination of parent values the regret of the best code for its number of rows.
pub type Fnml = Criterion<RegretOfConfigurations>;

/// The regret of a multinomial distribution in each configuration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegretOfConfigurations;

impl Penalty for RegretOfConfigurations {
    const NAME: &'static str = "fnml";
    const SUMMARY: &'static str = "Factorised normalised maximum likelihood of categorical variables, for comparison; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        shape.in_configurations.iter().map(|&n_rows| log_regret(n_rows as usize, shape.n_levels as f64)).sum()
    }
}

/// Quotient normalised maximum likelihood (Silander, Leppa-aho, Jaasaari and Roos 2018): the regret of child
/// and parents taken as one label, less that of the parents. It is equal for all graphs of an equivalence
/// class.
pub type Qnml = Criterion<RegretOfQuotient>;

/// The regret of child and parents together, less that of the parents.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegretOfQuotient;

impl Penalty for RegretOfQuotient {
    const NAME: &'static str = "qnml";
    const SUMMARY: &'static str =
        "Quotient normalised maximum likelihood of categorical variables, for comparison; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        let together = log_regret(shape.n_rows, shape.n_configurations * shape.n_levels as f64);
        together - log_regret(shape.n_rows, shape.n_configurations)
    }
}
