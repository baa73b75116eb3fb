//! Settings of networks: when they learn, and how.

use serde::Serialize;

use super::optimiser::OptimiserKind;
use super::waves::Waves;

/// When networks learn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Schedule {
    /// Continually, from rows drawn from all that were seen.
    Replay(ReplaySettings),
    /// From scratch at a few split points, as in the paper.
    Blockwise(BlockwiseSettings),
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule::Replay(ReplaySettings::default())
    }
}

impl Schedule {
    /// Whether networks learn how often the values of a child come, too.
    pub(in crate::estimator) fn learns_marginals(&self) -> bool {
        matches!(self, Schedule::Blockwise(_))
    }

    /// Training runs of one network of a family.
    pub(in crate::estimator) fn n_trainings(&self) -> usize {
        match self {
            Schedule::Replay(_) => 1,
            Schedule::Blockwise(blockwise) => blockwise.n_splits * blockwise.learning_rates.len(),
        }
    }

    pub(in crate::estimator) fn learning_rates(&self) -> Vec<f64> {
        match self {
            Schedule::Replay(replay) => vec![replay.learning_rate],
            Schedule::Blockwise(blockwise) => blockwise.learning_rates.clone(),
        }
    }
}

/// How small networks learn continually.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ReplaySettings {
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Whether hidden layers are normalised.
    pub layer_norm: bool,
    /// Which waves the network sees of its parents.
    pub waves: Waves,
    /// Each chunk is this much longer than all rows before it: 1.15 for 15 %.
    pub growth: f64,
    /// Gradient steps after each chunk.
    pub n_steps: usize,
    /// Rows per gradient step, drawn from all rows seen.
    pub batch: usize,
    /// How derivatives move the weights.
    pub optimiser: OptimiserKind,
    /// The learning rate.
    pub learning_rate: f64,
    /// How slowly the averaged weights, which predict, follow those that learn.
    pub decay: f64,
    /// Whether predictions are made less certain, or more, by how the last chunk went.
    pub calibrate: bool,
    /// The share in every prediction of the child's own distribution or, for labels, of all levels alike.
    pub floor: f64,
}

impl Default for ReplaySettings {
    fn default() -> ReplaySettings {
        ReplaySettings {
            hidden: vec![32, 32],
            layer_norm: true,
            waves: Waves::default(),
            growth: 1.15,
            n_steps: 40,
            batch: 48,
            optimiser: OptimiserKind::Adam,
            learning_rate: 8e-3,
            decay: 0.96,
            calibrate: true,
            floor: 0.002,
        }
    }
}

/// How networks are trained from scratch at split points; the default is the paper's choice wherever the paper tells it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BlockwiseSettings {
    /// How many split points: at each, one network per learning rate is trained.
    pub n_splits: usize,
    /// The first split point: rows before it are coded with all levels equally likely. The paper does not tell its own.
    pub first_split: usize,
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// The share of hidden units left out at random while training.
    pub dropout: f64,
    /// Random waves through the parents; 0 for the parents as they are.
    pub n_frequencies: usize,
    /// Standard deviation of the frequencies of the waves.
    pub frequency_scale: f64,
    /// The share in every prediction of all levels alike.
    pub floor: f64,
    /// How derivatives move the weights.
    pub optimiser: OptimiserKind,
    /// Learning rates, of which each split point takes the one with the lower calibrated validation loss.
    pub learning_rates: Vec<f64>,
    /// Rows per gradient step.
    pub batch: usize,
    /// The most gradient steps of a training run.
    pub max_steps: usize,
    /// Gradient steps between evaluations of the calibrated validation loss. The paper does not tell its own.
    pub evaluation_interval: usize,
    /// Training stops after so many evaluations without a new best one. The paper does not tell its own.
    pub patience: usize,
    /// Whether the softmax temperature is fitted to the validation rows: one step after every ten steps of the weights.
    pub calibrate: bool,
    /// The learning rate of the temperature's logarithm (Adam). The paper does not tell its own.
    pub calibration_rate: f64,
    /// The share of the rows before a split point that is held back for validation. The paper does not tell its own.
    pub validation_share: f64,
    /// The fewest rows held back, if they are at most half of the rows before the split point.
    pub min_validation: usize,
    /// Whether a network starts from the weights of the one that predicted the block before, instead of random ones.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub warm_start: bool,
}

impl Default for BlockwiseSettings {
    fn default() -> BlockwiseSettings {
        BlockwiseSettings {
            n_splits: 6,
            first_split: 16,
            hidden: vec![512, 512, 512],
            dropout: 0.5,
            n_frequencies: 512,
            frequency_scale: 10.0,
            floor: 0.0,
            optimiser: OptimiserKind::Adam,
            learning_rates: vec![1e-4, 3e-4],
            batch: 128,
            max_steps: 25_000,
            evaluation_interval: 100,
            patience: 10,
            calibrate: true,
            calibration_rate: 0.03,
            validation_share: 0.1,
            min_validation: 8,
            warm_start: false,
        }
    }
}
