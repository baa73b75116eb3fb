//! A fully connected network: layers of ReLU units, with layer norm or dropout on request.

use rand_chacha::ChaCha8Rng;

use super::buffer::{Buffer, LANES, padded};
use super::matmul::{Matrix, MatrixProduct, Packing, Start};
use crate::estimator::streams::normal_draws;
use crate::simd::Arithmetic;

/// The shape of a network.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Architecture {
    /// How many inputs.
    pub(crate) n_inputs: usize,
    /// The units of each hidden layer.
    pub(crate) hidden: Vec<usize>,
    /// How many outputs.
    pub(crate) n_outputs: usize,
    /// Whether each hidden layer is shifted and scaled to mean 0 and variance 1 over its units, before ReLU.
    pub(crate) layer_norm: bool,
    /// The dropout rate of hidden units in training.
    pub(crate) dropout: f32,
}

/// Keeps the variance of a layer positive.
const NORM_FLOOR: f32 = 1e-5;

/// The positions of a layer's parameters.
#[derive(Debug, Clone)]
struct Layer {
    n_inputs: usize,
    /// A multiple of a cache line; units beyond the wanted ones have weights 0 and stay so.
    width: usize,
    /// How many of them are used.
    n_units: usize,
    /// `[input][unit]` from here.
    weights: usize,
    bias: usize,
}

/// A network without its parameters, which are in one buffer.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    layers: Vec<Layer>,
    n_parameters: usize,
    layer_norm: bool,
    dropout: f32,
}

/// The workspace of one pass over a batch: nothing is allocated in training.
#[derive(Debug)]
pub(crate) struct Workspace {
    batch: usize,
    /// Per layer, `[row][unit]`: what it gives; for the last layer, the outputs.
    outputs: Vec<Buffer>,
    /// Per hidden layer with layer norm, `[row][unit]`: normalised values before ReLU.
    normalised: Vec<Buffer>,
    /// Per hidden layer, `[row]`: 1 / sd before normalisation.
    inverse_sd: Vec<Vec<f32>>,
    /// Per layer, `[row][unit]`: derivatives of the loss with respect to sums, later to what came before.
    gradients: Vec<Buffer>,
    packing: Packing,
}

impl Network {
    pub(crate) fn new(architecture: &Architecture) -> Network {
        let mut layers = Vec::new();
        let mut n_parameters = 0;
        let mut n_inputs = architecture.n_inputs;
        for &n_units in architecture.hidden.iter().chain([&architecture.n_outputs]) {
            let width = padded(n_units);
            let weights = n_parameters;
            let bias = weights + n_inputs * width;
            n_parameters = bias + width;
            layers.push(Layer { n_inputs, width, n_units, weights, bias });
            n_inputs = width;
        }
        Network { layers, n_parameters, layer_norm: architecture.layer_norm, dropout: architecture.dropout }
    }

    /// How many parameters, padding included.
    pub(crate) fn n_parameters(&self) -> usize {
        self.n_parameters
    }

    /// From one row of outputs to the next.
    pub(crate) fn output_stride(&self) -> usize {
        self.layers[self.layers.len() - 1].width
    }

    /// Draws weights of variance 2 / inputs (He), those of the last layer `last_scale` times as large; biases are 0.
    ///
    /// `first_layer` gives the stream for each input, so that networks that share an input can share its weights.
    pub(crate) fn initialise(
        &self,
        last_scale: f32,
        mut first_layer: impl FnMut(usize) -> ChaCha8Rng,
        rest: &mut ChaCha8Rng,
    ) -> Buffer {
        let mut parameters = Buffer::zeros(self.n_parameters);
        for (number, layer) in self.layers.iter().enumerate() {
            let n_inputs = if number == 0 { layer.n_inputs } else { self.layers[number - 1].n_units };
            let last = if number + 1 == self.layers.len() { last_scale } else { 1.0 };
            let scale = last * (2.0 / n_inputs.max(1) as f32).sqrt();
            for input in 0..n_inputs {
                let weights = &mut parameters[layer.weights + input * layer.width..][..layer.n_units];
                match number {
                    0 => normal_draws(&mut first_layer(input), weights),
                    _ => normal_draws(rest, weights),
                }
                weights.iter_mut().for_each(|weight| *weight *= scale);
            }
        }
        parameters
    }

