//! The fixed-share mixture of experts (Herbster and Warmuth 1998): weights follow the losses and may switch between chunks.

use std::ops::Range;

/// The switch rate: the share of the weight that returns to the prior after each chunk.
///
/// It allows an expert that needs more rows to take over late. From 0.005 to 0.1 the code is equally long;
/// without switching, longer.
pub(crate) const SWITCH_RATE: f64 = 0.02;

/// The switch rate between the marginal, regressions and networks: low, because otherwise an irrelevant
/// parent would gain by chance in one stretch of rows after another.
pub(crate) const SLOW_SWITCH_RATE: f64 = 0.002;

/// Rows whose probabilities are multiplied before logarithms are taken: a product of 16 underflows only below 1e-19 each.
const N_MULTIPLIED: usize = 16;

/// The mixture of several experts' predictions, itself a prediction.
///
/// Bayes' rule row by row inside a chunk; [`FixedShare::share`] between chunks. Weights are kept as logarithms, so that an expert
/// thousands of nats behind in a chunk is still remembered.
#[derive(Debug, Clone)]
pub(crate) struct FixedShare {
    log_weights: Vec<f64>,
    prior: Vec<f64>,
    share: f64,
}

impl FixedShare {
    /// A mixture of experts with these prior weights, normalised; a share `share` of the weight returns to
    /// the prior between chunks.
    pub(crate) fn new(prior: &[f64], share: f64) -> FixedShare {
        let total: f64 = prior.iter().sum();
        let prior: Vec<f64> = prior.iter().map(|weight| weight / total).collect();
        FixedShare { log_weights: prior.iter().map(|weight| weight.ln()).collect(), prior, share }
    }

    /// The current weights.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let heaviest = self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = self.log_weights.iter().map(|log| (log - heaviest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    /// Writes the mixture's loss in each row of a chunk, or of the next part of one, in nats.
    pub(crate) fn mix(&mut self, expert_losses: &[&[f64]], mixed: &mut [f64]) {
        debug_assert_eq!(expert_losses.len(), self.log_weights.len(), "one weight per expert");
        for (row, mixed) in mixed.iter_mut().enumerate() {
            let experts = || self.log_weights.iter().zip(expert_losses);
            let least = experts().map(|(weight, losses)| losses[row] - weight).fold(f64::INFINITY, f64::min);
            let sum: f64 = experts().map(|(weight, losses)| (least - (losses[row] - weight)).exp()).sum();
            *mixed = least - sum.ln();
            for (weight, losses) in self.log_weights.iter_mut().zip(expert_losses) {
                *weight += *mixed - losses[row];
            }
        }
    }

    /// Writes the losses from probabilities, all rows of the first expert first; none may be below 1e-19.
    ///
    /// Logarithms of the experts are taken once in 16 rows.
    pub(crate) fn mix_probabilities(&mut self, probabilities: &[f64], mixed: &mut [f64]) {
        let n_rows = mixed.len();
        let n_experts = self.log_weights.len();
        debug_assert_eq!(probabilities.len(), n_experts * n_rows, "every row of every expert");
        let mut weights = vec![0.0; n_experts];
        let mut products = vec![0.0; n_experts];
        for start in (0..n_rows).step_by(N_MULTIPLIED) {
            let heaviest = self.log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            weights
                .iter_mut()
                .zip(&self.log_weights)
                .for_each(|(weight, log)| *weight = (log - heaviest).exp());
            products.fill(1.0);
            let mut before: f64 = weights.iter().sum();
            for row in start..(start + N_MULTIPLIED).min(n_rows) {
                let mut evidence = 0.0;
                for (expert, (product, weight)) in products.iter_mut().zip(&weights).enumerate() {
                    *product *= probabilities[expert * n_rows + row];
                    evidence += *product * weight;
                }
                mixed[row] = (before / evidence).ln();
                before = evidence;
            }
            for (log, product) in self.log_weights.iter_mut().zip(&products) {
                *log += product.ln() - heaviest - before.ln();
            }
        }
    }

    /// The mixture's probability, given those of the experts.
    pub(crate) fn mean(weights: &[f64], of_experts: impl Iterator<Item = f64>) -> f64 {
        weights.iter().zip(of_experts).map(|(weight, of_expert)| weight * of_expert).sum()
    }

    /// Ends a chunk: returns a share of the weight to the prior.
    pub(crate) fn share(&mut self) {
        let weights = self.weights();
        for ((log, weight), prior) in self.log_weights.iter_mut().zip(weights).zip(&self.prior) {
            *log = ((1.0 - self.share) * weight + self.share * prior).ln();
        }
    }
}

/// The losses of a fixed-share mixture of `experts` with known losses, with a switch after each chunk.
pub(crate) fn fixed_share_losses(
    experts: &[&[f64]],
    prior: &[f64],
    chunks: impl Iterator<Item = Range<usize>>,
    share: f64,
) -> Vec<f64> {
    fixed_share_after(experts, prior, chunks, share).1
}

