//! Edge probabilities over the graphs that a search looked at.

use super::{EdgeProbabilities, PosteriorMethod};
use crate::graph::Dag;
use crate::nats::Nats;

/// Edge probabilities over some graphs, each of weight e^-length: the paper's posterior over visited graphs.
///
/// # Panics
/// If there is no graph.
pub fn by_visited(graphs: &[(Dag, Nats)]) -> EdgeProbabilities {
    let shortest = graphs.iter().map(|(_, length)| length.0).fold(f64::INFINITY, f64::min);
    assert!(shortest.is_finite(), "no graph, no probabilities");
    let n_vars = graphs[0].0.n_nodes();
    let mut weight_of = vec![vec![0.0; n_vars]; n_vars];
    let mut total = 0.0;
    for (dag, length) in graphs {
        let weight = (shortest - length.0).exp();
        total += weight;
        dag.edges().into_iter().for_each(|(from, to)| weight_of[from][to] += weight);
    }
    weight_of.iter_mut().flatten().for_each(|weight| *weight /= total);
    EdgeProbabilities::new(PosteriorMethod::Visited, weight_of)
}
