//! Regressions on waves as an estimator of their own.

use serde::Serialize;
use serde_json::{Map, Value};

use super::FourierSettings;
use crate::base::error::Result;
use crate::estimator::counts::{BYTES_PER_FAMILY, Prior};
use crate::estimator::experts::{ExpertCoder, ExpertSettings};
use crate::estimator::method::{Coder, Cost, Memory, Method};
use crate::estimator::settings_map;
use crate::table::Quantised;

/// Regressions on products and waves of the parents and in cells of them, in closed form.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Fourier {
    /// What the counts of labels without parents start from.
    pub prior: Prior,
    /// How the regressions predict.
    pub regressions: FourierSettings,
}

/// Bytes of the curve of one family.
pub(in crate::estimator) const BYTES_PER_CURVE: f64 = 2_000.0;

/// What scoring by regressions takes.
pub(in crate::estimator) const COST: Cost = Cost {
    max_families: 8_000.0,
    grows: true,
    bytes_per_family: BYTES_PER_FAMILY + BYTES_PER_CURVE,
    n_networks: 0,
    n_trainings: 0,
    n_trainings_alone: 0,
};

impl Fourier {
    /// Which experts predict a family.
    fn experts(&self) -> ExpertSettings {
        let regressions = Some(self.regressions.clone());
        ExpertSettings {
            prior: self.prior,
            regressions,
            networks: None,
            counts: false,
            pays_for_networks: false,
        }
    }
}

impl Method for Fourier {
    fn name(&self) -> &'static str {
        "fourier"
    }

    fn summary(&self) -> &'static str {
        "Regressions on products and waves of the parents and in cells of them, in closed form"
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn check(&self) -> Result<()> {
        self.prior.check()
    }

    fn set_prior(&mut self, prior: Prior) {
        self.prior = prior;
    }

    fn cost(&self) -> Cost {
        COST
    }

    fn memory(&self, data: &Quantised) -> Memory {
        self.experts().memory(data)
    }

    fn prepare(&self, data: Quantised, seed: u64) -> Box<dyn Coder> {
        Box::new(ExpertCoder::new(self.experts(), data, seed))
    }
}
