//! The coordinates of a number that depend on no other row: original units, and compressed by asinh.

use std::sync::Arc;

use super::censoring::FAR;
use super::interval::{Coordinate, Interval, PitCell};
use super::ranks::RankMap;
use crate::table::{FINEST, Numbers};

/// The weight of the reference in every prediction, so that no number is impossible.
pub(in crate::estimator) const FLOOR: f64 = 1e-4;

/// Intervals narrower than this, in compressed units, have the density of their middle.
const NARROW: f64 = 0.02;

/// A number's cell in every coordinate.
#[derive(Debug, Clone, Copy)]
pub(in crate::estimator) struct Intervals {
    pub(in crate::estimator) original: Interval,
    pub(in crate::estimator) compressed: Interval,
    pub(in crate::estimator) rank: Interval,
    /// Its mass under the reference.
    pub(in crate::estimator) reference: f64,
    /// The bin that it lies in, if there are bins.
    pub(in crate::estimator) binned: Option<BinIntervals>,
}

/// A number's cell as its marginal sees it: finite, even at a censoring limit.
#[derive(Debug, Clone, Copy)]
pub(in crate::estimator) struct MarginalCell {
    pub(super) original: Interval,
    pub(super) compressed: Interval,
    pub(super) rank: Interval,
    /// Its mass under the reference.
    pub(super) reference: f64,
}

impl MarginalCell {
    /// The cell with all that lies beyond the censoring limits of `map`, for the probability integral transform.
    pub(super) fn censored(&self, number: f64, map: &RankMap) -> MarginalCell {
        let limits = map.limits();
        let (original, compressed) =
            (limits.censor(number, self.original), limits.censor(number, self.compressed));
        MarginalCell { original, compressed, ..*self }
    }
}

/// The bin that a number lies in, in every coordinate.
#[derive(Debug, Clone, Copy)]
pub(in crate::estimator) struct BinIntervals {
    pub(in crate::estimator) original: Interval,
    pub(in crate::estimator) compressed: Interval,
    /// The number itself, in ranks and within the bin.
    pub(in crate::estimator) placed: PitCell,
}

impl Intervals {
    /// The bin in this coordinate, and the number's share of it, if there are bins.
    pub(in crate::estimator) fn bin(&self, coordinate: Coordinate) -> Option<(Interval, f64)> {
        let BinIntervals { original, compressed, placed } = self.binned?;
        Some(match coordinate {
            Coordinate::Original => (original, placed.within),
            Coordinate::Compressed => (compressed, placed.within),
            Coordinate::Rank => (placed.rank, 1.0),
        })
    }

    /// The one in this coordinate.
    pub(in crate::estimator) fn cell(&self, coordinate: Coordinate) -> Interval {
        match coordinate {
            Coordinate::Original => self.original,
            Coordinate::Compressed => self.compressed,
            Coordinate::Rank => self.rank,
        }
    }
}

/// An edge between two cells in every coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::estimator) struct Endpoint {
    pub(super) original: f64,
    pub(super) compressed: f64,
    /// Beyond all numbers where the edge lies beyond a censoring limit: what regressions predict there means the limit.
    pub(super) censored_original: f64,
    pub(super) censored_compressed: f64,
    pub(in crate::estimator) rank: f64,
    /// The share of the reference below it.
    pub(in crate::estimator) reference: f64,
}

impl Endpoint {
    /// Below all numbers.
    pub(super) const FIRST: Endpoint = Endpoint::beyond(-FAR, 0.0);

    /// Above all numbers.
    pub(super) const LAST: Endpoint = Endpoint::beyond(FAR, 1.0);

    const fn beyond(far: f64, reference: f64) -> Endpoint {
        Endpoint {
            original: far,
            compressed: far,
            censored_original: far,
            censored_compressed: far,
            rank: far,
            reference,
        }
    }

    /// As it lies for a distribution of which all beyond a censoring limit belongs to the limit.
    pub(super) fn censored(self) -> Endpoint {
        Endpoint { original: self.censored_original, compressed: self.censored_compressed, ..self }
    }

    /// Where it lies in this coordinate for a regression.
    #[inline(always)]
    pub(in crate::estimator) fn at(&self, coordinate: Coordinate) -> f64 {
        match coordinate {
            Coordinate::Original => self.censored_original,
            Coordinate::Compressed => self.censored_compressed,
            Coordinate::Rank => self.rank,
        }
    }

    /// The share of an expert below it, with that of the reference that every expert has.
    #[inline(always)]
    pub(in crate::estimator) fn floored(&self, share: f64) -> f64 {
        (1.0 - FLOOR) * share + FLOOR * self.reference
    }
}

/// Every row's cell in both coordinates, and its mass under an uninformed reference.
#[derive(Debug, Clone)]
pub(in crate::estimator) struct NumberCoordinates {
    numbers: Arc<Numbers>,
    /// In units of asinh: shape is kept, far tails are drawn in.
    compressed: Vec<Interval>,
    /// The mass of each cell under a logistic distribution in compressed units.
    reference: Vec<f64>,
}