    pub(crate) fn workspace(&self, batch: usize) -> Workspace {
        let buffers = || self.layers.iter().map(|layer| Buffer::zeros(batch * layer.width)).collect();
        let n_hidden = self.layers.len() - 1;
        let max_rows = self.layers.iter().map(|layer| layer.n_inputs).max().unwrap_or(0);
        Workspace {
            batch,
            outputs: buffers(),
            normalised: buffers(),
            inverse_sd: vec![vec![0.0; batch]; n_hidden],
            gradients: buffers(),
            packing: Packing::new(max_rows),
        }
    }

    /// Computes the outputs for `batch` rows of `inputs`. With `mask`, hidden units are dropped out.
    #[inline(always)]
    pub(crate) fn forward<A: Arithmetic>(
        &self,
        parameters: &[f32],
        inputs: &[f32],
        batch: usize,
        workspace: &mut Workspace,
        mut mask: Option<&mut Mask>,
    ) {
        assert!(batch <= workspace.batch && parameters.len() == self.n_parameters);
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, here) = workspace.outputs.split_at_mut(number);
            let inputs = if number == 0 { inputs } else { &before[number - 1][..] };
            let sums = &mut here[0][..batch * layer.width];
            let weights = Matrix::rows(&parameters[layer.weights..layer.bias], layer.width);
            A::call(MatrixProduct {
                sizes: (batch, layer.n_inputs, layer.width),
                a: Matrix::rows(inputs, layer.n_inputs),
                b: weights,
                start: Start::Row(&parameters[layer.bias..][..layer.width]),
                c: &mut *sums,
                packing: &mut workspace.packing,
            });
            if number + 1 < self.layers.len() {
                if self.layer_norm {
                    let normalised = &mut workspace.normalised[number][..batch * layer.width];
                    normalise(layer, sums, normalised, &mut workspace.inverse_sd[number]);
                }
                rectify(sums);
                if let Some(mask) = mask.as_deref_mut().filter(|_| self.dropout > 0.0) {
                    mask.apply(sums, self.dropout);
                }
            }
        }
    }

    /// The outputs of the last pass.
    #[inline(always)]
    pub(crate) fn outputs<'w>(&self, workspace: &'w Workspace) -> &'w [f32] {
        &workspace.outputs[self.layers.len() - 1]
    }

    /// The outputs of the last pass, and the buffer of their derivatives.
    #[inline(always)]
    pub(crate) fn outputs_and_gradients<'w>(
        &self,
        workspace: &'w mut Workspace,
    ) -> (&'w [f32], &'w mut [f32]) {
        let last = self.layers.len() - 1;
        (&workspace.outputs[last], &mut workspace.gradients[last])
    }

    /// Computes the derivatives of the loss with respect to all parameters, from those with respect to the outputs, which
    /// are in the workspace.
    #[inline(always)]
    pub(crate) fn backward<A: Arithmetic>(
        &self,
        parameters: &[f32],
        inputs: &[f32],
        batch: usize,
        workspace: &mut Workspace,
        derivatives: &mut [f32],
    ) {
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let (before, here) = workspace.gradients.split_at_mut(number);
            let gradient = &here[0][..batch * layer.width];
            let inputs = if number == 0 { inputs } else { &workspace.outputs[number - 1][..] };
            sum_rows(gradient, &mut derivatives[layer.bias..][..layer.width]);
            let gradient_rows = Matrix::rows(gradient, layer.width);
            A::call(MatrixProduct {
                sizes: (layer.n_inputs, batch, layer.width),
                a: Matrix::transposed(inputs, layer.n_inputs),
                b: gradient_rows,
                start: Start::Zero,
                c: &mut derivatives[layer.weights..layer.bias],
                packing: &mut workspace.packing,
            });
            if number == 0 {
                continue;
            }
            let below = &mut before[number - 1][..batch * layer.n_inputs];
            A::call(MatrixProduct {
                // Unused units have weights 0.
                sizes: (batch, layer.n_units, layer.n_inputs),
                a: gradient_rows,
                b: Matrix::transposed(&parameters[layer.weights..layer.bias], layer.width),
                start: Start::Zero,
                c: &mut *below,
                packing: &mut workspace.packing,
            });
            self.through_units(
                number - 1,
                below,
                batch,
                &workspace.outputs,
                &workspace.normalised,
                &workspace.inverse_sd,
            );
        }
    }

    /// Turns derivatives with respect to the outputs of hidden layer `number` into those with respect to its
    /// sums.
    #[inline(always)]
    fn through_units(
        &self,
        number: usize,
        gradient: &mut [f32],
        batch: usize,
        outputs: &[Buffer],
        normalised: &[Buffer],
        inverse_sd: &[Vec<f32>],
    ) {
        let layer = &self.layers[number];
        let kept = 1.0 / (1.0 - self.dropout);
        for (value, &output) in gradient.iter_mut().zip(&outputs[number][..]) {
            // A dropped unit gives 0, like one below the threshold.
            *value = if output > 0.0 { *value * kept } else { 0.0 };
        }
        if !self.layer_norm {
            return;
        }
        // d sum = (d - mean d - normalised mean(d normalised)) / sd
        let units = 1.0 / layer.n_units as f32;
        let rows = gradient.chunks_exact_mut(layer.width).zip(normalised[number].chunks_exact(layer.width));
        for ((gradient, normalised), &inverse_sd) in rows.zip(&inverse_sd[number]).take(batch) {
            let (gradient, normalised) = (&mut gradient[..layer.n_units], &normalised[..layer.n_units]);
            let mean = sum(gradient) * units;
            let along = sum_of_products(gradient, normalised) * units;
            for (value, z) in gradient.iter_mut().zip(normalised) {
                *value = (*value - mean - z * along) * inverse_sd;
            }
        }
    }
}

