//! The inputs of the paper's networks: random Fourier features of the parents (Tancik et al. 2020), computed
//! batch by batch.

use super::waves::sines_and_cosines;
use crate::estimator::ParentInputs;
use crate::estimator::streams::{Purpose, normal_draws, stream};
use crate::simd::Arithmetic;

/// Adding and taking it away rounds to a whole number.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// Inputs of a network: random Fourier features of all coordinates of the parents, or the coordinates
/// themselves.
#[derive(Debug)]
pub(crate) struct FourierFeatures<'a> {
    inputs: &'a ParentInputs,
    n_waves: usize,
    /// `[coordinate][wave]`, in turns per unit of the coordinate.
    frequencies: Vec<f64>,
}

impl<'a> FourierFeatures<'a> {
    /// `n_waves` waves with frequencies N(0, scale²) for network number `net`; without waves, the coordinates as they are.
    ///
    /// The frequencies that belong to a column are the same in every parent set.
    pub(crate) fn new(
        inputs: &'a ParentInputs,
        n_waves: usize,
        scale: f64,
        seed: u64,
        net: u64,
    ) -> FourierFeatures<'a> {
        let mut frequencies = Vec::with_capacity(inputs.width() * n_waves);
        let mut draws = vec![0.0; n_waves];
        for key in coordinate_keys(inputs) {
            normal_draws(&mut stream(seed, Purpose::JointWaves, net, key), &mut draws);
            frequencies.extend(draws.iter().map(|&draw| f64::from(draw) * scale / std::f64::consts::TAU));
        }
        FourierFeatures { inputs, n_waves, frequencies }
    }

    /// How many inputs the network has.
    ///
    /// At least one: without parents, features have phase 0, and without features there is the constant 1.
    pub(crate) fn width(&self) -> usize {
        if self.n_waves > 0 { 2 * self.n_waves } else { self.inputs.width().max(1) }
    }

    /// What each input is, the same number in every parent set that has it.
    pub(crate) fn keys(&self) -> Vec<u64> {
        if self.n_waves > 0 || self.inputs.width() == 0 {
            (0..self.width() as u64).collect()
        } else {
            coordinate_keys(self.inputs).collect()
        }
    }

    /// Buffers for [`FourierFeatures::fill`].
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch { turns: vec![0.0; self.n_waves], phases: vec![0.0; self.n_waves] }
    }

    /// Writes the inputs in one row.
    #[inline(always)]
    pub(crate) fn fill<A: Arithmetic>(&self, row: usize, scratch: &mut Scratch, out: &mut [f32]) {
        let coordinates = self.inputs.row(row);
        if self.n_waves == 0 {
            out[0] = 1.0;
            out.iter_mut().zip(coordinates).for_each(|(out, &x)| *out = x as f32);
            return;
        }
        scratch.turns.fill(0.0);
        for (&x, frequencies) in coordinates.iter().zip(self.frequencies.chunks_exact(self.n_waves)) {
            for (turns, &frequency) in scratch.turns.iter_mut().zip(frequencies) {
                *turns = A::mul_add64(x, frequency, *turns);
            }
        }
        // Whole turns are taken away in double precision: raw numbers may make thousands of them.
        for (phase, &turns) in scratch.phases.iter_mut().zip(&scratch.turns) {
            let whole = (turns + ROUNDING) - ROUNDING;
            *phase = (turns - whole) as f32 * std::f32::consts::TAU;
        }
        sines_and_cosines::<A>(&scratch.phases, out);
    }
}

/// Phases of one row.
#[derive(Debug, Clone)]
pub(crate) struct Scratch {
    turns: Vec<f64>,
    phases: Vec<f32>,
}

/// The identity of a coordinate of a column, equal in every parent set.
fn coordinate_keys(inputs: &ParentInputs) -> impl Iterator<Item = u64> {
    inputs.parts().iter().flat_map(|part| {
        (0..part.range.len() as u64).map(|coordinate| (part.parent as u64) << 32 | coordinate)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::column::unlearnt;
    use crate::estimator::parent_inputs::InputView;
    use crate::graph::NodeSet;
    use crate::simd::{Kernel, vectorised};
    use crate::table::{Binning, ParentValues, Quantisation, Quantised, Table, Values, Variable};

    struct WaveRow<'a>(&'a FourierFeatures<'a>, usize);

    impl Kernel for WaveRow<'_> {
        type Output = Vec<f32>;

        #[inline(always)]
        fn run<A: Arithmetic>(self) -> Vec<f32> {
            let mut out = vec![0.0; self.0.width()];
            self.0.fill::<A>(self.1, &mut self.0.scratch(), &mut out);
            out
        }
    }

    fn raw_table() -> Quantised {
        let variable = |name: &str, numbers: Vec<f64>| Variable {
            name: name.into(),
            values: Values::Numbers(numbers),
            intervened: None,
        };
        let table = Table::new(vec![
            variable("x", (0..20).map(|i| f64::from(i) * 1234.567).collect()),
            variable("y", (0..20).map(|i| f64::from(i % 7) - 3.0).collect()),
        ])
        .unwrap();
        Quantised::with(
            &table,
            &Quantisation { n_bins: 16, binning: Binning::Tanh, parent_values: ParentValues::Raw },
        )
    }

    fn inputs(parents: &NodeSet) -> ParentInputs {
        ParentInputs::new(&unlearnt(&raw_table()), parents, None, InputView::Raw, 20)
    }

    #[test]
    fn waves_of_large_raw_numbers_are_accurate() {
        let inputs = inputs(&NodeSet::from_bits(0b11));
        let features = FourierFeatures::new(&inputs, 33, 10.0, 1, 0);
        for row in 0..20 {
            let found = vectorised(WaveRow(&features, row));
            for wave in 0..33 {
                let turns: f64 =
                    (0..2).map(|c| inputs.row(row)[c] * features.frequencies[c * 33 + wave]).sum();
                let phase = turns.fract() * std::f64::consts::TAU;
                assert!((f64::from(found[wave]) - phase.sin()).abs() < 2e-6);
                assert!((f64::from(found[33 + wave]) - phase.cos()).abs() < 2e-6);
            }
        }
    }

    #[test]
    fn without_waves_or_parents_there_are_still_inputs() {
        let (none, both) = (NodeSet::from_bits(0), NodeSet::from_bits(0b11));
        let inputs = [none, both].map(|parents| inputs(&parents));
        let features = |i: usize, n_waves: usize| FourierFeatures::new(&inputs[i], n_waves, 10.0, 1, 0);
        assert_eq!(vectorised(WaveRow(&features(0, 0), 3)), [1.0]);
        assert_eq!(vectorised(WaveRow(&features(0, 2), 3)), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(vectorised(WaveRow(&features(1, 0), 1)), [1234.567, -2.0]);
        assert_eq!(features(1, 0).keys(), [0, 1 << 32]);
    }
}
