//! The marginal distribution of a number: continuous densities, point masses, and normal scores in one mixture.

use std::cell::OnceCell;
use std::ops::Range;

use super::bins::{BinEdges, Bins, CdfAtEdges};
use super::censoring::CensoringLimits;
use super::continuous::{ContinuousMarginal, ContinuousPredictive};
use super::coordinates::{Endpoint, FLOOR, MarginalCell, NumberCoordinates};
use super::interval::{Interval, PitCell};
use super::location_scale::{LocationScale, LocationScaleCdf};
use super::pitman_yor::{DISCOUNTS, PitmanYor, RepeatCounts, RepeatHistory, atoms, mass};
use super::ranks::RankMap;
use super::shapes::N_SHAPES;
use crate::estimator::fixed_share::{FixedShare, SWITCH_RATE};
use crate::estimator::prequential::{Predictor, RefitSchedule};

pub(super) const N_EXPERTS: usize = 1 + DISCOUNTS.len() + N_SHAPES;

/// Prior weights: of continuous densities, of repeated values, and of every shape of ranks among earlier
/// rows.
const PRIOR: [f64; N_EXPERTS] = [0.4, 0.1, 0.1, 0.2, 0.05, 0.1, 0.05];

/// The state of a marginal after some rows.
#[derive(Debug)]
pub(super) struct Marginal {
    /// Learned from every row.
    pub(super) all: ContinuousMarginal,
    /// Learned from the rows whose number was new.
    pub(super) new: ContinuousMarginal,
    /// The residual of the rank maps.
    pub(super) rank: LocationScale,
    pub(super) switch: FixedShare,
}

/// Predicts a number from the rows before, without parents.
#[derive(Debug)]
pub(super) struct MarginalPredictor<'a> {
    coordinates: &'a NumberCoordinates,
    /// The rows in which it is coded.
    rows: &'a [u32],
    epochs: &'a RefitSchedule,
    repeats: &'a RepeatCounts,
    known: Marginal,
    /// The distributions estimated from the rows before each epoch.
    maps: &'a mut Vec<RefitMap>,
    /// The history of the numbers, if there are repeated values.
    seen: Option<PitmanYor>,
}

/// The distribution of a column estimated from the rows before an epoch.
#[derive(Debug, Clone)]
pub(super) struct RefitMap {
    pub(super) ranks: RankMap,
    /// The bins, if there are repeated values.
    pub(super) bins: Option<Bins>,
    /// The PIT cell of every row coded in the epoch; empty without bins.
    pub(super) placed: Vec<(PitCell, CdfAtEdges)>,
}

/// Intermediate results for a chunk.
#[derive(Debug, Default)]
pub(super) struct MarginalPrediction {
    /// The weights after it: of the densities of all numbers, of those of new numbers, and of all experts.
    weights: Option<[FixedShare; 3]>,
    ranks: Vec<Interval>,
    /// As in [`RefitMap::placed`].
    placed: Vec<(PitCell, CdfAtEdges)>,
}

/// The marginal predictive distribution of the next numbers of a column, within one chunk. Only weights and
/// counts are updated by its rows.
#[derive(Debug, Clone)]
pub(in crate::estimator) struct MarginalPredictive<'a, H> {
    known: &'a Marginal,
    all: ContinuousPredictive<'a>,
    new: ContinuousPredictive<'a>,
    rank: OnceCell<LocationScaleCdf>,
    switch: FixedShare,
    history: H,
}