/// Writes the sum of all rows.
#[inline(always)]
fn sum_rows(rows: &[f32], sum: &mut [f32]) {
    let width = sum.len();
    for (block, sum) in sum.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sums = [0.0; LANES];
        for row in rows.chunks_exact(width) {
            let values = &row[block * LANES..][..LANES];
            for lane in 0..LANES {
                sums[lane] += values[lane];
            }
        }
        *sum = sums;
    }
}

/// Sets what is below 0 to 0.
#[inline(always)]
fn rectify(sums: &mut [f32]) {
    for sum in sums {
        // Not `max`, which would turn the NaN of a diverged network into 0.
        *sum = if *sum < 0.0 { 0.0 } else { *sum };
    }
}

/// Shifts and scales each row to mean 0 and variance 1; keeps a copy.
#[inline(always)]
fn normalise(layer: &Layer, sums: &mut [f32], normalised: &mut [f32], inverse_sd: &mut [f32]) {
    let units = 1.0 / layer.n_units as f32;
    let rows = sums.chunks_exact_mut(layer.width).zip(normalised.chunks_exact_mut(layer.width));
    for ((sums, copy), inverse_sd) in rows.zip(inverse_sd) {
        let (sums, copy) = (&mut sums[..layer.n_units], &mut copy[..layer.n_units]);
        let mean = sum(sums) * units;
        for (sum, copy) in sums.iter().zip(copy.iter_mut()) {
            *copy = *sum - mean;
        }
        let variance = sum_of_products(copy, copy) * units;
        *inverse_sd = 1.0 / (variance + NORM_FLOOR).sqrt();
        for (sum, copy) in sums.iter_mut().zip(copy) {
            *copy *= *inverse_sd;
            *sum = *copy;
        }
    }
}

