//! What can be chosen about the Fourier estimator.

use serde::Serialize;

use crate::estimator::switch::SHARE;

/// Choices of the Fourier estimator: Bayesian ridge regression on random waves of the parents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FourierSettings {
    /// Each chunk of rows is `growth - 1` times the rows before it.
    pub growth: f64,
    /// Standard deviations of the random frequencies, one feature map each, besides the linear one. Empty: the linear map alone,
    /// predicting numbers by their normal scores alone.
    pub scales: Vec<f64>,
    /// Random frequencies in each feature map.
    pub n_waves: usize,
    /// Precision of the normal prior on every weight.
    pub prior_precision: f64,
    /// Past residuals are worth this much less after each chunk.
    pub variance_memory: f64,
    /// Share of the marginal distribution in every prediction of a number.
    pub floor: f64,
    /// Shares of the marginal distribution in predictions of a label, experts each.
    pub label_floors: Vec<f64>,
    /// How much more of it there is for each unit of a row's leverage, experts each.
    pub label_leverages: Vec<f64>,
    /// Share of the weight that is spread evenly over the experts after each chunk.
    pub share: f64,
}

impl Default for FourierSettings {
    fn default() -> FourierSettings {
        FourierSettings {
            growth: 1.2,
            scales: vec![0.5, 1.5, 4.0],
            n_waves: 48,
            prior_precision: 0.05,
            variance_memory: 0.8,
            floor: 0.01,
            label_floors: vec![0.3, 0.03],
            label_leverages: vec![0.2, 1.0],
            share: SHARE,
        }
    }
}

impl FourierSettings {
    /// Ordinary linear regression of normal scores: no waves, one expert.
    pub fn linear() -> FourierSettings {
        FourierSettings { scales: Vec::new(), ..FourierSettings::default() }
    }
}
