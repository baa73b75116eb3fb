//! How progress reaches whoever asked for the work.

/// Is told how far the work is; all methods may be called from any thread.
///
/// `&()` is the observer that listens to nothing.
pub trait Observer: Sync {
    /// Scoring begins: so many families in all.
    fn scoring(&self, _n_families: usize) {}

    /// So many more families are scored.
    fn scored(&self, _n_families: usize) {}

    /// Scoring is done and the search begins.
    fn searching(&self) {}

    /// Data set number `number` of `n_sets` of an experiment is done, with this outcome in words.
    fn data_set(&self, _number: usize, _n_sets: usize, _outcome: &str) {}
}

impl Observer for () {}
