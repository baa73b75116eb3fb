//! What a search found.

use super::super::schema::{Cpdag, Dag, Edge, RankedDag, Search};
use super::named_pairs;
use crate::base::nats::Nats;
use crate::graph;
use crate::posterior::{EdgeEvidence, EdgeProbabilities, PosteriorBasis};
use crate::run::Answer;

/// How the answer was found; it is proven only if `all_scored`.
pub(super) fn search(method: &str, answer: &Answer, all_scored: bool) -> Search {
    Search {
        method: method.to_string(),
        proven: answer.found.is_proven && all_scored,
        graphs: answer.found.n_graphs,
        visited: answer.found.n_visited,
        lower_bound_nats: answer.found.lower_bound.map(|bound| bound.0),
        gap_nats: answer.gap().map(|gap| gap.0),
    }
}

/// The best graph, with the probabilities of its edges, where there are any, and what they were summed over.
pub(super) fn dag(
    answer: &Answer,
    names: &[String],
    probabilities: Option<&EdgeProbabilities>,
    basis: PosteriorBasis,
) -> Dag {
    let nats = |cost: Option<Nats>| cost.map(|cost| cost.0);
    let edge = |edge: &EdgeEvidence| Edge {
        from: names[edge.from].clone(),
        to: names[edge.to].clone(),
        probability: probabilities.map(|all| all.edge_probability(edge.from, edge.to)),
        linked: probabilities.map(|all| all.pair(edge.from, edge.to).linked),
        basis: probabilities.map(|_| basis),
        removal_nats: nats(edge.removal),
        reversal_nats: nats(edge.reversal),
        removal_spread_nats: edge.removal_spread,
        reversal_spread_nats: edge.reversal_spread,
        sign: None,
        strength: None,
        explains: None,
    };
    Dag { edges: answer.evidence.iter().map(edge).collect(), code_length_nats: answer.code_length.0 }
}

/// The class of the best graph.
pub(super) fn cpdag(answer: &Answer, names: &[String]) -> Cpdag {
    let cpdag = answer.cpdag();
    Cpdag {
        directed: named_pairs(&cpdag.directed(), names),
        undirected: named_pairs(&cpdag.undirected(), names),
    }
}

/// The best graphs.
pub(super) fn ranking(answer: &Answer, names: &[String]) -> Vec<RankedDag> {
    let one = |(dag, length): &(graph::Dag, Nats)| RankedDag {
        edges: named_pairs(&dag.edges(), names),
        code_length_nats: length.0,
        excess_nats: answer.excess(*length).0,
    };
    answer.ranking.iter().map(one).collect()
}
