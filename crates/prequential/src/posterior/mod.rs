//! Probabilities of edges over all allowed DAGs, and the evidence for each edge of the answer.

mod enumeration;
mod evidence;
mod layers;
mod order_sums;
mod pairs;
mod parent_sums;
mod steps;
mod subsets;
mod tempering;
mod visited;

use serde::{Deserialize, Serialize};

use crate::graph::Dag;

pub use enumeration::by_enumeration;
pub use evidence::{EdgeEvidence, evidence};
pub use layers::by_layers;
pub(crate) use layers::{by_layers_until, posterior_memory};
pub(crate) use pairs::is_oriented;
pub use pairs::{PairProbability, PosteriorBasis};
pub use tempering::{
    LINK_TEMPERATURE, TemperedLengths, direction_temperature, links_and_directions, temper_graphs,
};
pub use visited::by_visited;

/// How edge probabilities were computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PosteriorMethod {
    /// Every DAG weighed.
    Enumeration,
    /// A recursion over layers of DAGs, exact too.
    Layers,
    /// Only the graphs that a search visited.
    Visited,
}

/// The probability of every edge, when a DAG of code length L has weight e^-L.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EdgeProbabilities {
    /// How they were computed.
    pub method: PosteriorMethod,
    /// `[from][to]`.
    probability: Vec<Vec<f64>>,
}

impl EdgeProbabilities {
    pub(crate) fn new(method: PosteriorMethod, probability: Vec<Vec<f64>>) -> EdgeProbabilities {
        EdgeProbabilities { method, probability }
    }

    /// The probability of `from -> to`.
    pub fn edge_probability(&self, from: usize, to: usize) -> f64 {
        self.probability[from][to]
    }

    /// How many variables.
    pub fn n_vars(&self) -> usize {
        self.probability.len()
    }

    /// The expected number of edges.
    pub fn expected_links(&self) -> f64 {
        self.probability.iter().flatten().sum()
    }

    /// The expected structural Hamming distance to `truth`.
    ///
    /// The distance adds up over pairs of nodes, so it follows from the probabilities of their edges.
    pub fn expected_shd(&self, truth: &Dag) -> f64 {
        let pairs = (0..self.n_vars()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let differs = |(a, b): (usize, usize)| match (truth.has_edge(a, b), truth.has_edge(b, a)) {
            (true, _) => 1.0 - self.edge_probability(a, b),
            (_, true) => 1.0 - self.edge_probability(b, a),
            _ => self.edge_probability(a, b) + self.edge_probability(b, a),
        };
        pairs.map(differs).sum()
    }
}
