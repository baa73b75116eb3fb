//! Edge probabilities by a recursion over the layers of DAGs, without subtraction.

use rayon::prelude::*;

use super::order_sums::{OrderSums, full_set};
use super::parent_sums::{ParentShares, ParentSums};
use super::steps::{Departures, LayerSteps};
use super::subsets::power_of_two;
use super::{EdgeProbabilities, PosteriorMethod};
use crate::base::error::{Error, Result};
use crate::base::format::bytes;
use crate::base::message::{Message, OptionName, message};
use crate::base::stop::Stop;
use crate::score::FamilyLengths;
use crate::search::{Constraints, Limits};

/// The most steps from layer to layer: enough for all graphs of 17 variables, which take more than 55 CPU
/// seconds.
const MAX_STEPS: f64 = 2e10;

/// The most numbers that are held at a time before they are distributed among parents.
const MAX_WAITING: usize = 1 << 22;

/// What is left out is below this share of the total weight, up to a small factor.
const NEGLIGIBLE: f64 = 1e-13;

/// Exact edge probabilities over all DAGs that `constraints` allow and whose families are scored.
///
/// Every DAG falls into layers in one way: the first holds the nodes without parents, each later one the
/// nodes whose parents lie in earlier layers, at least one of them in the layer just before. Summing over
/// layers sums every DAG once, and all terms are positive: nothing cancels, however large the gaps between
/// families. A state is (the nodes S so far, their last layer L); from it, a layer N of further nodes
/// follows with the product of the weights of its nodes' parent sets that lie in S and touch L. With n
/// variables these are 4ⁿ steps, for which products and sums suffice: no logarithm is taken.
///
/// Sums run over thousands of nats, so each is counted in a unit of its own, a power of two: the sum f(S, L)
/// over the graphs on S that end in L in units of 1 / R(S), where R(S) bounds the sum over all ways to go on
/// from S by a sum over orders, relative to a lower bound of the total. So f is no less than the share of the
/// total that passes through the state, up to the factor two of rounding the unit, and what has f below 1e-13
/// / 4ⁿ can be left out; so can the set S if the share of all its graphs is as small, and a part of a next
/// layer, whose products multiply f by at most one for every node. Fewer than 4 x 4ⁿ terms can be left out,
/// so that all together are below 1e-12 of the total. With large gaps this leaves almost nothing to do.
///
/// Probabilities follow by a backward pass: the probability of each step from layer to layer is distributed
/// among the parent sets of the nodes that it adds.
///
/// Returns [`Error::TooLarge`], before the long work starts, if it would take more memory than `limits`
/// grant or more than 2 x 10¹⁰ steps.
///
/// # Panics
/// If there is no graph.
pub fn by_layers(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
) -> Result<EdgeProbabilities> {
    let weighed = by_layers_until(lengths, constraints, limits, Stop::never())?;
    Ok(weighed.unwrap_or_else(|| panic!("nobody halts it")))
}

/// Like [`by_layers`], but `None` if it was stopped.
pub(crate) fn by_layers_until(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    stop: Stop,
) -> Result<Option<EdgeProbabilities>> {
    let n_vars = lengths.n_vars();
    let tables = posterior_memory(n_vars);
    check_memory(n_vars, tables, limits)?;
    let sums: Vec<ParentSums> =
        (0..n_vars).into_par_iter().map(|child| ParentSums::new(lengths, constraints, child)).collect();
    let negligible = NEGLIGIBLE / 4f64.powi(n_vars as i32);
    let orders = OrderSums::new(&sums, negligible).unwrap_or_else(|| panic!("no graph, no probabilities"));
    check_memory(n_vars, tables + 8.0 * (orders.n_states() + 2.0 * MAX_WAITING as f64), limits)?;
    check_steps(n_vars, orders.n_steps())?;
    let recursion = Recursion { sums: &sums, orders: &orders, negligible, stop };
    let arrivals = recursion.arrivals();
    let probabilities = recursion.edge_probabilities(&arrivals);
    Ok(probabilities.map(|probabilities| EdgeProbabilities::new(PosteriorMethod::Layers, probabilities)))
}

/// Bytes that [`by_layers`] takes at least; how much more follows from the gaps between families.
pub(crate) fn posterior_memory(n_vars: usize) -> f64 {
    ParentSums::memory(n_vars) + OrderSums::memory(n_vars)
}

fn check_memory(n_vars: usize, needed: f64, limits: &Limits) -> Result<()> {
    if needed <= limits.memory as f64 {
        return Ok(());
    }
    Err(too_large(
        n_vars,
        bytes(needed),
        bytes(limits.memory as f64),
        message![", or raise ", OptionName::MemoryLimit],
    ))
}

fn check_steps(n_vars: usize, n_steps: f64) -> Result<()> {
    if n_steps <= MAX_STEPS {
        return Ok(());
    }
    Err(too_large(n_vars, format!("{n_steps:.0e} steps"), format!("{MAX_STEPS:.0e}"), Message::default()))
}

fn too_large(n_vars: usize, needed: String, limit: String, or: Message) -> Error {
    let hint = message!["keep fewer columns with ", OptionName::Columns, or];
    Error::TooLarge { what: "weighing all graphs", n_vars, needed, limit, hint }
}

/// The recursion from layer to layer, in both directions.
struct Recursion<'a> {
    sums: &'a [ParentSums],
    orders: &'a OrderSums,
    negligible: f64,
    stop: Stop<'a>,
}

