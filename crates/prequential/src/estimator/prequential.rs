//! The only loop in which predicting and learning alternate.

use std::ops::Range;

use super::target::N_OPENING;

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

/// Codes the rows chunk by chunk: predicts a chunk, hands it and its losses to `take`, then lets the predictor learn from
/// it. No loss can depend on a later chunk, because the predictor has not seen one. The losses of several children come one
/// after another.
#[inline(always)]
pub(crate) fn code(
    mut predictor: impl Predictor,
    chunks: impl Iterator<Item = Range<usize>>,
    mut take: impl FnMut(Range<usize>, &[f64]),
) {
    let n_children = predictor.n_children();
    let mut losses = Vec::new();
    for rows in chunks {
        losses.resize(n_children * rows.len(), 0.0);
        let prediction = predictor.log_loss(rows.clone(), &mut losses);
        take(rows.clone(), &losses);
        predictor.observe(rows, prediction);
    }
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
