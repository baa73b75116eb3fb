//! Shapes of edges.

use serde::{Deserialize, Serialize};

/// How the child of an edge changes with the parent, the other parents as they come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct EdgeShape {
    pub(in crate::report) from: String,
    pub(in crate::report) to: String,
    /// Values of the parent, its missing cells (null) last.
    pub(in crate::report) at: Vec<Option<Cell>>,
    /// Rows near each of them.
    pub(in crate::report) rows: Vec<usize>,
    pub(in crate::report) predicted: Predicted,
    /// Parent and child in some rows, of a child that is a number; left out unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) points: Option<Vec<(Option<Cell>, f64)>>,
}

/// A cell that is not missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::report) enum Cell {
    Number(f64),
    Label(String),
}

/// What is predicted of the child at each value of the parent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::report) enum Predicted {
    /// The middle of a number, and the limits between which 80 % lie.
    Number { low: Vec<f64>, median: Vec<f64>, high: Vec<f64> },
    /// `[level][value]`: the share of each label with the other parents as they come, and as it is in the rows near.
    Labels { levels: Vec<String>, shares: Vec<Vec<f64>>, observed: Vec<Vec<f64>> },
}
