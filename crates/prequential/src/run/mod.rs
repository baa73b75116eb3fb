//! A run from settings to result: what was asked, what is resolved, what was found.

mod answer;
mod candidates;
mod contexts;
mod estimate;
mod final_search;
mod forecast;
mod gating;
mod growth;
mod learn;
mod options;
mod plan;
mod resolved;
mod result;
mod search_scores;
mod selection;
mod settings;
mod shard;
mod trial;
mod warnings;
mod watch;
mod worker;

pub use contexts::ContextEffect;
pub use learn::{in_pool, learn};
pub use options::{EstimatorOptions, NetworkOptions, OptimiserName, ScheduleName, SearchOptions};
pub use plan::Plan;
pub use resolved::settings_value;
pub(crate) use resolved::{NamedPair, ResolvedSettings};
pub(crate) use result::explains;
pub use result::{
    Agreement, Answer, Approximations, Learned, NetworkGating, ParentSetPruning, Partial, RunCost, Scored,
    StageCost, TruthReport,
};
pub use search_scores::{PlanScore, Searched, search_scores};
pub use selection::FamilySelection;
pub use settings::{Resolution, RowOrder, Settings};
pub use shard::Shard;
pub use worker::Worker;
