//! Every setting that can change a result.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Pair;

/// The settings in force: nothing is left to be decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Settings {
    pub(in crate::report) estimator: Choice,
    pub(in crate::report) search: Choice,
    pub(in crate::report) quantisation: Quantisation,
    pub(in crate::report) max_parents: Option<usize>,
    pub(in crate::report) seed: u64,
    /// How many orders of the rows are coded.
    pub(in crate::report) row_orders: usize,
    /// Whether rows are shuffled.
    pub(in crate::report) row_order: String,
    pub(in crate::report) require: Vec<Pair>,
    pub(in crate::report) forbid: Vec<Pair>,
    pub(in crate::report) tiers: Vec<Vec<String>>,
    pub(in crate::report) roots: Vec<String>,
    pub(in crate::report) leaves: Vec<String>,
    /// The edges of the graph from which a search starts, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) start: Option<Vec<Pair>>,
    pub(in crate::report) memory_limit_bytes: u64,
    /// How many graphs the ranking lists at most.
    pub(in crate::report) top: usize,
}

/// One of several ways by name, with the settings that it alone has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Choice {
    pub(in crate::report) name: String,
    #[serde(flatten)]
    pub(in crate::report) settings: Map<String, Value>,
}

/// How numbers become cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Quantisation {
    pub(in crate::report) bins: Option<usize>,
    pub(in crate::report) binning: String,
    /// What children see of a number.
    pub(in crate::report) inputs: String,
}
