//! Networks that learn by replay: predict the next chunk, then take gradient steps on rows drawn from all rows seen.

use std::ops::Range;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::buffer::Buffer;
use super::head::{Head, NetworkOutcome};
use super::layers::{Architecture, Network, Workspace};
use super::optimiser::Optimiser;
use super::outcomes::Outcomes;
use super::settings::ReplaySettings;
use super::waves::WaveInputs;
use crate::estimator::column::CodedColumn;
use crate::estimator::prequential::Predictor;
use crate::estimator::streams::{Purpose, stream};
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Rows that are predicted at a time.
const BLOCK: usize = 60;

/// Step of the numerical derivatives with respect to the log temperature.
const TEMPERATURE_STEP: f32 = 0.05;

/// The scale of the last layer's initial weights, small so that the mixture starts evenly spread.
const LAST_SCALE: f32 = 0.1;

/// Weights start near 1 and move by at most about the learning rate in a step: a larger one means divergence.
const MAX_WEIGHT: f32 = 1e4;

/// Bounds of the log temperature.
const LOG_TEMPERATURES: (f32, f32) = (-1.0, 2.5);

/// One network for one family, learning by replay.
#[derive(Debug)]
pub(crate) struct ReplayNet<'a> {
    settings: &'a ReplaySettings,
    child: &'a CodedColumn,
    /// Its inputs, epoch by epoch.
    inputs: &'a [WaveInputs<'a>],
    epoch: usize,
    outcomes: Outcomes,
    head: Head,
    network: Network,
    weights: Buffer,
    /// Predicts.
    average: Buffer,
    derivatives: Buffer,
    optimiser: Optimiser,
    workspace: Workspace,
    batch_inputs: Buffer,
    batch_outcomes: Vec<NetworkOutcome>,
    batches: ChaCha8Rng,
    n_steps_done: usize,
    log_temperature: f32,
}

impl<'a> ReplayNet<'a> {
    /// An untrained network, number `net` of those that share the seed.
    ///
    /// Families share what random numbers they can: the weights of a common input, and which rows are drawn.
    /// Their code lengths then differ less by chance.
    pub(crate) fn new(
        settings: &'a ReplaySettings,
        inputs: &'a [WaveInputs<'a>],
        child: &'a CodedColumn,
        seed: u64,
        net: u64,
    ) -> ReplayNet<'a> {
        let head = Outcomes::head(child, settings.floor as f32);
        let network = Network::new(&Architecture {
            n_inputs: inputs[0].width(),
            hidden: settings.hidden.clone(),
            n_outputs: head.n_outputs(),
            layer_norm: settings.layer_norm,
            dropout: 0.0,
        });
        let rest = &mut stream(seed, Purpose::Weights, net, u64::MAX);
        let weights = network.initialise(LAST_SCALE, |input| inputs[0].weight_stream(input, seed, net), rest);
        ReplayNet {
            average: weights.clone(),
            derivatives: Buffer::zeros(network.n_parameters()),
            optimiser: Optimiser::new(settings.optimiser, network.n_parameters()),
            workspace: network.workspace(settings.batch),
            batch_inputs: Buffer::zeros(settings.batch * inputs[0].width()),
            batch_outcomes: vec![NetworkOutcome::Level(0); settings.batch],
            batches: stream(seed, Purpose::Batches, net, 0),
            n_steps_done: 0,
            log_temperature: 0.0,
            epoch: 0,
            outcomes: Outcomes::new(child, 0),
            settings,
            child,
            inputs,
            head,
            network,
            weights,
        }
    }

    /// A damped Newton step of the log temperature on the chunk just coded.
    fn calibrate(&mut self, coded: &ChunkLosses, n_rows: usize) {
        let step = f64::from(TEMPERATURE_STEP);
        let slope = (coded.warmer - coded.colder) / (2.0 * step);
        let curvature = (coded.warmer + coded.colder - 2.0 * coded.here) / (step * step);
        let damped = curvature.max(0.0) + 0.5 * curvature.abs() + 0.05 * n_rows as f64 + 2.0;
        let move_by = -0.7 * (slope / damped).clamp(-0.5, 0.5);
        self.log_temperature =
            (self.log_temperature + move_by as f32).clamp(LOG_TEMPERATURES.0, LOG_TEMPERATURES.1);
    }
}

/// The loss of a chunk at the current temperature, and at others close by.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChunkLosses {
    here: f64,
    warmer: f64,
    colder: f64,
}

