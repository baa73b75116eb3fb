//! The only loop in which predicting and learning alternate.

use crate::estimator::Predictor;

/// Codes `rows` in chunks of `chunk_len`: predicts a chunk, hands its losses to `take`, then lets the predictor learn
/// from it. No loss can depend on a later row, because the predictor has not seen one.
#[inline(always)]
pub(super) fn code(
    mut predictor: impl Predictor,
    n_rows: usize,
    chunk_len: usize,
    mut take: impl FnMut(&[f64]),
) {
    let mut losses = vec![0.0; chunk_len.min(n_rows)];
    let mut start = 0;
    while start < n_rows {
        let rows = start..(start + chunk_len).min(n_rows);
        let losses = &mut losses[..rows.len()];
        predictor.log_loss(rows.clone(), losses);
        take(losses);
        predictor.observe(rows.clone());
        start = rows.end;
    }
}