impl Recursion<'_> {
    fn steps(&self, set: u32) -> LayerSteps<'_> {
        LayerSteps::new(self.sums, self.orders, set, self.negligible)
    }

    /// `[set][next layer]`: the sum of the graphs on the set and its next layer that end in it. A stop leaves
    /// gaps.
    fn arrivals(&self) -> Vec<Vec<f64>> {
        let mut arrivals = vec![Vec::new(); self.orders.next.len()];
        for sets in self.orders.by_size() {
            let advance = |&set: &u32| {
                if self.stop.now() {
                    Vec::new()
                } else {
                    self.steps(set).forward(&self.weights(set, &arrivals))
                }
            };
            let found: Vec<Vec<f64>> = sets.par_iter().map(advance).collect();
            sets.iter().zip(found).for_each(|(&set, found)| arrivals[set as usize] = found);
        }
        arrivals
    }

    /// `[last layer]`: the sum of the graphs on `set` that end in it. Each came from the set without the
    /// layer.
    fn weights(&self, set: u32, arrivals: &[Vec<f64>]) -> Vec<f64> {
        if set == 0 {
            return vec![power_of_two(self.orders.to_end[0] - self.orders.total)];
        }
        let weight = |layer: u32| {
            let before = (set & !layer) as usize;
            let place = self.orders.next[before].place(layer).filter(|_| layer != 0);
            place.and_then(|place| arrivals[before].get(place).copied()).unwrap_or(0.0)
        };
        self.orders.last[set as usize].iter().map(weight).collect()
    }

    /// `[from][to]`; `None` if it was stopped.
    fn edge_probabilities(&self, arrivals: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
        let full = full_set(self.sums.len());
        let total: f64 = self.weights(full, arrivals).iter().sum();
        let mut to_end = vec![Vec::new(); self.orders.last.len()];
        to_end[full as usize] = vec![1.0; self.orders.last[full as usize].len()];
        let mut shares: Vec<ParentShares> = self.sums.par_iter().map(ParentSums::shares).collect();
        for sets in self.orders.by_size().into_iter().skip(1).rev() {
            for sets in self.batches(&sets) {
                if self.stop.now() {
                    return None;
                }
                let depart = |&set: &u32| {
                    self.steps(set).backward(&self.weights(set, arrivals), self.rest(set, &to_end), total)
                };
                let found: Vec<Departures> = sets.par_iter().map(depart).collect();
                shares.par_iter_mut().enumerate().for_each(|(node, shares)| {
                    for (&set, departures) in sets.iter().zip(&found) {
                        let last = &self.orders.last[set as usize];
                        if let Some(place) = self.orders.next[set as usize].rank(node) {
                            self.sums[node].share_out(shares, set, last, departures.received[place].clone());
                        }
                    }
                });
                sets.iter().zip(found).for_each(|(&set, found)| to_end[set as usize] = found.to_end);
            }
        }
        let by_child: Vec<Vec<f64>> = self
            .sums
            .par_iter()
            .zip(shares)
            .map(|(sums, shares)| sums.parent_probabilities(shares))
            .collect();
        let probability = |from: usize, to: usize| by_child[to][from].min(1.0);
        let n_vars = self.sums.len();
        let row = |from: usize| (0..n_vars).map(|to| probability(from, to)).collect();
        Some((0..n_vars).map(row).collect()).filter(|_: &Vec<Vec<f64>>| !self.stop.now())
    }

    /// `[next layer]`: the sum of the ways to continue from it, in the state that it ends.
    fn rest(&self, set: u32, to_end: &[Vec<f64>]) -> Vec<f64> {
        let rest = |layer: u32| {
            let after = (set | layer) as usize;
            let place = self.orders.last[after].place(layer).filter(|_| layer != 0);
            place.and_then(|place| to_end[after].get(place).copied()).unwrap_or(0.0)
        };
        self.orders.next[set as usize].iter().map(rest).collect()
    }

    /// `sets` in parts, each with a bounded number of terms to distribute; always the same parts.
    fn batches<'s>(&self, sets: &'s [u32]) -> Vec<&'s [u32]> {
        let waiting = |set: u32| {
            let (next, last) = (&self.orders.next[set as usize], &self.orders.last[set as usize]);
            next.of.count_ones() as usize * last.len()
        };
        let mut left = MAX_WAITING;
        let same_batch = |_: &u32, &set: &u32| {
            let fits = left >= waiting(set);
            left = if fits { left } else { MAX_WAITING } - waiting(set).min(MAX_WAITING);
            fits
        };
        sets.chunk_by(same_batch).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::base::observer::Observer;
    use crate::base::stop::{StopReason, StopToken};
    use crate::score::CodeLengths;

    /// Stops at this query.
    struct StopAt(usize, AtomicUsize);

    impl Observer for StopAt {
        fn stop(&self) -> Option<StopReason> {
            (self.1.fetch_add(1, Ordering::Relaxed) >= self.0).then_some(StopReason::Interrupted)
        }
    }

    #[test]
    fn halted_at_any_moment_it_gives_nothing() {
        let constraints = Constraints::none(5);
        let mut lengths = CodeLengths::new(5, 4);
        for (i, family) in constraints.families().enumerate() {
            lengths.set(&family, crate::base::nats::Nats(((i * i) % 17) as f64 / 10.0));
        }
        let weigh = |at| {
            let observer = StopAt(at, AtomicUsize::new(0));
            let token = StopToken::new();
            by_layers_until(&lengths, &constraints, &Limits::default(), Stop::when(&token, &observer))
                .unwrap()
        };
        let whole = by_layers(&lengths, &constraints, &Limits::default()).unwrap();
        let moments = (0..1000).find(|&at| weigh(at).is_some()).unwrap();
        assert!(moments > 30, "{moments}");
        assert_eq!(weigh(moments).unwrap().expected_links(), whole.expected_links());
    }
}
