//! What was read.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The table of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Data {
    /// The file, if the table was read from one.
    pub(in crate::report) path: Option<String>,
    pub(in crate::report) rows: usize,
    /// Of the bytes that were read.
    pub(in crate::report) sha256: Option<String>,
    pub(in crate::report) variables: Vec<Variable>,
    /// How the file was read: the options by name.
    pub(in crate::report) options: Option<Map<String, Value>>,
    /// What was done with cells that could be read in more than one way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) notes: Vec<String>,
    pub(in crate::report) warnings: Vec<String>,
}

/// A column of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Variable {
    pub(in crate::report) name: String,
    pub(in crate::report) kind: VariableKind,
    /// Bins of numbers, or levels of labels.
    pub(in crate::report) bins: Option<usize>,
    /// Rows that are coded.
    pub(in crate::report) rows_used: usize,
    pub(in crate::report) missing: usize,
    /// Rows in which it was set by an experimenter.
    pub(in crate::report) intervened: usize,
}

/// Labels or numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::report) enum VariableKind {
    Categorical,
    Continuous,
}
