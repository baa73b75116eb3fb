//! Code lengths of families: predict, add the loss, learn, row after row.

mod code_lengths;
mod counted;
mod curves;
mod families;
mod jkl;
mod ledger;
mod local_scores;
mod modelled;
mod prequential;
mod scores;
#[cfg(feature = "store")]
mod store;

pub(crate) use code_lengths::n_subsets;
pub use code_lengths::{CodeLengths, FamilyLengths, dag_length};
pub(crate) use curves::CURVE_POINTS;
pub use curves::{Curves, Moments, checkpoints};
pub(crate) use families::FamilyScorer;
pub(crate) use ledger::{Ledger, Reused, Shelf};
pub use local_scores::LocalScores;
#[cfg(feature = "store")]
pub(crate) use local_scores::MAX_LOCAL_VARS;
pub use scores::Scores;
#[cfg(feature = "store")]
pub use store::{Merged, StoreInfo, StoredContext, merge_stores};
#[cfg(feature = "store")]
pub(crate) use store::{StoreShelf, TableIdentity, context};
