//! What networks trained from scratch predict: the levels of one child in the rows in which it is coded.

use crate::table::QuantisedColumn;

/// One child in the rows in which it is coded.
#[derive(Debug, Clone)]
pub(crate) struct CodedTarget {
    /// The level in each coded row.
    pub(crate) codes: Vec<u32>,
    /// How many levels there are.
    pub(crate) n_levels: usize,
}

impl CodedTarget {
    /// The child in `column`.
    pub(crate) fn new(column: &QuantisedColumn) -> CodedTarget {
        CodedTarget { codes: column.coded(&column.codes).into_owned(), n_levels: column.n_levels }
    }

    /// How many rows are coded.
    pub(crate) fn n_rows(&self) -> usize {
        self.codes.len()
    }
}
