//! Feature maps: coordinates of the parents, their products, and random Fourier features (Rahimi and Recht 2007).

use super::lanes::{LANES, Lanes};
use super::sine::sin_cos;
use crate::base::normal;
use crate::estimator::ParentInputs;
use crate::simd::Arithmetic;

/// Which features a map has, besides a constant and the coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FeatureKind {
    /// Only the coordinates.
    Linear,
    /// Squares and products of the coordinates.
    Products,
    /// Sines and cosines of each number alone, with frequencies of this standard deviation.
    Sums(f64),
    /// Sines and cosines of projections of the coordinates, with frequencies of this standard deviation.
    Waves(f64),
}

/// The features of a parent set.
#[derive(Debug, Clone)]
pub(super) struct FeatureMap {
    /// The scale of each coordinate: labels are as far apart as numbers that differ by 1.
    heights: Vec<f64>,
    products: Vec<FeatureProduct>,
    n_waves: usize,
    wave_height: f64,
    /// `[coordinate][wave]`, eight waves at a time.
    frequencies: Vec<Vec<Lanes>>,
}

/// The product of two coordinates, centred if they are the same number.
#[derive(Debug, Clone, Copy)]
struct FeatureProduct {
    left: usize,
    right: usize,
    mean: f64,
}

/// The scale of a label's indicator as a feature.
const LABEL_HEIGHT: f64 = 0.35;

/// Bases of the quasi-random frequencies of each coordinate.
const BASES: [usize; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// The most products; parents with more coordinates have none.
const MAX_PRODUCTS: usize = 80;

impl FeatureMap {
    /// From the coordinates of `inputs`, with `n_waves` Fourier features, if the map has any, of total
    /// amplitude `wave_height`.
    pub(super) fn new(
        kind: FeatureKind,
        inputs: &ParentInputs,
        n_waves: usize,
        wave_height: f64,
    ) -> FeatureMap {
        let n_coordinates = inputs.width();
        let mut heights = vec![LABEL_HEIGHT; n_coordinates];
        for part in inputs.parts().iter().filter(|part| part.is_number) {
            heights[part.range.start] = 1.0;
        }
        let products = if kind == FeatureKind::Products { products(inputs) } else { Vec::new() };
        let (n_waves, frequencies) = match kind {
            FeatureKind::Waves(scale) => (n_waves, frequencies(n_coordinates, n_waves, scale)),
            FeatureKind::Sums(scale) => frequencies_of_each(inputs, n_waves, scale),
            _ => (0, Vec::new()),
        };
        FeatureMap { heights, products, n_waves, wave_height, frequencies }
    }

    /// How many features there are.
    pub(super) fn n_features(&self) -> usize {
        1 + self.heights.len() + self.products.len() + 2 * self.n_waves
    }

    /// Writes the features of one row.
    #[inline(always)]
    pub(super) fn write<A: Arithmetic>(&self, coordinates: &[f64], features: &mut [f64]) {
        features[0] = 1.0;
        let (linear, rest) = features[1..].split_at_mut(self.heights.len());
        for ((feature, coordinate), height) in linear.iter_mut().zip(coordinates).zip(&self.heights) {
            *feature = coordinate * height;
        }
        let (products, waves) = rest.split_at_mut(self.products.len());
        for (feature, product) in products.iter_mut().zip(&self.products) {
            *feature = coordinates[product.left] * coordinates[product.right] - product.mean;
        }
        let (sines, cosines) = waves.split_at_mut(self.n_waves);
        let height = self.wave_height / (self.n_waves as f64).sqrt();
        let blocks = sines.chunks_exact_mut(LANES).zip(cosines.chunks_exact_mut(LANES));
        for (block, (sines, cosines)) in blocks.enumerate() {
            let (sine, cosine) = sin_cos::<A>(self.phases::<A>(coordinates, block));
            for lane in 0..LANES {
                (sines[lane], cosines[lane]) = (height * sine.0[lane], height * cosine.0[lane]);
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
}

/// Of all coordinates but labels of one column, which exclude each other.
fn products(inputs: &ParentInputs) -> Vec<FeatureProduct> {
    let parts = inputs.parts();
    let mut products = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        if part.is_number {
            products.push(FeatureProduct { left: part.range.start, right: part.range.start, mean: 1.0 });
        }
        for other in &parts[number + 1..] {
            for left in part.range.clone() {
                products.extend(other.range.clone().map(|right| FeatureProduct { left, right, mean: 0.0 }));
            }
        }
    }
    if products.len() <= MAX_PRODUCTS { products } else { Vec::new() }
}

/// The number of Fourier features for this many rows: a multiple of eight that grows with their fourth root.
pub(super) fn n_waves(density: f64, n_rows: usize) -> usize {
    let root = (n_rows.max(16) as f64).powf(0.25);
    ((density * root / LANES as f64).round() as usize).max(1) * LANES
}

/// Normal quantiles of points that fill the space evenly: `[coordinate][wave]`, eight waves at a time.
fn frequencies(n_coordinates: usize, n_waves: usize, scale: f64) -> Vec<Vec<Lanes>> {
    let point = |coordinate: usize, wave: usize| match n_coordinates {
        // Opposite frequencies give the same features: with one coordinate, half the line suffices.
        1 => 0.5 + 0.5 * (wave as f64 + 0.5) / n_waves as f64,
        _ => {
            let turn = 0.618_034 * 0.37 * coordinate as f64;
            (radical_inverse(wave + 1, BASES[coordinate % BASES.len()]) + turn)
                .fract()
                .clamp(1e-3, 1.0 - 1e-3)
        }
    };
    let of_coordinate = |coordinate: usize| {
        let block = |block: usize| {
            Lanes(std::array::from_fn(|lane| {
                scale * normal::quantile(point(coordinate, block * LANES + lane))
            }))
        };
        (0..n_waves / LANES).map(block).collect()
    };
    (0..n_coordinates).map(of_coordinate).collect()
}

/// Frequencies for features of one number each, a quarter as many for each but at least eight; and their
/// total.
fn frequencies_of_each(inputs: &ParentInputs, n_waves: usize, scale: f64) -> (usize, Vec<Vec<Lanes>>) {
    let n_waves = (n_waves / 4).next_multiple_of(LANES);
    let of_one = &frequencies(1, n_waves, scale)[0];
    let numbers: Vec<usize> =
        inputs.parts().iter().filter(|part| part.is_number).map(|part| part.range.start).collect();
    let none = vec![Lanes::ZERO; of_one.len() * numbers.len()];
    let mut frequencies = vec![none; inputs.width()];
    for (place, &number) in numbers.iter().enumerate() {
        frequencies[number][place * of_one.len()..][..of_one.len()].clone_from_slice(of_one);
    }
    (n_waves * numbers.len(), frequencies)
}

/// The radical inverse of `i` (van der Corput sequence).
fn radical_inverse(mut i: usize, base: usize) -> f64 {
    let (mut unit, mut sum) = (1.0, 0.0);
    while i > 0 {
        unit /= base as f64;
        sum += unit * (i % base) as f64;
        i /= base;
    }
    sum
}
