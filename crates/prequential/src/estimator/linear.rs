//! Linear regressions: what a straight line buys.

use serde::Serialize;
use serde_json::{Map, Value};

use super::counts::Prior;
use super::experts::{ExpertCoder, ExpertSettings};
use super::fourier::{COST, FourierSettings};
use super::method::{Coder, Cost, Memory, Method};
use super::settings_map;
use crate::base::error::Result;
use crate::table::Quantised;

/// Linear regressions, in closed form.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Linear {
    /// What the counts of labels without parents start from.
    pub prior: Prior,
}

impl Linear {
    /// Which experts predict a family.
    fn experts(&self) -> ExpertSettings {
        let regressions = Some(FourierSettings::linear());
        ExpertSettings {
            prior: self.prior,
            regressions,
            networks: None,
            counts: false,
            pays_for_networks: false,
        }
    }
}

impl Method for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn summary(&self) -> &'static str {
        "Linear regressions, in closed form"
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
