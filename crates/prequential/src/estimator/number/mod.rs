//! A column of numbers as it is coded and seen: in original and compressed units, and by ranks among earlier rows.

mod coordinates;
mod ends;
mod histogram;
mod level;
mod marginal;
mod marginal_outlook;
mod ranks;
mod repeats;
mod shapes;
mod shares;
mod smooth;

use std::sync::Arc;

use coordinates::Coordinates;
pub(super) use coordinates::{Cells, Edge, FLOOR};
use ends::Ends;
use marginal::{Marginal, MarginalPredictor};
pub(super) use marginal_outlook::MarginalOutlook;
pub(super) use ranks::Cell;
use ranks::RankMap;
use repeats::{Repeats, Seen};
pub(super) use shapes::{N_SHAPES, Shapes};
pub(super) use shares::{ShapeShares, StudentShare};

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
        let known = KnownNumbers::new(numbers, rows, rows.len());
        (known.column, known.losses)
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

/// A column of which only the first coded rows are known, as far as it is coded without parents.
#[derive(Debug)]
pub(super) struct KnownNumbers {
    pub(super) column: NumberColumn,
    /// What each of the known rows costs, in nats.
    pub(super) losses: Vec<f64>,
    marginal: Marginal,
    /// Of the epoch in which the next row lies.
    map: RankMap,
}

impl KnownNumbers {
    /// Codes the first `n_known` of `rows`, the end of a chunk; nothing hangs on the numbers of the others.
    pub(super) fn new(numbers: Arc<Numbers>, rows: &[u32], n_known: usize) -> KnownNumbers {
        let coordinates = Coordinates::new(numbers);
        let epochs = Epochs::new(coordinates.n_rows(), Some(rows));
        let coded: Vec<f64> = rows.iter().map(|&row| coordinates.original(row as usize).middle).collect();
        let repeats = Repeats::new(&coded);
        let (mut maps, mut losses) = (Vec::new(), Vec::with_capacity(rows.len()));
        let mut predictor = MarginalPredictor::new(&coordinates, rows, &epochs, &repeats, &mut maps);
        let chunks = growing_chunks(&epochs, GROWTH, 1).take_while(|chunk| chunk.start < n_known);
        code(&mut predictor, chunks, |_, chunk| losses.extend_from_slice(chunk));
        let marginal = predictor.into_known();
        let width = coordinates.width();
        let ranks = |(map, end): (&RankMap, usize)| Ranks {
            cells: (0..end).map(|row| map.cell(coordinates.original(row).middle, width)).collect(),
            scores: (0..end).map(|row| map.cell(coordinates.rounded(row), width).middle as f32).collect(),
            has_atoms: map.has_atoms(),
            ends: map.ends(),
        };
        let ranked = maps.iter().zip(epochs.row_ends()).map(ranks).collect();
        let map = maps.swap_remove(maps.len() - 1);
        KnownNumbers { column: NumberColumn { coordinates, epochs: ranked }, losses, marginal, map }
    }

    /// What is predicted of the next rows, after those `known`.
    pub(super) fn outlook(&self, known: impl Iterator<Item = usize>) -> MarginalOutlook<'_> {
        let number = |row: usize| self.column.coordinates.original(row).middle;
        MarginalOutlook::new(&self.marginal, Seen::new(known.map(number).collect()))
    }

    /// The cells of a number that may come next.
    pub(super) fn cells(&self, number: f64) -> Cells {
        self.column.coordinates.cells(number, &self.map)
    }

    /// An edge between cells of a code.
    pub(super) fn edge(&self, edge: f64) -> Edge {
        self.column.coordinates.edge(edge, &self.map)
    }
}
