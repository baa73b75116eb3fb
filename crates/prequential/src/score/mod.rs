//! Code lengths of families: predict, add the loss, learn, row after row.

mod code_lengths;
mod counted;
mod curves;
mod families;
mod modelled;
mod prequential;

pub(crate) use code_lengths::n_subsets;
pub use code_lengths::{CodeLengths, FamilyLengths, dag_length};
pub(crate) use curves::{CURVE_POINTS, FamilyCurve};
pub use curves::{Curves, Moments, checkpoints};
pub(crate) use families::{FamilyCode, FamilyScorer};
pub(crate) use modelled::Effort;
