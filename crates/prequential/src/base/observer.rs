//! How progress reaches whoever asked for the work.

use super::nats::Nats;
use super::stop::StopReason;

/// Is told how far the work is; all methods may be called from any thread.
///
/// `&()` is the observer that listens to nothing.
pub trait Observer: Sync {
    /// What the run will take, from a short trial.
    fn planned(&self, _estimate: &Estimate) {}

    /// So many more families are to be scored.
    fn scoring(&self, _n_families: usize) {}

    /// So many more families are scored.
    fn scored(&self, _n_families: usize) {}

    /// The run is at this stage from now on.
    fn entered(&self, _stage: Stage) {}

    /// A search that goes from graph to graph has come to one of this code length, shorter than those before it or not.
    fn found(&self, _code_length: Nats) {}

    /// Whether to stop, and why; the run answers from what it has by then. Asked often, from any thread, until it first says so.
    fn stop(&self) -> Option<StopReason> {
        None
    }
}

impl Observer for () {}

/// What a run is at, in the order in which it goes through them; not every run has them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Families are scored that any search needs.
    InitialScoring,
    /// The best graph is looked for; a search that asks as it goes has families scored.
    Search,
    /// Networks are trained for families that can still change the answer.
    Networks,
    /// Graphs are weighed against each other.
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

/// What a run will take, from a short trial and from what the table looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What each stage will take, in their order.
    pub stages: Vec<StageEstimate>,
    /// Networks to train in all of them.
    pub n_networks: Span,
    /// Bytes of memory at the peak.
    pub memory: f64,
    /// Threads that it counts on.
    pub n_threads: usize,
}

/// What one stage of a run will take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageEstimate {
    /// Which.
    pub stage: Stage,
    /// Families to score or, in the networks' stage, to train networks for.
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

    /// How many families the opening scores, if that is certain.
    pub fn n_opening(&self) -> Option<usize> {
        let opening = self.stages.iter().find(|stage| stage.stage == Stage::InitialScoring)?;
        opening.n_families.certain().map(|n_families| n_families as usize)
    }

    /// CPU seconds of all stages.
    pub fn cpu_seconds(&self) -> Span {
        self.stages.iter().map(|stage| stage.cpu_seconds).sum()
    }

    /// Seconds on the clock, if nobody else uses the cores.
    pub fn seconds(&self) -> Span {
        self.cpu_seconds() * (1.0 / self.n_threads as f64)
    }
}

/// What something may be at least and at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// At least, as far as can be told.
    pub least: f64,
    /// At most.
    pub most: f64,
}

impl Span {
    /// Of what is certain.
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
