//! Settings of regressions.

use serde::Serialize;

use super::feature_regression::Design;
use crate::estimator::fixed_share::SWITCH_RATE;
use crate::estimator::prequential::CHUNK_GROWTH_FACTOR;

/// Settings of the regressions on features of the parents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FourierSettings {
    /// Each chunk of rows is `growth - 1` times the rows before it.
    pub growth: f64,
    /// Standard deviations of the frequencies of the Fourier features, one feature map each, besides the
    /// linear one and the one of products. Empty: the linear map only.
    pub scales: Vec<f64>,
    /// Fourier features in each map, divided by the fourth root of the number of rows.
    pub wave_density: f64,
    /// The total amplitude of the Fourier features of a map that predicts numbers.
    pub wave_height: f64,
    /// The total amplitude of the Fourier features of a map that predicts labels.
    pub label_wave_height: f64,
    /// Precision of the normal prior on every weight, in units of the noise; of labels, in logits.
    pub prior_precision: f64,
    /// The prior weight of the marginal among the experts.
    pub alone: f64,
    /// The switch rate: the share of the weight that returns to the prior after each chunk.
    pub share: f64,
}

impl Default for FourierSettings {
    fn default() -> FourierSettings {
        FourierSettings {
            growth: CHUNK_GROWTH_FACTOR,
            scales: vec![0.5, 1.5, 4.0],
            wave_density: 4.0,
            wave_height: 2.0,
            label_wave_height: 0.7,
            prior_precision: 0.05,
            alone: 0.02,
            share: SWITCH_RATE,
        }
    }
}

impl FourierSettings {
    /// The settings of maps that predict numbers.
    pub(super) fn design(&self) -> Design {
        Design {
            wave_density: self.wave_density,
            wave_height: self.wave_height,
            prior_precision: self.prior_precision,
        }
    }

    /// The settings of maps that predict this many labels: the amplitude is divided among the logits.
    pub(super) fn label_design(&self, n_levels: usize) -> Design {
        let n_shared = if n_levels > 2 { n_levels } else { 1 };
        let prior_precision = self.prior_precision * n_shared as f64;
        Design { wave_height: self.label_wave_height, prior_precision, ..self.design() }
    }

    /// Linear regression: no Fourier features, no products.
    pub fn linear() -> FourierSettings {
        FourierSettings { scales: Vec::new(), ..FourierSettings::default() }
    }
}
