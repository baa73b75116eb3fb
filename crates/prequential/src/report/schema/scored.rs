//! The result of a run of `score`.

use serde::{Deserialize, Serialize};

use super::{Cost, Data, Kind, Partial, ScoredFamily, Settings, Shape};

/// Code lengths of families, and of the graph that they make if one was scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Scored {
    pub(in crate::report) data: Data,
    pub(in crate::report) settings: Settings,
    pub(in crate::report) families: Vec<ScoredFamily>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) code_length_nats: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) partial: Option<Partial>,
    pub(in crate::report) cost: Cost,
}

impl Shape for Scored {
    const KIND: Kind = Kind::Scored;
}
