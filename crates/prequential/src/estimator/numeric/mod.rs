//! Numeric columns in the coordinates in which they are coded: original units, compressed units and normal scores.

mod bins;
mod cdf_tables;
mod censoring;
mod continuous;
mod coordinates;
mod histogram;
mod interval;
mod location_scale;
mod marginal;
mod pitman_yor;
mod ranks;
mod shapes;

use std::sync::Arc;

use bins::Bins;
pub(super) use bins::{BinEdges, CdfAtEdges, PartialBin};
pub(super) use cdf_tables::{ShapeCdfs, StudentCdf};
use censoring::CensoringLimits;
use coordinates::BinIntervals;
use coordinates::NumberCoordinates;
pub(super) use coordinates::{Endpoint, FLOOR, Intervals, MarginalCell};
pub(super) use interval::{Coordinate, Interval, PitCell};
pub(super) use marginal::MarginalPredictive;
use marginal::{Marginal, MarginalPredictor, RefitMap};
pub(super) use pitman_yor::PitmanYor;
use pitman_yor::RepeatCounts;
pub(super) use shapes::{N_SHAPES, Shapes};

use super::prequential::{CHUNK_GROWTH_FACTOR, RefitSchedule, code, growing_chunks};
use crate::table::Numbers;

/// A numeric column with its marginal.
#[derive(Debug, Clone)]
pub(super) struct NumberColumn {
    coordinates: Arc<NumberCoordinates>,
    /// Ranks among the rows before each epoch.
    epochs: Arc<[RankedRows]>,
    /// The PIT cell of every row, in epochs with bins, and the shares that define it; empty if there never
    /// were any.
    placed: Vec<(PitCell, CdfAtEdges)>,
}

/// Every row up to the end of an epoch, by its rank among the rows before the epoch.
#[derive(Debug, Clone)]
struct RankedRows {
    cells: Vec<Interval>,
    /// Each row's score to the resolution at which it is coded: what children see.
    scores: Vec<f32>,
    /// Whether repeated values have cells of their own.
    has_atoms: bool,
    /// Censoring limits: numbers at which the rows before the epoch pile up.
    limits: CensoringLimits,
    /// With repeated values, the bin of every row.
    bins: Option<(Bins, Vec<u32>)>,
}

impl NumberColumn {
    /// Codes the marginal of the column in `rows`: itself, and the loss of every one of these rows, in nats.
    pub(super) fn new(numbers: Arc<Numbers>, rows: &[u32]) -> (NumberColumn, Vec<f64>) {
        let known = KnownNumbers::new(numbers, rows, rows.len());
        (known.column, known.losses)
    }

    /// A row's cell.
    #[inline(always)]
    pub(super) fn cell(&self, coordinate: Coordinate, epoch: usize, row: usize) -> Interval {
        match coordinate {
            Coordinate::Original => self.censor(epoch, row, self.coordinates.original(row)),
            Coordinate::Compressed => self.censor(epoch, row, self.coordinates.compressed(row)),
            Coordinate::Rank => self.epochs[epoch].cells[row],
        }
    }

    /// The bin that a row coded in an epoch lies in, and the share that the row has of it by the code without parents, if there are bins.
    #[inline(always)]
    pub(super) fn bin(&self, coordinate: Coordinate, epoch: usize, row: usize) -> Option<(Interval, f64)> {
        let (bins, places) = self.epochs[epoch].bins.as_ref()?;
        let (PitCell { rank, within }, _) = self.placed[row];
        Some(match coordinate {
            Coordinate::Rank => (rank, 1.0),
            other => {
                let middle = self.cell(other, epoch, row).middle;
                (bins.cell(other, places[row] as usize, middle), within)
            }
        })
    }

    /// Whether regressions predict bins in an epoch.
    pub(super) fn has_bins(&self, epoch: usize) -> bool {
        self.epochs[epoch].bins.is_some()
    }

