//! Regressions on products, random Fourier features and trees of the parents, as an estimator of their own.

use serde::Serialize;

use super::closed_form::ClosedForm;
use super::prior::Prior;
use super::regression::FourierSettings;

/// Closed-form regressions on products and random Fourier features of the parents, and in the leaves of a
/// tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Fourier {
    /// The prior of the counts of labels without parents.
    pub prior: Prior,
    /// The settings of the regressions.
    pub regressions: FourierSettings,
}

impl ClosedForm for Fourier {
    fn name(&self) -> &'static str {
        "fourier"
    }

    fn summary(&self) -> &'static str {
        "Regressions on products and random Fourier features of the parents, and in the leaves of a tree, in closed form"
    }

    fn prior(&self) -> Prior {
        self.prior
    }

    fn set_prior(&mut self, prior: Prior) {
        self.prior = prior;
    }

    fn regressions(&self) -> FourierSettings {
        self.regressions.clone()
    }
}
