//! What a store holds.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Kind, Shape};

/// A file of code lengths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Store {
    pub(in crate::report) path: String,
    pub(in crate::report) bytes: u64,
    /// The file that its table was last read from, if it was read from one.
    pub(in crate::report) table: Option<String>,
    pub(in crate::report) rows: usize,
    pub(in crate::report) variables: Vec<String>,
    pub(in crate::report) contexts: Vec<StoredContext>,
}

impl Shape for Store {
    const KIND: Kind = Kind::Store;
}

/// Families that were scored with the same settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct StoredContext {
    /// By which it is chosen.
    pub(in crate::report) number: i64,
    /// All settings that code lengths depend on, as the store keeps them.
    pub(in crate::report) settings: Map<String, Value>,
    pub(in crate::report) families: usize,
    /// How many have no parent, one parent, ...
    pub(in crate::report) families_by_parents: Vec<usize>,
    pub(in crate::report) row_orders: usize,
    pub(in crate::report) training_runs: usize,
    pub(in crate::report) seconds: f64,
}
