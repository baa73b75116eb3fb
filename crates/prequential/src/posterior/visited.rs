//! Edge probabilities over the graphs that a search visited.

use std::collections::HashSet;

use super::{EdgeProbabilities, PosteriorMethod};
use crate::base::nats::Nats;
use crate::graph::Dag;

/// Edge probabilities over some graphs, each counted once however often it is listed: what a search did not visit has none.
///
/// # Panics
/// If there is no graph.
pub fn by_visited(graphs: &[(Dag, Nats)]) -> EdgeProbabilities {
    assert!(!graphs.is_empty(), "no graph, no probabilities");
    let n_vars = graphs[0].0.n_nodes();
    let shortest =
        graphs.iter().fold(Nats::INFINITY, |best, &(_, length)| if length < best { length } else { best });
    let mut weight_of = vec![vec![0.0; n_vars]; n_vars];
    let (mut total, mut seen) = (0.0, HashSet::new());
    for (dag, length) in graphs.iter().filter(|(dag, _)| seen.insert(dag)) {
        let weight = (shortest - *length).0.exp();
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
    fn visited_graphs_count_once_by_their_code_length() {
        let chain = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let shorter = Dag::from_edges(3, [(0, 1)]).unwrap();
        let odds = 3f64.ln();
        let visited = [
            (chain.clone(), Nats(1e6)),
            (shorter.clone(), Nats(1e6 + odds)),
            (Dag::empty(3), Nats(2e6)),
            (chain.clone(), Nats(1e6)),
        ];
        let posterior = by_visited(&visited);
        assert_eq!(posterior.method, PosteriorMethod::Visited);
        assert!((posterior.edge_probability(0, 1) - 1.0).abs() < 1e-9);
        assert!((posterior.edge_probability(1, 2) - 0.75).abs() < 1e-9);
        assert!((posterior.expected_links() - 1.75).abs() < 1e-9);
        assert!((posterior.expected_shd(&shorter) - 0.75).abs() < 1e-9);
    }
}
