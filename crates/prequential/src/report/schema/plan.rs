//! What a run will do and take.

use serde::{Deserialize, Serialize};

use super::{Data, Kind, Settings, Shape};

/// The parts of a result that are known beforehand, and the estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Plan {
    pub(in crate::report) data: Data,
    pub(in crate::report) settings: Settings,
    pub(in crate::report) estimate: Estimate,
}

impl Shape for Plan {
    const KIND: Kind = Kind::Plan;
}

/// What scoring will take, from a short trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Estimate {
    pub(in crate::report) families: usize,
    /// Whether the search will ask for more.
    pub(in crate::report) more_to_come: bool,
    pub(in crate::report) networks: usize,
    pub(in crate::report) seconds: f64,
    /// Whether it may take less.
    pub(in crate::report) seconds_are_most: bool,
    pub(in crate::report) threads: usize,
    pub(in crate::report) memory_bytes: f64,
}
