//! What networks that learn by replay predict: labels, or bins of a number's normal scores.

use std::ops::Range;
use std::sync::LazyLock;

use super::head::{Bin, Head, NetworkOutcome};
use crate::base::normal;
use crate::estimator::column::CodedColumn;
use crate::estimator::numeric::{Coordinate, Interval};

/// Bins of ranks; cells that hold more are bins of their own.
const N_BINS: usize = 1_024;

/// The substitute for an infinite edge.
const FAR: f32 = 50.0;

static EDGES: LazyLock<Vec<f32>> = LazyLock::new(|| {
    (0..=N_BINS).map(|edge| scaled(normal::quantile(edge as f64 / N_BINS as f64))).collect()
});

/// Between -3 and 3 standard deviations, an edge lies between 0 and 1.
fn scaled(score: f64) -> f32 {
    (((score + 3.0) / 6.0) as f32).clamp(-FAR, FAR)
}

/// A child's outcomes in the rows up to the end of an epoch.
#[derive(Debug)]
pub(crate) struct Outcomes {
    outcomes: Vec<NetworkOutcome>,
    /// The loss of a number within its bin, under the marginal; empty for labels.
    beyond: Vec<f64>,
}

impl Outcomes {
    /// Of a child in an epoch.
    pub(super) fn new(child: &CodedColumn, epoch: usize) -> Outcomes {
        let places = 0..child.epochs.end_of(epoch);
        let Some(number) = &child.number else {
            let level = |place: usize| NetworkOutcome::Level(child.cells.codes[child.row(place)]);
            return Outcomes { outcomes: places.map(level).collect(), beyond: Vec::new() };
        };
        // Rows of earlier epochs are only learned from, those of this epoch are coded too.
        let start = epoch.checked_sub(1).map_or(0, |before| child.epochs.end_of(before));
        let one = |place: usize| {
            let row = child.row(place);
            let placed = number.bin(Coordinate::Rank, epoch, row).filter(|_| place >= start);
            bin(placed.map_or_else(|| number.cell(Coordinate::Rank, epoch, row), |(cell, _)| cell))
        };
        let (outcomes, beyond) = places.map(one).unzip();
        Outcomes { outcomes, beyond }
    }

    /// The output head.
    pub(super) fn head(child: &CodedColumn, floor: f32) -> Head {
        match child.number {
            Some(_) => Head::mixture(floor),
            None => Head::softmax(child.cells.n_levels, floor),
        }
    }

    /// The outcome of a row.
    #[inline(always)]
    pub(super) fn of(&self, row: usize) -> NetworkOutcome {
        self.outcomes[row]
    }

    /// The outcomes of some rows.
    #[inline(always)]
    pub(super) fn of_rows(&self, rows: Range<usize>) -> &[NetworkOutcome] {
        &self.outcomes[rows]
    }

    /// The loss of the row within its outcome.
    #[inline(always)]
    pub(super) fn beyond(&self, row: usize) -> f64 {
        self.beyond.get(row).copied().unwrap_or(0.0)
    }
}

/// The bin of a cell, and the loss of the cell within it.
fn bin(cell: Interval) -> (NetworkOutcome, f64) {
    let narrow = cell.width * normal::density(cell.middle);
    if narrow * (N_BINS as f64) < 1.0 {
        let bin = ((normal::cdf(cell.middle) * N_BINS as f64) as usize).min(N_BINS - 1);
        let share = 1.0 / N_BINS as f32;
        let bin = Bin { low: EDGES[bin], high: EDGES[bin + 1], share };
        return (NetworkOutcome::Bin(bin), -(narrow * N_BINS as f64).ln());
    }
    let (low, high) = (cell.low, cell.low + cell.width);
    let share = (normal::cdf(high) - normal::cdf(low)) as f32;
    (NetworkOutcome::Bin(Bin { low: scaled(low), high: scaled(high), share }), 0.0)
}
