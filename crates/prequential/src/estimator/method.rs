//! What every estimator is: settings that can be described, and a coder of families that they make of a table.

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

/// An estimator with all its settings decided.
pub(crate) trait Method: Debug + Send + Sync {
    /// The name by which users choose it.
    fn name(&self) -> &'static str;

    /// What it is, in a line.
    fn summary(&self) -> &'static str;

    /// What it is with these settings, in half a sentence.
    fn in_words(&self) -> String {
        self.name().to_string()
    }

    /// Every setting by name. Code lengths are kept on disk under all of them but those `without_effect`.
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

    /// Decides what was left to the number of rows.
    fn settle(&mut self, _n_rows: usize) {}

    /// Lets counts start from `prior`, if there are counts.
    fn set_prior(&mut self, _prior: Prior) {}

    /// Has so many networks predict each family, if there are networks.
    fn set_networks(&mut self, _networks: usize) {}

    /// The same before any network is trained: quick, and its codes are those of the whole if networks had nothing to say, so that a
    /// code with networks is never longer, up to hundredths of a nat. `None` if there are no networks to wait with.
    fn without_networks(&self) -> Option<Arc<dyn Method>> {
        None
    }

    /// What scoring takes.
    fn cost(&self) -> Cost;

    /// Bytes that coding families of this table takes, beyond the table itself.
    fn memory(&self, data: &Quantised) -> Memory;

    /// Makes ready to code families of this table, its rows in coding order; `seed` draws all random numbers.
    fn prepare(&self, data: Quantised, seed: u64) -> Box<dyn Coder>;

    /// Makes ready to predict columns of which not all cells are known yet, its rows in coding order; `None` if it cannot.
    fn sequential(&self, _data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        None
    }

    /// Bins of a column of numbers unless the user says otherwise; `None` if numbers are not binned.
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

    /// Nats that every parent costs at the beginning of a family's code, among so many variables: its name, or both ends of the edge.
    ///
    /// Then the code lengths of a graph's families are a code of the graph, too, and the more columns a table has, the more each parent
    /// must tell: among many, one that tells nothing will seem to. Scores that are defined elsewhere are left as they are.
    fn nats_of_parent(&self, _n_vars: usize) -> f64 {
        0.0
    }

    /// Whether it can see its parents' numbers themselves instead of their bins.
    fn takes_raw_numbers(&self) -> bool {
        false
    }

    /// A shorter version for a trial, and how many times longer this one takes at most; for estimators of which even one family takes
    /// too long to be waited for.
    fn shortened(&self) -> Option<(Box<dyn Method>, f64)> {
        None
    }

    /// What to do where predictions stop being numbers; `sees_raw` if the parents' numbers were seen themselves.
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

/// The name of a parent among so many variables, one of which is the child.
pub(super) fn nats_of_name(n_vars: usize) -> f64 {
    if n_vars > 2 { ((n_vars - 1) as f64).ln() } else { 0.0 }
}

/// What scoring by an estimator takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cost {
    /// The most families that are scored unless the user limits the number of parents: minutes of work.
    pub(crate) max_families: f64,
    /// Whether a search does without large parent sets that smaller ones do not call for: what they cost is worth it.
    pub(crate) grows: bool,
    /// Bytes that a family takes, until it is reported: itself, its places in groups and lists, its code lengths, its curves.
    pub(crate) bytes_per_family: f64,
    /// Networks that predict each family, 0 without.
    pub(crate) n_networks: usize,
    /// Training runs for each family with parents.
    pub(crate) n_trainings: usize,
    /// Training runs for each family without parents.
    pub(crate) n_trainings_alone: usize,
}

/// Bytes that coding takes at the peak, about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Memory {
    /// For each order of the rows.
    pub(crate) shared: f64,
    /// For each thread at work.
    pub(crate) per_thread: f64,
}

/// An estimator at work on one table.
pub(crate) trait Coder: Debug + Send + Sync {
    /// The table, its rows in coding order.
    fn data(&self) -> &Quantised;

    /// Codes each of `children` given the same parents; `None` if it was stopped.
    fn code(&self, parents: &NodeSet, children: &[usize], detail: Detail, stop: Stop) -> Option<Vec<Coded>>;

    /// The same without networks, on the same columns; `None` if it has none.
    fn without_networks(&self) -> Option<Box<dyn Coder>> {
        None
    }
}

/// How much is to be known of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Its length; the cost of every row only if that comes for free.
    Length,
    /// What every row costs.
    Rows,
}

/// How one family was coded.
#[derive(Debug, Clone)]
pub(crate) struct Coded {
    /// What all rows cost, in nats.
    pub(crate) length: f64,
    /// What each coded row cost, if it is known.
    pub(crate) losses: Option<Vec<f64>>,
    /// What each row would have cost with each network alone, with the other experts; empty without networks.
    pub(crate) by_net: Vec<Vec<f64>>,
    /// What it took.
    pub(crate) effort: Effort,
}

impl Coded {
    /// The code of these losses, row by row, without networks.
    pub(crate) fn of_losses(losses: Vec<f64>) -> Coded {
        let effort = Effort::default();
        Coded { length: losses.iter().sum(), losses: Some(losses), by_net: Vec::new(), effort }
    }

    /// The same after so many nats that come before the first row.
    pub(crate) fn begin_with(&mut self, nats: f64) {
        self.length += nats;
        for losses in self.losses.iter_mut().chain(&mut self.by_net) {
            losses.iter_mut().take(1).for_each(|first| *first += nats);
        }
    }
}

/// What coding took.
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
