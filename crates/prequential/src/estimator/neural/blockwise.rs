//! The paper's schedule: at each split point a network is trained from scratch on the rows before it, and codes the rows up
//! to the next.

use std::ops::Range;

use rayon::prelude::*;

use super::fourier_features::FourierFeatures;
use super::head::Head;
use super::network::{Architecture, Network};
use super::optimiser::OptimiserKind;
use super::training::{BlockLosses, Model, Trained, Training};
use crate::estimator::vectorised::vectorised;
use crate::estimator::{ParentInputs, Target};

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
    /// Whether numbers have one output per bin, as in the paper, instead of a mixture of logistics.
    pub softmax: bool,
    /// The share of the child's own distribution in every prediction; a mixture has at least 0.002 of it, since bins far
    /// from all components would otherwise cost infinitely many nats.
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
            softmax: true,
            floor: 0.0,
            optimiser: OptimiserKind::Adam,
            learning_rates: vec![1e-4, 3e-4],
            batch: 128,
            max_steps: 25_000,
            evaluation_interval: 100,
            patience: 5,
            calibrate: true,
            calibration_rate: 0.01,
            validation_share: 0.1,
            min_validation: 8,
        }
    }
}

/// The least share of the marginal in a mixture.
const MIN_MIXTURE_FLOOR: f64 = 0.002;

/// The last layer starts this small, so that all levels start almost equally likely.
const LAST_SCALE: f32 = 0.1;

impl BlockwiseSettings {
    /// The blocks that are coded by one network each, for so many rows: `block.start` is a split point.
    ///
    /// Split points and the number of rows are evenly spaced on a logarithmic scale; where there are too few rows for that
    /// many whole numbers, there are fewer.
    pub(crate) fn blocks(&self, n_rows: usize) -> Vec<Range<usize>> {
        let first = self.first_split();
        if n_rows <= first {
            return Vec::new();
        }
        let growth = n_rows as f64 / first as f64;
        let point = |k: usize| (first as f64 * growth.powf(k as f64 / self.n_splits as f64)).round() as usize;
        let mut points: Vec<usize> = (0..=self.n_splits).map(point).collect();
        points.dedup();
        points.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// A network needs a row to learn from and one to validate on.
    fn first_split(&self) -> usize {
        self.first_split.max(2)
    }

    /// How many of `n_seen` rows are held back.
    pub(super) fn n_validation(&self, n_seen: usize) -> usize {
        let share = (self.validation_share * n_seen as f64).round() as usize;
        share.max(self.min_validation).min(n_seen / 2).max(1)
    }
}

/// The code of a family, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BlockwiseCode {
    /// The loss of every row, in nats; NaN in blocks for which training diverged at every learning rate.
    pub(crate) losses: Vec<f64>,
    /// Networks trained.
    pub(crate) n_trainings: usize,
    /// Gradient steps of all of them.
    pub(crate) n_steps: usize,
}

/// Codes a family: network number `net` of those that share the seed.
///
/// The training runs are independent and run in parallel. They share random numbers with the runs of other families at the
/// same split point and learning rate, so that code lengths differ less by luck.
pub(crate) fn code_blockwise(
    settings: &BlockwiseSettings,
    inputs: &ParentInputs,
    target: &Target,
    seed: u64,
    net: u64,
) -> BlockwiseCode {
    let (n_waves, scale) = (settings.n_frequencies, settings.frequency_scale);
    let floor = if settings.softmax { settings.floor } else { settings.floor.max(MIN_MIXTURE_FLOOR) };
    let features = FourierFeatures::new(inputs, n_waves, scale, seed, net);
    let head = Head::new(target, settings.softmax, floor as f32);
    let network = Network::new(&Architecture {
        n_inputs: features.width(),
        hidden: settings.hidden.clone(),
        n_outputs: head.n_outputs(),
        layer_norm: false,
        dropout: settings.dropout as f32,
    });
    let model = Model { settings, features, head, network, last_scale: LAST_SCALE, seed, net };

    let blocks = settings.blocks(target.n_rows());
    let n_opening = blocks.first().map_or(target.n_rows(), |block| block.start);
    // Nothing is known yet, not even how often the levels come: the same for every parent set.
    let mut losses = vec![(target.n_levels as f64).ln(); n_opening];
    let coded: Vec<(Vec<f64>, usize)> = blocks
        .par_iter()
        .enumerate()
        .map(|(split, block)| code_block(&model, target, split, block))
        .collect();
    coded.iter().for_each(|(of_block, _)| losses.extend(of_block));
    BlockwiseCode {
        losses,
        n_trainings: blocks.len() * settings.learning_rates.len(),
        n_steps: coded.iter().map(|(_, n_steps)| n_steps).sum(),
    }
}

/// Trains on the rows before `block` with every learning rate; the best predicts the block. Also gives the number of steps.
fn code_block(model: &Model, target: &Target, split: usize, block: &Range<usize>) -> (Vec<f64>, usize) {
    let (seen, coded) = target.codes[..block.end].split_at(block.start);
    let rates = &model.settings.learning_rates;
    let runs: Vec<Trained> = (0..rates.len())
        .into_par_iter()
        .map(|number| vectorised(Training { model, seen, split, number, learning_rate: rates[number] }))
        .collect();
    let n_steps = runs.iter().map(|run| run.n_steps).sum();
    // NaN, the loss of a diverged network, comes last; of equals the first is taken.
    let best = runs.iter().min_by(|a, b| a.validation_loss.total_cmp(&b.validation_loss));
    let losses = match best {
        Some(predictor) => vectorised(BlockLosses { model, predictor, first_row: block.start, coded }),
        None => vec![f64::NAN; coded.len()],
    };
    (losses, n_steps)
}
