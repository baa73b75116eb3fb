//! A column of numbers as it is coded and seen: in original and compressed units, and by ranks among earlier rows.

mod coordinates;
mod ends;
mod histogram;
mod level;
mod marginal;
mod ranks;
mod repeats;
mod shapes;
mod smooth;

use std::sync::Arc;

use coordinates::Coordinates;
pub(super) use coordinates::FLOOR;
use ends::Ends;
use marginal::MarginalPredictor;
pub(super) use ranks::Cell;
use repeats::Repeats;
pub(super) use shapes::{N_SHAPES, Shapes};

use super::prequential::{Epochs, GROWTH, code, growing_chunks};
use crate::table::Numbers;

/// In what a number is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coordinate {
    /// Its standardised self.
    Original,
    /// asinh of it.
    Compressed,
    /// Its normal score among the rows before the epoch.
    Rank,
}

/// A column of numbers, and what is known of it alone.
#[derive(Debug)]
pub(super) struct NumberColumn {
    coordinates: Coordinates,
    /// Ranks among the rows before each epoch.
    epochs: Vec<Ranks>,
}

/// Every row up to the end of an epoch, by its rank among the rows before the epoch.
#[derive(Debug)]
struct Ranks {
    cells: Vec<Cell>,
    /// Each row's score to the resolution at which it is coded: what children see.
    scores: Vec<f32>,
    /// Whether numbers that come again have cells of their own.
    has_atoms: bool,
    /// Numbers at which the rows before the epoch pile up.
    ends: Ends,
}

impl NumberColumn {
    /// Codes the column without parents in `rows`: itself, and what every one of these rows costs, in nats.
    pub(super) fn new(numbers: Arc<Numbers>, rows: &[u32]) -> (NumberColumn, Vec<f64>) {
        let coordinates = Coordinates::new(numbers);
        let epochs = Epochs::new(coordinates.n_rows(), Some(rows));
        let coded: Vec<f64> = rows.iter().map(|&row| coordinates.original(row as usize).middle).collect();
        let repeats = Repeats::new(&coded);
        let (mut maps, mut losses) = (Vec::new(), Vec::with_capacity(rows.len()));
        let predictor = MarginalPredictor::new(&coordinates, rows, &epochs, &repeats, &mut maps);
        code(predictor, growing_chunks(&epochs, GROWTH, 1), |_, chunk| losses.extend_from_slice(chunk));
        let width = coordinates.width();
        let ranks = |(map, end): (&ranks::RankMap, usize)| Ranks {
            cells: (0..end).map(|row| map.cell(coordinates.original(row).middle, width)).collect(),
            scores: (0..end).map(|row| map.cell(coordinates.rounded(row), width).middle as f32).collect(),
            has_atoms: map.has_atoms(),
            ends: map.ends(),
        };
        let epochs = maps.iter().zip(epochs.row_ends()).map(ranks).collect();
        (NumberColumn { coordinates, epochs }, losses)
    }

    /// A row's cell.
    #[inline(always)]
    pub(super) fn cell(&self, coordinate: Coordinate, epoch: usize, row: usize) -> Cell {
        match coordinate {
            Coordinate::Original => self.open(epoch, row, self.coordinates.original(row)),
            Coordinate::Compressed => self.open(epoch, row, self.coordinates.compressed(row)),
            Coordinate::Rank => self.epochs[epoch].cells[row],
        }
    }

    #[inline(always)]
    fn open(&self, epoch: usize, row: usize, cell: Cell) -> Cell {
        self.epochs[epoch].ends.open(self.coordinates.original(row).middle, cell)
    }

    /// What a reference that knows nothing of the column gives a row's cell.
    #[inline(always)]
    pub(super) fn reference(&self, row: usize) -> f64 {
        self.coordinates.reference(row)
    }

    /// The row's normal score among the rows before an epoch, to the resolution at which it is coded.
    pub(super) fn score(&self, epoch: usize, row: usize) -> f64 {
        f64::from(self.epochs[epoch].scores[row])
    }

    /// Whether cells may be wide in this coordinate and epoch: the column was written down at a coarse resolution, or numbers come
    /// again or pile up at an end.
    pub(super) fn has_wide_cells(&self, coordinate: Coordinate, epoch: usize) -> bool {
        let Ranks { has_atoms, ends, .. } = &self.epochs[epoch];
        self.coordinates.is_coarse()
            || if coordinate == Coordinate::Rank { *has_atoms } else { ends.are_any() }
    }
}
