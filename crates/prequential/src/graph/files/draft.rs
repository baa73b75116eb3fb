//! A graph under construction while its file is read: maps names to numbers and enforces limits.

use std::collections::HashMap;

use crate::base::error::{Error, Result};
use crate::graph::named::cycle_error;
use crate::graph::{Cycle, Dag, NamedDag};

/// Beyond any graph that a table of columns has; the parent sets of so many nodes take at most 13 MB.
pub(super) const MAX_NODES: usize = 10_000;

/// A few characters of DOT can mean millions of edges, so edges are counted as they are added.
pub(super) const MAX_EDGES: usize = 1_000_000;

/// Nodes and edges in the order in which the file names them.
pub(super) struct Draft<'a> {
    source: &'a str,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    edges: Vec<DraftEdge>,
}

struct DraftEdge {
    from: usize,
    to: usize,
    line: Option<u64>,
}

impl<'a> Draft<'a> {
    /// An empty graph; errors call its file `source`.
    pub(super) fn new(source: &'a str) -> Draft<'a> {
        Draft { source, names: Vec::new(), numbers: HashMap::new(), edges: Vec::new() }
    }

    /// The number of the node `name`, a new one if the name is new.
    pub(super) fn node(&mut self, name: &str, line: Option<u64>) -> Result<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        if name.is_empty() {
            return Err(self.error(line, "a node without a name", "give every node a name"));
        }
        if self.names.len() == MAX_NODES {
            let problem = format!("more than {MAX_NODES} nodes");
            return Err(self.error(line, problem, "keep the nodes that are variables of the table"));
        }
        self.numbers.insert(name.to_string(), self.names.len());
        self.names.push(name.to_string());
        Ok(self.names.len() - 1)
    }

    /// Adds the edge `from -> to`; adding it twice is not an error.
    pub(super) fn edge(&mut self, from: usize, to: usize, line: Option<u64>) -> Result<()> {
        if from == to {
            return Err(self.cycle(&Cycle(vec![from]), &line.map_or(vec![], |line| vec![line])));
        }
        if self.edges.len() == MAX_EDGES {
            let problem = format!("more than {MAX_EDGES} edges");
            return Err(self.error(line, problem, "keep the edges between variables of the table"));
        }
        self.edges.push(DraftEdge { from, to, line });
        Ok(())
    }

    /// How many nodes there are so far.
    pub(super) fn n_nodes(&self) -> usize {
        self.names.len()
    }

    /// The finished graph, unless its edges form a cycle.
    pub(super) fn finish(self) -> Result<NamedDag> {
        match Dag::from_edges(self.names.len(), self.edges.iter().map(|edge| (edge.from, edge.to))) {
            Ok(dag) => Ok(NamedDag { names: self.names, dag }),
            Err(cycle) => Err(self.cycle(&cycle, &self.lines_of(&cycle))),
        }
    }

    /// The error that the file does not follow its format.
    pub(super) fn error(
        &self,
        line: Option<u64>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Error {
        format_error(self.source, line, problem, hint)
    }

    fn cycle(&self, cycle: &Cycle, lines: &[u64]) -> Error {
        cycle_error(cycle, &self.names, self.source, lines)
    }

    /// The lines of the edges of `cycle`, each once.
    fn lines_of(&self, cycle: &Cycle) -> Vec<u64> {
        let next: HashMap<usize, usize> =
            cycle.0.iter().copied().zip(cycle.0.iter().copied().cycle().skip(1)).collect();
        let on_cycle = self.edges.iter().filter(|edge| next.get(&edge.from) == Some(&edge.to));
        let mut lines: Vec<u64> = on_cycle.filter_map(|edge| edge.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// The error that the file `source` does not follow its format.
pub(super) fn format_error(
    source: &str,
    line: Option<u64>,
    problem: impl Into<String>,
    hint: impl Into<String>,
) -> Error {
    Error::Format { path: source.to_string(), line, problem: problem.into().into(), hint: hint.into().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_named_with_the_lines_of_its_edges() {
        let mut draft = Draft::new("truth.csv");
        let [a, b, c] = ["a", "b", "c"].map(|name| draft.node(name, None).unwrap());
        for (line, (from, to)) in [(2, (a, b)), (3, (a, c)), (4, (b, c)), (7, (c, a))] {
            draft.edge(from, to, Some(line)).unwrap();
        }
        let error = draft.finish().unwrap_err();
        assert_eq!(error.to_string(), "edges of `truth.csv` form a cycle: a -> c -> a");
        let hint = "remove one of them (lines 3, 7); undirected edges cannot be read, so choose a direction";
        assert_eq!(error.hint().to_string(), hint);
    }

    #[test]
    fn an_edge_from_a_node_to_itself_is_a_cycle() {
        let mut draft = Draft::new("truth.csv");
        let node = draft.node("a", None).unwrap();
        let error = draft.edge(node, node, Some(2)).unwrap_err();
        assert_eq!(error.to_string(), "edges of `truth.csv` form a cycle: a -> a");
        assert_eq!(error.hint().to_string(), "remove this edge (line 2)");
    }

    #[test]
    fn nodes_and_edges_have_limits() {
        let mut draft = Draft::new("x");
        (0..MAX_NODES).for_each(|i| assert_eq!(draft.node(&i.to_string(), None).unwrap(), i));
        assert!(draft.node("one more", None).is_err());
        (0..MAX_EDGES).for_each(|_| draft.edge(0, 1, None).unwrap());
        assert!(draft.edge(0, 1, None).is_err());
    }
}
