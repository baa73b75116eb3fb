//! What a search of given code lengths found.

use serde::{Deserialize, Serialize};

use super::{Cpdag, Dag, Kind, RankedDag, Search, Shape};

/// The parts of a result that make sense without a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Searched {
    pub(in crate::report) variables: Vec<String>,
    /// How many families had a code length.
    pub(in crate::report) families: usize,
    pub(in crate::report) search: Search,
    pub(in crate::report) dag: Dag,
    pub(in crate::report) cpdag: Cpdag,
    pub(in crate::report) ranking: Vec<RankedDag>,
}

impl Shape for Searched {
    const KIND: Kind = Kind::Searched;
}
