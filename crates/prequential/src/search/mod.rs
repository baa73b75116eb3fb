//! Finds the DAG with the shortest code; knows families and their code lengths, and no table.

mod best_parents;
mod constraints;
mod exhaustive;
mod k_best;
mod knowledge;
mod limits;
mod parent_sets;
mod subset_bits;
mod subset_dp;
mod sweeps;

pub use constraints::Constraints;
pub(crate) use exhaustive::check_enumerable;
pub use exhaustive::{MAX_ENUMERATED, RankedDags, exhaustive};
pub use k_best::k_best;
pub use knowledge::{Knowledge, Statement};
pub use limits::Limits;
pub(crate) use subset_bits::members;
pub use subset_dp::{MAX_EXACT, OrderGraph};
