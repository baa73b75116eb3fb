//! Finds the DAG with the shortest code; knows families and their code lengths, and no table.

mod best_parents;
mod constraints;
mod exhaustive;
mod grow_shrink;
mod hill_climb;
mod k_best;
mod knowledge;
mod limits;
mod moves;
mod order_search;
mod parent_sets;
mod subset_bits;
mod subset_dp;
mod sweeps;
mod visited;

pub use constraints::Constraints;
pub(crate) use exhaustive::check_enumerable;
pub use exhaustive::{MAX_ENUMERATED, RankedDags, exhaustive};
pub use hill_climb::{ClimbSettings, hill_climb};
pub use k_best::k_best;
pub use knowledge::{Knowledge, Statement};
pub use limits::Limits;
pub use order_search::order_search;
pub(crate) use subset_bits::members;
pub use subset_dp::{MAX_EXACT, OrderGraph};
pub use visited::Visited;
