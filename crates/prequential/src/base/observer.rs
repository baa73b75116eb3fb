//! The observer of a run: it receives progress and can stop the run.

use serde::{Deserialize, Serialize};

use super::nats::Nats;

/// Why a run stops before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The time limit was reached.
    #[serde(rename = "time limit")]
    TimeLimit,
    /// The user interrupted it.
    #[serde(rename = "interrupted")]
    Interrupted,
    /// A search that scores families as needed reached its memory limit.
    #[serde(rename = "memory limit")]
    MemoryLimit,
}

/// Receives the progress of a run; all methods may be called from any thread.
///
/// `&()` is the observer that ignores everything.
pub trait Observer: Sync {
    /// The estimated cost of the run, from a short trial.
    fn planned(&self, _estimate: &Estimate) {}

    /// This many more families are to be scored.
    fn scoring(&self, _n_families: usize) {}

    /// This many more families have been scored.
    fn scored(&self, _n_families: usize) {}

    /// The run is at this stage from now on.
    fn entered(&self, _stage: Stage) {}

    /// A search that moves from graph to graph has reached one of this code length, shorter than the best or
    /// not.
    fn found(&self, _code_length: Nats) {}

    /// Whether to stop, and why; the run answers from what it has by then. Asked often, from any thread, until it first says so.
    fn stop(&self) -> Option<StopReason> {
        None
    }
}

impl Observer for () {}

/// The stages of a run, in order; not every run has all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Scoring the families that any search needs.
    #[serde(rename = "opening")]
    InitialScoring,
    /// Searching for the best graph; a search that scores families as needed scores them here.
    Search,
    /// Training networks for families that can still change the answer.
    Networks,
    /// Computing probabilities of graphs.
    Probabilities,
}

impl Stage {
    /// Its name, in one word.
    pub fn name(self) -> &'static str {
        match self {
            Stage::InitialScoring => "opening",
            Stage::Search => "search",
            Stage::Networks => "networks",
            Stage::Probabilities => "probabilities",
        }
    }
}

/// The estimated cost of a run, from a short trial and from the table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The cost of each stage, in order.
    pub stages: Vec<StageEstimate>,
    /// Networks to train in all of them.
    pub n_networks: Span,
    /// Bytes of memory at the peak.
    pub memory: f64,
    /// The number of threads assumed.
    pub n_threads: usize,
}

/// The estimated cost of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StageEstimate {
    /// Which.
    pub stage: Stage,
    /// Families to score or, in the networks' stage, to train networks for.
    #[serde(rename = "families")]
    pub n_families: Span,
    /// CPU seconds.
    pub cpu_seconds: Span,
}

impl Estimate {
    /// Families to score in all stages; those that get networks are scored before and count once.
    pub fn n_families(&self) -> Span {
        let scored = self.stages.iter().filter(|stage| stage.stage != Stage::Networks);
        scored.map(|stage| stage.n_families).sum()
    }

    /// The number of families scored in the first stage, if it is certain.
    pub fn n_opening(&self) -> Option<usize> {
        let opening = self.stages.iter().find(|stage| stage.stage == Stage::InitialScoring)?;
        opening.n_families.certain().map(|n_families| n_families as usize)
    }

    /// CPU seconds of all stages.
    pub fn cpu_seconds(&self) -> Span {
        self.stages.iter().map(|stage| stage.cpu_seconds).sum()
    }

    /// Wall-clock seconds on otherwise idle cores.
    pub fn seconds(&self) -> Span {
        self.cpu_seconds() * (1.0 / self.n_threads as f64)
    }
}

/// A range of estimates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// At least, as far as can be told.
    pub least: f64,
    /// At most.
    pub most: f64,
}

impl Span {
    /// The range of a number that is certain.
    pub const fn exactly(number: f64) -> Span {
        Span { least: number, most: number }
    }

    /// The number, if it is certain.
    pub fn certain(self) -> Option<f64> {
        (self.least == self.most).then_some(self.least)
    }
}

impl std::ops::Add for Span {
    type Output = Span;

    fn add(self, other: Span) -> Span {
        Span { least: self.least + other.least, most: self.most + other.most }
    }
}

impl std::ops::Mul<f64> for Span {
    type Output = Span;

    fn mul(self, factor: f64) -> Span {
        Span { least: self.least * factor, most: self.most * factor }
    }
}

impl std::iter::Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::exactly(0.0), |sum, span| sum + span)
    }
}
