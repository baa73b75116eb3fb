//! Feature maps: the parents' coordinates themselves, and random waves of them.

use std::ops::Range;

use super::lanes::{LANES, Lanes};
use super::sine::sin_cos;
use crate::estimator::ParentInputs;
use crate::simd::Arithmetic;

/// The height of the constant and the linear features, which weakens the prior on them.
const LINEAR_HEIGHT: f64 = 3.0;

/// The features of a parent set: a constant, the coordinates, and sines and cosines of projections of them.
#[derive(Debug, Clone)]
pub(super) struct FeatureMap {
    n_coordinates: usize,
    n_waves: usize,
    /// `[coordinate][wave]`, eight waves at a time.
    frequencies: Vec<Vec<Lanes>>,
}

impl FeatureMap {
    /// With these frequencies, `[coordinate][wave]`; without waves, the linear map.
    pub(super) fn new(n_waves: usize, frequencies: &[Vec<f64>]) -> FeatureMap {
        let lanes = |part: &[f64]| Lanes(std::array::from_fn(|i| part.get(i).copied().unwrap_or(0.0)));
        let of_coordinate = |waves: &Vec<f64>| waves.chunks(LANES).map(lanes).collect();
        let frequencies: Vec<Vec<Lanes>> = frequencies.iter().map(of_coordinate).collect();
        FeatureMap { n_coordinates: frequencies.len(), n_waves, frequencies }
    }

    /// How many features there are.
    pub(super) fn n_features(&self) -> usize {
        1 + self.n_coordinates + 2 * self.n_waves
    }

    /// Writes the features of one row.
    #[inline(always)]
    pub(super) fn write<A: Arithmetic>(&self, coordinates: &[f64], features: &mut [f64]) {
        features[0] = LINEAR_HEIGHT;
        let (linear, waves) = features[1..].split_at_mut(self.n_coordinates);
        for (feature, coordinate) in linear.iter_mut().zip(coordinates) {
            *feature = LINEAR_HEIGHT * coordinate;
        }
        let (sines, cosines) = waves.split_at_mut(self.n_waves);
        let height = 2.0 / (self.n_waves as f64).sqrt();
        for (block, (sines, cosines)) in
            sines.chunks_mut(LANES).zip(cosines[..self.n_waves].chunks_mut(LANES)).enumerate()
        {
            let (sine, cosine) = sin_cos::<A>(self.phases::<A>(coordinates, block));
            for (lane, (feature, other)) in sines.iter_mut().zip(cosines).enumerate() {
                (*feature, *other) = (height * sine.0[lane], height * cosine.0[lane]);
            }
        }
    }

    #[inline(always)]
    fn phases<A: Arithmetic>(&self, coordinates: &[f64], block: usize) -> Lanes {
        let mut phases = Lanes::ZERO;
        for (&coordinate, frequencies) in coordinates.iter().zip(&self.frequencies) {
            // All labels of a column but one are 0.
            if coordinate != 0.0 {
                for lane in 0..LANES {
                    phases.0[lane] = A::mul_add64(coordinate, frequencies[block].0[lane], phases.0[lane]);
                }
            }
        }
        phases
    }

    /// Writes the features of up to eight rows into `panel`, feature by feature, by way of `buffer`.
    #[inline(always)]
    pub(super) fn write_panel<A: Arithmetic>(
        &self,
        inputs: &ParentInputs,
        rows: Range<usize>,
        buffer: &mut [f64],
        panel: &mut [Lanes],
    ) {
        if rows.len() < LANES {
            panel.fill(Lanes::ZERO);
        }
        for (lane, row) in rows.enumerate() {
            self.write::<A>(inputs.row(row), buffer);
            for (lanes, feature) in panel.iter_mut().zip(&*buffer) {
                lanes.0[lane] = *feature;
            }
        }
    }
}
