//! What the estimators share that consist of closed-form regressions alone.

use std::fmt::Debug;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::counts::BYTES_PER_FAMILY;
use super::experts::{Expert, ExpertList, RegressionExpert};
use super::method::{Coder, Cost, Memory, Method, nats_of_name, settings_map};
use super::mixture::MixtureCoder;
use super::predictive::SequentialPredictor;
use super::prior::Prior;
use super::regression::FourierSettings;
use super::sequential::ExpertSequence;
use crate::base::error::Result;
use crate::table::Quantised;

/// Bytes of the curve of one family.
pub(super) const BYTES_PER_CURVE: f64 = 2_000.0;

/// The cost of scoring by regressions.
pub(super) const COST: Cost = Cost {
    max_families: 8_000.0,
    grows: true,
    bytes_per_family: BYTES_PER_FAMILY + BYTES_PER_CURVE,
    n_networks: 0,
    n_trainings: 0,
    n_trainings_alone: 0,
};

/// An estimator of regressions, and counts of labels without parents.
pub(super) trait ClosedForm: Debug + Send + Sync + Serialize {
    fn name(&self) -> &'static str;

    fn summary(&self) -> &'static str;

    /// The prior of the counts.
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
        Box::new(MixtureCoder::new(experts(self), data, seed))
    }

    fn sequential(&self, data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        ExpertSequence::ready(&experts(self), data)
    }
}

/// The experts of a family.
fn experts(estimator: &impl ClosedForm) -> ExpertList {
    let regressions = RegressionExpert { settings: estimator.regressions() };
    let experts: Vec<(f64, Arc<dyn Expert>)> = vec![(1.0, Arc::new(regressions))];
    ExpertList { prior: estimator.prior(), experts, absent_weight: 0.0 }
}
