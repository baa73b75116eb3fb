//! What a run will do and take.

use serde::{Deserialize, Serialize};

use super::{Data, Kind, Settings, Shape};
use crate::base::observer;

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

/// What the run will take, from a short trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Estimate {
    pub(in crate::report) stages: Vec<StageEstimate>,
    /// Of all stages, families that get networks counted once.
    pub(in crate::report) families: Span,
    /// Training runs of networks.
    pub(in crate::report) training_runs: Span,
    pub(in crate::report) cpu_seconds: Span,
    /// On the clock, if nobody else uses the cores.
    pub(in crate::report) wall_seconds: Span,
    pub(in crate::report) threads: usize,
    pub(in crate::report) memory_bytes: f64,
}

/// What one stage will take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct StageEstimate {
    pub(in crate::report) stage: String,
    pub(in crate::report) families: Span,
    pub(in crate::report) cpu_seconds: Span,
}

/// At least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Span {
    pub(in crate::report) least: f64,
    pub(in crate::report) most: f64,
}

impl From<observer::Span> for Span {
    fn from(observer::Span { least, most }: observer::Span) -> Span {
        Span { least, most }
    }
}