    /// The edges around a row coded in an epoch that has bins, the shares below them that are known so far, and what is predicted of it.
    pub(super) fn around(&self, epoch: usize, row: usize) -> Option<(BinEdges, CdfAtEdges, Intervals)> {
        let (bins, places) = self.epochs[epoch].bins.as_ref()?;
        let number = self.coordinates.original(row).middle;
        let cell = |coordinate| self.cell(coordinate, epoch, row);
        let (original, compressed) = (cell(Coordinate::Original), cell(Coordinate::Compressed));
        let rank = cell(Coordinate::Rank);
        let reference = self.coordinates.reference_below(number);
        let edge = Endpoint {
            original: self.coordinates.original(row).low,
            compressed: self.coordinates.compressed(row).low,
            censored_original: original.low,
            censored_compressed: compressed.low,
            rank: rank.low,
            reference,
        };
        let ((placed, shares), place) = (self.placed[row], places[row] as usize);
        let bin = |coordinate, cell: Interval| bins.cell(coordinate, place, cell.middle);
        let (in_original, in_compressed) =
            (bin(Coordinate::Original, original), bin(Coordinate::Compressed, compressed));
        let binned = Some(BinIntervals { original: in_original, compressed: in_compressed, placed });
        let cells = Intervals { original, compressed, rank, reference: self.reference(row), binned };
        Some((bins.around(place, edge), shares, cells))
    }

    /// Replaces the PIT cells by those of a better code of the column.
    pub(super) fn set_pit_cells(&mut self, placed: &[(usize, PitCell)]) {
        for &(row, placed) in placed {
            self.placed[row].0 = placed;
        }
    }

    #[inline(always)]
    fn censor(&self, epoch: usize, row: usize, cell: Interval) -> Interval {
        self.epochs[epoch].limits.censor(self.coordinates.original(row).middle, cell)
    }

    /// The mass of a row's cell under an uninformed reference.
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
        let RankedRows { has_atoms, limits, bins, .. } = &self.epochs[epoch];
        self.coordinates.is_coarse()
            || bins.is_some()
            || if coordinate == Coordinate::Rank { *has_atoms } else { limits.are_finite() }
    }

    /// Whether cells are wide where no bins are seen.
    pub(super) fn has_wide_cells_without_bins(&self, epoch: usize) -> bool {
        self.coordinates.is_coarse() || self.epochs[epoch].limits.are_finite()
    }
}

/// A column of which only the first coded rows are known, as far as it is coded without parents.
#[derive(Debug)]
pub(super) struct KnownNumbers {
    pub(super) column: NumberColumn,
    /// The loss of each known row, in nats.
    pub(super) losses: Vec<f64>,
    marginal: Marginal,
    /// The state of the epoch of the next row.
    map: RefitMap,
}

impl KnownNumbers {
    /// Codes the first `n_known` of `rows`, the end of a chunk; the numbers of the others have no influence.
    pub(super) fn new(numbers: Arc<Numbers>, rows: &[u32], n_known: usize) -> KnownNumbers {
        let coordinates = Arc::new(NumberCoordinates::new(numbers));
        let epochs = RefitSchedule::new(coordinates.n_rows(), Some(rows));
        let coded: Vec<f64> = rows.iter().map(|&row| coordinates.original(row as usize).middle).collect();
        let repeats = RepeatCounts::new(&coded);
        let (mut maps, mut losses) = (Vec::new(), Vec::with_capacity(rows.len()));
        let mut predictor = MarginalPredictor::new(&coordinates, rows, &epochs, &repeats, &mut maps);
        let chunks =
            growing_chunks(&epochs, CHUNK_GROWTH_FACTOR, 1).take_while(|chunk| chunk.start < n_known);
        code(&mut predictor, chunks, |_, chunk| losses.extend_from_slice(chunk));
        let marginal = predictor.into_known();
        let width = coordinates.width();
        let ranks = |(map, end): (&RefitMap, usize)| RankedRows {
            cells: (0..end).map(|row| map.ranks.cell(coordinates.original(row).middle, width)).collect(),
            scores: (0..end)
                .map(|row| map.ranks.cell(coordinates.rounded(row), width).middle as f32)
                .collect(),
            has_atoms: map.ranks.has_atoms(),
            limits: map.ranks.limits(),
            bins: map.bins.as_ref().map(|bins| {
                let place = |row: usize| bins.place(coordinates.original(row).middle) as u32;
                (bins.clone(), (0..end).map(place).collect())
            }),
        };
        let ranked = maps.iter().zip(epochs.row_ends()).map(ranks).collect();
        let placed = placed(&maps, &epochs, rows, coordinates.n_rows());
        let map = maps.swap_remove(maps.len() - 1);
        KnownNumbers { column: NumberColumn { coordinates, epochs: ranked, placed }, losses, marginal, map }
    }

