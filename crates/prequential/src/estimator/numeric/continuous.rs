//! Continuous densities of a number: a mixture of location-scale models in two coordinates and of histograms.

use std::cell::OnceCell;

use rayon::prelude::*;

use super::coordinates::{Endpoint, FLOOR, MarginalCell, NumberCoordinates};
use super::histogram::{Histogram, HistogramCdf};
use super::interval::Interval;
use super::location_scale::{LocationScale, LocationScaleCdf};
use super::shapes::N_SHAPES;
use crate::estimator::fixed_share::{FixedShare, SWITCH_RATE};

/// The most bins of each histogram.
const HISTOGRAMS: [usize; 5] = [1, 4, 16, 64, 256];

const N_EXPERTS: usize = 2 * N_SHAPES + HISTOGRAMS.len();

/// Prior weights of the experts: normal, heavy, learned and finely learned in original units, the same in
/// compressed ones, and the histograms. Simple ones are favoured.
const PRIOR: [f64; N_EXPERTS] = [8.0, 3.0, 2.0, 1.0, 4.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.7, 0.5];

/// Nodes of the distribution on either side of 0, evenly spaced in compressed units up to the farthest number.
const N_NODES: i32 = 1_600;
const FARTHEST_NODE: f64 = 14.6;

/// Nodes at numbers seen.
const N_SEEN_NODES: usize = 512;

/// The fewest nodes per thread.
const MIN_NODES: usize = 256;

/// A continuous distribution, learned from some of the rows before.
#[derive(Debug)]
pub(super) struct ContinuousMarginal {
    original: LocationScale,
    compressed: LocationScale,
    histograms: Vec<Histogram>,
    switch: FixedShare,
}

impl ContinuousMarginal {
    /// Before any number.
    pub(super) fn new(coordinates: &NumberCoordinates) -> ContinuousMarginal {
        let (is_coarse, width) = (coordinates.is_coarse(), coordinates.width());
        ContinuousMarginal {
            original: LocationScale::new(is_coarse),
            compressed: LocationScale::new(is_coarse),
            histograms: HISTOGRAMS.map(|n_bins| Histogram::new(n_bins, width)).to_vec(),
            switch: FixedShare::new(&PRIOR, SWITCH_RATE),
        }
    }

    fn write_experts(
        &self,
        original: Interval,
        compressed: Interval,
        reference: f64,
        experts: &mut [f64; N_EXPERTS],
    ) {
        let histograms = self
            .histograms
            .iter()
            .map(|histogram| histogram.mass(original.middle) + histogram.rest() * reference);
        let levels = self.original.masses(original).into_iter().chain(self.compressed.masses(compressed));
        for (expert, mass) in experts.iter_mut().zip(levels.chain(histograms)) {
            *expert = (1.0 - FLOOR) * mass / reference + FLOOR;
        }
    }

