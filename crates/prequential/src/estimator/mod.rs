//! What predicts a family: the distribution of a child given its parents, learnt from the rows so far.

mod configurations;
mod counts;
mod fourier;
mod model;
mod neural;
mod parent_inputs;
mod streams;
mod switch;
mod tally;
mod target;

use std::ops::Range;

pub(crate) use configurations::Configurations;
pub use counts::Prior;
pub(crate) use counts::{CountTables, CountedFamily, Predictors};
pub(crate) use fourier::FourierPredictor;
pub use fourier::FourierSettings;
pub use model::{Estimator, Model, Schedule};
pub(crate) use neural::{BlockwiseCode, ReplayNet, WaveInputs, code_blockwise};
pub use neural::{BlockwiseSettings, OptimiserKind, ReplaySettings, Waves};
pub(crate) use parent_inputs::ParentInputs;
pub(crate) use switch::{SHARE, switch_losses};
pub(crate) use tally::counted_length;
pub(crate) use target::{N_OPENING, Target};

/// Predicts a family, first asked for the cost of the next rows, then shown them.
///
/// `log_loss` takes `&self`, so a predictor cannot learn while it is being tested. Rows are numbered in coding order,
/// leaving out those in which the child is missing or was set by intervention. One predictor may serve several children of
/// the same parents, coded in the same rows.
pub(crate) trait Predictor {
    /// What a prediction found out that learning from the same rows can use.
    type Prediction;

    /// How many children are predicted.
    fn n_children(&self) -> usize {
        1
    }

    /// Writes -ln p(child | parents, rows observed so far) for each of `rows`, in nats; all rows of the first child come first.
    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> Self::Prediction;

    /// Learns from `rows`, which were just predicted.
    fn observe(&mut self, rows: Range<usize>, prediction: Self::Prediction);
}

/// The chunks in which rows are predicted and then learnt: the opening, then chunks that grow with what came before.
///
/// With `growth` 1.15 every chunk is 15 % of the rows before it.
pub(crate) fn growing_chunks(n_rows: usize, growth: f64) -> impl Iterator<Item = Range<usize>> {
    let opening = 0..N_OPENING.min(n_rows);
    // A child that is never coded has no chunk.
    std::iter::successors(Some(opening).filter(|chunk| !chunk.is_empty()), move |chunk| {
        let len = ((chunk.end as f64 * (growth - 1.0)) as usize).clamp(1, n_rows);
        (chunk.end < n_rows).then(|| chunk.end..(chunk.end + len).min(n_rows))
    })
}
