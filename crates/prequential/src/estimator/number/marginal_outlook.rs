//! What is predicted of the next numbers of a column from those before alone, each before it is known.

use super::bins::{BinEdges, CdfAtEdges};
use super::continuous::ContinuousPredictive;
use super::coordinates::{Endpoint, Intervals};
use super::location_scale::LocationScaleCdf;
use super::marginal::{Marginal, N_EXPERTS};
use super::pitman_yor::{DISCOUNTS, PitmanYor};
use crate::estimator::fixed_share::FixedShare;

/// The predictions of one chunk; only weights and counts follow its rows.
#[derive(Debug)]
pub(in crate::estimator) struct MarginalOutlook<'a> {
    known: &'a Marginal,
    all: ContinuousPredictive<'a>,
    new: ContinuousPredictive<'a>,
    rank: LocationScaleCdf,
    switch: FixedShare,
    weights: Vec<f64>,
    seen: PitmanYor,
}

impl<'a> MarginalOutlook<'a> {
    /// After the numbers `seen`, of which `known` was learnt.
    pub(super) fn new(known: &'a Marginal, seen: PitmanYor) -> MarginalOutlook<'a> {
        MarginalOutlook {
            known,
            all: known.all.shares(),
            new: known.new.shares(),
            rank: known.rank.shares(),
            weights: known.switch.weights(),
            switch: known.switch.clone(),
            seen,
        }
    }

    /// The share of the next number's distribution below an edge.
    pub(in crate::estimator) fn below(&self, edge: Endpoint) -> f64 {
        let (of_processes, of_ranks) = self.weights[1..].split_at(DISCOUNTS.len());
        let mut share = self.weights[0] * self.all.below(edge);
        let new = self.new.below(edge);
        for (discount, weight) in DISCOUNTS.into_iter().zip(of_processes) {
            let new = self.seen.new_probability(discount) * new;
            share += weight * (self.seen.repeat_mass_below(edge.original, discount) + new);
        }
        let ranked = self.rank.below(edge.rank);
        share + ranked.iter().zip(of_ranks).map(|(share, weight)| weight * edge.floored(*share)).sum::<f64>()
    }

    /// The shares below the edges around the next number.
    pub(in crate::estimator) fn shares(&self, around: &BinEdges) -> CdfAtEdges {
        around.shares(|edge| self.below(edge))
    }

    /// What a number costs, in nats; afterwards it is known.
    pub(in crate::estimator) fn see(&mut self, cells: &Intervals) -> f64 {
        let number = cells.original.middle;
        let is_new = self.seen.count(number) == 0;
        let mut experts = [0.0; N_EXPERTS];
        experts[0] = self.all.see(cells, true);
        let of_new = self.new.see(cells, is_new);
        for (process, discount) in DISCOUNTS.into_iter().enumerate() {
            let (again, new) = self.seen.probabilities(number, discount);
            experts[1 + process] = again / cells.reference + new * of_new;
        }
        let ranked = self.known.rank.masses(cells.rank);
        for (expert, mass) in experts[1 + DISCOUNTS.len()..].iter_mut().zip(ranked) {
            *expert = cells.relative(mass);
        }
        let mut loss = [0.0];
        self.switch.mix_probabilities(&experts, &mut loss);
        self.weights = self.switch.weights();
        self.seen.see(number);
        loss[0] - cells.reference.ln()
    }
}