    /// The predictive distribution of the next rows, after those `known`.
    pub(super) fn predictive(&self, known: &[u32]) -> MarginalPredictive<'_, PitmanYor> {
        let number = |&row: &u32| self.column.coordinates.original(row as usize).middle;
        MarginalPredictive::new(&self.marginal, PitmanYor::new(known.iter().map(number).collect()))
    }

    /// The cell of a number that may come next, as the marginal distribution sees it.
    pub(super) fn marginal_cell(&self, number: f64) -> MarginalCell {
        self.column.coordinates.marginal_cell_of(number, &self.map.ranks)
    }

    /// The cell with all mass beyond the censoring limits.
    pub(super) fn censored_cell(&self, number: f64) -> MarginalCell {
        self.marginal_cell(number).censored(number, &self.map.ranks)
    }

    /// Whether numbers pile up at a limit.
    pub(super) fn is_censored(&self) -> bool {
        self.map.ranks.limits().are_finite()
    }

    /// Whether regressions predict bins of the next number.
    pub(super) fn has_bins(&self) -> bool {
        self.map.bins.is_some()
    }

    /// The cells of a number that may come next.
    pub(super) fn cells(&self, number: f64) -> Intervals {
        self.column.coordinates.cells(number, &self.map.ranks)
    }

    /// The edge below them, with those of the bin around it, if regressions predict bins.
    pub(super) fn around(&self, number: f64) -> Option<BinEdges> {
        let bins = self.map.bins.as_ref()?;
        let edge = self.column.coordinates.edge_below(number, &self.map.ranks);
        Some(bins.around(bins.place(number), edge))
    }

    /// What regressions predict of a number, which lies there, if they predict bins.
    pub(super) fn binned(&self, cells: &Intervals, placed: Option<PitCell>) -> Option<BinIntervals> {
        let (bins, placed) = self.map.bins.as_ref().zip(placed)?;
        let place = bins.place(cells.original.middle);
        let cell = |coordinate| bins.cell(coordinate, place, cells.cell(coordinate).middle);
        Some(BinIntervals {
            original: cell(Coordinate::Original),
            compressed: cell(Coordinate::Compressed),
            placed,
        })
    }

    /// An edge between cells of a code.
    pub(super) fn edge(&self, edge: f64) -> Endpoint {
        self.column.coordinates.edge(edge, &self.map.ranks)
    }

    /// Such an edge with those of the bin around it, if regressions predict bins.
    pub(super) fn around_edge(&self, edge: f64) -> Option<BinEdges> {
        let bins = self.map.bins.as_ref()?;
        Some(bins.around(bins.place(edge), self.edge(edge)))
    }
}

/// Where each row of the table lies when it is coded; empty if there are no bins.
fn placed(
    maps: &[RefitMap],
    epochs: &RefitSchedule,
    rows: &[u32],
    n_rows: usize,
) -> Vec<(PitCell, CdfAtEdges)> {
    if maps.iter().all(|map| map.bins.is_none()) {
        return Vec::new();
    }
    let mut placed = vec![(PitCell::default(), CdfAtEdges::default()); n_rows];
    let mut start = 0;
    for (epoch, map) in maps.iter().enumerate() {
        for (&row, place) in rows[start..].iter().zip(&map.placed) {
            placed[row as usize] = *place;
        }
        start = epochs.end_of(epoch);
    }
    placed
}
