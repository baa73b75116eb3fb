//! A run from settings to result: the settings, the resolved plan, the result.

mod answer;
mod caches;
mod code_identity;
mod contexts;
mod estimate;
mod families;
mod final_search;
mod forecast;
mod gating;
mod learn;
mod memory;
mod options;
mod plan;
mod pool;
mod repeats;
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
pub use families::ParentSetPruning;
pub use gating::NetworkGating;
pub use learn::learn;
pub use options::{
    Bytes, Edge, EstimatorName, OPTIONS, OptionGroup, OptionSpec, Preset, RunOptions, ScheduleName,
    SearchName, StartGraph, Time, ValueKind,
};
pub use plan::Plan;
pub use pool::in_pool;
pub use resolved::settings_value;
pub(crate) use resolved::{NamedPair, ResolvedSettings};
pub(crate) use result::explains;
pub use result::{
    Agreement, Answer, Approximations, Learned, Partial, RunCost, Scored, StageCost, TruthReport,
};
pub use search_scores::{PlanScore, Searched, search_scores};
pub use selection::FamilySelection;
pub use settings::{Resolution, RowOrder, Settings};
pub use shard::Shard;
pub use worker::Worker;
