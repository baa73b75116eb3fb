//! Graphs in documents: how they were found, their edges with the evidence, and the same by number for views that draw them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::base::nats::Nats;
use crate::graph::Dag;
use crate::posterior::{EdgeEvidence, PairProbability, PosteriorBasis, is_oriented};
use crate::run::{Answer, NamedPair};
use crate::shape::Sign;

/// How a graph was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct SearchSection {
    /// The search by name, such as `exact`.
    pub(in crate::report) method: String,
    /// Whether no allowed graph has a shorter code.
    pub(in crate::report) proven: bool,
    /// How many graphs were ranked, if all were.
    pub(in crate::report) graphs: Option<usize>,
    /// How many graphs a search without proof looked at.
    pub(in crate::report) visited: Option<usize>,
    /// Nats that the code of no allowed graph of scored families falls short of, from searches that know that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::report) lower_bound_nats: Option<f64>,
    /// How far above it the best graph is: 0 where it is proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::report) gap_nats: Option<f64>,
}

/// The graph with the shortest code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct GraphSection {
    pub(in crate::report) edges: Vec<LearnedEdge>,
    pub(in crate::report) code_length_nats: f64,
}

/// An edge of the best graph with the evidence for it; variables go by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LearnedEdge {
    /// The cause.
    pub from: String,
    /// The effect.
    pub to: String,
    /// The probability of an edge in this direction; `None` where there are no probabilities.
    pub probability: Option<f64>,
    /// The probability of an edge in either direction.
    pub linked: Option<f64>,
    /// What both were summed over: they are probabilities only over all graphs.
    pub basis: Option<PosteriorBasis>,
    /// Nats lost without the edge; `None` where there is no such graph.
    pub removal_nats: Option<f64>,
    /// Nats lost by the best graph in which it points the other way; `None` where there is no such graph.
    pub reversal_nats: Option<f64>,
    /// The standard deviation of `removal_nats` over networks or row orders, where there are several.
    pub removal_spread_nats: Option<f64>,
    /// The standard deviation of `reversal_nats` over networks or row orders, where there are several.
    pub reversal_spread_nats: Option<f64>,
    /// Whether the child rises or falls with the parent; `None` if one of them has no order.
    #[serde(default)]
    pub sign: Option<Sign>,
    /// Nats a coded row that the edge saves, the other parents being known.
    #[serde(default)]
    pub strength: Option<f64>,
    /// The strength as a share: that of the variance, if all variables were normal.
    #[serde(default)]
    pub explains: Option<f64>,
    /// Whether constraints require the edge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

/// What probabilities say of the direction of an edge of the best graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Direction {
    /// Equal to the direction in the graph.
    Told,
    /// Neither direction.
    Open,
    /// The other direction.
    Against,
}

/// Where there are no probabilities: nats below which the cost of reversing an edge leaves its direction open.
const OPEN_REVERSAL: f64 = 3.0;

impl LearnedEdge {
    /// What probabilities say of its direction, or else what reversing it costs.
    pub(in crate::report) fn direction(&self) -> Direction {
        match (self.probability.zip(self.linked), self.reversal_nats) {
            (Some((this_way, linked)), _) if is_oriented(this_way, linked) => Direction::Told,
            (Some((this_way, linked)), _) if is_oriented(linked - this_way, linked) => Direction::Against,
            (Some(_), _) => Direction::Open,
            (None, Some(reversal)) if reversal < OPEN_REVERSAL => Direction::Open,
            (None, _) => Direction::Told,
        }
    }

    /// Whether the direction of the graph is told; the edge is dashed if not.
    pub(in crate::report) fn is_told(&self) -> bool {
        self.direction() == Direction::Told
    }
}

/// The Markov equivalence class of the best graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct ClassSection {
    pub(in crate::report) directed: Vec<NamedPair>,
    pub(in crate::report) undirected: Vec<NamedPair>,
}

/// One of the best graphs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct RankedGraph {
    pub(in crate::report) edges: Vec<NamedPair>,
    pub(in crate::report) code_length_nats: f64,
    /// More than the best graph.
    pub(in crate::report) excess_nats: f64,
}

/// How likely two variables are linked, and each way; variables go by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VariablePair {
    /// One of them.
    pub a: String,
    /// The other one.
    pub b: String,
    /// The probability of an edge between them, whichever way it points.
    pub linked: f64,
    /// The probability of `a -> b`.
    pub a_to_b: f64,
    /// The probability of `b -> a`.
    pub b_to_a: f64,
    /// What these numbers were summed over: they are probabilities only over all graphs.
    pub basis: PosteriorBasis,
}

