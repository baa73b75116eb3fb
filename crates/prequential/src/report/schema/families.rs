//! Code lengths of families.

use serde::{Deserialize, Serialize};

/// A family and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ScoredFamily {
    pub(in crate::report) child: String,
    pub(in crate::report) parents: Vec<String>,
    pub(in crate::report) code_length_nats: f64,
    /// Standard deviation over networks or row orders, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) spread_nats: Option<f64>,
}
