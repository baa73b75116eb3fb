//! What a network sees of the parents: their coordinates, and sines and cosines of random waves through them.

use rand_chacha::ChaCha8Rng;

use super::elementary::sin_cos;
use crate::estimator::ParentInputs;
use crate::estimator::streams::{Purpose, normal_draws, stream};
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Which waves a network sees.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Waves {
    /// Waves through all parents at once, and the standard deviation of their frequencies: shared evenly over the scales.
    pub n_joint: usize,
    /// Standard deviations of the frequencies of the joint waves.
    pub joint_scales: Vec<f64>,
    /// Waves along each number alone.
    pub n_axis: usize,
    /// Standard deviation of the frequencies of the waves along one number.
    pub axis_scale: f64,
}

impl Default for Waves {
    fn default() -> Waves {
        Waves { n_joint: 16, joint_scales: vec![1.0, 2.0], n_axis: 8, axis_scale: 1.5 }
    }
}

/// Inputs of a network for every row: coordinates, joint waves, waves along each number.
#[derive(Debug)]
pub(crate) struct WaveInputs {
    width: usize,
    /// `[row][input]`.
    values: Vec<f32>,
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

impl WaveInputs {
    /// For network number `net`; the frequencies that belong to a column are the same in every parent set.
    pub(crate) fn new(inputs: &ParentInputs, waves: &Waves, seed: u64, net: u64) -> WaveInputs {
        let mut identities = Vec::new();
        // Joint frequencies `[coordinate][wave]`, then axis frequencies `[number][wave]`.
        let mut joint = vec![0.0; inputs.width() * waves.n_joint];
        let mut axis = Vec::new();
        for part in inputs.parts() {
            for (number, coordinate) in part.range.clone().enumerate() {
                identities.push(identity(COORDINATE, part.parent, number));
                let key = identity(COORDINATE, part.parent, number);
                let frequencies = &mut joint[coordinate * waves.n_joint..][..waves.n_joint];
                normal_draws(&mut stream(seed, Purpose::JointWaves, net, key), frequencies);
                scale_evenly(frequencies, &waves.joint_scales);
            }
        }
        identities.extend((0..2 * waves.n_joint).map(|number| identity(JOINT, 0, number)));
        for part in inputs.parts().iter().filter(|part| part.is_number) {
            let mut frequencies = vec![0.0; waves.n_axis];
            normal_draws(&mut stream(seed, Purpose::AxisWaves, net, part.parent as u64), &mut frequencies);
            frequencies.iter_mut().for_each(|frequency| *frequency *= waves.axis_scale as f32);
            axis.push((part.range.start, frequencies));
            identities.extend((0..2 * waves.n_axis).map(|number| identity(AXIS, part.parent, number)));
        }
        let width = identities.len();
        let mut values = vec![0.0; inputs.n_rows() * width];
        vectorised(Fill {
            inputs,
            n_joint: waves.n_joint,
            joint: &joint,
            axis: &axis,
            width,
            values: &mut values,
        });
        WaveInputs { width, values, identities }
    }

    /// How many inputs.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The inputs of these rows.
    #[inline(always)]
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> &[f32] {
        &self.values[rows.start * self.width..rows.end * self.width]
    }

    /// The stream that draws the first weights of input number `input` of network number `net`.
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

/// Computes the inputs of all rows.
struct Fill<'a> {
    inputs: &'a ParentInputs,
    n_joint: usize,
    joint: &'a [f32],
    axis: &'a [(usize, Vec<f32>)],
    width: usize,
    values: &'a mut [f32],
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let mut phases = vec![0.0; self.n_joint];
        for (row, out) in self.values.chunks_exact_mut(self.width).enumerate() {
            let coordinates = self.inputs.row(row);
            let (raw, waves) = out.split_at_mut(coordinates.len());
            raw.iter_mut().zip(coordinates).for_each(|(raw, &x)| *raw = x as f32);
            phases.fill(0.0);
            for (x, frequencies) in raw.iter().zip(self.joint.chunks_exact(self.n_joint.max(1))) {
                for (phase, frequency) in phases.iter_mut().zip(frequencies) {
                    *phase = A::mul_add32(*x, *frequency, *phase);
                }
            }
            let (joint, axes) = waves.split_at_mut(2 * self.n_joint);
            sines_and_cosines::<A>(&phases, joint);
            let mut axes = axes;
            for (coordinate, frequencies) in self.axis {
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
