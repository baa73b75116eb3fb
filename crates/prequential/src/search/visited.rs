//! The graphs that a search visited.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::nats::Nats;
use crate::graph::Dag;

/// Graphs further than this behind the best are dropped: together they have no weight, tempered or not.
const WINDOW: f64 = 200.0;

/// The most graphs that are kept.
const MAX_KEPT: usize = 20_000;

/// The most bytes that the kept graphs may take, roughly.
const MAX_BYTES: usize = 64 << 20;

/// The graphs that a search without proof visited, with their code lengths.
///
/// Every graph whose code length was computed counts as visited. Of these the best are kept: those within 200
/// nats of the best one, 20,000 at the most (fewer above 60 variables), so that what is dropped has no
/// weight.
#[derive(Debug, Clone, Default)]
pub struct Visited {
    /// By fingerprint.
    graphs: HashMap<u64, VisitedGraph>,
    n_visited: usize,
    /// Nothing longer is kept.
    limit: Option<f64>,
    shortest: Option<f64>,
}

/// A graph as a difference from a shared base: nearly all are never used again.
#[derive(Debug, Clone)]
struct VisitedGraph {
    base: Arc<Dag>,
    /// Edges (from, to) that the graph has and its base has not, or the other way round.
    toggled: [Option<(usize, usize)>; 2],
    length: f64,
}

impl VisitedGraph {
    fn has_edge(&self, from: usize, to: usize) -> bool {
        self.base.has_edge(from, to) != self.toggled.contains(&Some((from, to)))
    }

    fn dag(&self) -> Dag {
        self.base.with_toggled(self.toggled.into_iter().flatten())
    }
}

/// How many graphs of this many nodes are kept.
fn n_kept(n_nodes: usize) -> usize {
    (MAX_BYTES / (64 * n_nodes.max(1))).min(MAX_KEPT)
}

impl Visited {
    /// Bytes that graphs of so many nodes take, about: nearly all are changes of few others, and at most
    /// twice as many are there as are kept.
    pub(super) fn bytes(n_nodes: usize) -> f64 {
        (2 * n_kept(n_nodes) * (size_of::<VisitedGraph>() + 2 * size_of::<u64>())) as f64
    }

    /// Adds the graph that differs from `base` by these edges. `fingerprint` distinguishes it from others.
    pub(super) fn offer(
        &mut self,
        fingerprint: u64,
        length: f64,
        base: &Arc<Dag>,
        toggled: [Option<(usize, usize)>; 2],
    ) {
        let limit = self.limit.unwrap_or(f64::INFINITY).min(self.shortest.unwrap_or(f64::INFINITY) + WINDOW);
        if length > limit || self.graphs.contains_key(&fingerprint) {
            return;
        }
        self.n_visited += 1;
        let n_kept = n_kept(base.n_nodes());
        self.graphs.insert(fingerprint, VisitedGraph { base: base.clone(), toggled, length });
        self.shortest = Some(self.shortest.map_or(length, |shortest| shortest.min(length)));
        if self.graphs.len() > 2 * n_kept {
            self.forget(n_kept);
        }
    }

    /// Keeps the `n_kept` best.
    fn forget(&mut self, n_kept: usize) {
        let limit = self.nth_length(n_kept);
        self.graphs.retain(|_, noted| noted.length <= limit);
        self.limit = Some(limit);
    }

    /// The code length of the graph in this place, from 0; infinite if there are fewer.
    fn nth_length(&self, place: usize) -> f64 {
        let mut lengths: Vec<f64> = self.graphs.values().map(|noted| noted.length).collect();
        if place >= lengths.len() {
            return f64::INFINITY;
        }
        *lengths.select_nth_unstable_by(place, f64::total_cmp).1
    }

    /// The best `k` graphs, best first. Ties go to the graph with fewer edges, then to the one whose edges
    /// have the lower numbers.
    pub fn best(&self, k: usize) -> Vec<(Dag, Nats)> {
        let limit = k.checked_sub(1).map_or(f64::NEG_INFINITY, |last| self.nth_length(last));
        let noted = self.graphs.values().filter(|noted| noted.length <= limit);
        let mut ranked: Vec<(Dag, f64)> = noted.map(|noted| (noted.dag(), noted.length)).collect();
        let by_edges =
            |a: &Dag, b: &Dag| a.n_edges().cmp(&b.n_edges()).then_with(|| a.families().cmp(b.families()));
        ranked.sort_unstable_by(|(a, x), (b, y)| x.total_cmp(y).then_with(|| by_edges(a, b)));
        ranked.truncate(k);
        ranked.into_iter().map(|(dag, length)| (dag, Nats(length))).collect()
    }

    /// All graphs that were kept, the shortest code first, each built when it is needed. Ties are in no order
    /// that mean anything, but always the same.
    pub fn all(&self) -> impl Iterator<Item = (Dag, Nats)> {
        let mut all: Vec<(&u64, &VisitedGraph)> = self.graphs.iter().collect();
        all.sort_unstable_by(|(a, x), (b, y)| x.length.total_cmp(&y.length).then(a.cmp(b)));
        all.into_iter().map(|(_, noted)| (noted.dag(), Nats(noted.length)))
    }

    /// How many graphs within reach of the best were visited.
    pub fn n_visited(&self) -> usize {
        self.n_visited
    }

    /// The shortest code of any kept graph with the edge `from -> to`.
    pub fn best_with_edge(&self, from: usize, to: usize) -> Option<Nats> {
        let with_edge = self.graphs.values().filter(|noted| noted.has_edge(from, to));
        with_edge.map(|noted| noted.length).min_by(f64::total_cmp).map(Nats)
    }
}

/// A fingerprint of a graph: the exclusive or over its edges, so that a move changes it by two numbers at
/// most.
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
        let base = Arc::new(Dag::empty(2));
        let turned = Arc::new(Dag::from_edges(2, [(0, 1)]).unwrap());
        visited.offer(1, 10.0, &base, [Some((0, 1)), None]);
        visited.offer(2, 9.0, &turned, [Some((0, 1)), Some((1, 0))]);
        visited.offer(2, 0.0, &base, [None; 2]);
        visited.offer(0, 9.0 + 2.0 * WINDOW, &base, [None; 2]);
        let dags = [(*turned).clone(), Dag::from_edges(2, [(1, 0)]).unwrap()];
        assert_eq!(visited.best(5), [(dags[1].clone(), Nats(9.0)), (dags[0].clone(), Nats(10.0))]);
        assert_eq!(visited.best_with_edge(0, 1), Some(Nats(10.0)));
        assert_eq!(visited.n_visited(), 2);
    }
}
