//! What predicts a family: the distribution of a child given its parents, learnt from the rows so far.

mod configurations;
mod counts;

use std::ops::Range;

pub(crate) use configurations::Configurations;
pub use counts::Prior;
pub(crate) use counts::{CountTables, CountedFamily, Predictors};

/// Predicts one family, first asked for the cost of the next rows, then shown them.
///
/// `log_loss` takes `&self`, so a predictor cannot learn while it is being tested. Rows are numbered in coding order,
/// leaving out those in which the child is missing or was set by intervention.
pub(crate) trait Predictor {
    /// Writes -ln p(child | parents, rows observed so far) for each of `rows`, in nats.
    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]);

    /// Learns from `rows`.
    fn observe(&mut self, rows: Range<usize>);
}
