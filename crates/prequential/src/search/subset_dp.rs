//! The best DAG by dynamic programming over sets of variables.

use rayon::prelude::*;

use super::constraints::Constraints;
use super::limits::Limits;
use crate::error::{Error, Result};
use crate::graph::{Dag, Family, NodeSet};
use crate::nats::Nats;
use crate::score::FamilyLengths;
use crate::words::bytes;

/// The most variables for which the tables of the search can be indexed at all.
pub const MAX_EXACT: usize = 31;

/// The shortest code of every set of variables that comes first in some causal order, and what follows from it.
///
/// Time grows as n² 2ⁿ; memory is (n + 5) 2ⁿ⁻¹ numbers of eight bytes: 100 MiB at 20 variables, 3.8 GiB at 25. After
/// Silander and Myllymäki (2006). A set S that comes first is reached by adding its last variable to S without it, at the
/// price of that variable's best parents among the others.
pub struct OrderGraph<'a> {
    lengths: &'a dyn FamilyLengths,
    constraints: &'a Constraints,
    /// `[child][set]`: the shortest code of the child with parents in the set; sets are squeezed to leave out the child.
    best_parents: Vec<Vec<f64>>,
    /// `[set]`: the shortest code of the set's variables with parents inside it.
    from_start: Vec<f64>,
}

impl<'a> OrderGraph<'a> {
    /// Bytes that the search over `n_vars` variables needs; the two tables of [`OrderGraph::best_with_edges`] included.
    pub fn memory(n_vars: usize) -> f64 {
        8.0 * (n_vars as f64 + 5.0) * 2f64.powi(n_vars as i32 - 1)
    }

    /// Returns [`Error::TooLarge`] if the search needs more memory than `limits` grant.
    pub fn check(n_vars: usize, limits: &Limits) -> Result<()> {
        let needed = OrderGraph::memory(n_vars);
        if n_vars <= MAX_EXACT && needed <= limits.memory as f64 {
            return Ok(());
        }
        let fits =
            (1..=MAX_EXACT).rev().find(|&n| OrderGraph::memory(n) <= limits.memory as f64).unwrap_or(1);
        let (amount, raise) = if n_vars <= MAX_EXACT {
            let amount = format!("at least {} ({n_vars} x 2^{} code lengths)", bytes(needed), n_vars - 1);
            (amount, ", or raise `--memory-limit`")
        } else {
            (format!("more than 2^{} code lengths", n_vars - 1), "")
        };
        Err(Error::TooLarge {
            what: "exact search",
            n_vars,
            needed: amount,
            limit: bytes(limits.memory as f64),
            hint: format!("keep at most {fits} columns with `--columns`{raise}"),
        })
    }

