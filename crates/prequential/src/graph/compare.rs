//! Distances between two graphs.

use serde::{Deserialize, Serialize};

use super::{Cpdag, Dag, sid};

/// All distances between a learned graph and a reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// Pairs of nodes whose edge differs; a reversed edge counts once.
    pub shd: usize,
    /// The structural Hamming distance of the equivalence classes.
    pub shd_cpdag: usize,
    /// Ordered pairs (cause, effect) whose effect is wrong if read off the learnt graph while the reference is the truth;
    /// see [`sid`].
    pub sid: usize,
    /// Whether both are in one Markov equivalence class.
    pub equivalent: bool,
    /// Whether they are the same graph.
    pub exact: bool,
}

/// Compares `learnt` with `truth`. Of the distances only `sid` changes when the two change places.
///
/// ```
/// use prequential::{Dag, compare};
/// let truth = Dag::from_edges(3, [(0, 1), (1, 2)])?;
/// let learnt = Dag::from_edges(3, [(1, 0), (1, 2)])?;
/// let comparison = compare(&learnt, &truth);
/// assert!(comparison.equivalent && !comparison.exact);
/// assert_eq!((comparison.shd, comparison.shd_cpdag, comparison.sid), (1, 0, 3));
/// # Ok::<(), prequential::Cycle>(())
/// ```
///
/// # Panics
/// If the graphs have different numbers of nodes.
pub fn compare(learnt: &Dag, truth: &Dag) -> Comparison {
    let (a, b) = (Cpdag::of(learnt), Cpdag::of(truth));
    let shd = shd(learnt, truth);
    Comparison {
        shd,
        shd_cpdag: shd_cpdag(&a, &b),
        sid: sid(truth, learnt),
        equivalent: a == b,
        exact: shd == 0,
    }
}

/// The structural Hamming distance: pairs of nodes whose edge differs; a reversed edge counts once.
///
/// ```
/// use prequential::Dag;
/// use prequential::internals::shd;
/// let a = Dag::from_edges(3, [(0, 1), (1, 2)])?;
/// let b = Dag::from_edges(3, [(1, 0)])?;
/// assert_eq!(shd(&a, &b), 2); // one reversed, one missing
/// # Ok::<(), prequential::Cycle>(())
/// ```
pub fn shd(a: &Dag, b: &Dag) -> usize {
    assert_eq!(a.n_nodes(), b.n_nodes(), "graphs over different variables have no distance");
    count_differing_pairs(a.n_nodes(), |i, j| {
        (a.has_edge(i, j), a.has_edge(j, i)) != (b.has_edge(i, j), b.has_edge(j, i))
    })
}

/// The structural Hamming distance of the equivalence classes: pairs whose edge is missing, added, or
/// differently marked.
pub fn shd_cpdag(a: &Cpdag, b: &Cpdag) -> usize {
    assert_eq!(a.n_nodes(), b.n_nodes(), "graphs over different variables have no distance");
    count_differing_pairs(a.n_nodes(), |i, j| a.marks(i, j) != b.marks(i, j))
}

fn count_differing_pairs(n_nodes: usize, differ: impl Fn(usize, usize) -> bool) -> usize {
    let pairs = (0..n_nodes).flat_map(|i| (i + 1..n_nodes).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| differ(i, j)).count()
}

impl Dag {
    /// The changes from this graph to another, in words: `reverses a -> b; drops b -> c; adds a -> c`.
    pub fn changes_in_words(&self, to: &Dag, names: &[String]) -> String {
        let edge = |&(a, b): &(usize, usize)| format!("{} -> {}", names[a], names[b]);
        let list = |verb: &str, edges: Vec<String>| {
            (!edges.is_empty()).then(|| format!("{verb} {}", edges.join(", ")))
        };
        let reversed = self.edges().iter().filter(|&&(a, b)| to.has_edge(b, a)).map(edge).collect();
        let removed = self.edges().iter().filter(|&&(a, b)| !to.adjacent(a, b)).map(edge).collect();
        let added = to.edges().iter().filter(|&&(a, b)| !self.adjacent(a, b)).map(edge).collect();
        let parts = [list("reverses", reversed), list("drops", removed), list("adds", added)];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_name_each_changed_edge_once() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let from = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let to = Dag::from_edges(3, [(1, 0), (0, 2)]).unwrap();
        assert_eq!(from.changes_in_words(&to, &names), "reverses a -> b; drops b -> c; adds a -> c");
    }
}
