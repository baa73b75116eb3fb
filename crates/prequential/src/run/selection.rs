//! Which families are scored where there is no search to ask for them.

use crate::graph::{Dag, Family};
use crate::run::plan::Plan;
use crate::run::shard::Shard;

/// The families that `score` scores.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// All that the settings allow.
    All,
    /// Those of one graph, whether the settings allow them or not.
    Graph(&'a Dag),
    /// One part of all, for a store that several processes or machines fill.
    Shard(Shard),
}

impl Wanted<'_> {
    pub(crate) fn families(self, plan: &Plan) -> Vec<Family> {
        match self {
            Wanted::All => plan.families(),
            Wanted::Graph(dag) => dag.families().collect(),
            Wanted::Shard(shard) => shard.of(plan.families()),
        }
    }
}
