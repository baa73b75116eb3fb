//! Codes the cells of a column row by row, as they are predicted from the rows before.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::channel::{Channel, LearntBit};
use super::lattice::Lattice;
use crate::estimator::{CategoricalPredictive, NextRows, NumericPredictive, Predictive, SequentialPredictor};
use crate::graph::NodeSet;
use crate::table::{Numbers, QuantisedColumn};

/// The parts of a code that are encoded or decoded.
#[derive(Debug)]
pub(super) struct Streams<'a> {
    /// Which cells are missing.
    pub(super) gaps: Channel<'a>,
    /// Digits of numbers beyond the resolution at which they are scored.
    pub(super) digits: Channel<'a>,
    /// Labels, and numbers at that resolution.
    pub(super) code: Channel<'a>,
}

/// The kind of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ColumnCells {
    /// One of this many labels.
    Labels(usize),
    /// One of the points of a lattice.
    Numbers(Lattice),
}

/// One column: in each row the number of its label or of its point, `None` where it is missing.
pub(super) type Symbols = Vec<Option<u64>>;

/// Codes which cells of a column are missing; a bit tells that none is.
///
/// One adaptive bit per cell, given whether the cells above and to the left are missing.
pub(super) fn pass_gaps(channel: &mut Channel, symbols: &mut Symbols, left: Option<&Symbols>) {
    let has_gaps = symbols.iter().any(Option::is_none);
    if channel.pass_uniform(u64::from(has_gaps), 2) == 0 {
        return;
    }
    let mut bits = [LearntBit::default(); 4];
    let mut above = false;
    for row in 0..symbols.len() {
        let is_left_missing = left.is_some_and(|left| left[row].is_none());
        let context = usize::from(above) * 2 + usize::from(is_left_missing);
        (above, _) = bits[context].pass(channel, symbols[row].is_none());
        symbols[row] = if above { None } else { Some(symbols[row].unwrap_or(0)) };
    }
}

/// Codes the symbols of a column that is predicted from `parents`, its rows in coding order; returns their
/// cost as in a score, in nats. When decoding, `symbols` only tell which cells are missing.
pub(super) fn pass_column(
    streams: &mut Streams,
    predictor: &mut dyn SequentialPredictor,
    (node, parents): (usize, &NodeSet),
    cells: &ColumnCells,
    symbols: &mut Symbols,
) -> f64 {
    let used: Vec<usize> = (0..symbols.len()).filter(|&row| symbols[row].is_some()).collect();
    let mut passing = Passing { streams, cells, finer: Finer::default(), nats: 0.0 };
    let mut n_known = 0;
    let coded_cell = |number: f64| match cells {
        ColumnCells::Labels(_) => (number, number),
        ColumnCells::Numbers(lattice) => lattice.cell_around(number),
    };
    while n_known < used.len() {
        let known = known_column(cells, symbols, &used, n_known);
        let next = NextRows { node, child: &known, parents, n_known, coded_cell: &coded_cell };
        predictor.predict_next(&next, &mut |rows, predictive| {
            n_known = match predictive {
                Predictive::Categorical(labels) => passing.labels(labels, rows, &used, symbols),
                Predictive::Numeric(numbers) => passing.numbers(numbers, rows, &used, symbols),
            };
        });
    }
    let nats = passing.nats;
    predictor.enter(node, known_column(cells, symbols, &used, n_known));
    nats
}

