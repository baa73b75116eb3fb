//! Edge probabilities by a recursion over the layers of DAGs, without subtraction.

use rayon::prelude::*;

use super::{EdgeProbabilities, PosteriorMethod};
use crate::graph::Family;
use crate::score::FamilyLengths;
use crate::search::{Constraints, members};

/// The most variables for which the recursion is run: it takes about 4ⁿ steps.
pub const MAX_LAYERED: usize = 12;

/// A step of this probability or less is left out: all of them together are below 1e-9.
const NEGLIGIBLE: f64 = 1e-17;

/// Exact edge probabilities over all DAGs that `constraints` allow; `None` above [`MAX_LAYERED`] variables.
///
/// Every DAG falls into layers in one way: the first holds the nodes without parents, each later one the nodes whose parents
/// lie in earlier layers, at least one of them in the layer just before. Summing over layers sums every DAG once, and all
/// terms are positive: nothing cancels, however large the gaps between families.
pub fn by_layers(lengths: &dyn FamilyLengths, constraints: &Constraints) -> Option<EdgeProbabilities> {
    let n_vars = lengths.n_vars();
    if n_vars > MAX_LAYERED {
        return None;
    }
    let weights = |child| ParentWeights::new(&log_weights(lengths, constraints, child), n_vars);
    let recursion = Recursion::new((0..n_vars).into_par_iter().map(weights).collect());
    let from_start = recursion.sums_from_start();
    Some(EdgeProbabilities::new(PosteriorMethod::Layers, recursion.edge_probabilities(&from_start)))
}

/// `[parent set]`: minus the code length; minus infinity where not allowed or not scored.
fn log_weights(lengths: &dyn FamilyLengths, constraints: &Constraints, child: usize) -> Vec<f64> {
    let mut weights = vec![f64::NEG_INFINITY; 1 << lengths.n_vars()];
    lengths.for_each(child, &mut |parents, length| {
        if constraints.allows(&Family::new(child, parents.clone())) {
            weights[parents.to_bits().unwrap_or(0) as usize] = -length.0;
        }
    });
    weights
}

/// Log weights of one child's parent sets, summed in the ways that the recursion asks for.
struct ParentWeights {
    n_vars: usize,
    /// Of no parents at all.
    none: f64,
    /// `[set][a][b]`: of the parent sets within `set` that hold both a and b, where a may be b.
    with_both: Vec<f64>,
}

impl ParentWeights {
    fn new(weights: &[f64], n_vars: usize) -> ParentWeights {
        let mut with_both = vec![f64::NEG_INFINITY; weights.len() * n_vars * n_vars];
        for a in 0..n_vars {
            for b in 0..=a {
                let sums = sums_over_subsets(weights, 1 << a | 1 << b);
                for (set, sum) in sums.into_iter().enumerate() {
                    with_both[(set * n_vars + a) * n_vars + b] = sum;
                    with_both[(set * n_vars + b) * n_vars + a] = sum;
                }
            }
        }
        ParentWeights { n_vars, none: weights[0], with_both }
    }

    /// Of parents within `earlier` of which at least one is in `last`; with `member`, only of those that hold it.
    ///
    /// Summed by the lowest parent in `last`, so that each parent set counts once.
    fn touching(&self, earlier: usize, last: usize, member: Option<usize>) -> f64 {
        let (mut sum, mut left, mut sources) = (f64::NEG_INFINITY, last, earlier);
        while left != 0 {
            let lowest = left.trailing_zeros() as usize;
            let both = (sources * self.n_vars + lowest) * self.n_vars + member.unwrap_or(lowest);
            sum = log_add(sum, self.with_both[both]);
            sources &= !(1 << lowest);
            left &= left - 1;
        }
        sum
    }
}

/// `[set]`: log of the summed weights of the subsets of `set` that hold all of `members`.
fn sums_over_subsets(weights: &[f64], members: usize) -> Vec<f64> {
    let keep = |set: usize| if set & members == members { weights[set] } else { f64::NEG_INFINITY };
    let mut sums: Vec<f64> = (0..weights.len()).map(keep).collect();
    let mut bit = 1;
    while bit < sums.len() {
        for set in (0..sums.len()).filter(|set| set & bit != 0 && set & members == members) {
            sums[set] = log_add(sums[set], sums[set ^ bit]);
        }
        bit *= 2;
    }
    sums
}

/// The recursion from layer to layer. A state is (the nodes so far, the last layer, a part of them).
struct Recursion {
    weights: Vec<ParentWeights>,
    /// `[set]`: the number whose ternary digits are the set's bits. A state's place is that of its nodes plus that of its layer:
    /// digit 0 for a node to come, 1 for an earlier one, 2 for one in the last layer.
    ternary: Vec<usize>,
}

