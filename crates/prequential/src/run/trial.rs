//! Estimates the cost of scoring from a short trial.

use std::sync::Arc;

use cpu_time::ProcessTime;

use super::plan::Plan;
use crate::base::error::Result;
use crate::base::stop::Stop;
use crate::estimator::Method;
use crate::graph::{Family, NodeSet};
use crate::score::{FamilyLengths, ScoreCache, TwoStageCache};

/// The approximate limit of a trial in CPU seconds: beyond it, no further number of parents is tried.
const MAX_TRIAL: f64 = 1.0;

/// The largest parent sets that are tried.
const MAX_TRIED: usize = 3;

/// The cost factor per further parent, beyond the numbers of parents that were tried.
const PER_PARENT: f64 = 0.2;

/// The cost factor of a network per parent, with two layers of 32 units after its inputs.
const INPUTS_PER_PARENT: f64 = 0.18;

/// The cost of scoring, in CPU seconds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Costs {
    /// By number of parents, without deferred networks.
    groups: Vec<GroupCost>,
    /// The cost of the networks of a variable without parents, if they are deferred.
    network: f64,
    /// Whether these are upper bounds: networks trained from scratch may stop early.
    pub(super) are_most: bool,
}

/// The cost of a parent set, and of each child that is scored with it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct GroupCost {
    set: f64,
    child: f64,
}

impl Costs {
    /// Scores some of the first families of a run, and networks for one that gets them in any case: the
    /// scores are kept, and the answer must not depend on a trial.
    pub(super) fn measured(cache: &TwoStageCache, plan: &Plan, first: &[Family]) -> Result<Costs> {
        let largest = first.iter().map(|family| family.parents.len()).max().unwrap_or(0);
        let sizes = 0..=largest.min(MAX_TRIED);
        let mut costs =
            Costs::from_groups(cache.initial(), plan, sizes.filter_map(|size| group(plan, size)))?;
        if cache.deferred().is_some() {
            let root = plan.constraints.smallest_dag().families().next();
            costs.network = cpu_seconds(|| cache.train(root.as_slice()))?;
        }
        Ok(costs)
    }

    /// Scores some of a list of families, in their final form.
    pub(super) fn measured_on(cache: &ScoreCache, plan: &Plan, families: &[Family]) -> Result<Costs> {
        let n_sizes = families.iter().map(|family| family.parents.len() + 1).max().unwrap_or(0);
        let mut by_size: Vec<Vec<&Family>> = vec![Vec::new(); n_sizes];
        families.iter().for_each(|family| by_size[family.parents.len()].push(family));
        let middle_group = |families: &Vec<&Family>| -> Option<Vec<Family>> {
            let parents = &families.get(families.len() / 2)?.parents;
            let group = families.iter().filter(|family| family.parents == *parents);
            Some(group.map(|&family| family.clone()).collect())
        };
        Costs::from_groups(cache, plan, by_size.iter().filter_map(middle_group))
    }

    /// From groups of families with the same parents, smaller sets first.
    fn from_groups(
        cache: &ScoreCache,
        plan: &Plan,
        groups: impl Iterator<Item = Vec<Family>>,
    ) -> Result<Costs> {
        let groups: Vec<Vec<Family>> = groups.collect();
        let mut costs = Costs { groups: Vec::new(), network: 0.0, are_most: false };
        if let Some((short, times_longer)) = plan.estimator.shortened() {
            // One family represents all: even that takes a while.
            let Some(group) = groups.get(groups.len() / 2) else { return Ok(costs) };
            let child = times_longer * one_shortened(&group[0], plan, short.into())?;
            (costs.groups, costs.are_most) = (vec![GroupCost { set: 0.0, child }; plan.data.n_vars()], true);
            return Ok(costs);
        }
        let mut spent = 0.0;
        for group in groups {
            let size = group[0].parents.len();
            let cost = if spent > MAX_TRIAL { costs.group(size) } else { try_group(cache, &group)? };
            spent += cost.set + cost.child * group.len() as f64;
            let filler = costs.groups.last().copied().unwrap_or(cost);
            costs.groups.resize(size, filler);
            costs.groups.push(cost);
        }
        Ok(costs)
    }

