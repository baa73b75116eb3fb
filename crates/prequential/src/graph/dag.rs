//! A directed acyclic graph, stored as the parent set of every node.

use super::{Family, NodeSet};
use crate::base::error::Error;

/// A directed acyclic graph over the nodes 0 to `n_nodes() - 1`.
///
/// Every way to make or change one keeps it acyclic.
///
/// ```
/// use prequential::Dag;
/// let dag = Dag::from_edges(3, [(0, 1), (1, 2)])?;
/// assert!(dag.has_edge(0, 1) && dag.topological_order() == [0, 1, 2]);
/// assert!(Dag::from_edges(2, [(0, 1), (1, 0)]).is_err());
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dag {
    parents: Vec<NodeSet>,
}

/// The nodes of a directed cycle, each pointing to the next, the last to the first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("edges form a cycle through nodes {0:?}")]
pub struct Cycle(pub Vec<usize>);

impl Cycle {
    /// The cycle as `A -> B -> A`.
    pub fn display(&self, names: &[String]) -> String {
        let round = self.0.iter().chain(self.0.first());
        round.map(|&node| names[node].as_str()).collect::<Vec<_>>().join(" -> ")
    }
}

impl From<Cycle> for Error {
    /// Names the nodes by their numbers, which is all that a graph knows.
    fn from(cycle: Cycle) -> Error {
        let round = cycle.0.iter().chain(cycle.0.first()).map(usize::to_string);
        Error::Cycle {
            what: "edges".into(),
            cycle: round.collect::<Vec<_>>().join(" -> "),
            hint: "remove one of them".into(),
        }
    }
}

impl Dag {
    /// The graph without edges.
    pub fn empty(n_nodes: usize) -> Dag {
        Dag { parents: vec![NodeSet::new(); n_nodes] }
    }

    /// The graph with these `(from, to)` edges.
    ///
    /// # Panics
    /// If an edge names a node that does not exist.
    pub fn from_edges(n_nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Result<Dag, Cycle> {
        let mut parents = vec![NodeSet::new(); n_nodes];
        for (from, to) in edges {
            assert!(from < n_nodes, "edge from node {from}, but there are {n_nodes}");
            parents[to].insert(from);
        }
        Dag::from_parents(parents)
    }

    /// The graph in which node `i` has the parents `parents[i]`.
    pub fn from_parents(parents: Vec<NodeSet>) -> Result<Dag, Cycle> {
        let dag = Dag { parents };
        if dag.topological_order().len() == dag.n_nodes() { Ok(dag) } else { Err(dag.find_cycle()) }
    }

    /// How many nodes.
    pub fn n_nodes(&self) -> usize {
        self.parents.len()
    }

    /// How many edges.
    pub fn n_edges(&self) -> usize {
        self.parents.iter().map(NodeSet::len).sum()
    }

    /// The parents of `node`.
    pub fn parents(&self, node: usize) -> &NodeSet {
        &self.parents[node]
    }

    /// The children of `node`.
    pub fn children(&self, node: usize) -> NodeSet {
        (0..self.n_nodes()).filter(|&child| self.parents[child].contains(node)).collect()
    }

    /// The family of every node, in node order.
    pub fn families(&self) -> impl Iterator<Item = Family> + '_ {
        self.parents.iter().enumerate().map(|(child, parents)| Family::new(child, parents.clone()))
    }

    /// Whether there is an edge `from -> to`.
    pub fn has_edge(&self, from: usize, to: usize) -> bool {
        self.parents[to].contains(from)
    }

    /// Whether the two nodes are joined, in either direction.
    pub fn adjacent(&self, a: usize, b: usize) -> bool {
        self.has_edge(a, b) || self.has_edge(b, a)
    }

