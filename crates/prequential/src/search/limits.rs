//! Limits of a search.

/// Limits of a search; it refuses before it starts if it needs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
}

impl Default for Limits {
    /// 8 GiB.
    fn default() -> Limits {
        Limits { memory: 8 << 30 }
    }
}