impl NumberCoordinates {
    /// From a column.
    pub(super) fn new(numbers: Arc<Numbers>) -> NumberCoordinates {
        let width = numbers.width;
        let compressed: Vec<Interval> =
            numbers.values.iter().map(|&number| compress(number, width)).collect();
        let reference = compressed.iter().map(reference_mass).collect();
        NumberCoordinates { numbers, compressed, reference }
    }

    /// The width of a cell in original units.
    pub(super) fn width(&self) -> f64 {
        self.numbers.width
    }

    /// Whether the column was written down at a coarser resolution than the finest: cells may be wide.
    pub(super) fn is_coarse(&self) -> bool {
        self.numbers.width > FINEST
    }

    /// The cells of any number, by its rank in `map`.
    pub(super) fn cells(&self, number: f64, map: &RankMap) -> Intervals {
        let width = self.numbers.width;
        let compressed = compress(number, width);
        Intervals {
            original: map
                .limits()
                .censor(number, Interval { low: number - 0.5 * width, width, middle: number }),
            compressed: map.limits().censor(number, compressed),
            rank: map.cell(number, width),
            reference: reference_mass(&compressed),
            binned: None,
        }
    }

    /// The edge below the cell of a number, by its rank in `map`.
    pub(super) fn edge_below(&self, number: f64, map: &RankMap) -> Endpoint {
        self.edge(number - 0.5 * self.numbers.width, map)
    }

    /// The share of the reference below the cell of a number.
    pub(super) fn reference_below(&self, number: f64) -> f64 {
        logistic((number - 0.5 * self.numbers.width).asinh())
    }

    /// An edge between cells of a code, by its rank in `map`.
    pub(super) fn edge(&self, edge: f64, map: &RankMap) -> Endpoint {
        let compressed = edge.asinh();
        let rank = map.score_below(edge, 0.5 * self.numbers.width);
        let censored = |at: f64| map.limits().edge(edge, at);
        Endpoint {
            original: edge,
            compressed,
            censored_original: censored(edge),
            censored_compressed: censored(compressed),
            rank,
            reference: logistic(compressed),
        }
    }

    /// A row's number, and its cell as the marginal distribution sees it, by its rank in `map`.
    pub(super) fn marginal_cell(&self, row: usize, map: &RankMap) -> (f64, MarginalCell) {
        let original = self.original(row);
        let rank = map.cell(original.middle, original.width);
        let (compressed, reference) = (self.compressed[row], self.reference[row]);
        (original.middle, MarginalCell { original, compressed, rank, reference })
    }

    /// The cell of any number as the marginal distribution sees it, by its rank in `map`.
    pub(super) fn marginal_cell_of(&self, number: f64, map: &RankMap) -> MarginalCell {
        let width = self.numbers.width;
        let compressed = compress(number, width);
        MarginalCell {
            original: Interval { low: number - 0.5 * width, width, middle: number },
            compressed,
            rank: map.cell(number, width),
            reference: reference_mass(&compressed),
        }
    }

    /// The number of a row to the resolution at which it is coded.
    pub(super) fn rounded(&self, row: usize) -> f64 {
        self.numbers.rounded(row)
    }

    /// How many rows there are.
    pub(super) fn n_rows(&self) -> usize {
        self.reference.len()
    }

    /// A row's cell in original units.
    #[inline(always)]
    pub(super) fn original(&self, row: usize) -> Interval {
        let (middle, width) = (self.numbers.values[row], self.numbers.width);
        Interval { low: middle - 0.5 * width, width, middle }
    }

    /// A row's cell in compressed units.
    #[inline(always)]
    pub(super) fn compressed(&self, row: usize) -> Interval {
        self.compressed[row]
    }

    /// The mass of a row's cell under the reference.
    #[inline(always)]
    pub(super) fn reference(&self, row: usize) -> f64 {
        self.reference[row]
    }

    /// The density of the reference.
    pub(super) fn reference_density(number: f64) -> f64 {
        logistic_density(number.asinh()) * NumberCoordinates::compression(number)
    }

    /// The derivative of compressed units at `number`.
    pub(super) fn compression(number: f64) -> f64 {
        1.0 / (1.0 + number * number).sqrt()
    }
}

fn compress(number: f64, width: f64) -> Interval {
    let (middle, narrow) = (number.asinh(), width * NumberCoordinates::compression(number));
    if narrow < NARROW {
        return Interval { low: middle - 0.5 * narrow, width: narrow, middle };
    }
    let (low, high) = ((number - 0.5 * width).asinh(), (number + 0.5 * width).asinh());
    Interval { low, width: high - low, middle: 0.5 * (low + high) }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn logistic_density(x: f64) -> f64 {
    let below = logistic(-x.abs());
    below * (1.0 - below)
}

fn reference_mass(cell: &Interval) -> f64 {
    if cell.width < NARROW {
        return logistic_density(cell.middle) * cell.width;
    }
    logistic(cell.low + cell.width) - logistic(cell.low)
}
