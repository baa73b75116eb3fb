//! Bayesian linear regression of several responses on one feature map.

use std::ops::Range;

use super::features::{FeatureKind, FeatureMap, n_waves};
use super::lanes::{LANES, Lanes};
use super::noise::ResponseForecast;
use super::ridge::Ridge;
use crate::estimator::ParentInputs;
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Rows that are added together.
const N_ADDED: usize = 64;

/// Settings common to all feature maps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    /// The number of Fourier features, divided by the fourth root of the number of rows.
    pub(super) wave_density: f64,
    /// The total amplitude of the Fourier features.
    pub(super) wave_height: f64,
    /// Precision of the prior on every weight.
    pub(super) prior_precision: f64,
}

/// Regressions of several responses on the same features.
#[derive(Debug)]
pub(super) struct FeatureRegression {
    features: FeatureMap,
    ridge: Ridge,
    n_responses: usize,
}

/// The predictions of regressions for some rows.
#[derive(Debug, Default)]
pub(super) struct Means {
    n_responses: usize,
    /// `[row][response]`.
    means: Vec<f64>,
    /// The leverage of each row: variance of the prediction / variance of the noise, less 1.
    pub(super) leverages: Vec<f64>,
}

impl Means {
    /// The mean of a response.
    #[inline(always)]
    pub(super) fn mean(&self, row: usize, response: usize) -> f64 {
        self.means[row * self.n_responses + response]
    }

    /// The prediction for a number, whose mean is a response and whose log-variance is the next.
    #[inline(always)]
    pub(super) fn forecast(&self, row: usize, number: usize) -> ResponseForecast {
        ResponseForecast {
            mean: self.mean(row, 2 * number),
            log_variance: self.mean(row, 2 * number + 1),
            leverage: self.leverages[row],
        }
    }
}

/// The working response of a row: a weight, and the value of every response.
pub(super) trait WorkingResponse {
    /// Writes the responses of a row and returns its weight.
    fn write(&self, row: usize, responses: &mut [f64]) -> f64;
}

impl FeatureRegression {
    /// Before any row, with the number of Fourier features for `n_rows`.
    pub(super) fn new(
        kind: FeatureKind,
        inputs: &ParentInputs,
        design: Design,
        n_rows: usize,
        n_responses: usize,
    ) -> FeatureRegression {
        let n_waves = n_waves(design.wave_density, n_rows);
        let features = FeatureMap::new(kind, inputs, n_waves, design.wave_height);
        let mut ridge = Ridge::new(features.n_features(), n_responses, design.prior_precision);
        ridge.factorise();
        FeatureRegression { features, ridge, n_responses }
    }

    /// How many features there are.
    pub(super) fn n_features(&self) -> usize {
        self.features.n_features()
    }

    /// Predicts `rows`.
    pub(super) fn predict(&self, inputs: &ParentInputs, rows: Range<usize>, means: &mut Means) {
        means.n_responses = self.n_responses;
        means.means.resize(rows.len() * self.n_responses, 0.0);
        means.leverages.resize(rows.len(), 0.0);
        vectorised(PredictRows { map: self, inputs, rows, means });
    }

    /// Learns from `rows`.
    pub(super) fn learn(&mut self, inputs: &ParentInputs, rows: Range<usize>, lesson: &impl WorkingResponse) {
        vectorised(LearnRows { map: self, inputs, rows, lesson });
        self.ridge.factorise();
    }
}

struct PredictRows<'a> {
    map: &'a FeatureRegression,
    inputs: &'a ParentInputs,
    rows: Range<usize>,
    means: &'a mut Means,
}

impl Kernel for PredictRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(mut self) {
        let mut features = vec![0.0; self.map.ridge.n_padded()];
        let n_rows = self.rows.len();
        let in_pairs = n_rows / (2 * LANES) * 2 * LANES;
        let rest = if n_rows - in_pairs > LANES { n_rows } else { in_pairs };
        self.predict::<A, 2>(0..rest, &mut features);
        self.predict::<A, 1>(rest..n_rows, &mut features);
    }
}

impl PredictRows<'_> {
    /// Predicts some of the rows, counted from the first, `P` times eight at a time.
    #[inline(always)]
    fn predict<A: Arithmetic, const P: usize>(&mut self, places: Range<usize>, features: &mut [f64]) {
        if places.is_empty() {
            return;
        }
        let PredictRows { map, inputs, rows, means } = self;
        let mut panel = vec![[Lanes::ZERO; P]; map.ridge.n_padded()];
        let mut of_panel = vec![[Lanes::ZERO; P]; map.ridge.n_responses()];
        for start in places.clone().step_by(P * LANES) {
            let together = start..(start + P * LANES).min(places.end);
            panel.fill([Lanes::ZERO; P]);
            for (lane, place) in together.clone().enumerate() {
                map.features.write::<A>(inputs.row(rows.start + place), features);
                for (lanes, feature) in panel.iter_mut().zip(&*features) {
                    lanes[lane / LANES].0[lane % LANES] = *feature;
                }
            }
            let leverages = map.ridge.predict::<A, P>(&mut panel, &mut of_panel);
            for (lane, place) in together.enumerate() {
                means.leverages[place] = leverages[lane / LANES].0[lane % LANES];
                let of_row = &mut means.means[place * map.n_responses..][..map.n_responses];
                for (mean, lanes) in of_row.iter_mut().zip(&of_panel) {
                    *mean = lanes[lane / LANES].0[lane % LANES];
                }
            }
        }
    }
}

struct LearnRows<'a, L> {
    map: &'a mut FeatureRegression,
    inputs: &'a ParentInputs,
    rows: Range<usize>,
    lesson: &'a L,
}

impl<L: WorkingResponse> Kernel for LearnRows<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let LearnRows { map, inputs, rows, lesson } = self;
        let n_padded = map.ridge.n_padded();
        let n_values = n_padded + map.ridge.n_responses();
        let mut values = vec![0.0; n_values];
        let mut lanes = vec![Lanes::ZERO; N_ADDED.min(rows.len()) * n_values / LANES];
        for start in rows.clone().step_by(N_ADDED) {
            let block = start..(start + N_ADDED).min(rows.end);
            let lanes = &mut lanes[..block.len() * n_values / LANES];
            for (row, lanes) in block.zip(lanes.chunks_exact_mut(n_values / LANES)) {
                map.features.write::<A>(inputs.row(row), &mut values);
                let weight = lesson.write(row, &mut values[n_padded..][..map.n_responses]);
                let root = weight.sqrt();
                for (lanes, values) in lanes.iter_mut().zip(values.chunks_exact(LANES)) {
                    *lanes = Lanes(std::array::from_fn(|lane| root * values[lane]));
                }
            }
            map.ridge.add(lanes);
        }
    }
}