impl Predictor for ReplayNet<'_> {
    type Prediction = ChunkLosses;

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> ChunkLosses {
        if rows.start == 0 {
            losses.copy_from_slice(&self.child.marginal_losses[rows]);
            return ChunkLosses::default();
        }
        vectorised(ReplayPrediction { net: self, rows, losses })
    }

    fn observe(&mut self, rows: Range<usize>, coded: ChunkLosses) {
        if self.settings.calibrate && rows.start > 0 {
            self.calibrate(&coded, rows.len());
        }
        // Nothing is left to predict after the last row.
        if rows.end == self.child.n_rows() {
            return;
        }
        let epoch = self.child.epochs.of(rows.end);
        if epoch != self.epoch {
            self.epoch = epoch;
            self.outcomes = Outcomes::new(self.child, epoch);
        }
        // Nothing has been predicted before the first chunk.
        if rows.start > 0 {
            vectorised(ReplayTraining { net: self, n_seen: rows.end });
            // Layer norm and the probability floor keep the losses of a diverged network finite: report the
            // divergence instead.
            if !self.weights.iter().all(|weight| weight.abs() < MAX_WEIGHT) {
                self.average.fill(f32::NAN);
            }
        }
    }
}

/// Predicts a chunk with the averaged weights.
struct ReplayPrediction<'a, 'n> {
    net: &'a ReplayNet<'n>,
    rows: Range<usize>,
    losses: &'a mut [f64],
}

impl Kernel for ReplayPrediction<'_, '_> {
    type Output = ChunkLosses;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> ChunkLosses {
        let ReplayPrediction { net, rows, losses } = self;
        let (network, head, calibrate) = (&net.network, &net.head, net.settings.calibrate);
        let mut workspace = network.workspace(BLOCK);
        let width = net.inputs[0].width();
        let mut inputs = Buffer::zeros(BLOCK * width);
        let mut sums = ChunkLosses::default();
        let shifts = match calibrate {
            true => &[0.0, TEMPERATURE_STEP, -TEMPERATURE_STEP][..],
            false => &[0.0],
        };
        for start in rows.clone().step_by(BLOCK) {
            let block = start..rows.end.min(start + BLOCK);
            let of_block = &mut inputs[..block.len() * width];
            net.inputs[net.epoch].write::<A>(start, of_block);
            network.forward::<A>(&net.average, of_block, block.len(), &mut workspace, None);
            let mut by_shift = [[0.0; BLOCK]; 3];
            // In a loop: a closure called in three places would be compiled for the oldest machines.
            for (losses, shift) in by_shift.iter_mut().zip(shifts) {
                head.losses::<A>(
                    network.outputs(&workspace),
                    network.output_stride(),
                    net.outcomes.of_rows(block.clone()),
                    net.log_temperature + shift,
                    &mut losses[..block.len()],
                );
            }
            for (place, row) in block.enumerate() {
                losses[row - rows.start] = by_shift[0][place] + net.outcomes.beyond(row);
                sums.here += by_shift[0][place];
                sums.warmer += by_shift[1][place];
                sums.colder += by_shift[2][place];
            }
        }
        sums
    }
}

/// Learns from the first rows, which were seen.
struct ReplayTraining<'a, 'n> {
    net: &'a mut ReplayNet<'n>,
    n_seen: usize,
}

impl Kernel for ReplayTraining<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let ReplayTraining { net, n_seen } = self;
        let (network, head, width) = (&net.network, &net.head, net.inputs[0].width());
        let batch = net.settings.batch.min(n_seen);
        let learning_rate = net.settings.learning_rate as f32;
        for _ in 0..net.settings.n_steps {
            for place in 0..batch {
                let row = net.batches.random_range(0..n_seen);
                net.inputs[net.epoch].write::<A>(row, &mut net.batch_inputs[place * width..][..width]);
                net.batch_outcomes[place] = net.outcomes.of(row);
            }
            network.forward::<A>(&net.weights, &net.batch_inputs, batch, &mut net.workspace, None);
            let stride = network.output_stride();
            let (outputs, gradients) = network.outputs_and_gradients(&mut net.workspace);
            let outcomes = &net.batch_outcomes[..batch];
            head.gradients::<A>(outputs, stride, outcomes, 1.0 / batch as f32, gradients);
            network.backward::<A>(
                &net.weights,
                &net.batch_inputs,
                batch,
                &mut net.workspace,
                &mut net.derivatives,
            );
            net.optimiser.step::<A>(&mut net.weights, &net.derivatives, learning_rate);
            net.n_steps_done += 1;
            let done = net.n_steps_done as f64;
            let keep = f64::min(net.settings.decay, (done + 1.0) / (done + 10.0)) as f32;
            for (average, weight) in net.average.iter_mut().zip(net.weights.iter()) {
                *average = A::mul_add32(keep, *average - *weight, *weight);
            }
        }
    }
}
