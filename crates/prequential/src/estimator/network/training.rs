//! Trains one network, with a part of the rows held out for calibration and early stopping.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::buffer::Buffer;
use super::fourier_features::{FourierFeatures, Scratch};
use super::head::{Head, NetworkOutcome};
use super::layers::{Mask, Network, Workspace};
use super::optimiser::{Optimiser, OptimiserKind};
use super::settings::BlockwiseSettings;
use crate::base::stop::Stop;
use crate::estimator::streams::{Purpose, stream};
use crate::simd::{Arithmetic, Kernel};

/// Steps of the weights to one of the temperature.
const STEPS_PER_CALIBRATION: usize = 10;

/// Steps between two checks for early stopping.
const STEPS_PER_QUESTION: usize = 16;

/// Step of the numerical derivative with respect to the log temperature.
const TEMPERATURE_STEP: f32 = 0.02;

/// Bounds of the log temperature.
const LOG_TEMPERATURES: (f32, f32) = (-3.0, 5.0);

/// The data shared by all training runs of a family.
#[derive(Debug)]
pub(crate) struct TrainableModel<'a> {
    pub(crate) settings: &'a BlockwiseSettings,
    pub(crate) features: FourierFeatures<'a>,
    pub(crate) head: Head,
    pub(crate) network: Network,
    /// The relative scale of the last layer's initial weights.
    pub(crate) last_scale: f32,
    pub(crate) seed: u64,
    pub(crate) net: u64,
    pub(crate) stop: Stop<'a>,
}

/// A network as it was at its lowest calibrated validation loss.
#[derive(Debug)]
pub(crate) struct Trained {
    weights: Buffer,
    log_temperature: f32,
    /// In nats per row; NaN if training diverged, now or later.
    pub(crate) validation_loss: f64,
    /// Gradient steps until training stopped.
    pub(crate) n_steps: usize,
}

/// Trains a network on the first rows, `seen`: it has no access to the levels of any others.
pub(crate) struct Training<'a> {
    pub(crate) model: &'a TrainableModel<'a>,
    pub(crate) seen: &'a [u32],
    /// Number of the split point.
    pub(crate) split: usize,
    /// Number of the learning rate.
    pub(crate) number: usize,
    pub(crate) learning_rate: f64,
    /// The network whose weights it starts from; `None` for random weights.
    pub(crate) before: Option<&'a Trained>,
}

impl Kernel for Training<'_> {
    type Output = Trained;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Trained {
        let settings = self.model.settings;
        let mut learner = Learner::new(&self);
        let mut best = Trained {
            weights: learner.weights.clone(),
            log_temperature: 0.0,
            validation_loss: learner.validation_loss::<A>(),
            n_steps: 0,
        };
        let mut n_worse = 0;
        for step in 1..=settings.max_steps {
            learner.step::<A>();
            if settings.calibrate && step.is_multiple_of(STEPS_PER_CALIBRATION) {
                learner.calibrate::<A>();
            }
            best.n_steps = step;
            if step.is_multiple_of(STEPS_PER_QUESTION) && self.model.stop.now() {
                break;
            }
            if !step.is_multiple_of(settings.evaluation_interval.max(1)) && step < settings.max_steps {
                continue;
            }
            let loss = learner.validation_loss::<A>();
            if loss.is_nan() {
                best.validation_loss = loss;
                best.weights.fill(f32::NAN);
                break;
            }
            if loss < best.validation_loss {
                best.weights.copy_from_slice(&learner.weights);
                best.log_temperature = learner.log_temperature[0];
                best.validation_loss = loss;
                n_worse = 0;
            } else {
                n_worse += 1;
                if n_worse >= settings.patience.max(1) {
                    break;
                }
            }
        }
        best
    }
}

/// A network in training; nothing is allocated after construction.
struct Learner<'a> {
    model: &'a TrainableModel<'a>,
    levels: &'a [u32],
    learning_rate: f32,
    weights: Buffer,
    derivatives: Buffer,
    optimiser: Optimiser,
    log_temperature: [f32; 1],
    temperature_optimiser: Optimiser,
    mask: Mask,
    batches: Passes,
    calibration_batches: Passes,
    validation: Vec<u32>,
    passer: Passer,
}

