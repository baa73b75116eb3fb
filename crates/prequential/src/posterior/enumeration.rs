//! Edge probabilities by enumeration: every DAG is weighed.

use super::{EdgeProbabilities, PosteriorMethod};
use crate::search::RankedDags;

/// Edge probabilities over all ranked graphs.
///
/// # Panics
/// If there is no graph.
pub fn by_enumeration(graphs: &RankedDags) -> EdgeProbabilities {
    assert!(!graphs.is_empty(), "no graph, no probabilities");
    let n_vars = graphs.dag(0).n_nodes();
    let shortest = graphs.code_length(0);
    let mut weight_of = vec![vec![0.0; n_vars]; n_vars];
    let mut total = 0.0;
    graphs.for_each(|code_length, edges| {
        let weight = (shortest - code_length).0.exp();
        total += weight;
        let mut left = if weight > 0.0 { edges } else { 0 };
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            weight_of[bit % 8][bit / 8] += weight;
            left &= left - 1;
        }
    });
    weight_of.iter_mut().flatten().for_each(|weight| *weight /= total);
    EdgeProbabilities::new(PosteriorMethod::Enumeration, weight_of)
}
