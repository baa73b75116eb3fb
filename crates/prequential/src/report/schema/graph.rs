//! Graphs, and what speaks for them.

use serde::{Deserialize, Serialize};

use super::Pair;
use crate::posterior::PosteriorBasis;

/// How a graph was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Search {
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
pub(in crate::report) struct Dag {
    pub(in crate::report) edges: Vec<Edge>,
    pub(in crate::report) code_length_nats: f64,
}

/// An edge of the best graph, and what speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Edge {
    pub(in crate::report) from: String,
    pub(in crate::report) to: String,
    /// Of this direction.
    pub(in crate::report) probability: Option<f64>,
    /// Whichever way.
    pub(in crate::report) linked: Option<f64>,
    /// What both were summed over; null where there are none.
    pub(in crate::report) basis: Option<PosteriorBasis>,
    /// Nats lost without the edge; null where there is no such graph.
    pub(in crate::report) removal_nats: Option<f64>,
    /// Nats lost by the best graph in which it points the other way; null where there is no such graph.
    pub(in crate::report) reversal_nats: Option<f64>,
    pub(in crate::report) removal_spread_nats: Option<f64>,
    pub(in crate::report) reversal_spread_nats: Option<f64>,
    /// `+`, `-`, `+-` if the child rises and falls, `?` if neither is clear; null if parent or child has no order.
    #[serde(default)]
    pub(in crate::report) sign: Option<String>,
    /// Nats a coded row that the edge saves, the other parents being known.
    #[serde(default)]
    pub(in crate::report) strength: Option<f64>,
    /// The same as a share of what is uncertain without it: that of the variance, were all normal.
    #[serde(default)]
    pub(in crate::report) explains: Option<f64>,
}

/// The Markov equivalence class of the best graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Cpdag {
    pub(in crate::report) directed: Vec<Pair>,
    pub(in crate::report) undirected: Vec<Pair>,
}

/// One of the best graphs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct RankedDag {
    pub(in crate::report) edges: Vec<Pair>,
    pub(in crate::report) code_length_nats: f64,
    /// More than the best graph.
    pub(in crate::report) excess_nats: f64,
}