impl<'a> Learner<'a> {
    fn new(training: &Training<'a>) -> Learner<'a> {
        let &Training { model, seen, split, number, learning_rate, before } = training;
        let (settings, network) = (model.settings, &model.network);
        // The identity of this run: the network, the split point, the learning rate.
        let run = model.net << 32 | (split as u64) << 16 | number as u64;
        let random = |purpose: Purpose, part: u64| stream(model.seed, purpose, run, part);
        let keys = model.features.keys();
        let first_layer = |input: usize| random(Purpose::Weights, keys[input]);
        let weights = match before {
            Some(before) => before.weights.clone(),
            None => {
                network.initialise(model.last_scale, first_layer, &mut random(Purpose::Weights, u64::MAX))
            }
        };
        // The two learning rates are compared on the same rows.
        let mut rows: Vec<u32> = (0..seen.len() as u32).collect();
        let held_back = model.net << 32 | (split as u64) << 16;
        rows.shuffle(&mut stream(model.seed, Purpose::Validation, held_back, 0));
        let mut validation = rows.split_off(seen.len() - settings.n_validation(seen.len()));
        validation.sort_unstable();
        Learner {
            learning_rate: learning_rate as f32,
            derivatives: Buffer::zeros(network.n_parameters()),
            optimiser: Optimiser::new(settings.optimiser, network.n_parameters()),
            log_temperature: [0.0],
            temperature_optimiser: Optimiser::new(OptimiserKind::Adam, 1),
            mask: Mask::new(random(Purpose::Dropout, 0).random()),
            batches: Passes::new(rows, settings.batch, random(Purpose::Batches, 0)),
            calibration_batches: Passes::new(validation.clone(), settings.batch, random(Purpose::Batches, 1)),
            validation,
            passer: Passer::new(model),
            levels: seen,
            model,
            weights,
        }
    }

    /// One gradient step of the weights on training rows, at temperature 1.
    #[inline(always)]
    fn step<A: Arithmetic>(&mut self) {
        let TrainableModel { network, head, .. } = self.model;
        let rows = self.batches.next_batch();
        self.passer.forward::<A>(self.model, &self.weights, rows, Some(&mut self.mask));
        let stride = network.output_stride();
        let (outputs, gradients) = network.outputs_and_gradients(&mut self.passer.workspace);
        let both = outputs.chunks_exact(stride).zip(gradients.chunks_exact_mut(stride));
        for ((outputs, gradient), &row) in both.zip(rows) {
            let outcome = NetworkOutcome::Level(self.levels[row as usize]);
            head.gradients::<A>(outputs, stride, &[outcome], 1.0 / rows.len() as f32, gradient);
        }
        let Passer { inputs, workspace, .. } = &mut self.passer;
        network.backward::<A>(&self.weights, inputs, rows.len(), workspace, &mut self.derivatives);
        self.optimiser.step::<A>(&mut self.weights, &self.derivatives, self.learning_rate);
    }

    /// One gradient step of the log temperature on validation rows.
    #[inline(always)]
    fn calibrate<A: Arithmetic>(&mut self) {
        let rows = self.calibration_batches.next_batch();
        self.passer.forward::<A>(self.model, &self.weights, rows, None);
        let mut slope = 0.0;
        for (outputs, &row) in self.passer.outputs(self.model).zip(rows) {
            let level = NetworkOutcome::Level(self.levels[row as usize]);
            let loss =
                |shift: f32| self.model.head.loss::<A>(outputs, level, self.log_temperature[0] + shift);
            slope += loss(TEMPERATURE_STEP) - loss(-TEMPERATURE_STEP);
        }
        let slope = slope / (2.0 * f64::from(TEMPERATURE_STEP) * rows.len() as f64);
        let rate = self.model.settings.calibration_rate as f32;
        self.temperature_optimiser.step::<A>(&mut self.log_temperature, &[slope as f32], rate);
        self.log_temperature[0] = self.log_temperature[0].clamp(LOG_TEMPERATURES.0, LOG_TEMPERATURES.1);
    }

    /// The mean loss of the rows held out, at the current temperature.
    #[inline(always)]
    fn validation_loss<A: Arithmetic>(&mut self) -> f64 {
        let mut sum = 0.0;
        for rows in self.validation.chunks(self.passer.batch) {
            self.passer.forward::<A>(self.model, &self.weights, rows, None);
            for (outputs, &row) in self.passer.outputs(self.model).zip(rows) {
                sum += self.model.head.loss::<A>(
                    outputs,
                    NetworkOutcome::Level(self.levels[row as usize]),
                    self.log_temperature[0],
                );
            }
        }
        sum / self.validation.len() as f64
    }
}

/// Passes rows through a network.
struct Passer {
    batch: usize,
    inputs: Buffer,
    scratch: Scratch,
    workspace: Workspace,
}

impl Passer {
    fn new(model: &TrainableModel) -> Passer {
        let batch = model.settings.batch.max(1);
        Passer {
            batch,
            inputs: Buffer::zeros(batch * model.features.width()),
            scratch: model.features.scratch(),
            workspace: model.network.workspace(batch),
        }
    }

