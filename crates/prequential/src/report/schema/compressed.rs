//! What a compressed table takes.

use serde::{Deserialize, Serialize};

use super::{Kind, Shape};

/// Bytes of a file and of its parts, beside what was predicted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Compressed {
    pub(in crate::report) rows: usize,
    /// All, or the first of every run of equal lines.
    pub(in crate::report) coded_rows: usize,
    pub(in crate::report) variables: usize,
    pub(in crate::report) estimator: String,
    pub(in crate::report) table_bytes: usize,
    pub(in crate::report) file_bytes: usize,
    pub(in crate::report) header_bytes: usize,
    /// Of the header, which cells are missing.
    pub(in crate::report) missing_bytes: usize,
    pub(in crate::report) digits_bytes: usize,
    pub(in crate::report) code_bytes: usize,
    /// What the cells cost as a score counts.
    pub(in crate::report) predicted_nats: f64,
    pub(in crate::report) bits_per_row: f64,
}

impl Shape for Compressed {
    const KIND: Kind = Kind::Compressed;
}
