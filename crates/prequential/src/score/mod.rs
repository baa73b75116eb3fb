//! Code lengths of families: predict, add the loss, learn, row after row.

mod cache;
mod code_lengths;
mod codec;
mod contexts;
mod curves;
mod identity;
mod jkl;
mod joint;
mod local_score;
mod loss_curve;
mod scorer;
mod scores;
#[cfg(feature = "store")]
mod store;
mod two_stage;
mod workers;

pub(crate) use cache::{CodeStore, RemoteWorkers, Reused, ScoreCache};
pub(crate) use code_lengths::n_subsets;
pub use code_lengths::{CodeLengths, FamilyLengths, dag_length};
pub use curves::Curves;
pub(crate) use identity::CodeIdentity;
#[cfg(test)]
pub(crate) use identity::SCORES_EPOCH;
pub(crate) use joint::{joint_hints, n_dependent};
#[cfg(feature = "store")]
pub(crate) use local_score::MAX_LOCAL_VARS;
pub(crate) use local_score::ScoredOnce;
pub use local_score::{LocalScore, LocalScores};
pub(crate) use loss_curve::CURVE_POINTS;
pub use loss_curve::{MeanSd, checkpoints};
pub(crate) use scorer::{FamilyScorer, StoredScore, code_lengths};
pub use scores::Scores;
#[cfg(feature = "store")]
pub use store::{Merged, StoreInfo, StoredContext, merge_stores};
#[cfg(feature = "store")]
pub(crate) use store::{OpenStore, TableIdentity};
pub(crate) use two_stage::TwoStageCache;
pub(crate) use workers::pack;
pub use workers::{Job, Workers};