/// Eight running sums at a time.
const RUNNING: usize = 8;

#[inline(always)]
fn sum(values: &[f32]) -> f32 {
    let (chunks, rest) = values.as_chunks::<RUNNING>();
    let mut sums = [0.0; RUNNING];
    for chunk in chunks {
        for lane in 0..RUNNING {
            sums[lane] += chunk[lane];
        }
    }
    sums.iter_mut().zip(rest).for_each(|(sum, value)| *sum += value);
    join(&sums)
}

#[inline(always)]
fn sum_of_products(a: &[f32], b: &[f32]) -> f32 {
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<RUNNING>(), b.as_chunks::<RUNNING>());
    let mut sums = [0.0; RUNNING];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..RUNNING {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter_mut().zip(rest_a.iter().zip(rest_b)).for_each(|(sum, (a, b))| *sum += a * b);
    join(&sums)
}

#[inline(always)]
fn join(sums: &[f32; RUNNING]) -> f32 {
    (sums[0] + sums[4] + (sums[2] + sums[6])) + (sums[1] + sums[5] + (sums[3] + sums[7]))
}

/// Random bits for dropout: a hash of a counter, of negligible cost.
#[derive(Debug, Clone)]
pub(crate) struct Mask {
    key: u32,
    counter: u32,
}

impl Mask {
    pub(crate) fn new(key: u32) -> Mask {
        Mask { key, counter: 0 }
    }

    /// Sets a share `dropout` of `units` to 0 and scales the others up by as much.
    #[inline(always)]
    fn apply(&mut self, units: &mut [f32], dropout: f32) {
        let threshold = (f64::from(dropout) * 4_294_967_296.0) as u32;
        let kept = 1.0 / (1.0 - dropout);
        let (key, counter) = (self.key, self.counter);
        for (i, unit) in units.iter_mut().enumerate() {
            let bits = scramble(key ^ scramble(counter.wrapping_add(i as u32)));
            *unit = if bits < threshold { 0.0 } else { *unit * kept };
        }
        self.counter = counter.wrapping_add(units.len() as u32);
    }
}

