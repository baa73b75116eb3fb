//! Code lengths of families, without their table.

use serde::{Deserialize, Serialize};

use super::{Kind, ScoredFamily, Shape};

/// All families that have a code length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct LocalScores {
    pub(in crate::report) variables: Vec<String>,
    pub(in crate::report) families: Vec<ScoredFamily>,
}

impl Shape for LocalScores {
    const KIND: Kind = Kind::LocalScores;
}