impl Recursion {
    fn new(weights: Vec<ParentWeights>) -> Recursion {
        let digits =
            |set: usize| (0..weights.len()).rev().fold(0, |number, node| 3 * number + (set >> node & 1));
        let ternary = (0..1 << weights.len()).map(digits).collect();
        Recursion { weights, ternary }
    }

    fn full(&self) -> usize {
        self.ternary.len() - 1
    }

    fn place(&self, so_far: usize, last: usize) -> usize {
        self.ternary[so_far] + self.ternary[last]
    }

    fn states(&self) -> Vec<f64> {
        vec![f64::NEG_INFINITY; 3usize.pow(self.weights.len() as u32)]
    }

    /// For each state, the log of the summed weight of the DAGs over its nodes that end in its layer.
    fn sums_from_start(&self) -> Vec<f64> {
        let mut sums = self.states();
        for first in subsets(self.full()) {
            sums[self.place(first, first)] = members(first).map(|node| self.weights[node].none).sum();
        }
        let mut next_weight = vec![0.0; self.full() + 1];
        for so_far in 1..self.full() {
            for last in subsets(so_far) {
                let sum = sums[self.place(so_far, last)];
                if sum == f64::NEG_INFINITY {
                    continue;
                }
                self.weigh_next(so_far, last, &mut next_weight);
                for next in subsets(self.full() & !so_far) {
                    let place = &mut sums[self.place(so_far | next, next)];
                    *place = log_add(*place, sum + next_weight[next]);
                }
            }
        }
        sums
    }

    /// For each layer that may come next, the log of the summed weight of its nodes' parents.
    fn weigh_next(&self, so_far: usize, last: usize, next_weight: &mut [f64]) {
        let rest = self.full() & !so_far;
        members(rest)
            .for_each(|node| next_weight[1 << node] = self.weights[node].touching(so_far, last, None));
        for next in subsets(rest) {
            let lowest = next & next.wrapping_neg();
            next_weight[next] = if next == lowest {
                next_weight[next]
            } else {
                next_weight[next ^ lowest] + next_weight[lowest]
            };
        }
    }

    /// `[from][to]`, by running backwards over the states: the probability of each step from layer to layer, shared out among the
    /// parents of the nodes it adds.
    fn edge_probabilities(&self, from_start: &[f64]) -> Vec<Vec<f64>> {
        let (n_vars, full) = (self.weights.len(), self.full());
        let total =
            subsets(full).map(|last| from_start[self.place(full, last)]).fold(f64::NEG_INFINITY, log_add);
        let mut to_end = self.states();
        subsets(full).for_each(|last| to_end[self.place(full, last)] = 0.0);
        let mut probability = vec![vec![0.0; n_vars]; n_vars];
        let mut next_weight = vec![0.0; full + 1];
        for so_far in (1..full).rev() {
            for last in subsets(so_far) {
                let before = from_start[self.place(so_far, last)];
                if before == f64::NEG_INFINITY {
                    continue;
                }
                self.weigh_next(so_far, last, &mut next_weight);
                let mut added = vec![0.0; n_vars];
                let mut after = f64::NEG_INFINITY;
                for next in subsets(full & !so_far) {
                    let rest = next_weight[next] + to_end[self.place(so_far | next, next)];
                    after = log_add(after, rest);
                    let step = (before + rest - total).exp();
                    if step > NEGLIGIBLE {
                        members(next).for_each(|node| added[node] += step);
                    }
                }
                to_end[self.place(so_far, last)] = after;
                self.share_out(so_far, last, &added, &mut probability);
            }
        }
        probability.iter_mut().flatten().for_each(|probability| *probability = probability.min(1.0));
        probability
    }

    /// Adds to each edge `from -> to` the probability that `to` is added after this state and has `from` as a parent.
    fn share_out(&self, so_far: usize, last: usize, added: &[f64], probability: &mut [Vec<f64>]) {
        for (to, &added) in added.iter().enumerate().filter(|&(_, &added)| added > 0.0) {
            let all = self.weights[to].touching(so_far, last, None);
            for from in members(so_far) {
                probability[from][to] +=
                    added * (self.weights[to].touching(so_far, last, Some(from)) - all).exp();
            }
        }
    }
}

/// The non-empty subsets of `set`, in increasing order.
fn subsets(set: usize) -> impl Iterator<Item = usize> {
    let next = move |&subset: &usize| Some((subset | !set).wrapping_add(1) & set).filter(|&next| next != 0);
    std::iter::successors(Some(set & set.wrapping_neg()).filter(|&first| first != 0), next)
}

/// ln(e^a + e^b). What is less than e^-40 of the other is below rounding, and most terms are: leaving them out saves the time.
fn log_add(a: f64, b: f64) -> f64 {
    let (large, small) = if a >= b { (a, b) } else { (b, a) };
    if small >= large - 40.0 && small > f64::NEG_INFINITY {
        large + (small - large).exp().ln_1p()
    } else {
        large
    }
}
