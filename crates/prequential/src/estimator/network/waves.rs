//! What a network sees of the parents: coordinates and random Fourier features (Rahimi and Recht 2007).

use rand_chacha::ChaCha8Rng;

use super::elementary::sin_cos;
use crate::estimator::parent_inputs::ParentRows;
use crate::estimator::streams::{Purpose, normal_draws, stream};
use crate::simd::{Arithmetic, Kernel, vectorised};

/// The Fourier features of a network.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Waves {
    /// The number of features of all parents jointly, divided evenly among the scales.
    pub n_joint: usize,
    /// Standard deviations of the frequencies of the joint features.
    pub joint_scales: Vec<f64>,
    /// The number of features of each single number.
    pub n_axis: usize,
    /// Standard deviation of the frequencies of the features of a single number.
    pub axis_scale: f64,
}

impl Default for Waves {
    fn default() -> Waves {
        Waves { n_joint: 16, joint_scales: vec![1.0, 2.0], n_axis: 8, axis_scale: 1.5 }
    }
}

/// Epochs of at most this many rows have their inputs in memory; those of longer ones are computed on
/// request, which takes no longer where every row is predicted once and few are drawn again.
const MAX_HELD: usize = 1 << 16;

/// Inputs of a network for every row: coordinates, joint features, features of each number.
#[derive(Debug)]
pub(crate) struct WaveInputs<'a> {
    rows: ParentRows<'a>,
    n_joint: usize,
    /// Joint frequencies `[coordinate][wave]`.
    joint: Vec<f32>,
    /// For each number, its coordinate and its frequencies.
    axis: Vec<(usize, Vec<f32>)>,
    width: usize,
    /// `[row][input]`; empty if they are not held.
    held: Vec<f32>,
    /// What each input is, the same number in every parent set that has it.
    identities: Vec<u64>,
}

/// Kinds of inputs, for their identities.
const COORDINATE: u64 = 0;
const JOINT: u64 = 1;
const AXIS: u64 = 2;

fn identity(kind: u64, column: usize, number: usize) -> u64 {
    kind << 62 | (column as u64) << 32 | number as u64
}

impl<'a> WaveInputs<'a> {
    /// For the first `n_rows` and network number `net`; the frequencies of a column are the same in every
    /// parent set.
    pub(crate) fn new(
        rows: ParentRows<'a>,
        n_rows: usize,
        waves: &Waves,
        seed: u64,
        net: u64,
    ) -> WaveInputs<'a> {
        let mut identities = Vec::new();
        let mut joint = vec![0.0; rows.width() * waves.n_joint];
        let mut axis = Vec::new();
        for part in rows.parts() {
            for (number, coordinate) in part.range.clone().enumerate() {
                identities.push(identity(COORDINATE, part.parent, number));
                let key = identity(COORDINATE, part.parent, number);
                let frequencies = &mut joint[coordinate * waves.n_joint..][..waves.n_joint];
                normal_draws(&mut stream(seed, Purpose::JointWaves, net, key), frequencies);
                scale_evenly(frequencies, &waves.joint_scales);
            }
        }
        identities.extend((0..2 * waves.n_joint).map(|number| identity(JOINT, 0, number)));
        for part in rows.parts().iter().filter(|part| part.is_number) {
            let mut frequencies = vec![0.0; waves.n_axis];
            normal_draws(&mut stream(seed, Purpose::AxisWaves, net, part.parent as u64), &mut frequencies);
            frequencies.iter_mut().for_each(|frequency| *frequency *= waves.axis_scale as f32);
            axis.push((part.range.start, frequencies));
            identities.extend((0..2 * waves.n_axis).map(|number| identity(AXIS, part.parent, number)));
        }
        let width = identities.len();
        let mut inputs =
            WaveInputs { rows, n_joint: waves.n_joint, joint, axis, width, held: Vec::new(), identities };
        if n_rows <= MAX_HELD {
            let mut held = vec![0.0; n_rows * width];
            vectorised(Fill { inputs: &inputs, first: 0, values: &mut held });
            inputs.held = held;
        }
        inputs
    }

    /// The memory of the inputs of this many numbers in epochs of this many rows, in bytes.
    pub(crate) fn bytes(waves: &Waves, n_numbers: usize, n_rows: impl Iterator<Item = usize>) -> f64 {
        let width = n_numbers + 2 * waves.n_joint + 2 * waves.n_axis * n_numbers;
        let n_held: usize = n_rows.filter(|&n_rows| n_rows <= MAX_HELD).sum();
        (size_of::<f32>() * width * n_held) as f64
    }

    /// How many inputs.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Copies the inputs of as many rows as fit into `values`, from row `first` on.
    #[inline(always)]
    pub(crate) fn write<A: Arithmetic>(&self, first: usize, values: &mut [f32]) {
        match self.held.get(first * self.width..) {
            Some(held) if !self.held.is_empty() => values.copy_from_slice(&held[..values.len()]),
            _ => Fill { inputs: self, first, values }.run::<A>(),
        }
    }

    /// The stream of the initial weights of input number `input` of network number `net`.
    pub(crate) fn weight_stream(&self, input: usize, seed: u64, net: u64) -> ChaCha8Rng {
        stream(seed, Purpose::Weights, net, self.identities[input])
    }
}

