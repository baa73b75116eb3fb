//! What estimators predict of a column while its cells become known: what a code needs that can be read back.

use std::fmt::Debug;
use std::ops::Range;

use crate::graph::NodeSet;
use crate::table::QuantisedColumn;

/// Predicts children of which only the first rows are known, to the bit as if all were: what a score sums up, before the cells are known.
pub(crate) trait Foreteller: Debug {
    /// Enters a column whose cells are all known: from now on it may be a parent.
    fn enter(&mut self, node: usize, cells: QuantisedColumn);

    /// Hands `take` what is predicted of the next rows of `child`, variable number `node`, of which the first `n_known` coded rows are
    /// known: none, or as many as were foretold before. Which cells are missing is known of all rows; all parents were entered.
    fn foretell(
        &self,
        node: usize,
        child: &QuantisedColumn,
        parents: &NodeSet,
        n_known: usize,
        take: TakeOutlook,
    );
}

/// Takes coded rows and what is predicted of them.
pub(crate) type TakeOutlook<'a> = &'a mut dyn FnMut(Range<usize>, Outlook);

/// What is predicted of the next rows of a child, to be asked for and shown one row after another.
pub(crate) enum Outlook<'a> {
    /// Of a label.
    Labels(&'a mut dyn LabelForecast),
    /// Of a number.
    Numbers(&'a mut dyn NumberForecast),
}

/// Predicts labels, one row after another.
pub(crate) trait LabelForecast {
    /// Writes the probability of every label in a row, those before it being known.
    fn write(&self, row: usize, probabilities: &mut [f64]);

    /// What the row's label costs, in nats; afterwards it is known.
    fn see(&mut self, row: usize, level: usize) -> f64;
}

/// Predicts numbers, one row after another.
pub(crate) trait NumberForecast {
    /// Turns to a row, those before it being known.
    fn begin(&mut self, row: usize);

    /// The share of the row's distribution below an edge between two cells, in the units in which the column is coded.
    ///
    /// Rises with the edge, up to rounding. Of edges that are at least a cell's width apart, numbers that come again lie between the two
    /// that they lie between, with all that is predicted of them.
    fn below(&self, edge: f64) -> f64;

    /// What the row's number costs, in nats; afterwards it is known.
    fn see(&mut self, number: f64) -> f64;
}
