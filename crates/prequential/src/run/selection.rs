//! The selection of families to score without a search.

use super::plan::Plan;
use super::shard::Shard;
use crate::base::error::{Error, Result};
use crate::graph::{Dag, Family};

/// The families that [`Plan::score`] scores.
#[derive(Debug, Clone, Copy)]
pub enum FamilySelection<'a> {
    /// All that the settings allow.
    All,
    /// The families of one graph, whether the settings allow them or not.
    Graph(&'a Dag),
    /// One part of all, for a store that several processes or machines fill.
    Shard(Shard),
    /// These families, whether the settings allow them or not.
    Families(&'a [Family]),
}

impl FamilySelection<'_> {
    /// The families of `plan`; refused if there are more than can be scored.
    pub(super) fn families(self, plan: &Plan) -> Result<Vec<Family>> {
        match self {
            FamilySelection::All => {
                plan.check_scorable()?;
                Ok(plan.scored.families().collect())
            }
            FamilySelection::Shard(shard) => {
                plan.check_scorable()?;
                Ok(shard.of(plan.scored.families().collect()))
            }
            FamilySelection::Graph(dag) => Ok(dag.families().collect()),
            FamilySelection::Families(families) => {
                families.iter().try_for_each(|family| check(family, plan))?;
                Ok(families.to_vec())
            }
        }
    }
}

/// Checks that the variables of a family exist, and that none is its own parent.
fn check(family: &Family, plan: &Plan) -> Result<()> {
    let n_vars = plan.data.n_vars();
    let is_known = |node: usize| node < n_vars;
    if is_known(family.child)
        && family.parents.iter().all(|parent| is_known(parent) && parent != family.child)
    {
        return Ok(());
    }
    Err(Error::Setting {
        what: format!("{family:?} is not a family of a table with {n_vars} variables").into(),
        hint: "number the variables from 0, in the order of the columns".into(),
    })
}
