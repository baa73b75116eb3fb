//! Predictions of one feature map for a block of rows.

use std::ops::Range;

use super::features::FeatureMap;
use super::lanes::{LANES, Lanes};
use super::ridge::Ridge;
use crate::estimator::ParentInputs;
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Rows that are predicted together: what is known of them stays in the caches.
pub(super) const N_BLOCK: usize = 128;

/// What the ridge regression on one feature map says about a block of rows.
#[derive(Debug)]
pub(super) struct Block {
    n_responses: usize,
    /// `[eight rows][response]`.
    means: Vec<Lanes>,
    leverages: Vec<Lanes>,
    /// 1 / (1 + leverage), and its root.
    shrinkages: Vec<(Lanes, Lanes)>,
    panel: Vec<Lanes>,
    buffer: Vec<f64>,
}

impl Block {
    /// Room for the predictions of any of several regressions.
    pub(super) fn new<'a>(ridges: impl Iterator<Item = &'a Ridge>) -> Block {
        let size = |(features, responses): (usize, usize), ridge: &Ridge| {
            (features.max(ridge.n_padded()), responses.max(ridge.n_responses()))
        };
        let (n_padded, n_responses) = ridges.fold((0, 0), size);
        let n_panels = N_BLOCK / LANES;
        Block {
            n_responses,
            means: vec![Lanes::ZERO; n_panels * n_responses],
            leverages: vec![Lanes::ZERO; n_panels],
            shrinkages: vec![(Lanes::ZERO, Lanes::ZERO); n_panels],
            panel: vec![Lanes::ZERO; n_padded],
            buffer: vec![0.0; n_padded],
        }
    }

    /// Predicts at most [`N_BLOCK`] rows.
    pub(super) fn predict(
        &mut self,
        inputs: &ParentInputs,
        map: &FeatureMap,
        ridge: &Ridge,
        rows: Range<usize>,
    ) {
        self.panel.fill(Lanes::ZERO);
        vectorised(PredictBlock { block: self, inputs, map, ridge, rows });
    }

    /// The mean of a response.
    #[inline(always)]
    pub(super) fn mean(&self, row: usize, response: usize) -> f64 {
        self.means[row / LANES * self.n_responses + response].0[row % LANES]
    }

    /// How far the row lies from those seen: variance of the prediction / variance of the noise, less 1.
    #[inline(always)]
    pub(super) fn leverage(&self, row: usize) -> f64 {
        self.leverages[row / LANES].0[row % LANES]
    }

    /// Variance and standard deviation of the noise, as shares of those of the prediction.
    #[inline(always)]
    pub(super) fn shrinkage(&self, row: usize) -> (f64, f64) {
        let (variance, sd) = &self.shrinkages[row / LANES];
        (variance.0[row % LANES], sd.0[row % LANES])
    }
}

struct PredictBlock<'a> {
    block: &'a mut Block,
    inputs: &'a ParentInputs,
    map: &'a FeatureMap,
    ridge: &'a Ridge,
    rows: Range<usize>,
}

impl Kernel for PredictBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let PredictBlock { block, inputs, map, ridge, rows } = self;
        let panel = &mut block.panel[..ridge.n_padded()];
        for (number, start) in rows.clone().step_by(LANES).enumerate() {
            let eight = start..(start + LANES).min(rows.end);
            map.write_panel::<A>(inputs, eight, &mut block.buffer, panel);
            let means = &mut block.means[number * block.n_responses..][..ridge.n_responses()];
            let leverage = ridge.predict::<A>(panel, means);
            let shrinkage = leverage.0.map(|leverage| 1.0 / (1.0 + leverage));
            block.shrinkages[number] = (Lanes(shrinkage), Lanes(shrinkage.map(f64::sqrt)));
            block.leverages[number] = leverage;
        }
    }
}

/// Learns rows of features and responses; `respond` enters the responses of a row, which are 0.
pub(super) fn learn(
    inputs: &ParentInputs,
    map: &FeatureMap,
    ridge: &mut Ridge,
    rows: Range<usize>,
    respond: impl Fn(usize, &mut [Lanes]),
) {
    let n_feature_lanes = ridge.n_padded() / LANES;
    let n_lanes = n_feature_lanes + ridge.n_responses() / LANES;
    let mut values = vec![Lanes::ZERO; N_BLOCK.min(rows.len()) * n_lanes];
    for start in rows.clone().step_by(N_BLOCK) {
        let block = start..(start + N_BLOCK).min(rows.end);
        let values = &mut values[..block.len() * n_lanes];
        vectorised(WriteFeatures { inputs, map, first: start, n_lanes, n_feature_lanes, values });
        for (row, lanes) in block.zip(values.chunks_exact_mut(n_lanes)) {
            lanes[n_feature_lanes..].fill(Lanes::ZERO);
            respond(row, &mut lanes[n_feature_lanes..]);
        }
        ridge.add(values);
    }
}

struct WriteFeatures<'a> {
    inputs: &'a ParentInputs,
    map: &'a FeatureMap,
    first: usize,
    n_lanes: usize,
    n_feature_lanes: usize,
    values: &'a mut [Lanes],
}

impl Kernel for WriteFeatures<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let mut features = vec![0.0; self.n_feature_lanes * LANES];
        for (i, row) in self.values.chunks_exact_mut(self.n_lanes).enumerate() {
            self.map.write::<A>(self.inputs.row(self.first + i), &mut features);
            for (lanes, features) in row.iter_mut().zip(features.chunks_exact(LANES)) {
                lanes.0.copy_from_slice(features);
            }
        }
    }
}
