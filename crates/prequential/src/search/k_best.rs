//! The k best DAGs in order, by partitioning the remaining graphs.

use std::sync::Arc;

use rayon::prelude::*;

use super::best_parents::BestParents;
use super::constraints::Constraints;
use super::limits::Limits;
use super::parent_sets::ParentSetQuery;
use super::subset_dp::{OrderGraph, all_best_parents, best_parents};
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::{FamilyLengths, dag_length};

/// The `k` best DAGs with their code lengths, best first; fewer if there are fewer.
///
/// After Lawler (1972): the graphs other than the best are split into those that differ from it first at node
/// 0, at node 1, and so on, and the best of each subspace is found by [`OrderGraph`]. Costs about k n
/// searches, in which the choices of one child are computed again: a parent set may replace a subset that its
/// subspace leaves out.
pub fn k_best(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    k: usize,
) -> Result<Vec<(Dag, Nats)>> {
    k_best_until(lengths, constraints, limits, k, Stop::never())
}

/// Like [`k_best`], but with fewer graphs if it was stopped.
pub(super) fn k_best_until(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    k: usize,
    stop: Stop,
) -> Result<Vec<(Dag, Nats)>> {
    let Some(all) = all_best_parents(lengths, constraints, limits, stop)? else { return Ok(Vec::new()) };
    let subspaces = SubspaceSolver { lengths, constraints, all, stop };
    let at_once = (limits.memory as f64 / OrderGraph::memory(lengths.n_vars())).max(1.0) as usize;
    let mut candidates =
        Vec::from_iter(subspaces.solve(Subspace { fixed: Vec::new(), excluded: Vec::new() }));
    let mut found = Vec::new();
    // What a stop left out may be better than what comes next.
    while found.len() < k && !candidates.is_empty() && !stop.now() {
        let shorter =
            |&a: &usize, &b: &usize| candidates[a].code_length.0.total_cmp(&candidates[b].code_length.0);
        let best = candidates.remove((0..candidates.len()).min_by(shorter).unwrap_or(0));
        if found.len() + 1 < k {
            for some in best.subspace.split(&best.dag).chunks(at_once) {
                candidates
                    .par_extend(some.par_iter().filter_map(|subspace| subspaces.solve(subspace.clone())));
            }
        }
        found.push((best.dag, best.code_length));
    }
    Ok(found)
}

/// The data shared by all subspaces.
struct SubspaceSolver<'a> {
    lengths: &'a dyn FamilyLengths,
    constraints: &'a Constraints,
    /// The choices of every child where nothing is fixed or excluded.
    all: Vec<Arc<BestParents>>,
    stop: Stop<'a>,
}

impl SubspaceSolver<'_> {
    /// The best graph of `subspace`, if it has any.
    fn solve(&self, subspace: Subspace) -> Option<SubspaceBest> {
        let n_changed = subspace.fixed.len() + usize::from(!subspace.excluded.is_empty());
        let rest = Restricted { lengths: self.lengths, subspace };
        let changed =
            |child| ParentSetQuery { lengths: &rest, constraints: self.constraints, child, member: None };
        let mut choices: Vec<Arc<BestParents>> =
            (0..n_changed).map(|child| Arc::new(best_parents(&changed(child)))).collect();
        choices.extend(self.all[n_changed..].iter().cloned());
        let dag = OrderGraph::from_best_parents(&rest, self.constraints, choices, self.stop)?.best_dag()?;
        let code_length = dag_length(self.lengths, &dag)?;
        Some(SubspaceBest { subspace: rest.subspace, dag, code_length })
    }
}

/// The graphs in which nodes 0 to `fixed.len() - 1` have these parents, and the next node none of the
/// `excluded` sets.
#[derive(Debug, Clone)]
struct Subspace {
    fixed: Vec<NodeSet>,
    excluded: Vec<NodeSet>,
}

/// A subspace with its best graph.
struct SubspaceBest {
    subspace: Subspace,
    dag: Dag,
    code_length: Nats,
}

impl Subspace {
    /// Subspaces that together hold every graph of this one but `dag`.
    fn split(&self, dag: &Dag) -> Vec<Subspace> {
        let differs_first_at = |node: usize| {
            let excluded = if node == self.fixed.len() { self.excluded.clone() } else { Vec::new() };
            Subspace {
                fixed: (0..node).map(|before| dag.parents(before).clone()).collect(),
                excluded: excluded.into_iter().chain([dag.parents(node).clone()]).collect(),
            }
        };
        (self.fixed.len()..dag.n_nodes()).map(differs_first_at).collect()
    }

    fn holds(&self, child: usize, parents: &NodeSet) -> bool {
        match self.fixed.get(child) {
            Some(fixed) => parents == fixed,
            None => child != self.fixed.len() || !self.excluded.contains(parents),
        }
    }
}

/// The families of one subspace.
struct Restricted<'a> {
    lengths: &'a dyn FamilyLengths,
    subspace: Subspace,
}

impl FamilyLengths for Restricted<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).filter(|_| self.subspace.holds(family.child, &family.parents))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        if let Some(parents) = self.subspace.fixed.get(child) {
            let length = self.lengths.code_length(&Family::new(child, parents.clone()));
            length.into_iter().for_each(|length| visit(parents, length));
            return;
        }
        self.lengths.for_each(child, &mut |parents, length| {
            if self.subspace.holds(child, parents) {
                visit(parents, length);
            }
        });
    }
}