    fn group(&self, size: usize) -> GroupCost {
        let Some(last) = self.groups.len().checked_sub(1) else { return GroupCost { set: 0.0, child: 0.0 } };
        let GroupCost { set, child } = self.groups[size.min(last)];
        let dearer = 1.0 + PER_PARENT * size.saturating_sub(last) as f64;
        GroupCost { set: dearer * set, child: dearer * child }
    }

    /// The cost of `n_sets` parent sets with this many parents and children each.
    pub(super) fn parent_sets(&self, n_sets: f64, size: usize, n_children: f64) -> f64 {
        let GroupCost { set, child } = self.group(size);
        n_sets * (set + child * n_children)
    }

    /// The cost of these families.
    pub(super) fn total(&self, families: &[Family]) -> f64 {
        let mut sets: Vec<&NodeSet> = families.iter().map(|family| &family.parents).collect();
        sets.sort_unstable();
        sets.dedup();
        let shared: f64 = sets.iter().map(|set| self.group(set.len()).set).sum();
        shared + families.iter().map(|family| self.group(family.parents.len()).child).sum::<f64>()
    }

    /// The cost of a family with this many parents and networks: everything is coded again.
    pub(super) fn with_networks(&self, size: usize) -> f64 {
        self.parent_sets(1.0, size, 1.0) + self.network * (1.0 + INPUTS_PER_PARENT * size as f64)
    }
}

/// All children of some parent set of this size that they may have; `None` if there is none.
fn group(plan: &Plan, size: usize) -> Option<Vec<Family>> {
    let constraints = &plan.constraints;
    let parents_of = |child: usize| -> NodeSet {
        let required = constraints.required(child);
        let others: Vec<usize> = constraints.allowed(child).difference(required).iter().collect();
        let n_more = size.saturating_sub(required.len()).min(others.len());
        let from = (others.len() - n_more) / 2;
        others[from..from + n_more].iter().fold(required.clone(), |parents, &parent| parents.with(parent))
    };
    let nodes = 0..constraints.n_vars();
    let parents = nodes.clone().map(parents_of).find(|parents| parents.len() == size)?;
    let children = nodes.filter(|&child| !parents.contains(child));
    let families = children.map(|child| Family::new(child, parents.clone()));
    let families: Vec<Family> = families.filter(|family| constraints.allows(family)).collect();
    Some(families).filter(|families| !families.is_empty())
}

/// One child first, then the others at once: the difference separates the cost of the set from that of a
/// child.
fn try_group(cache: &ScoreCache, families: &[Family]) -> Result<GroupCost> {
    let (first, others) = families.split_at(1);
    let alone = cpu_seconds(|| cache.request(first))?;
    if others.len() < 2 {
        return Ok(GroupCost { set: 0.5 * alone, child: 0.5 * alone });
    }
    let together = cpu_seconds(|| cache.request(others))?;
    let child = ((together - alone) / (others.len() - 1) as f64).clamp(0.0, together / others.len() as f64);
    Ok(GroupCost { set: (alone - child).max(0.0), child })
}

/// CPU seconds of one family by a shortened version of the estimator.
fn one_shortened(family: &Family, plan: &Plan, short: Arc<dyn Method>) -> Result<f64> {
    let short = Plan { estimator: short, ..plan.clone() };
    let trial = ScoreCache::new(short.scorers(), &(), Stop::never(), None, usize::MAX);
    cpu_seconds(|| trial.request(std::slice::from_ref(family)))
}

/// CPU seconds of the process during `work`.
pub(super) fn cpu_seconds(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let clock = ProcessTime::now();
    work()?;
    Ok(clock.elapsed().as_secs_f64())
}