    #[inline(always)]
    fn forward<A: Arithmetic>(
        &mut self,
        model: &TrainableModel,
        weights: &[f32],
        rows: &[u32],
        mask: Option<&mut Mask>,
    ) {
        let places = self.inputs.chunks_exact_mut(model.features.width());
        for (place, &row) in places.zip(rows) {
            model.features.fill::<A>(row as usize, &mut self.scratch, place);
        }
        model.network.forward::<A>(weights, &self.inputs, rows.len(), &mut self.workspace, mask);
    }

    /// The outputs of the last pass, row by row.
    #[inline(always)]
    fn outputs(&self, model: &TrainableModel) -> impl Iterator<Item = &[f32]> {
        model.network.outputs(&self.workspace).chunks_exact(model.network.output_stride())
    }
}

/// Batches of rows: every row once in random order, then again in another.
struct Passes {
    rows: Vec<u32>,
    /// Rows of this pass that were in a batch.
    n_done: usize,
    batch: Vec<u32>,
    rng: ChaCha8Rng,
}

impl Passes {
    fn new(mut rows: Vec<u32>, batch: usize, mut rng: ChaCha8Rng) -> Passes {
        rows.shuffle(&mut rng);
        let batch = vec![0; batch.clamp(1, rows.len())];
        Passes { rows, n_done: 0, batch, rng }
    }

    fn next_batch(&mut self) -> &[u32] {
        for place in &mut self.batch {
            if self.n_done == self.rows.len() {
                self.rows.shuffle(&mut self.rng);
                self.n_done = 0;
            }
            *place = self.rows[self.n_done];
            self.n_done += 1;
        }
        &self.batch
    }
}

/// Predicts the rows from `first_row` on, of which `coded` are the levels.
pub(crate) struct BlockLosses<'a> {
    pub(crate) model: &'a TrainableModel<'a>,
    pub(crate) predictor: &'a Trained,
    pub(crate) first_row: usize,
    pub(crate) coded: &'a [u32],
}

impl Kernel for BlockLosses<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Vec<f64> {
        let BlockLosses { model, predictor, first_row, coded } = self;
        let mut passer = Passer::new(model);
        let mut losses = Vec::with_capacity(coded.len());
        let rows: Vec<u32> = (first_row as u32..).take(coded.len()).collect();
        for (rows, levels) in rows.chunks(passer.batch).zip(coded.chunks(passer.batch)) {
            passer.forward::<A>(model, &predictor.weights, rows, None);
            for (outputs, &level) in passer.outputs(model).zip(levels) {
                losses.push(model.head.loss::<A>(
                    outputs,
                    NetworkOutcome::Level(level),
                    predictor.log_temperature,
                ));
            }
        }
        losses
    }
}