impl VariablePair {
    /// The two in the likelier direction, the probabilities of it and of the other, and whether it is told.
    pub(in crate::report) fn likelier(&self) -> (&str, &str, f64, f64, bool) {
        let (a, b) = (self.a.as_str(), self.b.as_str());
        if self.b_to_a > self.a_to_b {
            (b, a, self.b_to_a, self.a_to_b, is_oriented(self.b_to_a, self.linked))
        } else {
            (a, b, self.a_to_b, self.b_to_a, is_oriented(self.a_to_b, self.linked))
        }
    }
}

/// Names for the numbers of variables.
pub(in crate::report) fn named_pairs(pairs: &[(usize, usize)], names: &[String]) -> Vec<NamedPair> {
    pairs.iter().map(|&(a, b)| NamedPair(names[a].clone(), names[b].clone())).collect()
}

/// What a search found, by name.
pub(in crate::report) struct Findings<'a> {
    pub(in crate::report) answer: &'a Answer,
    pub(in crate::report) names: &'a [String],
    /// What probabilities were summed over.
    pub(in crate::report) basis: PosteriorBasis,
}

impl Findings<'_> {
    /// How the graph was found by the search called `method`; it is proven only if `all_scored`.
    pub(in crate::report) fn search(&self, method: &str, all_scored: bool) -> SearchSection {
        let found = &self.answer.found;
        SearchSection {
            method: method.to_string(),
            proven: found.is_proven && all_scored,
            graphs: found.n_graphs,
            visited: found.n_visited,
            lower_bound_nats: found.lower_bound.map(|bound| bound.0),
            gap_nats: self.answer.gap().map(|gap| gap.0),
        }
    }

    /// The best graph.
    pub(in crate::report) fn graph(&self) -> GraphSection {
        let edges = self.answer.evidence.iter().map(|evidence| self.edge(evidence)).collect();
        GraphSection { edges, code_length_nats: self.answer.code_length.0 }
    }

    fn edge(&self, evidence: &EdgeEvidence) -> LearnedEdge {
        let probabilities = self.answer.posterior.as_ref();
        let nats = |cost: Option<Nats>| cost.map(|cost| cost.0);
        LearnedEdge {
            from: self.names[evidence.from].clone(),
            to: self.names[evidence.to].clone(),
            probability: probabilities.map(|all| all.edge_probability(evidence.from, evidence.to)),
            linked: probabilities.map(|all| all.pair(evidence.from, evidence.to).linked),
            basis: probabilities.map(|_| self.basis),
            removal_nats: nats(evidence.removal),
            reversal_nats: nats(evidence.reversal),
            removal_spread_nats: evidence.removal_spread,
            reversal_spread_nats: evidence.reversal_spread,
            sign: None,
            strength: None,
            explains: None,
            required: evidence.is_required,
        }
    }

    /// Its equivalence class.
    pub(in crate::report) fn class(&self) -> ClassSection {
        let cpdag = self.answer.cpdag();
        ClassSection {
            directed: named_pairs(&cpdag.directed(), self.names),
            undirected: named_pairs(&cpdag.undirected(), self.names),
        }
    }

    /// The best graphs.
    pub(in crate::report) fn ranking(&self) -> Vec<RankedGraph> {
        let ranked = |(dag, length): &(Dag, Nats)| RankedGraph {
            edges: named_pairs(&dag.edges(), self.names),
            code_length_nats: length.0,
            excess_nats: self.answer.excess(*length).0,
        };
        self.answer.ranking.iter().map(ranked).collect()
    }

    /// What is known of every two variables, where there are probabilities.
    pub(in crate::report) fn pairs(&self) -> Option<Vec<VariablePair>> {
        let pair = |pair: PairProbability| VariablePair {
            a: self.names[pair.a].clone(),
            b: self.names[pair.b].clone(),
            linked: pair.linked,
            a_to_b: pair.a_to_b,
            b_to_a: pair.b_to_a,
            basis: self.basis,
        };
        Some(self.answer.posterior.as_ref()?.pairs().map(pair).collect())
    }
}