/// The losses, and the mixture after all chunks.
pub(crate) fn fixed_share_after(
    experts: &[&[f64]],
    prior: &[f64],
    chunks: impl Iterator<Item = Range<usize>>,
    share: f64,
) -> (FixedShare, Vec<f64>) {
    let mut switch = FixedShare::new(prior, share);
    let mut mixed = vec![0.0; experts.first().map_or(0, |losses| losses.len())];
    for rows in chunks {
        let of_chunk: Vec<&[f64]> = experts.iter().map(|losses| &losses[rows.clone()]).collect();
        switch.mix(&of_chunk, &mut mixed[rows]);
        switch.share();
    }
    (switch, mixed)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::estimator::prequential::{RefitSchedule, growing_chunks};

    fn random_losses(n_experts: usize, n_rows: usize, largest: f64) -> Vec<Vec<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut one = || (0..n_rows).map(|_| largest * rng.random::<f64>().powi(3)).collect();
        (0..n_experts).map(|_| one()).collect()
    }

    fn slices(experts: &[Vec<f64>]) -> Vec<&[f64]> {
        experts.iter().map(Vec::as_slice).collect()
    }

    /// The weights as they are, good for short chunks.
    fn plain(experts: &[Vec<f64>], chunks: impl Iterator<Item = Range<usize>>, share: f64) -> Vec<f64> {
        let n_experts = experts.len() as f64;
        let mut weights = vec![1.0 / n_experts; experts.len()];
        let mut mixed = Vec::new();
        for rows in chunks {
            for row in rows {
                weights.iter_mut().zip(experts).for_each(|(weight, losses)| *weight *= (-losses[row]).exp());
                let evidence: f64 = weights.iter().sum();
                mixed.push(-evidence.ln());
                weights.iter_mut().for_each(|weight| *weight /= evidence);
            }
            weights.iter_mut().for_each(|weight| *weight = (1.0 - share) * *weight + share / n_experts);
        }
        mixed
    }

    fn assert_close(a: &[f64], b: &[f64]) {
        assert_eq!(a.len(), b.len());
        let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-11, "{worst}");
    }

    #[test]
    fn the_mixture_equals_a_plain_one() {
        let experts = random_losses(3, 300, 6.0);
        let epochs = RefitSchedule::new(300, None);
        let chunks = || growing_chunks(&epochs, 1.15, 1);
        let mixed = fixed_share_losses(&slices(&experts), &[1.0; 3], chunks(), SWITCH_RATE);
        assert_close(&mixed, &plain(&experts, chunks(), SWITCH_RATE));
    }

    #[test]
    fn one_chunk_is_a_bayes_mixture() {
        let experts = random_losses(4, 50, 2.0);
        let total: f64 =
            fixed_share_losses(&slices(&experts), &[1.0; 4], std::iter::once(0..50), SWITCH_RATE)
                .iter()
                .sum();
        let closed: f64 = experts.iter().map(|losses| (-losses.iter().sum::<f64>()).exp() / 4.0).sum();
        assert!((total + closed.ln()).abs() < 1e-10);
    }

    #[test]
    fn equal_experts_cost_what_each_costs() {
        let experts = vec![random_losses(1, 100, 9.0).remove(0); 5];
        let (epochs, prior) = (RefitSchedule::new(100, None), [5.0, 1.0, 2.0, 1.0, 1.0]);
        let mixed =
            fixed_share_losses(&slices(&experts), &prior, growing_chunks(&epochs, 1.2, 1), SWITCH_RATE);
        assert_close(&mixed, &experts[0]);
    }

    #[test]
    fn probabilities_and_losses_give_the_same_mixture() {
        let experts = random_losses(8, 1000, 40.0);
        let probabilities: Vec<f64> = experts.iter().flatten().map(|loss| (-loss).exp()).collect();
        let (mut by_losses, mut by_probabilities) =
            (FixedShare::new(&[1.0; 8], SWITCH_RATE), FixedShare::new(&[1.0; 8], SWITCH_RATE));
        let (mut a, mut b) = (vec![0.0; 1000], vec![0.0; 1000]);
        for _ in 0..2 {
            by_losses.mix(&slices(&experts), &mut a);
            by_probabilities.mix_probabilities(&probabilities, &mut b);
            assert_close(&a, &b);
            by_losses.share();
            by_probabilities.share();
        }
    }

    #[test]
    fn an_expert_thousands_of_nats_behind_comes_back_inside_a_chunk_and_after_it() {
        let (good, bad) = (vec![1.0; 400], vec![11.0; 400]);
        let first = [good.clone(), bad.clone(), good.clone(), bad.clone()].concat();
        let second = [bad.clone(), good.clone(), bad, good].concat();
        let mixed =
            fixed_share_losses(&[&first, &second], &[1.0; 2], [0..800, 800..1600].into_iter(), SWITCH_RATE);
        // Each is 4,000 nats behind at some time; at the end of the chunk they are even again, and one of them pays ln 2.
        let chunk: f64 = mixed[..800].iter().sum();
        assert!((chunk - 4800.0).abs() < 1e-6, "{chunk}");
        let probabilities: Vec<f64> = first.iter().chain(&second).map(|loss| (-loss).exp()).collect();
        let mut fast = vec![0.0; 1600];
        FixedShare::new(&[1.0; 2], SWITCH_RATE).mix_probabilities(&probabilities, &mut fast);
        assert!((fast.iter().sum::<f64>() - 9600.0).abs() < 1e-6);
    }

    #[test]
    fn a_loss_that_is_not_a_number_stays_visible() {
        let mut switch = FixedShare::new(&[1.0; 2], SWITCH_RATE);
        let mut mixed = [0.0];
        switch.clone().mix(&[&[1.0], &[f64::NAN]], &mut mixed);
        assert!(mixed[0].is_nan());
        switch.mix_probabilities(&[0.5, f64::NAN], &mut mixed);
        assert!(mixed[0].is_nan());
    }
}