/// Every bit of the answer depends on every bit of `x` (Wellons' low-bias hash).
#[inline(always)]
fn scramble(x: u32) -> u32 {
    let x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    let x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::estimator::network::head::{Bin, Head, NetworkOutcome};
    use crate::estimator::streams::normal_draws;
    use crate::simd::{Kernel, portable, vectorised};

    const BATCH: usize = 31;

    /// The mean loss of a batch and its derivatives, in one pass.
    struct ForwardPass<'a> {
        network: &'a Network,
        head: &'a Head,
        parameters: &'a [f32],
        inputs: &'a [f32],
        outcomes: &'a [NetworkOutcome],
    }

    impl Kernel for ForwardPass<'_> {
        type Output = (f64, Vec<f32>);

        #[inline(always)]
        fn run<A: Arithmetic>(self) -> (f64, Vec<f32>) {
            let mut workspace = self.network.workspace(BATCH);
            // The same units are left out in every pass.
            let mut mask = Mask::new(5);
            self.network.forward::<A>(self.parameters, self.inputs, BATCH, &mut workspace, Some(&mut mask));
            let stride = self.network.output_stride();
            let (outputs, gradients) = self.network.outputs_and_gradients(&mut workspace);
            let mut loss = 0.0;
            for (row, &outcome) in self.outcomes.iter().enumerate() {
                let outputs = &outputs[row * stride..][..stride];
                loss += self.head.loss::<A>(outputs, outcome, 0.0) / BATCH as f64;
                let gradient = &mut gradients[row * stride..][..stride];
                self.head.gradients::<A>(outputs, stride, &[outcome], 1.0 / BATCH as f32, gradient);
            }
            let mut derivatives = vec![0.0; self.network.n_parameters()];
            self.network.backward::<A>(self.parameters, self.inputs, BATCH, &mut workspace, &mut derivatives);
            (loss, derivatives)
        }
    }

    /// One of 20 labels, or a bin.
    fn outcome(is_number: bool, level: u32) -> NetworkOutcome {
        let edge = |level: u32| level as f32 / 20.0;
        match is_number {
            true => NetworkOutcome::Bin(Bin { low: edge(level), high: edge(level + 1), share: 0.05 }),
            false => NetworkOutcome::Level(level),
        }
    }

    /// The largest error of derivatives along random directions, relative to the derivative's usual size.
    fn worst_error(architecture: &Architecture, is_number: bool, floor: f32, fast: bool) -> f64 {
        let head = if is_number { Head::mixture(floor) } else { Head::softmax(20, floor) };
        let network = Network::new(&Architecture { n_outputs: head.n_outputs(), ..architecture.clone() });
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut inputs = vec![0.0; BATCH * architecture.n_inputs];
        normal_draws(&mut rng, &mut inputs);
        let outcomes: Vec<NetworkOutcome> =
            (0..BATCH).map(|_| outcome(is_number, rng.random_range(0..20))).collect();
        let parameters = network.initialise(1.0, |input| ChaCha8Rng::seed_from_u64(input as u64), &mut rng);
        let pass = |parameters: &[f32]| {
            let pass = ForwardPass {
                network: &network,
                head: &head,
                parameters,
                inputs: &inputs,
                outcomes: &outcomes,
            };
            if fast { vectorised(pass) } else { portable(pass) }
        };
        let (_, derivatives) = pass(&parameters);
        let size = derivatives.iter().map(|d| f64::from(d * d)).sum::<f64>().sqrt();
        let mut worst = 0.0f64;
        for _ in 0..40 {
            // Along wanted parameters only: weights of padding are 0 and must have derivative 0.
            let mut direction = vec![0.0; network.n_parameters()];
            normal_draws(&mut rng, &mut direction);
            let moved = |step: f32| -> Vec<f32> {
                parameters
                    .iter()
                    .zip(&direction)
                    .map(|(p, d)| if *p == 0.0 { *p } else { p + step * d })
                    .collect()
            };
            let along: f64 = (0..direction.len())
                .filter(|&i| parameters[i] != 0.0)
                .map(|i| f64::from(direction[i] * derivatives[i]))
                .sum();
            let measured = (pass(&moved(1e-4)).0 - pass(&moved(-1e-4)).0) / 2e-4;
            worst = worst.max((along - measured).abs() / size);
        }
        worst
    }

    #[test]
    fn derivatives_equal_finite_differences() {
        for (hidden, layer_norm, dropout) in [
            (vec![32, 32], true, 0.0),
            (vec![20], true, 0.0),
            (vec![32, 40, 16], false, 0.5),
            (vec![24, 24], false, 0.0),
        ] {
            let architecture = Architecture { n_inputs: 7, hidden, n_outputs: 0, layer_norm, dropout };
            for (is_number, fast) in [(true, true), (false, true), (true, false), (false, false)] {
                let error = worst_error(&architecture, is_number, 0.002, fast);
                assert!(error < 0.06, "{architecture:?}, numbers: {is_number}: {error}");
            }
        }
    }

    #[test]
    fn a_share_of_units_is_left_out_and_the_mean_is_kept() {
        let mut units = vec![1.0; 100_000];
        Mask::new(1).apply(&mut units, 0.3);
        let left_out = units.iter().filter(|&&unit| unit == 0.0).count() as f64 / 1e5;
        let mean = units.iter().map(|&unit| f64::from(unit)).sum::<f64>() / 1e5;
        assert!((left_out - 0.3).abs() < 0.01 && (mean - 1.0).abs() < 0.01, "{left_out} {mean}");
    }
}
