//! Predictive distributions: what an estimator says of the next row before its value is known.
//!
//! A score sums the losses of these distributions, a probability integral transform takes their distribution function, and a compressed
//! file is coded by it. All of them ask the same objects.

use std::fmt::Debug;
use std::ops::Range;

use crate::graph::NodeSet;
use crate::table::QuantisedColumn;

/// Predicts columns of which only the first rows are known, as a score predicts them.
pub(crate) trait SequentialPredictor: Debug {
    /// Enters a column whose cells are all known: from now on it may be a parent.
    fn enter(&mut self, node: usize, cells: QuantisedColumn);

    /// Hands `take` the predictive distribution of the next rows of a column. All its parents were entered.
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

/// Takes coded rows, and what is predicted of them until the models learn again.
pub(crate) type TakePredictive<'a> = &'a mut dyn FnMut(Range<usize>, Predictive);

/// The predictive distribution of the next rows of a column, to be asked and shown one row after another.
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

    /// What the row's label costs, in nats; then it is known.
    fn observe(&mut self, row: usize, level: usize) -> f64;
}

/// The predictive distribution of a numeric variable.
pub(crate) trait NumericPredictive {
    /// Turns to a row, those before it being known.
    fn begin(&mut self, row: usize);

    /// The distribution function at an edge between two coded cells, in the units in which the column is coded.
    ///
    /// Rises with the edge, up to rounding. Of edges that are at least a cell's width apart, a repeated value lies between the two that
    /// it lies between, with all its mass.
    fn cdf(&self, edge: f64) -> f64;

    /// What the row's number costs, in nats; then it is known.
    fn observe(&mut self, number: f64) -> f64;

    /// Whether the next row calls for models that have learnt from the last ones.
    fn must_refit(&self) -> bool;
}
