//! A number without parents: it learns its own distribution, as a child with parents learns its own.

use std::ops::Range;

use super::bins::{Bins, CdfAtEdges, PitCell};
use super::censoring::CensoringLimits;
use super::continuous::ContinuousMarginal;
use super::coordinates::{Coordinates, FLOOR};
use super::location_scale::LocationScale;
use super::marginal_outlook::MarginalOutlook;
use super::pitman_yor::{DISCOUNTS, PitmanYor, RepeatCounts, atoms, mass};
use super::ranks::{Interval, RankMap};
use super::shapes::N_SHAPES;
use crate::estimator::fixed_share::{FixedShare, SWITCH_RATE};
use crate::estimator::prequential::{Predictor, RefitSchedule};

pub(super) const N_EXPERTS: usize = 1 + DISCOUNTS.len() + N_SHAPES;

/// Weights before any row: of numbers that do not come again, of those that do, and of every shape of ranks among earlier rows.
const PRIOR: [f64; N_EXPERTS] = [0.4, 0.1, 0.1, 0.2, 0.05, 0.1, 0.05];

/// What is known of a number alone after some rows.
#[derive(Debug)]
pub(super) struct Marginal {
    /// Learnt from every row.
    pub(super) all: ContinuousMarginal,
    /// Learnt from the rows whose number was new.
    pub(super) new: ContinuousMarginal,
    /// Around the level of ranks: what the maps still get wrong.
    pub(super) rank: LocationScale,
    pub(super) switch: FixedShare,
}

/// Predicts a number from the rows before alone.
#[derive(Debug)]
pub(super) struct MarginalPredictor<'a> {
    coordinates: &'a Coordinates,
    /// The rows in which it is coded.
    rows: &'a [u32],
    epochs: &'a RefitSchedule,
    repeats: &'a RepeatCounts,
    known: Marginal,
    /// What the rows before each epoch tell of the distribution.
    maps: &'a mut Vec<RefitMap>,
    /// The numbers of the rows seen, if they come again.
    seen: Option<PitmanYor>,
}

/// What the rows before an epoch tell of a column.
#[derive(Debug, Clone)]
pub(super) struct RefitMap {
    pub(super) ranks: RankMap,
    /// If their numbers come again.
    pub(super) bins: Option<Bins>,
    /// Where every row coded in the epoch lies when it is coded; empty without bins.
    pub(super) placed: Vec<(PitCell, CdfAtEdges)>,
}

/// The mixtures after a chunk, and the ranks in it.
#[derive(Debug)]
pub(super) struct MarginalPrediction {
    all: FixedShare,
    new: FixedShare,
    switch: FixedShare,
    ranks: Vec<Interval>,
    /// As in [`RefitMap::placed`].
    placed: Vec<(PitCell, CdfAtEdges)>,
}

impl<'a> MarginalPredictor<'a> {
    /// Before any row; fills `maps`, one for each epoch.
    pub(super) fn new(
        coordinates: &'a Coordinates,
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

    /// What it has learnt.
    pub(super) fn into_known(self) -> Marginal {
        self.known
    }

    /// Makes what depends on the shape anew from the first rows, for these epochs.
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

    /// Where each of `rows` lies by what is known before it; empty without bins.
    fn place(&self, rows: Range<usize>) -> Vec<(PitCell, CdfAtEdges)> {
        let RefitMap { ranks, bins, .. } = &self.maps[self.epochs.of(rows.start)];
        let (Some(bins), Some(seen)) = (bins, &self.seen) else { return Vec::new() };
        let mut outlook = MarginalOutlook::new(&self.known, seen.clone());
        let place = |&row: &u32| {
            let number = self.coordinates.original(row as usize).middle;
            let around = bins.around(bins.place(number), self.coordinates.edge_below(number, ranks));
            let shares = outlook.shares(&around);
            (shares.placed(outlook.see(&self.coordinates.cells(number, ranks))), shares)
        };
        self.rows[rows].iter().map(place).collect()
    }
}

/// Adds `weight` times some masses.
fn add(masses: &mut [f64], weight: f64, more: impl Iterator<Item = f64>) {
    masses.iter_mut().zip(more).for_each(|(mass, more)| *mass += weight * more);
}

impl Predictor for MarginalPredictor<'_> {
    type Prediction = MarginalPrediction;

    fn log_loss(&self, rows: Range<usize>, losses: &mut [f64]) -> MarginalPrediction {
        let of_table = &self.rows[rows.clone()];
        let (of_all, all) = self.known.all.predict(self.coordinates, of_table, |_| true);
        let is_new = |place: usize| self.repeats.is_new(rows.start + place);
        let (of_new, new) = self.known.new.predict(self.coordinates, of_table, is_new);
        let map = &self.maps[self.epochs.of(rows.start)].ranks;
        let (mut switch, mut ranks, mut experts) = (self.known.switch.clone(), Vec::new(), [0.0; N_EXPERTS]);
        for (place, &row) in of_table.iter().enumerate() {
            let reference = self.coordinates.reference(row as usize);
            experts[0] = of_all[place];
            for (process, discount) in DISCOUNTS.into_iter().enumerate() {
                let (again, new) = self.repeats.probabilities(rows.start + place, discount);
                experts[1 + process] = again / reference + new * of_new[place];
            }
            let number = self.coordinates.original(row as usize);
            ranks.push(map.cell(number.middle, number.width));
            for (shape, mass) in self.known.rank.masses(ranks[place]).into_iter().enumerate() {
                experts[1 + DISCOUNTS.len() + shape] = (1.0 - FLOOR) * mass / reference + FLOOR;
            }
            switch.mix_probabilities(&experts, &mut losses[place..=place]);
            losses[place] -= reference.ln();
        }
        switch.share();
        MarginalPrediction { all, new, switch, ranks, placed: self.place(rows) }
    }

    fn observe(&mut self, rows: Range<usize>, prediction: MarginalPrediction) {
        let of_table = &self.rows[rows.clone()];
        let new: Vec<u32> = rows
            .clone()
            .zip(of_table)
            .filter(|&(row, _)| self.repeats.is_new(row))
            .map(|(_, &row)| row)
            .collect();
        self.known.all.learn(self.coordinates, of_table, prediction.all);
        self.known.new.learn(self.coordinates, &new, prediction.new);
        self.known.rank.learn(prediction.ranks.iter().map(|cell| cell.middle));
        self.known.switch = prediction.switch;
        self.maps[self.epochs.of(rows.start)].placed.extend(prediction.placed);
        if let Some(seen) = &mut self.seen {
            seen.see_all(of_table.iter().map(|&row| self.coordinates.original(row as usize).middle));
        }
        let epochs = self.epochs.next_of(rows.end);
        if !epochs.is_empty() {
            self.refit(rows.end, epochs);
        }
    }
}
