//! The best DAG by dynamic programming over sets of variables.

use std::sync::Arc;

use rayon::prelude::*;

use super::best_parents::{BestParents, is_tie};
use super::constraints::Constraints;
use super::limits::Limits;
use super::parent_sets::{ParentSetQuery, ParentSets};
use super::sweeps::{Blocks, block_bits};
use crate::base::error::{Error, Result};
use crate::base::format::{bytes, plural};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, NodeSet};
use crate::score::FamilyLengths;

/// The most variables for which the tables of the search can be indexed at all.
pub const MAX_EXACT: usize = 31;

/// The order graph: the shortest code of every set of variables that comes first in some causal order.
///
/// After Silander and Myllymäki (2006). A set S that comes first is reached by adding its last variable to S
/// without it, at the cost of that variable's best parents among the others. Only those parent sets are kept
/// that an optimal graph can have: none with a subset whose code is no longer.
///
/// Time grows as n² 2ⁿ; memory is 2 x 2ⁿ numbers of eight bytes and the parent sets kept, usually few: 16
/// MiB at 20 variables, 512 MiB at 25, 4 GiB at 28. A variable of which a sixteenth of all parent sets are
/// kept has a table of 2ⁿ⁻¹ numbers instead.
pub struct OrderGraph<'a> {
    lengths: &'a dyn FamilyLengths,
    constraints: &'a Constraints,
    /// Per child.
    best_parents: Vec<Arc<BestParents>>,
    /// `[set]`: the shortest code of the set's variables with parents inside it.
    from_start: Blocks,
}

impl<'a> OrderGraph<'a> {
    /// Bytes that the search over `n_vars` variables needs at least, whatever the code lengths: two tables
    /// of all sets, the second for [`OrderGraph::best_with_edges`].
    pub fn memory(n_vars: usize) -> f64 {
        2.0 * Blocks::memory(n_vars)
    }

    /// Returns [`Error::TooLarge`] if the search is certain to need more memory than `limits` grant.
    pub fn check(n_vars: usize, limits: &Limits) -> Result<()> {
        check_memory(n_vars, 0.0, 0, limits)
    }

    /// Keeps the parent sets that an optimal graph can have and fills the table of all sets. Only families
    /// that `constraints` allow and that are scored take part.
    ///
    /// Returns [`Error::TooLarge`] before it takes more memory than `limits` grant.
    pub fn new(
        lengths: &'a dyn FamilyLengths,
        constraints: &'a Constraints,
        limits: &Limits,
    ) -> Result<OrderGraph<'a>> {
        let search = OrderGraph::new_until(lengths, constraints, limits, Stop::never())?;
        Ok(search.unwrap_or_else(|| panic!("nobody stops it")))
    }

    /// Like [`OrderGraph::new`], but `None` if it was stopped.
    pub(super) fn new_until(
        lengths: &'a dyn FamilyLengths,
        constraints: &'a Constraints,
        limits: &Limits,
        stop: Stop,
    ) -> Result<Option<OrderGraph<'a>>> {
        let Some(best_parents) = all_best_parents(lengths, constraints, limits, stop)? else {
            return Ok(None);
        };
        Ok(OrderGraph::from_best_parents(lengths, constraints, best_parents, stop))
    }

    /// The search in which every child has these choices; `None` if it was stopped.
    pub(super) fn from_best_parents(
        lengths: &'a dyn FamilyLengths,
        constraints: &'a Constraints,
        best_parents: Vec<Arc<BestParents>>,
        stop: Stop,
    ) -> Option<OrderGraph<'a>> {
        let from_start = Blocks::from_start(&best_parents, stop)?;
        Some(OrderGraph { lengths, constraints, best_parents, from_start })
    }

    /// Bytes that this search takes at most, [`OrderGraph::best_with_edges`] included and the code lengths
    /// not.
    pub fn memory_needed(&self) -> f64 {
        let n_vars = self.best_parents.len();
        OrderGraph::memory(n_vars) + parent_set_memory(n_vars, &self.best_parents)
    }

    /// How many parent sets of all variables are kept; those of a variable with too many to be listed are
    /// not counted.
    pub fn n_parent_sets(&self) -> usize {
        self.best_parents.iter().filter_map(|best| best.n_listed()).sum()
    }

    /// A DAG of shortest code length; `None` if the scored families make none.
    ///
    /// Ties go to the order whose last variables have the lowest numbers, then to the smaller parent set.
    /// Equal sums that rounding tells apart count as ties, so the answer depends neither on the thread count
    /// nor on the order of rows.
    pub fn best_dag(&self) -> Option<Dag> {
        let n_vars = self.best_parents.len();
        let mut set = (1 << n_vars) - 1;
        if self.from_start.get(set).is_infinite() {
            return None;
        }
        let mut parents = vec![NodeSet::new(); n_vars];
        while set != 0 {
            let is_last = |&child: &usize| {
                let before = set & !(1 << child);
                before != set && is_tie(self.step(before, child), self.from_start.get(set))
            };
            let last = (0..n_vars)
                .find(is_last)
                .unwrap_or_else(|| panic!("some variable must come last in {set:b}"));
            set &= !(1 << last);
            parents[last] = self.best_parents[last].set_within(set, &self.query(last, None));
        }
        Some(
            Dag::from_parents(parents)
                .unwrap_or_else(|cycle| panic!("parents come before children: {cycle}")),
        )
    }

    /// For each of `edges`, the shortest code of any DAG that has it; `None` if no allowed graph does.
    pub fn best_with_edges(&self, edges: &[(usize, usize)]) -> Vec<Option<Nats>> {
        self.best_with_edges_until(edges, Stop::never()).unwrap_or_else(|| panic!("nobody stops it"))
    }

    /// Like [`OrderGraph::best_with_edges`], but `None` if it was stopped.
    pub(super) fn best_with_edges_until(
        &self,
        edges: &[(usize, usize)],
        stop: Stop,
    ) -> Option<Vec<Option<Nats>>> {
        let to_end = Blocks::to_end(&self.best_parents, stop)?;
        let best = |&(from, to): &(usize, usize)| {
            // A set that is dominated by one without the member may be the best of those with it.
            let with_edge = best_parents(&self.query(to, Some(from)));
            let shortest = self.from_start.shortest_through(&with_edge, &to_end);
            Some(Nats(shortest)).filter(|length| length.0.is_finite())
        };
        edges.iter().map(|edge| (!stop.now()).then(|| best(edge))).collect()
    }

    /// The shortest code of `before` and then `child`, with parents among `before`.
    fn step(&self, before: usize, child: usize) -> f64 {
        self.from_start.get(before) + self.best_parents[child].within(before)
    }

    fn query(&self, child: usize, member: Option<usize>) -> ParentSetQuery<'_> {
        ParentSetQuery { lengths: self.lengths, constraints: self.constraints, child, member }
    }
}

