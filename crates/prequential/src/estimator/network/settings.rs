//! Settings of networks: when they learn, and how.

use serde::Serialize;

use super::optimiser::OptimiserKind;
use super::waves::Waves;

/// The training schedule.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Schedule {
    /// Continually, from rows drawn from all that were seen.
    Replay(ReplaySettings),
    /// Block-wise: from scratch at a few split points, as in the paper.
    Blockwise(BlockwiseSettings),
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule::Replay(ReplaySettings::default())
    }
}

impl Schedule {
    /// Whether networks learn marginals too.
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

/// The settings of networks trained by replay.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ReplaySettings {
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Whether hidden layers are normalised.
    pub layer_norm: bool,
    /// The Fourier features of the parents.
    pub waves: Waves,
    /// Each chunk extends the rows by this factor: 1.15 for 15 %.
    pub growth: f64,
    /// Gradient steps after each chunk.
    pub n_steps: usize,
    /// Rows per gradient step, drawn from all rows seen.
    pub batch: usize,
    /// The optimiser.
    pub optimiser: OptimiserKind,
    /// The learning rate.
    pub learning_rate: f64,
    /// The decay of the weight average (exponential moving average), which predicts.
    pub decay: f64,
    /// Whether predictions are recalibrated by a temperature fitted to the last chunk.
    pub calibrate: bool,
    /// The weight in every prediction of the marginal or, for labels, of a uniform distribution.
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

/// The settings of networks trained from scratch at split points; the defaults are the paper's where it
/// states them.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BlockwiseSettings {
    /// How many split points: at each, one network per learning rate is trained.
    pub n_splits: usize,
    /// The first split point: rows before it are coded with equally likely levels. Not stated in the paper.
    pub first_split: usize,
    /// The units of each hidden layer.
    pub hidden: Vec<usize>,
    /// The dropout rate of hidden units in training.
    pub dropout: f64,
    /// The number of random Fourier features of the parents; 0 for the parents themselves.
    pub n_frequencies: usize,
    /// Standard deviation of the frequencies.
    pub frequency_scale: f64,
    /// The weight of a uniform distribution in every prediction.
    pub floor: f64,
    /// The optimiser.
    pub optimiser: OptimiserKind,
    /// Learning rates, of which each split point takes the one with the lower calibrated validation loss.
    pub learning_rates: Vec<f64>,
    /// Rows per gradient step.
    pub batch: usize,
    /// The most gradient steps of a training run.
    pub max_steps: usize,
    /// Gradient steps between evaluations of the calibrated validation loss. Not stated in the paper.
    pub evaluation_interval: usize,
    /// Early stopping: training stops after this many evaluations without a new best one. Not stated in the
    /// paper.
    pub patience: usize,
    /// Whether the softmax temperature is fitted to the validation rows: one step after every ten steps of the weights.
    pub calibrate: bool,
    /// The learning rate of the log temperature (Adam). Not stated in the paper.
    pub calibration_rate: f64,
    /// The share of the rows before a split point that is held out for validation. Not stated in the paper.
    pub validation_share: f64,
    /// The fewest rows held out, if they are at most half of the rows before the split point.
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
