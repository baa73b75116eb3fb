//! The default for tables with numbers: regressions, counts and neural networks in one mixture.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::closed_form::COST;
use super::experts::{CountsExpert, Expert, ExpertList, NetworkExpert, RegressionExpert};
use super::method::{Coder, Cost, Memory, Method, nats_of_name, settings_map};
use super::mixture::MixtureCoder;
use super::network::{ReplaySettings, Schedule, check_networks};
use super::neural::{N_NETWORKS, cost, if_diverged};
use super::predictive::SequentialPredictor;
use super::prior::Prior;
use super::regression::FourierSettings;
use super::sequential::ExpertSequence;
use crate::base::error::Result;
use crate::base::format::plural;
use crate::base::message::Message;
use crate::table::Quantised;

/// Prior weights.
const REGRESSION_WEIGHT: f64 = 2.0;
const COUNT_WEIGHT: f64 = 1.0;
const NETWORK_WEIGHT: f64 = 1.0;

/// A fixed-share mixture of regressions on random Fourier features and networks; for categorical variables
/// with categorical parents also of counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mix {
    /// The prior of the counts of labels.
    pub prior: Prior,
    /// The settings of the regressions.
    pub regressions: FourierSettings,
    /// How many networks predict each family; their probabilities are averaged.
    pub networks: usize,
    /// The training of the networks.
    pub replay: ReplaySettings,
    /// Whether every family has networks, even where they cannot change the answer.
    #[serde(rename = "networks_everywhere")]
    pub train_all_networks: bool,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix {
            prior: Prior::default(),
            regressions: FourierSettings::default(),
            networks: N_NETWORKS,
            replay: ReplaySettings::default(),
            train_all_networks: false,
        }
    }
}

impl Mix {
    fn schedule(&self) -> Schedule {
        Schedule::Replay(self.replay.clone())
    }

    /// The experts of a family, each with its prior weight.
    fn experts(&self) -> ExpertList {
        let regressions = RegressionExpert { settings: self.regressions.clone() };
        let mut experts: Vec<(f64, Arc<dyn Expert>)> =
            vec![(REGRESSION_WEIGHT, Arc::new(regressions)), (COUNT_WEIGHT, Arc::new(CountsExpert))];
        if self.networks > 0 {
            let networks = NetworkExpert { n_networks: self.networks, schedule: self.schedule() };
            experts.push((NETWORK_WEIGHT, Arc::new(networks)));
        }
        let absent_weight = if self.networks > 0 { 0.0 } else { NETWORK_WEIGHT };
        ExpertList { prior: self.prior, experts, absent_weight }
    }
}

impl Method for Mix {
    fn name(&self) -> &'static str {
        "mix"
    }

    fn summary(&self) -> &'static str {
        "A fixed-share mixture of `fourier`, `neural` and, for categorical variables, `counts`"
    }

    fn in_words(&self) -> String {
        let networks = plural(self.networks, "network");
        match (self.networks, self.train_all_networks) {
            (0, _) => "mix, without networks".to_string(),
            (_, true) => format!("mix, {networks} per family"),
            (_, false) => format!("mix, {networks} per family, gated"),
        }
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn without_effect(&self) -> &'static [&'static str] {
        &["networks_everywhere"]
    }

    fn check(&self) -> Result<()> {
        self.prior.check()?;
        if self.networks > 0 {
            check_networks(self.networks)?;
        }
        self.replay.check()
    }

    fn set_prior(&mut self, prior: Prior) {
        self.prior = prior;
    }

    fn set_networks(&mut self, networks: usize) {
        self.networks = networks;
    }

    fn without_expensive_experts(&self) -> Option<Arc<dyn Method>> {
        let has_any = self.networks > 0 && !self.train_all_networks;
        has_any.then(|| Arc::new(Mix { networks: 0, ..self.clone() }) as Arc<dyn Method>)
    }

    fn cost(&self) -> Cost {
        let with_networks = cost(self.networks, &self.schedule());
        match self.train_all_networks {
            true => with_networks,
            false => Cost { max_families: COST.max_families, grows: true, ..with_networks },
        }
    }

    fn nats_of_parent(&self, n_vars: usize) -> f64 {
        nats_of_name(n_vars)
    }

    fn memory(&self, data: &Quantised) -> Memory {
        self.experts().memory(data)
    }

    fn prepare(&self, data: Quantised, seed: u64) -> Box<dyn Coder> {
        Box::new(MixtureCoder::new(self.experts(), data, seed))
    }

    fn sequential(&self, data: Quantised) -> Option<Box<dyn SequentialPredictor>> {
        ExpertSequence::ready(&self.experts(), data)
    }

    fn if_diverged(&self, sees_raw: bool) -> Message {
        if_diverged(&[self.replay.learning_rate], sees_raw)
    }
}