/// The choices of one child.
pub(crate) fn best_parents(query: &ParentSetQuery) -> BestParents {
    BestParents::new(query, block_bits(query.lengths.n_vars()))
}

/// The choices of every child, as many children at a time as memory allows. `None` if it was stopped.
pub(super) fn all_best_parents(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    stop: Stop,
) -> Result<Option<Vec<Arc<BestParents>>>> {
    let n_vars = lengths.n_vars();
    OrderGraph::check(n_vars, limits)?;
    let best = |child| Arc::new(best_parents(&ParentSetQuery { lengths, constraints, child, member: None }));
    let unless_stopped = |child| (!stop.now()).then(|| best(child));
    let mut done: Vec<Arc<BestParents>> = Vec::new();
    while done.len() < n_vars {
        // At least one: the tables of all sets, not there yet, take more.
        let kept: f64 = done.iter().map(|best| best.memory()).sum();
        let room = (limits.memory as f64 - kept) / ParentSets::memory(n_vars, usize::MAX);
        let end = n_vars.min(done.len() + (room as usize).max(1));
        let next: Option<Vec<_>> = (done.len()..end).into_par_iter().map(unless_stopped).collect();
        let Some(next) = next else { return Ok(None) };
        done.extend(next);
        check_memory(n_vars, parent_set_memory(n_vars, &done), done.len(), limits)?;
    }
    Ok(Some(done))
}

/// Bytes that the choices of children take, and finding those with one edge while the tables of all sets are
/// there.
fn parent_set_memory(n_vars: usize, best: &[Arc<BestParents>]) -> f64 {
    let kept: f64 = best.iter().map(|best| best.memory()).sum();
    let with_edge = best.iter().map(|best| ParentSets::memory(n_vars, best.n_families()));
    kept + with_edge.fold(0.0, f64::max)
}

/// Returns [`Error::TooLarge`] if two tables of all sets and `parent_sets` bytes for those of `n_done`
/// variables are too much.
fn check_memory(n_vars: usize, parent_sets: f64, n_done: usize, limits: &Limits) -> Result<()> {
    let limit = limits.memory as f64;
    let needed = OrderGraph::memory(n_vars) + parent_sets;
    if n_vars <= MAX_EXACT && needed <= limit {
        return Ok(());
    }
    let fits = (1..=MAX_EXACT).rev().find(|&n| OrderGraph::memory(n) <= limit).unwrap_or(1);
    let raise = || message!["or raise ", OptionName::MemoryLimit];
    let keep = || message![format!("keep at most {fits} columns with "), OptionName::Columns];
    let amount = match bytes(needed) {
        same if same == bytes(limit) => format!("a little more than {same}"),
        other => format!("at least {other}"),
    };
    let (needed, hint) = if n_vars > MAX_EXACT {
        (format!("more than 2^{} code lengths", n_vars - 1), message!["or ", keep()])
    } else if n_done == 0 {
        (format!("{amount} (2 x 2^{n_vars} code lengths)"), message![keep(), ", ", raise()])
    } else {
        let sets = format!("the parent sets of {}", plural(n_done, "variable"));
        let lower =
            message!["lower ", OptionName::MaxParents, ", keep fewer columns with ", OptionName::Columns];
        (format!("{amount} (2 x 2^{n_vars} code lengths and {sets})"), message![lower, ", ", raise()])
    };
    let hint = message!["use ", OptionName::Search.set("order"), ", ", hint];
    Err(Error::TooLarge { what: "exact search", n_vars, needed, limit: bytes(limit), hint })
}