impl<'a, H: RepeatHistory> MarginalPredictive<'a, H> {
    /// After the rows that `known` has learnt from, whose numbers are in `history`.
    pub(super) fn new(known: &'a Marginal, history: H) -> MarginalPredictive<'a, H> {
        MarginalPredictive {
            known,
            all: known.all.predictive(),
            new: known.new.predictive(),
            rank: OnceCell::new(),
            switch: known.switch.clone(),
            history,
        }
    }

    /// The loss of a number, in nats; then it is known.
    pub(in crate::estimator) fn observe(&mut self, number: f64, cell: &MarginalCell) -> f64 {
        let mut experts = [0.0; N_EXPERTS];
        experts[0] = self.all.observe(cell, true);
        let of_new = self.new.observe(cell, self.history.is_new(number));
        for (process, discount) in DISCOUNTS.into_iter().enumerate() {
            let (again, new) = self.history.probabilities(number, discount);
            experts[1 + process] = again / cell.reference + new * of_new;
        }
        let ranked = self.known.rank.masses(cell.rank);
        for (expert, mass) in experts[1 + DISCOUNTS.len()..].iter_mut().zip(ranked) {
            *expert = (1.0 - FLOOR) * mass / cell.reference + FLOOR;
        }
        let mut loss = [0.0];
        self.switch.mix_probabilities(&experts, &mut loss);
        self.history.observe(number);
        loss[0] - cell.reference.ln()
    }

    /// The weights with which the next chunk begins.
    fn into_weights(mut self) -> [FixedShare; 3] {
        self.switch.share();
        [self.all.into_weights(), self.new.into_weights(), self.switch]
    }
}

impl MarginalPredictive<'_, PitmanYor> {
    /// The distribution function at an endpoint.
    pub(in crate::estimator) fn cdf(&self, at: Endpoint) -> f64 {
        let weights = self.switch.weights();
        let (of_processes, of_ranks) = weights[1..].split_at(DISCOUNTS.len());
        let mut share = weights[0] * self.all.cdf(at);
        let new = self.new.cdf(at);
        for (discount, weight) in DISCOUNTS.into_iter().zip(of_processes) {
            let new = self.history.new_probability(discount) * new;
            share += weight * (self.history.repeat_mass_below(at.original, discount) + new);
        }
        let ranked = self.rank.get_or_init(|| self.known.rank.cdf_tables()).below(at.rank);
        share + ranked.iter().zip(of_ranks).map(|(share, weight)| weight * at.floored(*share)).sum::<f64>()
    }

    /// The distribution function at the edges around a number for its probability integral transform: all that lies beyond a censoring
    /// limit belongs to the limit.
    pub(in crate::estimator) fn pit(&self, edges: &BinEdges) -> CdfAtEdges {
        edges.shares(|edge| self.cdf(edge.censored()))
    }
}

impl<'a> MarginalPredictor<'a> {
    /// Before any row; fills `maps`, one for each epoch.
    pub(super) fn new(
        coordinates: &'a NumberCoordinates,
        rows: &'a [u32],
        epochs: &'a RefitSchedule,
        repeats: &'a RepeatCounts,
        maps: &'a mut Vec<RefitMap>,
    ) -> MarginalPredictor<'a> {
        let mut predictor = MarginalPredictor {
            coordinates,
            rows,
            epochs,
            repeats,
            known: Marginal {
                all: ContinuousMarginal::new(coordinates),
                new: ContinuousMarginal::new(coordinates),
                rank: LocationScale::new(true),
                switch: FixedShare::new(&PRIOR, SWITCH_RATE),
            },
            maps,
            seen: None,
        };
        predictor.refit(0, epochs.next_of(0));
        predictor
    }

    /// Its learned state.
    pub(super) fn into_known(self) -> Marginal {
        self.known
    }

    /// Refits what depends on the shape of the distribution from the first rows, for these epochs.
    fn refit(&mut self, n_seen: usize, epochs: Range<usize>) {
        let number = |&row: &u32| self.coordinates.original(row as usize).middle;
        let mut sorted: Vec<f64> = self.rows[..n_seen].iter().map(number).collect();
        sorted.sort_by(f64::total_cmp);
        let mut different = sorted.clone();
        different.dedup();
        self.known.all.refit(&sorted);
        self.known.new.refit(&different);
        let ranks = self.rank_map(&sorted);
        let bins = Bins::new(&sorted, &ranks, self.coordinates);
        self.seen = bins.is_some().then(|| PitmanYor::of_sorted(sorted, different));
        let map = RefitMap { ranks, bins, placed: Vec::new() };
        self.maps.extend(epochs.map(|_| map.clone()));
    }

    /// The distribution that the whole mixture predicts now, after the numbers `sorted`.
    fn rank_map(&self, sorted: &[f64]) -> RankMap {
        let weights = self.known.switch.weights();
        let (of_processes, of_ranks) = weights[1..].split_at(DISCOUNTS.len());
        let half = 0.5 * self.coordinates.width();
        let atoms = atoms(sorted);
        let edges = atoms.iter().flat_map(|&(number, _)| [number - half, number + half]);
        let mut nodes: Vec<f64> = self.known.all.nodes(sorted).into_iter().chain(edges).collect();
        nodes.sort_by(f64::total_cmp);
        nodes.dedup_by(|right, left| *right - *left < 1e-9);
        let mut masses = vec![0.0; nodes.len() - 1];
        let mut new: f64 = of_processes.iter().sum();
        for &(number, count) in &atoms {
            let mass = mass(count, sorted.len(), of_processes);
            masses[nodes.partition_point(|&node| node < number) - 1] += mass;
            new -= mass;
        }
        add(&mut masses, weights[0], self.known.all.masses(&nodes).into_iter());
        add(&mut masses, new, self.known.new.masses(&nodes).into_iter());
        if let Some(last) = self.maps.last() {
            let ranked: Vec<[f64; N_SHAPES]> =
                last.ranks.cells(&nodes).into_iter().map(|cell| self.known.rank.masses(cell)).collect();
            for (shape, &weight) in of_ranks.iter().enumerate() {
                add(&mut masses, weight, ranked.iter().map(|masses| masses[shape]));
            }
        }
        let atoms = atoms.iter().map(|&(number, _)| number).collect();
        RankMap::new(nodes, &masses, atoms, CensoringLimits::of(sorted))
    }
}

