//! Two graphs side by side.

use serde::{Deserialize, Serialize};

use super::{Kind, Pair, Shape};

/// All distances between two graphs, and their edges by what became of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Comparison {
    pub(in crate::report) shd: usize,
    pub(in crate::report) shd_cpdag: usize,
    pub(in crate::report) sid: usize,
    pub(in crate::report) ancestor_aid: usize,
    pub(in crate::report) equivalent: bool,
    pub(in crate::report) exact: bool,
    pub(in crate::report) common: Vec<Pair>,
    /// As they point in the first graph.
    pub(in crate::report) reversed: Vec<Pair>,
    /// Only in the first graph.
    pub(in crate::report) extra: Vec<Pair>,
    /// Only in the second graph.
    pub(in crate::report) absent: Vec<Pair>,
}

impl Shape for Comparison {
    const KIND: Kind = Kind::Comparison;
}