    /// Its prediction until the next refit.
    pub(super) fn predictive(&self) -> ContinuousPredictive<'_> {
        ContinuousPredictive {
            marginal: self,
            tables: OnceCell::new(),
            weights: self.switch.weights(),
            switch: self.switch.clone(),
        }
    }

    /// Learns from rows that were predicted; `switch` holds the weights after them.
    pub(super) fn learn(&mut self, coordinates: &NumberCoordinates, rows: &[u32], switch: FixedShare) {
        self.switch = switch;
        let rows = rows.iter().map(|&row| row as usize);
        self.original.learn(rows.clone().map(|row| coordinates.original(row).middle));
        self.compressed.learn(rows.clone().map(|row| coordinates.compressed(row).middle));
        let numbers = rows.map(|row| coordinates.original(row).middle);
        self.histograms.iter_mut().for_each(|histogram| histogram.learn(numbers.clone()));
    }

    /// Refits the bins to all numbers learned, sorted.
    pub(super) fn refit(&mut self, sorted: &[f64]) {
        self.histograms.iter_mut().for_each(|histogram| histogram.refit(sorted));
    }

    /// Points between which the density hardly changes, after the numbers `sorted`.
    pub(super) fn nodes(&self, sorted: &[f64]) -> Vec<f64> {
        let even = (-N_NODES..=N_NODES).map(|i| (f64::from(i) / f64::from(N_NODES) * FARTHEST_NODE).sinh());
        let step = sorted.len().div_ceil(N_SEEN_NODES).max(1);
        let seen = sorted.iter().step_by(step).copied();
        let edges = self.histograms.iter().flat_map(|histogram| histogram.edges.iter().copied());
        even.chain(seen).chain(edges).collect()
    }

    /// The mass between each node and the next as it is now; all of them have mass 1.
    pub(super) fn masses(&self, nodes: &[f64]) -> Vec<f64> {
        let weights = self.switch.weights();
        let mass = |pair: &[f64]| self.density(0.5 * (pair[0] + pair[1]), &weights) * (pair[1] - pair[0]);
        // In parallel, because there are often fewer columns than cores, and everything else waits for them.
        let masses: Vec<f64> = nodes.par_windows(2).with_min_len(MIN_NODES).map(mass).collect();
        let total: f64 = masses.iter().sum();
        masses.iter().map(|mass| mass / total).collect()
    }

    /// The density of the mixture with these weights.
    fn density(&self, number: f64, weights: &[f64]) -> f64 {
        let reference = NumberCoordinates::reference_density(number);
        let slope = NumberCoordinates::compression(number);
        let original = self.original.densities(number);
        let compressed = self.compressed.densities(number.asinh()).map(|density| density * slope);
        let histograms =
            self.histograms.iter().map(|histogram| histogram.density(number) + histogram.rest() * reference);
        let experts = original.into_iter().chain(compressed).chain(histograms);
        let mixed: f64 = experts.zip(weights).map(|(density, weight)| density * weight).sum();
        (1.0 - FLOOR) * mixed + FLOOR * reference
    }
}

/// A continuous distribution between two chunks; only the weights of the experts are updated by the rows.
#[derive(Debug, Clone)]
pub(super) struct ContinuousPredictive<'a> {
    marginal: &'a ContinuousMarginal,
    /// Built on first use of a distribution function, which a score never needs.
    tables: OnceCell<ContinuousCdf>,
    switch: FixedShare,
    weights: Vec<f64>,
}

/// The distribution functions of the experts.
#[derive(Debug, Clone)]
struct ContinuousCdf {
    original: LocationScaleCdf,
    compressed: LocationScaleCdf,
    histograms: Vec<HistogramCdf>,
}

impl ContinuousPredictive<'_> {
    /// The distribution function at an endpoint.
    pub(super) fn cdf(&self, at: Endpoint) -> f64 {
        let tables = self.tables.get_or_init(|| ContinuousCdf {
            original: self.marginal.original.cdf_tables(),
            compressed: self.marginal.compressed.cdf_tables(),
            histograms: self.marginal.histograms.iter().map(HistogramCdf::new).collect(),
        });
        let levels = tables.original.below(at.original).into_iter();
        let levels = levels.chain(tables.compressed.below(at.compressed));
        let histograms = self.marginal.histograms.iter().zip(&tables.histograms);
        let histograms = histograms.map(|(bins, cdf)| cdf.below(bins, at.original, at.reference));
        let shares = levels.chain(histograms).zip(&self.weights);
        at.floored(shares.map(|(share, weight)| share * weight).sum())
    }

    /// The mass of a number's cell relative to the reference. The weights are then updated, if it is to be
    /// `learnt` from.
    pub(super) fn observe(&mut self, cell: &MarginalCell, is_learnt: bool) -> f64 {
        let mut experts = [0.0; N_EXPERTS];
        self.marginal.write_experts(cell.original, cell.compressed, cell.reference, &mut experts);
        let mixed = self.weights.iter().zip(&experts).map(|(weight, expert)| weight * expert).sum();
        if is_learnt {
            self.switch.mix_probabilities(&experts, &mut [0.0]);
            self.weights = self.switch.weights();
        }
        mixed
    }

    /// The weights with which the next chunk begins.
    pub(super) fn into_weights(mut self) -> FixedShare {
        self.switch.share();
        self.switch
    }
}
