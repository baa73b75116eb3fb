//! What contexts have to do with the answer.

use serde::{Deserialize, Serialize};

use super::VariableKind;

/// Columns that may cause anything and are never an effect, and the variables on which they act.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Context {
    pub(in crate::report) columns: Vec<ContextColumn>,
    /// Every variable of the graph.
    pub(in crate::report) variables: Vec<ContextEffect>,
}

/// A column that is a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextColumn {
    pub(in crate::report) name: String,
    pub(in crate::report) kind: VariableKind,
    /// Bins of numbers, or levels of labels.
    pub(in crate::report) bins: Option<usize>,
    pub(in crate::report) missing: usize,
}

/// What all contexts together do to one variable, its parents in the best graph known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextEffect {
    pub(in crate::report) variable: String,
    /// Whether they act on it: whether they save nats.
    pub(in crate::report) acts: bool,
    /// Negative where they tell nothing.
    pub(in crate::report) saved_nats: f64,
    /// Of several that act: what each saves beside the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) columns: Vec<ContextShare>,
}

/// What one context saves beside the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ContextShare {
    pub(in crate::report) column: String,
    pub(in crate::report) saved_nats: f64,
}
