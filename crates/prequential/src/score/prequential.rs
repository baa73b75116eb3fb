//! The only loop in which predicting and learning alternate.

use std::ops::Range;

use crate::estimator::Predictor;

/// Codes the rows chunk by chunk: predicts a chunk, hands it and its losses to `take`, then lets the predictor learn from
/// it. No loss can depend on a later chunk, because the predictor has not seen one. The losses of several children come one
/// after another.
#[inline(always)]
pub(super) fn code(
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