/// Adds `weight` times some masses.
fn add(masses: &mut [f64], weight: f64, more: impl Iterator<Item = f64>) {
    masses.iter_mut().zip(more).for_each(|(mass, more)| *mass += weight * more);
}

impl Predictor for MarginalPredictor<'_> {
    type Prediction = MarginalPrediction;

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> MarginalPrediction {
        let map = &self.maps[self.epochs.of(rows.start)];
        let mut prediction = MarginalPrediction::default();
        let coded = rows.clone().zip(&self.rows[rows.clone()]).zip(losses);
        // The repeats of every row were counted beforehand; only bins ask for a distribution function, which needs the numbers.
        if let (Some(bins), Some(seen)) = (&map.bins, &self.seen) {
            let mut predictive = MarginalPredictive::new(&self.known, seen.clone());
            let mut censored = map.ranks.limits().are_finite().then(|| predictive.clone());
            for ((_, &row), loss) in coded {
                let (number, cell) = self.coordinates.marginal_cell(row as usize, &map.ranks);
                let edges = bins.around(bins.place(number), self.coordinates.edge_below(number, &map.ranks));
                let shares = censored.as_ref().unwrap_or(&predictive).pit(&edges);
                *loss = predictive.observe(number, &cell);
                let pit_loss = match &mut censored {
                    Some(censored) => censored.observe(number, &cell.censored(number, &map.ranks)),
                    None => *loss,
                };
                prediction.ranks.push(cell.rank);
                prediction.placed.push((shares.placed(pit_loss), shares));
            }
            prediction.weights = Some(predictive.into_weights());
        } else {
            let mut predictive = MarginalPredictive::new(&self.known, self.repeats.starting_at(rows.start));
            for ((_, &row), loss) in coded {
                let (number, cell) = self.coordinates.marginal_cell(row as usize, &map.ranks);
                *loss = predictive.observe(number, &cell);
                prediction.ranks.push(cell.rank);
            }
            prediction.weights = Some(predictive.into_weights());
        }
        prediction
    }

    fn observe(&mut self, rows: Range<usize>, prediction: MarginalPrediction) {
        let of_table = &self.rows[rows.clone()];
        let new: Vec<u32> = rows
            .clone()
            .zip(of_table)
            .filter(|&(row, _)| self.repeats.is_new(row))
            .map(|(_, &row)| row)
            .collect();
        let Some([of_all, of_new, experts]) = prediction.weights else { return };
        self.known.all.learn(self.coordinates, of_table, of_all);
        self.known.new.learn(self.coordinates, &new, of_new);
        self.known.rank.learn(prediction.ranks.iter().map(|cell| cell.middle));
        self.known.switch = experts;
        self.maps[self.epochs.of(rows.start)].placed.extend(prediction.placed);
        if let Some(seen) = &mut self.seen {
            seen.observe_all(of_table.iter().map(|&row| self.coordinates.original(row as usize).middle));
        }
        let epochs = self.epochs.next_of(rows.end);
        if !epochs.is_empty() {
            self.refit(rows.end, epochs);
        }
    }
}
