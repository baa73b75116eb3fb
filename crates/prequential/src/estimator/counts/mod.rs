//! Dirichlet-multinomial counts for every combination of parent values (Cooper and Herskovits 1992), as in the paper; numbers are binned.

mod alike;
mod configurations;
mod losses;
mod mixture;
mod predictive;
mod tables;
mod tally;

use serde::Serialize;
use serde_json::{Map, Value};

use super::method::{Coded, Coder, Cost, Detail, Effort, Memory, Method, settings_map};
use super::predictive::SequentialPredictor;
use super::prior::Prior;
use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::Quantised;
pub(super) use configurations::Configurations;
pub(super) use losses::all_losses;
use losses::losses_of_mixture;
pub(super) use predictive::CountedPredictive;
use predictive::CountsSequence;
pub(super) use tables::{CountTables, CountedFamily};
pub(super) use tally::Tallied;
use tally::counted_length;

/// Counts of child values per configuration of parent values.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Counts {
    /// The prior of the counts.
    pub prior: Prior,
    /// Parent sets with more combinations of values than this are left out; `None` for the number of rows,
    /// beyond which a table has more parameters than data.
    pub max_configurations: Option<usize>,
}

/// Bytes that a family takes until it is reported, without curves.
pub(super) const BYTES_PER_FAMILY: f64 = 600.0;

impl Method for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn summary(&self) -> &'static str {
        "Counts of child values per combination of parent values; numbers are binned"
    }

    fn in_words(&self) -> String {
        match self.prior {
            Prior::Alpha(alpha) => format!("counts, alpha {alpha}"),
            Prior::SampleSize(size) => format!("counts, equivalent sample size {size}"),
            Prior::Mixed => "counts, mixed alpha, structure prior".to_string(),
        }
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn without_effect(&self) -> &'static [&'static str] {
        &["max_configurations"]
    }

    fn check(&self) -> Result<()> {
        self.prior.check()
    }

    fn settle(&mut self, n_rows: usize) {
        self.max_configurations.get_or_insert(n_rows);
    }

    fn set_prior(&mut self, prior: Prior) {
        self.prior = prior;
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

    /// Logarithms of counts; at work, the combination of parent values in every row, how often each occurs, and for curves every loss from
    /// each of the pseudo-counts that are mixed.
    fn memory(&self, data: &Quantised) -> Memory {
        let n_rows = data.n_rows() as f64;
        let n_mixed = self.prior.mixed_per_cell(2, 1.0).len() as f64;
        let per_thread = (16.0 + 8.0 * (n_mixed + 1.0)) * n_rows;
        Memory { shared: CountTables::memory(data.n_rows(), n_mixed), per_thread }
    }

    fn prepare(&self, data: Quantised, _seed: u64) -> Box<dyn Coder> {
        let tables = CountTables::new(self.prior, data.n_rows());
        Box::new(CountsCoder { data, tables })
    }

    fn sequential(&self, data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        if self.prior == Prior::Mixed {
            return None;
        }
        let tables = CountTables::new(self.prior, data.n_rows());
        Some(Box::new(CountsSequence { data, tables }))
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

    /// The structure prior per edge. With few rows, independent variables appear linked in so many pairs that
    /// ln(n - 1) per parent is too little.
    fn nats_of_parent(&self, n_vars: usize) -> f64 {
        match self.prior {
            Prior::Mixed if n_vars > 1 => ((n_vars * (n_vars - 1)) as f64).ln(),
            _ => 0.0,
        }
    }
}

#[derive(Debug)]
struct CountsCoder {
    data: Quantised,
    tables: CountTables,
}

impl Coder for CountsCoder {
    fn data(&self) -> &Quantised {
        &self.data
    }

    fn code(&self, parents: &NodeSet, children: &[usize], detail: Detail, _stop: Stop) -> Option<Vec<Coded>> {
        let configurations = Configurations::new(&self.data, parents.iter());
        let one = |&child: &usize| {
            let column = self.data.column(child);
            match detail {
                Detail::Length => Coded {
                    length: counted_length(&self.tables, &configurations, column),
                    losses: None,
                    by_net: Vec::new(),
                    effort: Effort::default(),
                },
                Detail::Rows => Coded::of_losses(losses_of_mixture(&self.tables, &configurations, column)),
            }
        };
        Some(children.iter().map(one).collect())
    }
}

/// Refuses `max_configurations` for estimators without counts.
pub(crate) fn refuse_configurations(estimator: &str) -> Error {
    Error::Setting {
        what: message![
            OptionName::MaxConfigurations,
            format!(" limits tables of counts, but the estimator is `{estimator}`"),
        ],
        hint: message![
            "leave it out, or add ",
            OptionName::Estimator.set("counts"),
            "; ",
            OptionName::MaxParents,
            " limits any estimator",
        ],
    }
}