/// The graphs of a document by the numbers of their variables, for views that draw them.
pub(in crate::report) struct GraphView<'a> {
    pub(in crate::report) names: Vec<String>,
    numbers: HashMap<&'a str, usize>,
    /// The probability of the other direction of each edge, where there are any.
    reversed: HashMap<(usize, usize), f64>,
    /// The best graph.
    pub(in crate::report) dag: Dag,
    pub(in crate::report) edges: &'a [LearnedEdge],
    /// The best graphs with how far each is behind, best first.
    pub(in crate::report) ranking: Vec<(Dag, f64)>,
    pub(in crate::report) pairs: Option<&'a [VariablePair]>,
}

impl<'a> GraphView<'a> {
    /// Of documents in which every name is that of a variable, and no graph has a cycle.
    pub(in crate::report) fn new(
        names: impl Iterator<Item = &'a String>,
        edges: &'a [LearnedEdge],
        ranking: &'a [RankedGraph],
        pairs: Option<&'a [VariablePair]>,
    ) -> GraphView<'a> {
        let names: Vec<&'a str> = names.map(String::as_str).collect();
        let numbers: HashMap<&'a str, usize> = names.iter().copied().zip(0..).collect();
        let graph = |edges: &mut dyn Iterator<Item = (&'a str, &'a str)>| {
            Dag::from_edges(names.len(), edges.map(|(from, to)| (numbers[from], numbers[to])))
                .unwrap_or_else(|_| panic!("the graphs of a document have no cycles"))
        };
        let dag = graph(&mut edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())));
        let ranked = |ranked: &'a RankedGraph| {
            let dag = graph(&mut ranked.edges.iter().map(|NamedPair(from, to)| (from.as_str(), to.as_str())));
            (dag, ranked.excess_nats)
        };
        let ranking = ranking.iter().map(ranked).collect();
        let reversed = |pair: &VariablePair| {
            let (a, b) = (numbers[pair.a.as_str()], numbers[pair.b.as_str()]);
            let edge = dag.has_edge(a, b).then_some(((a, b), pair.b_to_a));
            edge.or(dag.has_edge(b, a).then_some(((b, a), pair.a_to_b)))
        };
        let reversed = pairs.into_iter().flatten().filter_map(reversed).collect();
        let names = names.into_iter().map(String::from).collect();
        GraphView { names, numbers, reversed, dag, edges, ranking, pairs }
    }

    /// The number of a variable.
    pub(in crate::report) fn number(&self, name: &str) -> usize {
        self.numbers[name]
    }

    /// The probability of the other direction of an edge.
    pub(in crate::report) fn other_way(&self, edge: &LearnedEdge) -> Option<f64> {
        self.reversed.get(&(self.number(&edge.from), self.number(&edge.to))).copied()
    }

    /// The numbers of variables.
    pub(in crate::report) fn numbers(&self, names: &[String]) -> Vec<usize> {
        names.iter().map(|name| self.number(name)).collect()
    }

    /// The numbers of pairs of variables.
    pub(in crate::report) fn numbered(&self, pairs: &[NamedPair]) -> Vec<(usize, usize)> {
        pairs.iter().map(|NamedPair(a, b)| (self.number(a), self.number(b))).collect()
    }

    /// The pairs that the best graph does not link, the likeliest first.
    pub(in crate::report) fn unlinked_pairs(&self) -> Vec<&'a VariablePair> {
        let is_unlinked =
            |pair: &&VariablePair| !self.dag.adjacent(self.number(&pair.a), self.number(&pair.b));
        let mut unlinked: Vec<&VariablePair> = self.pairs.into_iter().flatten().filter(is_unlinked).collect();
        unlinked.sort_by(|one, other| other.linked.total_cmp(&one.linked));
        unlinked
    }

    /// Of these, the near misses that a reader should see.
    pub(in crate::report) fn near_misses(&self) -> Vec<&'a VariablePair> {
        let mut near = self.unlinked_pairs();
        near.retain(|pair| pair.linked >= MIN_NEAR_MISS);
        near.truncate(MAX_NEAR_MISSES);
        near
    }

    /// The edges that probabilities would rather turn round.
    pub(in crate::report) fn leaning_other_way(&self) -> impl Iterator<Item = &'a LearnedEdge> {
        self.edges.iter().filter(|edge| edge.direction() == Direction::Against)
    }
}

/// Pairs that the best graph does not link are listed if they are linked with at least this probability.
const MIN_NEAR_MISS: f64 = 0.05;

/// So many of them, the likeliest first.
const MAX_NEAR_MISSES: usize = 10;
