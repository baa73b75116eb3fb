//! Two graphs side by side: what became of their edges.

use crate::graph::Dag;

/// Two graphs over the same variables, to be seen side by side.
///
/// ```
/// use prequential::{ComparedGraphs, Dag};
/// let names = ["rain", "wet"].map(String::from);
/// let graph = Dag::from_edges(2, [(1, 0)])?;
/// let truth = Dag::from_edges(2, [(0, 1)])?;
/// let text = ComparedGraphs { graph: &graph, truth: &truth, names: &names }.to_text();
/// assert!(text.starts_with("Different graphs of one equivalence class"));
/// # Ok::<(), prequential::Cycle>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ComparedGraphs<'a> {
    /// The first graph.
    pub graph: &'a Dag,
    /// The second graph, taken for the truth.
    pub truth: &'a Dag,
    /// The names of the variables.
    pub names: &'a [String],
}

/// Edges of two graphs by what became of them.
pub(super) struct EdgeDiff {
    pub(super) common: Vec<(usize, usize)>,
    /// As they point in the first graph.
    pub(super) reversed: Vec<(usize, usize)>,
    pub(super) extra: Vec<(usize, usize)>,
    pub(super) absent: Vec<(usize, usize)>,
}

impl ComparedGraphs<'_> {
    pub(super) fn edges(&self) -> EdgeDiff {
        let (graph, truth) = (self.graph, self.truth);
        let of = |dag: &Dag, keep: &dyn Fn(usize, usize) -> bool| {
            dag.edges().into_iter().filter(|&(from, to)| keep(from, to)).collect()
        };
        EdgeDiff {
            common: of(graph, &|from, to| truth.has_edge(from, to)),
            reversed: of(graph, &|from, to| truth.has_edge(to, from)),
            extra: of(graph, &|from, to| !truth.adjacent(from, to)),
            absent: of(truth, &|from, to| !graph.adjacent(from, to)),
        }
    }
}
