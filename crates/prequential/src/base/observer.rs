//! How progress reaches whoever asked for the work.

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

    /// All that a search may ask for is scored, and it begins.
    fn searching(&self) {}

    /// Whether to stop, and why; the run answers from what it has by then. Asked often, from any thread, until it first says so.
    fn stop(&self) -> Option<StopReason> {
        None
    }
}

impl Observer for () {}

/// What a run will take, from a short trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Families still to be scored; with a search that asks as it goes, those that it asks for first.
    pub n_families: usize,
    /// Whether there will be more.
    pub is_least: bool,
    /// Whether the time is the most that it can take: networks trained from scratch may stop early.
    pub is_most: bool,
    /// Networks to train for them.
    pub n_networks: usize,
    /// Bytes of memory.
    pub memory: f64,
    /// Seconds on the clock for all of these, from the trial.
    pub seconds: f64,
    /// Threads that this counts on.
    pub n_threads: usize,
}
