//! Predictive distributions: what an estimator predicts for the next row before its value is known.
//!
//! A score adds up the losses of these distributions, a probability integral transform uses their
//! distribution function, and a compressed file is coded by it. All of them use the same objects.

use std::fmt::Debug;
use std::ops::Range;

use crate::graph::NodeSet;
use crate::table::QuantisedColumn;

/// Predicts columns of which only the first rows are known, as a score predicts them.
pub(crate) trait SequentialPredictor: Debug {
    /// Adds a column whose cells are all known: from now on it may be a parent.
    fn enter(&mut self, node: usize, cells: QuantisedColumn);

    /// Passes the predictive distribution of the next rows of a column to `take`. All its parents were added.
    fn predict_next(&self, next: &NextRows, take: TakePredictive);
}

/// A column of which the first rows are known.
#[derive(Clone, Copy)]
pub(crate) struct NextRows<'a> {
    /// Its number.
    pub(crate) node: usize,
    /// Its cells. Which of them are missing is known of all rows.
    pub(crate) child: &'a QuantisedColumn,
    pub(crate) parents: &'a NodeSet,
    /// How many of the coded rows are known.
    pub(crate) n_known: usize,
    /// The edges of the cell in which the caller codes a number.
    pub(crate) coded_cell: &'a dyn Fn(f64) -> (f64, f64),
}

/// Receives coded rows, and their predictive distribution until the models are refitted.
pub(crate) type TakePredictive<'a> = &'a mut dyn FnMut(Range<usize>, Predictive);

/// The predictive distribution of the next rows of a column, queried and updated row by row.
pub(crate) enum Predictive<'a> {
    /// Of a categorical column.
    Categorical(&'a mut dyn CategoricalPredictive),
    /// Of a numeric column.
    Numeric(&'a mut dyn NumericPredictive),
}

/// The predictive distribution of a categorical variable.
pub(crate) trait CategoricalPredictive {
    /// Writes the probability of every label in a row, those before it being known.
    fn write(&self, row: usize, probabilities: &mut [f64]);

    /// The loss of the row's label, in nats; then it is known.
    fn observe(&mut self, row: usize, level: usize) -> f64;
}

/// The predictive distribution of a numeric variable.
pub(crate) trait NumericPredictive {
    /// Turns to a row, those before it being known.
    fn begin(&mut self, row: usize);

    /// The distribution function at an edge between two coded cells, in the units in which the column is coded.
    ///
    /// Monotone in the edge, up to rounding. Of edges that are at least a cell's width apart, a repeated
    /// value lies between the two that enclose it, with all its mass.
    fn cdf(&self, edge: f64) -> f64;

    /// The loss of the row's number, in nats; then it is known.
    fn observe(&mut self, number: f64) -> f64;

    /// Whether the models must be refitted before the next row.
    fn must_refit(&self) -> bool;
}