    /// All edges as `(from, to)`, sorted.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let into = |to: usize| self.parents[to].iter().map(move |from| (from, to));
        let mut edges: Vec<_> = (0..self.n_nodes()).flat_map(into).collect();
        edges.sort_unstable();
        edges
    }

    /// The matrix with `a[from][to] == true` for every edge.
    pub fn adjacency(&self) -> Vec<Vec<bool>> {
        let row = |from| (0..self.n_nodes()).map(|to| self.has_edge(from, to)).collect();
        (0..self.n_nodes()).map(row).collect()
    }

    /// A copy without the edge `from -> to`.
    pub fn without_edge(&self, from: usize, to: usize) -> Dag {
        let mut dag = self.clone();
        dag.parents[to].remove(from);
        dag
    }

    /// A copy with the edge `from -> to`, unless that closes a cycle.
    pub fn with_edge(&self, from: usize, to: usize) -> Result<Dag, Cycle> {
        let mut parents = self.parents.clone();
        parents[to].insert(from);
        Dag::from_parents(parents)
    }

    /// The graph with each of these edges added, or removed if it exists.
    ///
    /// # Panics
    /// If that closes a cycle.
    pub(crate) fn with_toggled(&self, edges: impl IntoIterator<Item = (usize, usize)>) -> Dag {
        let mut parents = self.parents.clone();
        for (from, to) in edges {
            if parents[to].contains(from) { parents[to].remove(from) } else { parents[to].insert(from) }
        }
        Dag::from_parents(parents).unwrap_or_else(|cycle| panic!("{cycle}"))
    }

    /// Every node that can be reached from `node` along edges, `node` included.
    pub fn descendants(&self, node: usize) -> NodeSet {
        let mut reached = NodeSet::single(node);
        for next in self.topological_order() {
            if !self.parents[next].is_disjoint(&reached) {
                reached.insert(next);
            }
        }
        reached
    }

    /// The nodes with every parent before its children; among free choices the lowest number comes first.
    pub fn topological_order(&self) -> Vec<usize> {
        let n_nodes = self.n_nodes();
        let mut children = vec![Vec::new(); n_nodes];
        let mut n_waiting: Vec<usize> = self.parents.iter().map(NodeSet::len).collect();
        for (to, parents) in self.parents.iter().enumerate() {
            parents.iter().for_each(|from| children[from].push(to));
        }
        let mut ready: std::collections::BTreeSet<usize> =
            (0..n_nodes).filter(|&node| n_waiting[node] == 0).collect();
        let mut order = Vec::with_capacity(n_nodes);
        while let Some(node) = ready.pop_first() {
            order.push(node);
            for &child in &children[node] {
                n_waiting[child] -= 1;
                if n_waiting[child] == 0 {
                    ready.insert(child);
                }
            }
        }
        order
    }

    /// Walks from parent to parent among the nodes that no topological order reaches: the walk must close.
    fn find_cycle(&self) -> Cycle {
        let order = self.topological_order();
        let stuck = NodeSet::full(self.n_nodes()).difference(&order.into_iter().collect());
        let mut walk: Vec<usize> = stuck.iter().take(1).collect();
        while let Some(parent) = self.parents[walk[walk.len() - 1]].intersection(&stuck).iter().next() {
            if let Some(start) = walk.iter().position(|&node| node == parent) {
                walk.drain(..start);
                break;
            }
            walk.push(parent);
        }
        walk.reverse();
        let lowest = walk.iter().enumerate().min_by_key(|&(_, node)| node).map_or(0, |(i, _)| i);
        walk.rotate_left(lowest);
        Cycle(walk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_named_from_its_lowest_node_along_the_edges() {
        let cycle = Dag::from_edges(5, [(0, 1), (3, 1), (1, 2), (2, 3), (3, 4)]).unwrap_err();
        assert_eq!(cycle, Cycle(vec![1, 2, 3]));
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        assert_eq!(cycle.display(&names), "b -> c -> d -> b");
    }

    #[test]
    fn descendants_follow_edges_and_include_the_start() {
        let dag = Dag::from_edges(5, [(0, 2), (2, 4), (1, 2)]).unwrap();
        assert_eq!(dag.descendants(0), [0, 2, 4].into_iter().collect());
        assert_eq!(dag.descendants(3), NodeSet::single(3));
        assert_eq!(dag.children(2), NodeSet::single(4));
    }

    #[test]
    fn works_beyond_128_nodes() {
        let dag = Dag::from_edges(300, (0..299).map(|i| (i + 1, i))).unwrap();
        assert_eq!(dag.topological_order(), (0..300).rev().collect::<Vec<_>>());
        assert!(dag.with_edge(0, 299).is_err());
        assert_eq!(dag.adjacency()[299][298], dag.has_edge(299, 298));
    }
}
