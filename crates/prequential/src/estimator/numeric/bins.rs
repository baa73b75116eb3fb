//! Bins of a column with repeated values: regressions predict the bin, the marginal distribution the value in it.
//!
//! Numbers written with two or three digits, heaped at tens and hundreds, or computed from such numbers lie
//! on a grid that a density cannot describe. The marginal learns it number by number. If a regression spread
//! its density over the grid, its information about the child would be lost in comparison. So it also
//! predicts bins of neighbouring numbers, and within a bin the marginal is used: p(number | parents) = p(bin
//! | parents) p(number) / p(bin). In ranks no bins are needed: a number's rank is its marginal distribution
//! function. Every regression learns the weights of cells and bins (`Noise::share_of_bins`).

use super::censoring::FAR;
use super::coordinates::{Endpoint, NumberCoordinates};
use super::interval::{Coordinate, Interval, PitCell};
use super::ranks::{RankMap, score, score_cell};

/// A bin has at least this many numbers of those before the epoch, or this many times the root of how many there are.
const N_LEAST: usize = 4;
const ROOTS: f64 = 0.35;

/// Bins that are wider than this, in normal scores, need not be so full: tails are seen as finely as the middle.
const WIDE: f64 = 0.1;

/// A bin: neighbouring numbers among those before an epoch.
#[derive(Debug, Clone)]
pub(super) struct Bins {
    /// Between one bin and the next.
    edges: Vec<Endpoint>,
}

/// The edges of the bin that a number lies in, and the edge of the code below which the number is not.
#[derive(Debug, Clone, Copy)]
pub(in crate::estimator) struct BinEdges {
    pub(in crate::estimator) low: Endpoint,
    pub(in crate::estimator) high: Endpoint,
    pub(in crate::estimator) number: Endpoint,
}

/// The shares of a distribution below the edges around a number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::estimator) struct CdfAtEdges {
    pub(in crate::estimator) low: f64,
    pub(in crate::estimator) high: f64,
    pub(in crate::estimator) number: f64,
}

/// The part of a bin below some edge, by such a code.
#[derive(Debug, Clone, Copy)]
pub(in crate::estimator) struct PartialBin {
    pub(in crate::estimator) low: Endpoint,
    pub(in crate::estimator) high: Endpoint,
    pub(in crate::estimator) share: f64,
}

impl Bins {
    /// From sorted numbers, by their ranks in `map`; `None` if few are repeated.
    pub(super) fn new(sorted: &[f64], map: &RankMap, coordinates: &NumberCoordinates) -> Option<Bins> {
        if !map.has_atoms() {
            return None;
        }
        let n_full = N_LEAST.max((ROOTS * (sorted.len() as f64).sqrt()) as usize);
        let (mut edges, mut n_in_bin, mut last_score) = (Vec::new(), 0, f64::NEG_INFINITY);
        let same: Vec<&[f64]> = sorted.chunk_by(|a, b| a == b).collect();
        for pair in same.windows(2) {
            n_in_bin += pair[0].len();
            let edge = coordinates.edge(between(pair[0][0], pair[1][0], coordinates.width()), map);
            // A value that fills a bin has a bin of its own.
            if n_in_bin >= n_full || pair[1].len() >= n_full || edge.rank - last_score > WIDE {
                edges.push(edge);
                (n_in_bin, last_score) = (0, edge.rank);
            }
        }
        Some(Bins { edges })
    }

    /// Which bin `number` lies in.
    pub(super) fn place(&self, number: f64) -> usize {
        self.edges.partition_point(|edge| edge.original <= number)
    }

    /// The cell of bin number `place` in a coordinate other than ranks, in which `middle` stands for a number in it.
    #[inline(always)]
    pub(super) fn cell(&self, coordinate: Coordinate, place: usize, middle: f64) -> Interval {
        let below = place.checked_sub(1).map(|last| self.edges[last].at(coordinate));
        let above = self.edges.get(place).map(|edge| edge.at(coordinate));
        let (low, high) = (below.unwrap_or(-FAR), above.unwrap_or(FAR));
        Interval { low, width: high - low, middle }
    }

    /// The edges of bin number `place`, and the edge `number` in it.
    pub(super) fn around(&self, place: usize, number: Endpoint) -> BinEdges {
        let low = place.checked_sub(1).map_or(Endpoint::FIRST, |last| self.edges[last]);
        BinEdges { low, high: self.edges.get(place).copied().unwrap_or(Endpoint::LAST), number }
    }
}

