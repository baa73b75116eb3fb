//! The trait of estimators: settings that can be described, and the coder of families that they build for a
//! table.

use std::fmt::Debug;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::predictive::SequentialPredictor;
use super::prior::Prior;
use crate::base::error::Result;
use crate::base::message::{Message, OptionName, message};
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::table::{Quantised, Table};

/// An estimator with all its settings resolved.
pub(crate) trait Method: Debug + Send + Sync {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;

    /// A one-line summary.
    fn summary(&self) -> &'static str;

    /// A description with these settings, as part of a sentence.
    fn in_words(&self) -> String {
        self.name().to_string()
    }

    /// Every setting by name. All of them except those `without_effect` identify stored code lengths.
    fn settings(&self) -> Map<String, Value>;

    /// Settings that change no code length.
    #[cfg_attr(not(feature = "store"), allow(dead_code, reason = "only stores tell settings apart by it"))]
    fn without_effect(&self) -> &'static [&'static str] {
        &[]
    }

    /// Refuses settings that make no sense.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// Refuses tables that it cannot score.
    fn check_table(&self, _table: &Table) -> Result<()> {
        Ok(())
    }

    /// Resolves defaults that depend on the number of rows.
    fn settle(&mut self, _n_rows: usize) {}

    /// Sets the prior of counts, if there are counts.
    fn set_prior(&mut self, _prior: Prior) {}

    /// Sets the number of networks per family, if there are networks.
    fn set_networks(&mut self, _networks: usize) {}

    /// The estimator without networks, which is fast. Its code is that of the whole if networks contributed
    /// nothing, so that a code with networks is never longer, up to hundredths of a nat. `None` if there are
    /// no networks to defer.
    fn without_expensive_experts(&self) -> Option<Arc<dyn Method>> {
        None
    }

    /// The cost of scoring.
    fn cost(&self) -> Cost;

    /// The memory of coding families of this table, besides the table itself.
    fn memory(&self, data: &Quantised) -> Memory;

    /// Prepares to code families of this table, its rows in coding order; `seed` determines all random
    /// numbers.
    fn prepare(&self, data: Quantised, seed: u64) -> Box<dyn Coder>;

    /// Prepares to predict columns that become known row by row, the rows in coding order; `None` if it
    /// cannot.
    fn sequential(&self, _data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        None
    }

    /// The default number of bins of a numeric column; `None` if numbers are not binned.
    fn default_bins(&self) -> Option<usize> {
        None
    }

    /// Parent sets with more combinations of values are left out.
    fn max_configurations(&self) -> Option<usize> {
        None
    }

    /// Whether code lengths depend on the order of rows.
    fn depends_on_row_order(&self) -> bool {
        true
    }

    /// The structure prior: nats that every parent adds to a family's code, among this many variables.
    ///
    /// With it the code of a graph's families covers the graph too, and the more columns a table has, the
    /// more each parent must contribute: among many, an irrelevant one helps by chance. Scores with a
    /// published definition have none.
    fn nats_of_parent(&self, _n_vars: usize) -> f64 {
        0.0
    }

    /// Whether it can use raw numbers of parents instead of their bins.
    fn takes_raw_numbers(&self) -> bool {
        false
    }

    /// A shorter version for a trial, and how many times longer this one takes at most; for estimators of
    /// which even one family takes too long.
    fn shortened(&self) -> Option<(Box<dyn Method>, f64)> {
        None
    }

    /// The hint if predictions become NaN; `sees_raw` if parents were used unbinned.
    fn if_diverged(&self, _sees_raw: bool) -> Message {
        message![
            "score this run with ",
            OptionName::Estimator.set("counts"),
            ", and look for extreme numbers in these columns"
        ]
    }
}

/// Every field of some settings, by name.
pub(super) fn settings_map(settings: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(fields)) => fields,
        other => panic!("settings are structures: {other:?}"),
    }
}

/// ln(n - 1) nats: one of the other variables.
pub(super) fn nats_of_name(n_vars: usize) -> f64 {
    if n_vars > 2 { ((n_vars - 1) as f64).ln() } else { 0.0 }
}

/// The cost of scoring by an estimator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cost {
    /// The default limit on families, unless the user limits the number of parents: minutes of work.
    pub(crate) max_families: f64,
    /// Whether large parent sets are pruned because of their cost.
    pub(crate) grows: bool,
    /// The memory of a family until it is reported, in bytes: itself, its entries in groups and lists, its
    /// code lengths and curves.
    pub(crate) bytes_per_family: f64,
    /// Networks that predict each family, 0 without.
    pub(crate) n_networks: usize,
    /// Training runs for each family with parents.
    pub(crate) n_trainings: usize,
    /// Training runs for each family without parents.
    pub(crate) n_trainings_alone: usize,
}

/// The approximate peak memory of coding, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Memory {
    /// For each order of the rows.
    pub(crate) shared: f64,
    /// For each thread at work.
    pub(crate) per_thread: f64,
}

/// An estimator prepared for one table.
pub(crate) trait Coder: Debug + Send + Sync {
    /// The table, its rows in coding order.
    fn data(&self) -> &Quantised;

    /// Codes each of `children` given the same parents; `None` if it was stopped.
    fn code(&self, parents: &NodeSet, children: &[usize], detail: Detail, stop: Stop) -> Option<Vec<Coded>>;

    /// The coder without networks, on the same columns; `None` if it has none.
    fn without_expensive_experts(&self) -> Option<Box<dyn Coder>> {
        None
    }
}

/// The detail requested of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Its length; the loss of every row only if that is free.
    Length,
    /// The loss of every row.
    Rows,
}

/// How one family was coded.
#[derive(Debug, Clone)]
pub(crate) struct Coded {
    /// The total loss, in nats.
    pub(crate) length: f64,
    /// The loss of each coded row, if it is known.
    pub(crate) losses: Option<Vec<f64>>,
    /// The loss of each row with each single network and the other experts; empty without networks.
    pub(crate) by_net: Vec<Vec<f64>>,
    /// Its cost.
    pub(crate) effort: Effort,
}

impl Coded {
    /// The code with these losses, without networks.
    pub(crate) fn of_losses(losses: Vec<f64>) -> Coded {
        let effort = Effort::default();
        Coded { length: losses.iter().sum(), losses: Some(losses), by_net: Vec::new(), effort }
    }

    /// The code with this many nats added before the first row.
    pub(crate) fn begin_with(&mut self, nats: f64) {
        self.length += nats;
        for losses in self.losses.iter_mut().chain(&mut self.by_net) {
            losses.iter_mut().take(1).for_each(|first| *first += nats);
        }
    }
}

/// The cost of coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Effort {
    /// Networks trained.
    pub(crate) n_trainings: usize,
    /// Gradient steps of all of them.
    pub(crate) n_steps: usize,
}

impl std::iter::Sum for Effort {
    fn sum<I: Iterator<Item = Effort>>(efforts: I) -> Effort {
        efforts.fold(Effort::default(), |sum, one| Effort {
            n_trainings: sum.n_trainings + one.n_trainings,
            n_steps: sum.n_steps + one.n_steps,
        })
    }
}
