//! What estimators that are regressions alone have in common.

use std::fmt::Debug;

use serde::Serialize;
use serde_json::{Map, Value};

use super::counts::{BYTES_PER_FAMILY, Prior};
use super::experts::{ExpertCoder, ExpertSettings};
use super::fourier::FourierSettings;
use super::method::{Coder, Cost, Memory, Method, nats_of_name};
use super::predictive::SequentialPredictor;
use super::sequential::ExpertSequence;
use super::settings_map;
use crate::base::error::Result;
use crate::table::Quantised;

/// Bytes of the curve of one family.
pub(super) const BYTES_PER_CURVE: f64 = 2_000.0;

/// What scoring by regressions takes.
pub(super) const COST: Cost = Cost {
    max_families: 8_000.0,
    grows: true,
    bytes_per_family: BYTES_PER_FAMILY + BYTES_PER_CURVE,
    n_networks: 0,
    n_trainings: 0,
    n_trainings_alone: 0,
};

/// An estimator by regressions, and counts of labels without parents.
pub(super) trait ClosedForm: Debug + Send + Sync + Serialize {
    fn name(&self) -> &'static str;

    fn summary(&self) -> &'static str;

    /// What the counts start from.
    fn prior(&self) -> Prior;

    fn set_prior(&mut self, prior: Prior);

    fn regressions(&self) -> FourierSettings;
}

impl<E: ClosedForm> Method for E {
    fn name(&self) -> &'static str {
        ClosedForm::name(self)
    }

    fn summary(&self) -> &'static str {
        ClosedForm::summary(self)
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn check(&self) -> Result<()> {
        self.prior().check()
    }

    fn set_prior(&mut self, prior: Prior) {
        ClosedForm::set_prior(self, prior);
    }

    fn cost(&self) -> Cost {
        COST
    }

    fn nats_of_parent(&self, n_vars: usize) -> f64 {
        nats_of_name(n_vars)
    }

    fn memory(&self, data: &Quantised) -> Memory {
        experts(self).memory(data)
    }

    fn prepare(&self, data: Quantised, seed: u64) -> Box<dyn Coder> {
        Box::new(ExpertCoder::new(experts(self), data, seed))
    }

    fn sequential(&self, data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        ExpertSequence::ready(experts(self), data)
    }
}

/// Which experts predict a family.
fn experts(estimator: &impl ClosedForm) -> ExpertSettings {
    ExpertSettings {
        prior: estimator.prior(),
        regressions: Some(estimator.regressions()),
        networks: None,
        counts: false,
        pays_for_networks: false,
    }
}
