//! Code lengths of families: predict, add the loss, learn, row after row.

mod code_lengths;
mod curves;
mod families;
mod prequential;

pub use code_lengths::{CodeLengths, FamilyLengths, dag_length};
pub use curves::{Curves, Moments, checkpoints};
pub(crate) use families::FamilyScorer;