/// Multiplies equal shares of `frequencies` by each of `scales`.
fn scale_evenly(frequencies: &mut [f32], scales: &[f64]) {
    let n_waves = frequencies.len();
    for (wave, frequency) in frequencies.iter_mut().enumerate() {
        *frequency *= scales[wave * scales.len() / n_waves] as f32;
    }
}

/// Computes the inputs of some rows.
struct Fill<'a, 'r> {
    inputs: &'a WaveInputs<'r>,
    first: usize,
    values: &'a mut [f32],
}

impl Kernel for Fill<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Fill { inputs: WaveInputs { rows, n_joint, joint, axis, width, .. }, first, values } = self;
        let mut phases = vec![0.0; *n_joint];
        let mut coordinates = vec![0.0; rows.width()];
        for (row, out) in values.chunks_exact_mut((*width).max(1)).enumerate() {
            rows.write(first + row, &mut coordinates);
            let (raw, waves) = out.split_at_mut(coordinates.len());
            raw.iter_mut().zip(&coordinates).for_each(|(raw, &x)| *raw = x as f32);
            phases.fill(0.0);
            for (x, frequencies) in raw.iter().zip(joint.chunks_exact((*n_joint).max(1))) {
                for (phase, frequency) in phases.iter_mut().zip(frequencies) {
                    *phase = A::mul_add32(*x, *frequency, *phase);
                }
            }
            let (joint, axes) = waves.split_at_mut(2 * n_joint);
            sines_and_cosines::<A>(&phases, joint);
            let mut axes = axes;
            for (coordinate, frequencies) in axis {
                let (axis, rest) = axes.split_at_mut(2 * frequencies.len());
                axes = rest;
                let (sines, cosines) = axis.split_at_mut(frequencies.len());
                for ((sine, cosine), frequency) in sines.iter_mut().zip(cosines).zip(frequencies) {
                    (*sine, *cosine) = sin_cos::<A>(raw[*coordinate] * frequency);
                }
            }
        }
    }
}

/// All sines, then all cosines.
#[inline(always)]
pub(super) fn sines_and_cosines<A: Arithmetic>(phases: &[f32], out: &mut [f32]) {
    let (sines, cosines) = out.split_at_mut(phases.len());
    for ((sine, cosine), &phase) in sines.iter_mut().zip(cosines).zip(phases) {
        (*sine, *cosine) = sin_cos::<A>(phase);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::column::unlearnt;
    use crate::estimator::parent_inputs::InputView;
    use crate::graph::NodeSet;
    use crate::table::{Quantised, Table, Values, Variable};

    #[test]
    fn inputs_that_are_not_held_are_the_same() {
        let number = |name: &str, step: f64| Variable {
            name: name.into(),
            values: Values::Numbers((0..40).map(|row| (step * f64::from(row)).sin()).collect()),
            intervened: None,
        };
        let table = Table::new(vec![number("a", 1.0), number("b", 2.3), number("c", 0.7)]).unwrap();
        let columns = unlearnt(&Quantised::new(&table, 8));
        let rows = ParentRows::new(&columns, &NodeSet::from_bits(0b101), None, InputView::Plain);
        let inputs = WaveInputs::new(rows, 40, &Waves::default(), 3, 0);
        assert_eq!(inputs.held.len(), 40 * inputs.width());
        let mut some = vec![0.0; 5 * inputs.width()];
        vectorised(Fill { inputs: &inputs, first: 30, values: &mut some });
        assert_eq!(some, inputs.held[30 * inputs.width()..35 * inputs.width()]);
    }
}
