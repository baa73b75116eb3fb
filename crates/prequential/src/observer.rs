//! How progress reaches whoever asked for the work.

/// Is told how far the work is; all methods may be called from any thread.
///
/// `&()` is the observer that listens to nothing.
pub trait Observer: Sync {
    /// So many more families are to be scored.
    fn scoring(&self, _n_families: usize) {}

    /// So many more families are scored.
    fn scored(&self, _n_families: usize) {}

    /// All that a search may ask for is scored, and it begins.
    fn searching(&self) {}

    /// Whether to stop scoring, and why; what is scored by then is searched. Asked often: it must be quick.
    fn stop(&self) -> Option<StopReason> {
        None
    }

    /// Data set number `number` of `n_sets` of an experiment is done, with this outcome in words.
    fn data_set(&self, _number: usize, _n_sets: usize, _outcome: &str) {}
}

impl Observer for () {}

/// Why a run stops before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// It was to take no longer.
    TimeLimit,
    /// The user said so.
    Interrupted,
}
