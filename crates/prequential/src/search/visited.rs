//! The graphs that a search looked at.

use std::collections::HashMap;

use crate::graph::{Dag, NodeSet};
use crate::nats::Nats;

/// Graphs further than this behind the best are forgotten: together they would weigh nothing, tempered or not.
const WINDOW: f64 = 200.0;

/// The most graphs that are kept.
const MAX_KEPT: usize = 20_000;

/// The most bytes that the kept graphs may take, roughly.
const MAX_BYTES: usize = 64 << 20;

/// The graphs that a search without proof looked at, with their code lengths.
///
/// Every graph whose code length was computed counts as visited. Of these the best are kept: those within 200 nats of the best one,
/// 20,000 at the most (fewer above 60 variables), so that what is forgotten has no weight.
#[derive(Debug, Clone, Default)]
pub struct Visited {
    /// By fingerprint.
    graphs: HashMap<u64, (Dag, f64)>,
    n_visited: usize,
    /// Nothing longer is kept.
    limit: Option<f64>,
    shortest: Option<f64>,
}

impl Visited {
    /// Takes note of a graph. `fingerprint` tells it from others; `dag` makes it, if it is worth keeping.
    pub(super) fn offer(&mut self, fingerprint: u64, length: f64, dag: impl FnOnce() -> Dag) {
        let limit = self.limit.unwrap_or(f64::INFINITY).min(self.shortest.unwrap_or(f64::INFINITY) + WINDOW);
        if length > limit || self.graphs.contains_key(&fingerprint) {
            return;
        }
        self.n_visited += 1;
        let dag = dag();
        let n_kept = (MAX_BYTES / (64 * dag.n_nodes().max(1))).min(MAX_KEPT);
        self.graphs.insert(fingerprint, (dag, length));
        self.shortest = Some(self.shortest.map_or(length, |shortest| shortest.min(length)));
        if self.graphs.len() > 2 * n_kept {
            self.forget(n_kept);
        }
    }

    /// Keeps the `n_kept` best.
    fn forget(&mut self, n_kept: usize) {
        let mut lengths: Vec<f64> = self.graphs.values().map(|(_, length)| *length).collect();
        let (_, &mut limit, _) = lengths.select_nth_unstable_by(n_kept, f64::total_cmp);
        self.graphs.retain(|_, (_, length)| *length <= limit);
        self.limit = Some(limit);
    }

    /// The best `k` graphs, best first. Ties go to the graph with fewer edges, then to the one whose edges have the lower numbers.
    pub fn best(&self, k: usize) -> Vec<(Dag, Nats)> {
        let mut ranked: Vec<(&Dag, f64)> = self.graphs.values().map(|(dag, length)| (dag, *length)).collect();
        let by_edges = |a: &Dag, b: &Dag| {
            let parents = |dag: &Dag| -> Vec<NodeSet> {
                (0..dag.n_nodes()).map(|node| dag.parents(node).clone()).collect()
            };
            a.n_edges().cmp(&b.n_edges()).then_with(|| parents(a).cmp(&parents(b)))
        };
        ranked.sort_unstable_by(|(a, x), (b, y)| x.total_cmp(y).then_with(|| by_edges(a, b)));
        ranked.truncate(k);
        ranked.into_iter().map(|(dag, length)| (dag.clone(), Nats(length))).collect()
    }

    /// All graphs that were kept, best first.
    pub fn all(&self) -> Vec<(Dag, Nats)> {
        self.best(self.graphs.len())
    }

    /// How many graphs within reach of the best were visited.
    pub fn n_visited(&self) -> usize {
        self.n_visited
    }

    /// The shortest code of any kept graph with the edge `from -> to`.
    pub fn best_with_edge(&self, from: usize, to: usize) -> Option<Nats> {
        let with_edge = self.graphs.values().filter(|(dag, _)| dag.has_edge(from, to));
        with_edge.map(|(_, length)| *length).min_by(f64::total_cmp).map(Nats)
    }
}

/// A number that tells graphs apart: the exclusive or over their edges, so that a move changes it by two numbers at most.
///
/// Two of a million graphs share one with a probability of 3e-8.
pub(super) fn fingerprint(edges: impl Iterator<Item = (usize, usize)>) -> u64 {
    edges.fold(0, |sum, (from, to)| sum ^ edge_fingerprint(from, to))
}

/// The share of one edge in the fingerprint of a graph, after Steele, Lea and Flood's SplitMix64.
pub(super) fn edge_fingerprint(from: usize, to: usize) -> u64 {
    let mut mixed = ((from as u64) << 32 | to as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_kept_in_order_and_what_is_far_behind_is_not() {
        let mut visited = Visited::default();
        let dags: Vec<Dag> = [vec![(0, 1)], vec![(1, 0)], vec![]]
            .into_iter()
            .map(|edges| Dag::from_edges(2, edges).unwrap_or_else(|_| Dag::empty(2)))
            .collect();
        for (dag, length) in dags.iter().zip([10.0, 9.0, 9.0 + 2.0 * WINDOW]) {
            visited.offer(fingerprint(dag.edges().into_iter()), length, || dag.clone());
            visited.offer(fingerprint(dag.edges().into_iter()), length, || panic!("already known"));
        }
        assert_eq!(visited.best(5), [(dags[1].clone(), Nats(9.0)), (dags[0].clone(), Nats(10.0))]);
        assert_eq!(visited.best_with_edge(0, 1), Some(Nats(10.0)));
        assert_eq!(visited.n_visited(), 2);
    }
}