    /// Fills the tables. Only families that `constraints` allow and that are scored take part.
    pub fn new(
        lengths: &'a dyn FamilyLengths,
        constraints: &'a Constraints,
        limits: &Limits,
    ) -> Result<OrderGraph<'a>> {
        let n_vars = lengths.n_vars();
        OrderGraph::check(n_vars, limits)?;
        let best_parents = (0..n_vars)
            .into_par_iter()
            .map(|child| best_parents(lengths, constraints, child, None))
            .collect();
        let mut graph = OrderGraph { lengths, constraints, best_parents, from_start: Vec::new() };
        graph.from_start = graph.fill_from_start();
        Ok(graph)
    }

    /// A DAG of shortest code length; `None` if the scored families make none.
    ///
    /// Ties go to the order whose last variables have the lowest numbers, then to the smaller parent set. Equal sums that
    /// rounding tells apart count as ties, so the answer depends neither on the thread count nor on the order of rows.
    pub fn best_dag(&self) -> Option<Dag> {
        let n_vars = self.best_parents.len();
        if self.from_start.last().is_none_or(|length| length.is_infinite()) {
            return None;
        }
        let mut parents = vec![NodeSet::new(); n_vars];
        let mut set = self.from_start.len() - 1;
        while set != 0 {
            let is_last = |&child: &usize| {
                let before = set & !(1 << child);
                before != set && is_tie(self.step(before, child), self.from_start[set])
            };
            let last = (0..n_vars)
                .find(is_last)
                .unwrap_or_else(|| panic!("some variable must come last in {set:b}"));
            set &= !(1 << last);
            parents[last] = self.best_parent_set(last, set);
        }
        Some(
            Dag::from_parents(parents)
                .unwrap_or_else(|cycle| panic!("parents come before children: {cycle}")),
        )
    }

    /// For each of `edges`, the shortest code of any DAG that has it; `None` if no allowed graph does.
    pub fn best_with_edges(&self, edges: &[(usize, usize)]) -> Vec<Option<Nats>> {
        let to_end = self.fill_to_end();
        let best = |&(from, to): &(usize, usize)| {
            let with_edge = best_parents(self.lengths, self.constraints, to, Some(from));
            let without_child = (0..to_end.len()).filter(|set| set >> to & 1 == 0);
            let through =
                |set: usize| self.from_start[set] + with_edge[squeeze(set, to)] + to_end[set | 1 << to];
            let shortest = without_child.map(through).fold(f64::INFINITY, f64::min);
            Some(Nats(shortest)).filter(|length| length.0.is_finite())
        };
        edges.iter().map(best).collect()
    }

    /// The shortest code of `before` and then `child`, with parents among `before`.
    fn step(&self, before: usize, child: usize) -> f64 {
        self.from_start[before] + self.best_parents[child][squeeze(before, child)]
    }

    fn fill_from_start(&mut self) -> Vec<f64> {
        let n_vars = self.best_parents.len();
        self.from_start = vec![0.0; 1 << n_vars];
        for set in 1..self.from_start.len() {
            self.from_start[set] = members(set)
                .fold(f64::INFINITY, |best, child| best.min(self.step(set & !(1 << child), child)));
        }
        std::mem::take(&mut self.from_start)
    }

    /// `[set]`: the shortest code of the variables outside the set, which comes first.
    fn fill_to_end(&self) -> Vec<f64> {
        let full = self.from_start.len() - 1;
        let mut to_end = vec![0.0; full + 1];
        for set in (0..full).rev() {
            let rest = members(full & !set);
            to_end[set] = rest.fold(f64::INFINITY, |best, child| {
                best.min(self.best_parents[child][squeeze(set, child)] + to_end[set | 1 << child])
            });
        }
        to_end
    }

    /// The parents of `child` within `set` that reach the best code length; the first in set order among equals.
    fn best_parent_set(&self, child: usize, set: usize) -> NodeSet {
        let wanted = self.best_parents[child][squeeze(set, child)];
        let mut found: Option<NodeSet> = None;
        self.lengths.for_each(child, &mut |parents, length| {
            if is_tie(length.0, wanted)
                && parents.to_bits().is_some_and(|bits| bits & !(set as u64) == 0)
                && found.as_ref().is_none_or(|best| parents < best)
                && self.constraints.allows(&Family::new(child, parents.clone()))
            {
                found = Some(parents.clone());
            }
        });
        found.unwrap_or_else(|| panic!("no family of node {child} has the code length {wanted}"))
    }
}

/// The shortest code of `child` for every set its parents may come from; with `member`, only of parents that include it.
fn best_parents(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    child: usize,
    member: Option<usize>,
) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; 1 << (lengths.n_vars() - 1)];
    lengths.for_each(child, &mut |parents, length| {
        let wanted = member.is_none_or(|member| parents.contains(member));
        if wanted && constraints.allows(&Family::new(child, parents.clone())) {
            let bits =
                parents.to_bits().unwrap_or_else(|| panic!("exact search has at most {MAX_EXACT} variables"));
            best[squeeze(bits as usize, child)] = length.0;
        }
    });
    spread_minima(&mut best);
    best
}

/// Lets every set know the minimum over its subsets.
fn spread_minima(values: &mut [f64]) {
    // Sets that differ in low bits lie together: handle those bits while a block is in the cache.
    let block = values.len().min(1 << 13);
    for part in values.chunks_mut(block) {
        spread_bits(part, 1);
    }
    spread_bits(values, block);
}

fn spread_bits(values: &mut [f64], first: usize) {
    let mut bit = first;
    while bit < values.len() {
        for pair in values.chunks_mut(2 * bit) {
            let (without, with) = pair.split_at_mut(bit);
            with.iter_mut()
                .zip(without)
                .for_each(|(with, without)| *with = if *without < *with { *without } else { *with });
        }
        bit *= 2;
    }
}

/// Whether only rounding tells a length from the shortest.
fn is_tie(length: f64, shortest: f64) -> bool {
    length - shortest <= 1e-10 * (1.0 + shortest.abs())
}

/// Leaves out bit number `child`, which must be 0.
fn squeeze(set: usize, child: usize) -> usize {
    let low = (1 << child) - 1;
    set & low | set >> 1 & !low
}

/// The numbers of the one bits, lowest first.
pub(crate) fn members(set: usize) -> impl Iterator<Item = usize> {
    let rest = |&bits: &usize| Some(bits & (bits - 1)).filter(|&left| left != 0);
    std::iter::successors(Some(set).filter(|&set| set != 0), rest).map(|bits| bits.trailing_zeros() as usize)
}