/// The column as estimators see it, of which the first `n_known` cells that are not missing are known.
fn known_column(cells: &ColumnCells, symbols: &Symbols, used: &[usize], n_known: usize) -> QuantisedColumn {
    let n_levels = match cells {
        ColumnCells::Labels(n_levels) => *n_levels,
        ColumnCells::Numbers(_) => 1,
    };
    let n_missing = symbols.len() - used.len();
    let mut codes = vec![n_levels as u32; symbols.len()];
    used.iter().for_each(|&row| codes[row] = 0);
    let known = used[..n_known].iter().filter_map(|&row| Some((row, symbols[row]?)));
    let numbers = match cells {
        ColumnCells::Labels(_) => {
            known.for_each(|(row, symbol)| codes[row] = symbol as u32);
            None
        }
        ColumnCells::Numbers(lattice) => {
            let mut values = vec![f64::NAN; symbols.len()];
            known.for_each(|(row, place)| values[row] = lattice.standard(place));
            Some(Arc::new(Numbers { values, width: lattice.scale.width }))
        }
    };
    let rows_used = (n_missing > 0).then(|| used.iter().map(|&row| row as u32).collect());
    QuantisedColumn { codes, n_levels, n_missing, rows_used, numbers, raw: None }
}

struct Passing<'a, 'b> {
    streams: &'a mut Streams<'b>,
    cells: &'a ColumnCells,
    finer: Finer,
    nats: f64,
}

impl Passing<'_, '_> {
    /// Passes the labels of these coded rows; returns how many rows are known then.
    fn labels(
        &mut self,
        predictive: &mut dyn CategoricalPredictive,
        rows: Range<usize>,
        used: &[usize],
        symbols: &mut Symbols,
    ) -> usize {
        let ColumnCells::Labels(n_levels) = self.cells else { return rows.end };
        let mut probabilities = vec![0.0; *n_levels];
        for row in rows.clone() {
            predictive.write(row, &mut probabilities);
            let mut sum = 0.0;
            let sums = probabilities.iter().map(|probability| {
                sum += probability;
                sum
            });
            let below: Vec<f64> = std::iter::once(0.0).chain(sums).collect();
            let symbol = symbols[used[row]].unwrap_or(0);
            let symbol = self.streams.code.pass(symbol, *n_levels as u64, |level| below[level as usize]);
            symbols[used[row]] = Some(symbol);
            self.nats += predictive.observe(row, symbol as usize);
        }
        rows.end
    }

    /// Passes the numbers of these coded rows, up to where the models learn again; returns how many rows are known then.
    fn numbers(
        &mut self,
        predictive: &mut dyn NumericPredictive,
        rows: Range<usize>,
        used: &[usize],
        symbols: &mut Symbols,
    ) -> usize {
        let ColumnCells::Numbers(lattice) = self.cells else { return rows.end };
        for row in rows.clone() {
            predictive.begin(row);
            let point = symbols[used[row]].unwrap_or(0);
            let cdf = |cell: u64| predictive.cdf(lattice.edge(cell));
            let cell = self.streams.code.pass(lattice.cell(point), lattice.n_cells, cdf);
            let point = self.finer.pass(&mut self.streams.digits, lattice, cell, point);
            symbols[used[row]] = Some(point);
            self.nats += predictive.observe(lattice.standard(point));
            if predictive.must_refit() {
                return row + 1;
            }
        }
        rows.end
    }
}

/// Codes the point within a cell, if there are several: one that occurred before, or any.
#[derive(Debug, Default)]
struct Finer {
    /// The points that occurred, by cell.
    seen: HashMap<u64, Vec<u64>>,
    is_again: LearntBit,
}

impl Finer {
    fn pass(&mut self, channel: &mut Channel, lattice: &Lattice, cell: u64, point: u64) -> u64 {
        let (first, n) = lattice.points_in(cell);
        if n <= 1 {
            return first.min(lattice.points.n() - 1);
        }
        let seen = self.seen.entry(cell).or_default();
        let before = seen.iter().position(|&before| before == point);
        if !seen.is_empty() && self.is_again.pass(channel, before.is_some()).0 {
            let which = channel.pass_uniform(before.unwrap_or(0) as u64, seen.len() as u64);
            return seen[which as usize];
        }
        let point = first + channel.pass_uniform(point.wrapping_sub(first), n);
        seen.push(point);
        point
    }
}
