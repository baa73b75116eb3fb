//! A number as a child: the share of the predicted distribution that falls on its level.

use std::ops::Range;

use super::FourierSettings;
use super::block::Block;
use super::coordinates::Coordinate;
use super::lanes::{LANES, Lanes};
use super::residual::RESIDUAL;
use crate::estimator::Target;
use crate::simd::{Arithmetic, Kernel, vectorised};
use crate::table::Scale;

/// A child that is a number, predicted in one or two coordinates.
#[derive(Debug)]
pub(super) struct NumberChild<'a> {
    codes: &'a [u32],
    /// One response and one expert of each feature map for each.
    coordinates: Vec<Coordinate>,
    /// What each level gets of the marginal distribution.
    floors: Vec<f64>,
    /// The rest.
    weight: f64,
}

impl<'a> NumberChild<'a> {
    pub(super) fn new(target: &'a Target, scale: &Scale, settings: &FourierSettings) -> NumberChild<'a> {
        let mut coordinates = vec![Coordinate::normal_scores(scale)];
        if !settings.scales.is_empty() {
            coordinates.push(Coordinate::compressed(scale));
        }
        let floors = scale.marginal.iter().map(|share| settings.floor * share).collect();
        NumberChild { codes: &target.codes, coordinates, floors, weight: 1.0 - settings.floor }
    }

    /// How many coordinates it is predicted in.
    pub(super) fn n_coordinates(&self) -> usize {
        self.coordinates.len()
    }

    /// Enters the row's responses, of which `first` is the first.
    pub(super) fn respond(&self, row: usize, first: usize, responses: &mut [Lanes]) {
        let code = self.codes[row] as usize;
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            responses[(first + i) / LANES].0[(first + i) % LANES] = coordinate.centres[code];
        }
    }

    /// Writes the probability of what happened in each of `rows` in each coordinate, all rows of the first coordinate first.
    /// `variances` are those of the noise; the squared residuals, in units of the noise, are added to `squares`.
    pub(super) fn predict(
        &self,
        block: &Block,
        (rows, first): (Range<usize>, usize),
        variances: &[f64],
        probabilities: &mut [f64],
        squares: &mut [f64],
    ) {
        for (i, of_coordinate) in probabilities.chunks_exact_mut(rows.len()).enumerate() {
            squares[i] += vectorised(Masses {
                child: self,
                coordinate: &self.coordinates[i],
                block,
                response: first + i,
                codes: &self.codes[rows.clone()],
                inverse_sd: 1.0 / variances[i].sqrt(),
                probabilities: of_coordinate,
            });
        }
    }
}

struct Masses<'a> {
    child: &'a NumberChild<'a>,
    coordinate: &'a Coordinate,
    block: &'a Block,
    response: usize,
    codes: &'a [u32],
    inverse_sd: f64,
    probabilities: &'a mut [f64],
}

impl Kernel for Masses<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f64 {
        let shape = &*RESIDUAL;
        let NumberChild { floors, weight, .. } = self.child;
        let mut squares = 0.0;
        for (row, (probability, code)) in self.probabilities.iter_mut().zip(self.codes).enumerate() {
            let code = *code as usize;
            let (mean, (shrinkage, root)) = (self.block.mean(row, self.response), self.block.shrinkage(row));
            let inverse_sd = self.inverse_sd * root;
            let share = |edge: f64| shape.share_from_0::<A>((edge - mean) * inverse_sd);
            let mass = share(self.coordinate.edges[code + 1]) - share(self.coordinate.edges[code]);
            // Unlike `f64::max`, keeps what is not a number.
            let mass = if mass < 0.0 { 0.0 } else { mass };
            *probability = A::mul_add64(*weight, mass, floors[code]);
            squares += (self.coordinate.centres[code] - mean).powi(2) * shrinkage;
        }
        squares
    }
}
