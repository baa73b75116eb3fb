//! Regressions without parents, and the probability integral transform (PIT) of each row under them.

use std::ops::Range;

use super::number::{NumberPrediction, NumberPredictor};
use crate::estimator::numeric::PitCell;
use crate::estimator::prequential::Predictor;

/// Predicts its only child, and takes the PIT cell of each row under its own predictive distribution, in epochs in which regressions
/// predict bins.
#[derive(Debug)]
pub(in crate::estimator) struct PitTransform<'a, 'b> {
    pub(in crate::estimator) predictor: &'a mut NumberPredictor<'b>,
    /// Rows of the table that were coded.
    pub(in crate::estimator) placed: &'a mut Vec<(usize, PitCell)>,
}

impl PitTransform<'_, '_> {
    fn place(&self, rows: Range<usize>, losses: &[f64]) -> Vec<(usize, PitCell)> {
        let NumberPredictor { children, epoch, .. } = &*self.predictor;
        if !children[0].number.has_bins(*epoch) {
            return Vec::new();
        }
        let mut predictive = self.predictor.predictive(rows.clone());
        let place = |(coded, &loss): (usize, &f64)| {
            let row = self.predictor.row(coded);
            let (around, marginal, cells) = children[0].number.around(*epoch, row)?;
            predictive.begin(coded);
            let shares = predictive.cdf_at(&around, marginal);
            predictive.observe(&cells, children[0].alone(coded));
            Some((row, shares.placed(loss)))
        };
        rows.zip(losses).filter_map(place).collect()
    }
}

impl Predictor for PitTransform<'_, '_> {
    type Prediction = (NumberPrediction, Vec<(usize, PitCell)>);

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> Self::Prediction {
        let prediction = self.predictor.log_loss(rows.clone(), losses);
        (prediction, self.place(rows, losses))
    }

    fn observe(&mut self, rows: Range<usize>, (prediction, placed): Self::Prediction) {
        self.predictor.observe(rows, prediction);
        self.placed.extend(placed);
    }
}
