//! The predictive distribution of the next labels of a child given its parents, row by row.

use std::ops::Range;

use super::label::{LabelPredictor, floored};
use crate::estimator::fixed_share::FixedShare;

/// The predictions of one chunk; only the weights of the experts are updated by its rows.
#[derive(Debug)]
pub(in crate::estimator) struct LabelPredictive {
    rows: Range<usize>,
    n_levels: usize,
    /// `[expert][row][level]`.
    probabilities: Vec<Vec<f64>>,
    experts: FixedShare,
    all: FixedShare,
}

impl LabelPredictor<'_> {
    /// Its predictions for `rows`, the next chunk.
    pub(in crate::estimator) fn predictive(&self, rows: Range<usize>) -> LabelPredictive {
        let mut probabilities = Vec::new();
        let add = |all: &mut Vec<f64>, of_row: &[f64]| {
            all.extend(of_row.iter().map(|&probability| floored(probability, self.n_levels)));
        };
        for classifier in &self.classifiers {
            let mut all = Vec::with_capacity(rows.len() * self.n_levels);
            self.each_softmax(classifier, rows.clone(), |_, of_row| add(&mut all, of_row));
            probabilities.push(all);
        }
        for seen in &self.discriminants {
            let (mut all, mut of_row) = (Vec::new(), vec![0.0; self.n_levels]);
            for row in rows.clone() {
                seen.discriminant.predict(self.inputs(seen.is_rank).row(row), &mut of_row);
                add(&mut all, &of_row);
            }
            probabilities.push(all);
        }
        let (experts, all) = (self.experts.clone(), self.all.clone());
        LabelPredictive { rows, n_levels: self.n_levels, probabilities, experts, all }
    }
}

impl LabelPredictive {
    /// Turns the marginal probabilities of every label into those given the parents.
    pub(in crate::estimator) fn mix(&self, row: usize, probabilities: &mut [f64]) {
        let (weights, all) = (self.experts.weights(), self.all.weights());
        for (level, probability) in probabilities.iter_mut().enumerate() {
            let seeing = FixedShare::mean(&weights, self.of_level(row, level));
            *probability = FixedShare::mean(&all, [*probability, seeing].into_iter());
        }
    }

    /// The loss of a row's label, in nats, given its `marginal` loss; then it is known.
    pub(in crate::estimator) fn observe(&mut self, row: usize, level: usize, marginal: f64) -> f64 {
        let of_experts: Vec<f64> = self.of_level(row, level).collect();
        let (mut seeing, mut mixed) = ([0.0], [0.0]);
        self.experts.mix_probabilities(&of_experts, &mut seeing);
        self.all.mix(&[&[marginal], &seeing], &mut mixed);
        mixed[0]
    }

    /// Each expert's probability of a label.
    fn of_level(&self, row: usize, level: usize) -> impl Iterator<Item = f64> {
        let place = (row - self.rows.start) * self.n_levels + level;
        self.probabilities.iter().map(move |of_expert| of_expert[place])
    }
}
