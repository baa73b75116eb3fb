//! Sums over orders: cheap bounds on which sets of nodes matter in the recursion over layers.

use super::parent_sums::{EMPTY, ParentSums};
use super::subsets::{Subsets, members};

/// Sets of nodes that come first in graphs of non-negligible weight, and the steps between them.
///
/// A sum over orders, where every node takes any parents among those before it, counts a graph once for
/// every order that it agrees with: at least once and at most n! times. So it bounds the summed weight of
/// the graphs that pass from a set S to S and v, from above, and costs n 2ⁿ steps. The total weight of all
/// graphs is bounded from below by its largest term and by the sum over orders divided by n!.
pub(super) struct OrderSums {
    /// `[set]`: the logarithm to base 2, rounded down, of the sum over the orders of all nodes outside the
    /// set, which comes first.
    pub(super) to_end: Vec<i32>,
    /// `[set]`: the nodes that may follow next.
    pub(super) next: Vec<Subsets>,
    /// `[set]`: the nodes that may be its last.
    pub(super) last: Vec<Subsets>,
    /// A lower bound of the logarithm to base 2 of the total weight.
    pub(super) total: i32,
}

impl OrderSums {
    /// Bytes of the tables.
    pub(super) fn memory(n_vars: usize) -> f64 {
        (2.0 * 8.0 + 4.0 + 2.0 * size_of::<Subsets>() as f64) * 2f64.powi(n_vars as i32)
    }

    /// Steps whose share of the total is certainly below `negligible` are left out. `None` if no graph is
    /// allowed.
    pub(super) fn new(sums: &[ParentSums], negligible: f64) -> Option<OrderSums> {
        let full = full_set(sums.len());
        let from_start = from_start(sums);
        let to_end = to_end(sums);
        let over_orders = from_start[full as usize];
        if over_orders == f64::NEG_INFINITY {
            return None;
        }
        let n_orders: f64 = (1..=sums.len()).map(|n| (n as f64).log2()).sum();
        let total = largest_term(sums).max((over_orders - n_orders).floor() as i32);
        let (mut next, mut last) = (vec![0; to_end.len()], vec![0; to_end.len()]);
        for set in 0..full {
            for node in members(full & !set) {
                let after = set | 1 << node;
                let through = from_start[set as usize] + sums[node].log_sum(set) + to_end[after as usize];
                if through - f64::from(total) >= negligible.log2() {
                    next[set as usize] |= 1 << node;
                    last[after as usize] |= 1 << node;
                }
            }
        }
        let subsets = |sets: Vec<u32>| sets.into_iter().map(Subsets::of).collect();
        let to_end = to_end.into_iter().map(|sum| (sum.floor() as i32).max(EMPTY)).collect();
        Some(OrderSums { to_end, next: subsets(next), last: subsets(last), total })
    }

    /// The sets from which some step starts, by size.
    pub(super) fn by_size(&self) -> Vec<Vec<u32>> {
        let mut by_size = vec![Vec::new(); self.to_end.len().trailing_zeros() as usize];
        for set in (0..self.to_end.len() as u32).filter(|&set| self.next[set as usize].of != 0) {
            by_size[set.count_ones() as usize].push(set);
        }
        by_size
    }

    /// An upper bound on the number of steps from layer to layer; a float, because it can be huge.
    pub(super) fn n_steps(&self) -> f64 {
        self.next.iter().zip(&self.last).map(|(next, last)| next.len() as f64 * last.len() as f64).sum()
    }

    /// How many states (nodes so far, last layer) the two passes of the recursion keep together.
    pub(super) fn n_states(&self) -> f64 {
        self.next.iter().chain(&self.last).map(|subsets| subsets.len() as f64).sum()
    }
}

pub(super) fn full_set(n_vars: usize) -> u32 {
    ((1u64 << n_vars) - 1) as u32
}

/// `[set]`: the logarithm to base 2 of the sum over the orders of the set's nodes.
fn from_start(sums: &[ParentSums]) -> Vec<f64> {
    let mut table = vec![0.0; 1 << sums.len()];
    for set in 1..table.len() as u32 {
        let before = |node: usize| (node, set & !(1 << node));
        let by_last = members(set)
            .map(before)
            .map(|(node, before)| table[before as usize] + sums[node].log_sum(before));
        table[set as usize] = by_last.fold(f64::NEG_INFINITY, log_add);
    }
    table
}

fn to_end(sums: &[ParentSums]) -> Vec<f64> {
    let full = full_set(sums.len());
    let mut table = vec![0.0; 1 << sums.len()];
    for set in (0..full).rev() {
        let by_next =
            members(full & !set).map(|node| sums[node].log_sum(set) + table[(set | 1 << node) as usize]);
        table[set as usize] = by_next.fold(f64::NEG_INFINITY, log_add);
    }
    table
}

/// The logarithm to base 2 of the weight of the best graph, less at most one for every node.
fn largest_term(sums: &[ParentSums]) -> i32 {
    let mut best = vec![0i32; 1 << sums.len()];
    for set in 1..best.len() as u32 {
        let by_last = members(set).map(|node| {
            let before = set & !(1 << node);
            best[before as usize].saturating_add(sums[node].exponent(before))
        });
        best[set as usize] = by_last.max().unwrap_or(0);
    }
    best[best.len() - 1]
}

/// log2(2^a + 2^b).
fn log_add(a: f64, b: f64) -> f64 {
    let (large, small) = if a >= b { (a, b) } else { (b, a) };
    if small >= large - 60.0 && small > f64::NEG_INFINITY {
        large + (small - large).exp2().ln_1p() / std::f64::consts::LN_2
    } else {
        large
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::nats::Nats;
    use crate::graph::Family;
    use crate::score::CodeLengths;
    use crate::search::Constraints;

    /// Node i's code is longer by `cost` for each of the nodes before it that is no parent.
    fn orders(n_vars: usize, cost: f64) -> OrderSums {
        let constraints = Constraints::none(n_vars);
        let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
        for Family { child, parents } in constraints.families() {
            let missing = (0..child).filter(|&node| !parents.contains(node)).count();
            lengths.set(&Family::new(child, parents), Nats(cost * missing as f64));
        }
        let sums: Vec<ParentSums> =
            (0..n_vars).map(|child| ParentSums::new(&lengths, &constraints, child)).collect();
        OrderSums::new(&sums, 1e-20).unwrap()
    }

    #[test]
    fn all_sets_are_kept_where_all_graphs_count() {
        let orders = orders(6, 0.0);
        assert_eq!((orders.n_steps(), orders.n_states()), (4096.0, 2.0 * 729.0));
        // 720 orders of 2^15 graphs; at least as many graphs as in one order, up to rounding down.
        assert_eq!(orders.to_end[0], 24);
        assert!((14..=15).contains(&orders.total));
    }

    #[test]
    fn one_order_is_kept_where_all_others_cost_too_much() {
        let orders = orders(6, 1e4);
        assert!((0..6).all(|node| orders.next[(1 << node) - 1].of == 1 << node));
        assert_eq!(orders.by_size(), (0..6).map(|size| vec![(1 << size) - 1]).collect::<Vec<_>>());
        assert_eq!(orders.total, 0);
    }
}
