//! Edge probabilities over the graphs that a search visited.

use super::{EdgeProbabilities, PosteriorMethod};
use crate::base::nats::Nats;
use crate::graph::Dag;

/// Edge shares over some distinct graphs; an edge of no visited graph has none.
///
/// Graphs are read one by one: thousands of wide graphs would take more memory than everything else.
///
/// # Panics
/// If there is no graph.
pub fn by_visited(graphs: impl IntoIterator<Item = (Dag, Nats)>) -> EdgeProbabilities {
    let mut graphs = graphs.into_iter().peekable();
    let (n_vars, reference) = graphs
        .peek()
        .map(|(dag, length)| (dag.n_nodes(), *length))
        .unwrap_or_else(|| panic!("no graph, no probabilities"));
    // The shortest after priors is close enough to the first that its weight is finite.
    let mut weight_of = vec![vec![0.0; n_vars]; n_vars];
    let mut total = 0.0;
    for (dag, length) in graphs {
        let weight = (reference - length).0.exp();
        total += weight;
        dag.edges().into_iter().for_each(|(from, to)| weight_of[from][to] += weight);
    }
    weight_of.iter_mut().flatten().for_each(|weight| *weight /= total);
    EdgeProbabilities::new(PosteriorMethod::Visited, weight_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visited_graphs_count_by_their_code_length() {
        let chain = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let shorter = Dag::from_edges(3, [(0, 1)]).unwrap();
        let odds = 3f64.ln();
        let visited = [(chain, Nats(1e6)), (shorter.clone(), Nats(1e6 + odds)), (Dag::empty(3), Nats(2e6))];
        let posterior = by_visited(visited);
        assert_eq!(posterior.method, PosteriorMethod::Visited);
        assert!((posterior.edge_probability(0, 1) - 1.0).abs() < 1e-9);
        assert!((posterior.edge_probability(1, 2) - 0.75).abs() < 1e-9);
        assert!((posterior.expected_links() - 1.75).abs() < 1e-9);
        assert!((posterior.expected_shd(&shorter) - 0.75).abs() < 1e-9);
    }
}