impl BinEdges {
    /// The shares of a distribution of which `below` tells the share below an edge.
    pub(super) fn shares(&self, below: impl Fn(Endpoint) -> f64) -> CdfAtEdges {
        let BinEdges { low, high, number } = *self;
        let low = if low == Endpoint::FIRST { 0.0 } else { below(low) };
        let high = if high == Endpoint::LAST { 1.0 } else { below(high) };
        CdfAtEdges { low, high, number: below(number) }
    }

    /// The part of the bin below the number's edge, by a code with these shares.
    pub(in crate::estimator) fn part(&self, shares: CdfAtEdges) -> PartialBin {
        let rank = score(shares.number);
        let share = ((shares.number - shares.low) / (shares.high - shares.low)).clamp(0.0, 1.0);
        PartialBin { low: Endpoint { rank, ..self.low }, high: Endpoint { rank, ..self.high }, share }
    }
}

impl CdfAtEdges {
    /// The PIT cell of a number with this loss in nats.
    pub(in crate::estimator) fn placed(&self, loss: f64) -> PitCell {
        let mass = (-loss).exp();
        let within = (mass / (self.high - self.low)).min(1.0);
        PitCell { rank: score_cell(self.number, (self.number + mass).min(1.0)), within }
    }
}

impl PartialBin {
    /// Nothing of the bin above an edge, below which lies this share.
    pub(in crate::estimator) fn at(edge: Endpoint, share: f64) -> PartialBin {
        let edge = Endpoint { rank: score(share), ..edge };
        PartialBin { low: edge, high: edge, share: 0.0 }
    }
}

/// The edge between two neighbouring numbers: half-way, between two cells of the code.
fn between(left: f64, right: f64, width: f64) -> f64 {
    let n_cells = ((right - left) / width).round().max(1.0);
    left + (((n_cells - 1.0) / 2.0).floor() + 0.5) * width
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::normal;
    use crate::table::Numbers;

    fn coordinates(values: Vec<f64>, width: f64) -> NumberCoordinates {
        NumberCoordinates::new(Arc::new(Numbers { values, width }))
    }

    #[test]
    fn edges_lie_half_way_between_numbers_and_between_cells() {
        assert_eq!(between(1.0, 2.0, 1.0), 1.5);
        assert_eq!(between(1.0, 3.0, 1.0), 1.5);
        assert_eq!(between(1.0, 4.0, 1.0), 2.5);
        assert!((between(0.0, 1.0, 1e-3) - 0.5).abs() < 1e-3);
    }

    #[test]
    fn bins_tile_the_line_and_what_fills_one_has_its_own() {
        // 0 comes often, the others twice each.
        let mut sorted: Vec<f64> = (0..40).map(|i| f64::from(i / 2) / 10.0).chain([0.0; 30]).collect();
        sorted.sort_by(f64::total_cmp);
        let atoms: Vec<f64> = (0..20).map(|i| f64::from(i) / 10.0).collect();
        let nodes = vec![-2.0, 0.0, 1.0, 3.0];
        let map =
            RankMap::new(nodes, &[0.3, 0.4, 0.3], atoms, super::super::censoring::CensoringLimits::of(&[]));
        let bins = Bins::new(&sorted, &map, &coordinates(sorted.clone(), 1e-3)).unwrap();
        assert_eq!((bins.place(-1.0), bins.place(0.0), bins.place(0.1)), (0, 0, 1));
        let n_bins = bins.edges.len() + 1;
        assert!(n_bins > 5 && n_bins < 20, "{n_bins}");
        for coordinate in [Coordinate::Original, Coordinate::Compressed] {
            let cells: Vec<Interval> = (0..n_bins).map(|place| bins.cell(coordinate, place, 0.0)).collect();
            assert!(cells.windows(2).all(|pair| (pair[0].low + pair[0].width - pair[1].low).abs() < 1e-9));
            assert!((cells.iter().map(|cell| cell.width).sum::<f64>() - 2.0 * FAR).abs() < 1e-9);
        }
        let none = RankMap::new(
            vec![0.0, 1.0],
            &[1.0],
            Vec::new(),
            super::super::censoring::CensoringLimits::of(&[]),
        );
        assert!(Bins::new(&sorted, &none, &coordinates(sorted.clone(), 1e-3)).is_none());
    }

    #[test]
    fn a_number_lies_between_the_shares_below_and_above_it() {
        let shares = CdfAtEdges { low: 0.2, high: 0.6, number: 0.3 };
        let placed = shares.placed(-(0.1f64).ln());
        assert!((placed.within - 0.25).abs() < 1e-12);
        let (low, high) = (normal::cdf(placed.rank.low), normal::cdf(placed.rank.low + placed.rank.width));
        assert!((low - 0.3).abs() < 1e-9 && (high - 0.4).abs() < 1e-9, "{low} {high}");
    }
}
