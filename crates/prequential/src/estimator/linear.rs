//! Bayesian linear regressions as an estimator of their own.

use serde::Serialize;

use super::closed_form::ClosedForm;
use super::prior::Prior;
use super::regression::FourierSettings;

/// Linear regressions, in closed form.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Linear {
    /// The prior of the counts of labels without parents.
    pub prior: Prior,
}

impl ClosedForm for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn summary(&self) -> &'static str {
        "Linear regressions in closed form"
    }

    fn prior(&self) -> Prior {
        self.prior
    }

    fn set_prior(&mut self, prior: Prior) {
        self.prior = prior;
    }

    fn regressions(&self) -> FourierSettings {
        FourierSettings::linear()
    }
}
