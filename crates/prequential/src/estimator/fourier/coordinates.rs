//! The coordinates in which a number is predicted, and where its levels lie in them.

use crate::base::normal;
use crate::table::Scale;

/// The levels of a number on a line, standardised.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Coordinate {
    /// The middle of each level.
    pub(super) centres: Vec<f64>,
    /// The edges between levels, one more than there are levels; the outermost lie beyond reach.
    pub(super) edges: Vec<f64>,
}

/// Shares are drawn in to this distance from 0 and 1, where normal scores would be infinite.
const OUTERMOST: f64 = 1e-3;

/// How far the outermost edges are moved out, so that the outer levels take the tails.
const BEYOND: f64 = 99.0;

impl Coordinate {
    /// Normal scores.
    pub(super) fn normal_scores(scale: &Scale) -> Coordinate {
        let limit = normal::quantile(1.0 - OUTERMOST);
        let edges = scale.normal_edges().into_iter().map(|edge| edge.clamp(-limit, limit)).collect();
        Coordinate::new(edges, &scale.marginal)
    }

    /// Shape kept, far tails drawn in.
    pub(super) fn compressed(scale: &Scale) -> Coordinate {
        Coordinate::new(scale.compressed_edges.clone(), &scale.marginal)
    }

    fn new(mut edges: Vec<f64>, shares: &[f64]) -> Coordinate {
        let mut centres: Vec<f64> = edges.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
        let mean: f64 = centres.iter().zip(shares).map(|(centre, share)| centre * share).sum();
        let variance: f64 =
            centres.iter().zip(shares).map(|(centre, share)| (centre - mean).powi(2) * share).sum();
        let sd = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        centres.iter_mut().for_each(|centre| *centre = (*centre - mean) / sd);
        let mut highest = f64::NEG_INFINITY;
        for (i, edge) in edges.iter_mut().enumerate() {
            // No level has width 0.
            highest = f64::max(highest, (*edge - mean) / sd + 1e-9 * i as f64);
            *edge = highest;
        }
        if let [first, .., last] = edges.as_mut_slice() {
            (*first, *last) = (-BEYOND, BEYOND);
        }
        Coordinate { centres, edges }
    }
}
