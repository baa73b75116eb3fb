//! Markov equivalence classes, as the graph of their compelled and reversible edges.

use super::{Dag, NodeSet};

/// A Markov equivalence class: an edge is directed if every member agrees on it, undirected if members differ.
///
/// ```
/// use prequential::{Cpdag, Dag};
/// let chain = Cpdag::of(&Dag::from_edges(3, [(0, 1), (1, 2)])?);
/// assert_eq!(chain.undirected(), [(0, 1), (1, 2)]);
/// let collider = Cpdag::of(&Dag::from_edges(3, [(0, 1), (2, 1)])?);
/// assert_eq!(collider.directed(), [(0, 1), (2, 1)]);
/// # Ok::<(), prequential::Cycle>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cpdag {
    /// Per node, the parents it has in every member.
    parents: Vec<NodeSet>,
    /// Per node, the nodes that are its parents in some members and its children in others.
    neighbours: Vec<NodeSet>,
}

impl Cpdag {
    /// The class of `dag`.
    ///
    /// Goes once through the nodes in topological order, so 200 nodes take well below a millisecond. This is Chickering's
    /// (1995) labelling of edges; his second loop ends at its first edge, the one from the last parent.
    pub fn of(dag: &Dag) -> Cpdag {
        let order = dag.topological_order();
        let mut rank = vec![0; dag.n_nodes()];
        order.iter().enumerate().for_each(|(position, &node)| rank[node] = position);
        let mut class = Cpdag::unconnected(dag.n_nodes());
        for &node in &order {
            if let Some(last) = dag.parents(node).iter().max_by_key(|&parent| rank[parent]) {
                let compelled = class.compelled_parents(dag, node, last);
                class.connect(node, dag.parents(node), compelled);
            }
        }
        class
    }

    fn unconnected(n_nodes: usize) -> Cpdag {
        Cpdag { parents: vec![NodeSet::new(); n_nodes], neighbours: vec![NodeSet::new(); n_nodes] }
    }

    /// The parents of `node` that it has in every member, once those of its `last` parent are known.
    fn compelled_parents(&self, dag: &Dag, node: usize, last: usize) -> NodeSet {
        let (parents, above) = (dag.parents(node), &self.parents[last]);
        // Two parents that are not joined meet in a collider, which every member has.
        let is_collider = !parents.without(last).is_subset(dag.parents(last));
        // Reversing the last edge would make `last` a collider that `dag` does not have.
        let would_make_collider = !above.is_subset(parents);
        if is_collider || would_make_collider { parents.clone() } else { above.clone() }
    }

    fn connect(&mut self, node: usize, parents: &NodeSet, compelled: NodeSet) {
        let reversible = parents.difference(&compelled);
        reversible.iter().for_each(|parent| self.neighbours[parent].insert(node));
        self.neighbours[node] = self.neighbours[node].union(&reversible);
        self.parents[node] = compelled;
    }

    /// How many nodes.
    pub fn n_nodes(&self) -> usize {
        self.parents.len()
    }

    /// The edges that every member has in this direction, as sorted `(from, to)`.
    pub fn directed(&self) -> Vec<(usize, usize)> {
        let into = |to: usize| self.parents[to].iter().map(move |from| (from, to));
        let mut edges: Vec<_> = (0..self.n_nodes()).flat_map(into).collect();
        edges.sort_unstable();
        edges
    }

    /// The edges whose direction differs between members, as sorted `(lower, higher)`.
    pub fn undirected(&self) -> Vec<(usize, usize)> {
        let around = |a: usize| self.neighbours[a].iter().filter(move |&b| a < b).map(move |b| (a, b));
        (0..self.n_nodes()).flat_map(around).collect()
    }

    /// The edge between `a` and `b`: (a -> b is possible, b -> a is possible).
    pub(super) fn marks(&self, a: usize, b: usize) -> (bool, bool) {
        let undirected = self.neighbours[a].contains(b);
        (undirected || self.parents[b].contains(a), undirected || self.parents[a].contains(b))
    }
}
