//! Settings of regressions.

use serde::Serialize;

use super::feature_regression::Design;
use crate::estimator::fixed_share::SWITCH_RATE;
use crate::estimator::prequential::CHUNK_GROWTH_FACTOR;

/// Choices of the regressions on features of the parents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FourierSettings {
    /// Each chunk of rows is `growth - 1` times the rows before it.
    pub growth: f64,
    /// Standard deviations of the frequencies of waves, one feature map each, besides the linear one and the one of products. Empty: the
    /// linear map alone.
    pub scales: Vec<f64>,
    /// Waves in each feature map, times the fourth root of the number of rows.
    pub wave_density: f64,
    /// How high all waves of a map together are, where numbers are predicted.
    pub wave_height: f64,
    /// The same where labels are predicted.
    pub label_wave_height: f64,
    /// Precision of the normal prior on every weight, in units of the noise; of labels, in logits.
    pub prior_precision: f64,
    /// Weight, before any row, of the child's own distribution without parents among the experts.
    pub alone: f64,
    /// Share of the weight that goes back to where it was before any row, after each chunk.
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
    /// Of maps that predict numbers.
    pub(super) fn design(&self) -> Design {
        Design {
            wave_density: self.wave_density,
            wave_height: self.wave_height,
            prior_precision: self.prior_precision,
        }
    }

    /// Of maps that predict one of so many labels: where each has a logit of its own, they share what one logit may do.
    pub(super) fn label_design(&self, n_levels: usize) -> Design {
        let n_shared = if n_levels > 2 { n_levels } else { 1 };
        let prior_precision = self.prior_precision * n_shared as f64;
        Design { wave_height: self.label_wave_height, prior_precision, ..self.design() }
    }

    /// Linear regression: no waves, no products.
    pub fn linear() -> FourierSettings {
        FourierSettings { scales: Vec::new(), ..FourierSettings::default() }
    }
}
