//! Neural networks as an estimator of their own.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::closed_form::BYTES_PER_CURVE;
use super::counts::BYTES_PER_FAMILY;
use super::experts::{Expert, ExpertList, MarginalExpert, NetworkExpert};
use super::method::{Coder, Cost, Memory, Method, nats_of_name, settings_map};
use super::mixture::MixtureCoder;
use super::network::{BlockwiseSettings, Schedule, check_networks};
use super::prior::Prior;
use crate::base::error::Result;
use crate::base::format::plural;
use crate::base::message::{Message, OptionName, message};
use crate::table::Quantised;

/// Neural networks only.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Neural {
    /// The prior of the counts of labels without parents.
    pub prior: Prior,
    /// How many networks predict each family; their probabilities are averaged.
    pub networks: usize,
    /// The training schedule.
    pub schedule: Schedule,
}

/// The default number of networks per family.
pub(super) const N_NETWORKS: usize = 1;

impl Default for Neural {
    fn default() -> Neural {
        Neural { prior: Prior::default(), networks: N_NETWORKS, schedule: Schedule::default() }
    }
}

/// The cost of scoring with this many networks.
pub(super) fn cost(n_networks: usize, schedule: &Schedule) -> Cost {
    let n_trainings = n_networks * schedule.n_trainings();
    Cost {
        max_families: 5_000.0,
        grows: false,
        bytes_per_family: BYTES_PER_FAMILY + BYTES_PER_CURVE * n_networks as f64,
        n_networks,
        n_trainings,
        n_trainings_alone: n_trainings,
    }
}

/// The hint for networks that diverged.
pub(super) fn if_diverged(learning_rates: &[f64], sees_raw: bool) -> Message {
    let rates: Vec<String> = learning_rates.iter().map(|rate| format!("{rate:?}")).collect();
    let now = format!(" (now {})", rates.join(","));
    match sees_raw {
        true => message![
            "networks of ",
            OptionName::Preset.set("paper"),
            " see raw numbers: take logarithms of columns with heavy tails, leave the preset out, or lower ",
            OptionName::LearningRate,
            now,
        ],
        false => message![
            "lower ",
            OptionName::LearningRate,
            format!("{now}, or score this run with "),
            OptionName::Estimator.set("fourier"),
        ],
    }
}

/// Prior weights.
const MARGINAL_WEIGHT: f64 = 2.0;
const NETWORK_WEIGHT: f64 = 1.0;

/// Gradient steps of each training run in a trial.
const TRIAL_STEPS: usize = 8;

impl Neural {
    /// The experts of a family: networks, and the marginal if they do not learn it too.
    fn experts(&self) -> ExpertList {
        let marginal = (MARGINAL_WEIGHT, Arc::new(MarginalExpert) as Arc<dyn Expert>);
        let marginal = Some(marginal).filter(|_| !self.schedule.learns_marginals());
        let networks = NetworkExpert { n_networks: self.networks, schedule: self.schedule.clone() };
        let networks = (NETWORK_WEIGHT, Arc::new(networks) as Arc<dyn Expert>);
        let experts = marginal.into_iter().chain([networks]).collect();
        ExpertList { prior: self.prior, experts, absent_weight: 0.0 }
    }
}

impl Method for Neural {
    fn name(&self) -> &'static str {
        "neural"
    }

    fn summary(&self) -> &'static str {
        "Neural networks only"
    }

    fn in_words(&self) -> String {
        let networks = format!("neural, {} per family", plural(self.networks, "network"));
        match &self.schedule {
            Schedule::Replay(_) => networks,
            Schedule::Blockwise(blockwise) => {
                format!("{networks}, trained from scratch at {}", plural(blockwise.n_splits, "split point"))
            }
        }
    }

    fn settings(&self) -> Map<String, Value> {
        settings_map(self)
    }

    fn check(&self) -> Result<()> {
        self.prior.check()?;
        check_networks(self.networks)?;
        match &self.schedule {
            Schedule::Replay(replay) => replay.check(),
            Schedule::Blockwise(blockwise) => blockwise.check(),
        }
    }

    fn set_prior(&mut self, prior: Prior) {
        self.prior = prior;
    }

    fn set_networks(&mut self, networks: usize) {
        self.networks = networks;
    }

    fn cost(&self) -> Cost {
        cost(self.networks, &self.schedule)
    }

    /// Not if networks learn marginals, as the paper's do: its scores have no structure prior.
    fn nats_of_parent(&self, n_vars: usize) -> f64 {
        if self.schedule.learns_marginals() { 0.0 } else { nats_of_name(n_vars) }
    }

    fn memory(&self, data: &Quantised) -> Memory {
        self.experts().memory(data)
    }

    fn prepare(&self, data: Quantised, seed: u64) -> Box<dyn Coder> {
        Box::new(MixtureCoder::new(self.experts(), data, seed))
    }

    fn default_bins(&self) -> Option<usize> {
        self.schedule.learns_marginals().then_some(128)
    }

    fn takes_raw_numbers(&self) -> bool {
        self.schedule.learns_marginals()
    }

    /// A single training run from scratch would be too long for a trial, so only a few steps are timed.
    fn shortened(&self) -> Option<(Box<dyn Method>, f64)> {
        let Schedule::Blockwise(blockwise) = &self.schedule else { return None };
        let n_steps = TRIAL_STEPS.min(blockwise.max_steps);
        let short = BlockwiseSettings { max_steps: n_steps, ..blockwise.clone() };
        let times_longer = blockwise.max_steps as f64 / n_steps.max(1) as f64;
        Some((Box::new(Neural { schedule: Schedule::Blockwise(short), ..self.clone() }), times_longer))
    }

    fn if_diverged(&self, sees_raw: bool) -> Message {
        if_diverged(&self.schedule.learning_rates(), sees_raw)
    }
}
