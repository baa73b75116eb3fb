//! Sums over the parent sets of one child within any set and containing any parent.

use std::f64::consts::LN_2;

use super::subsets::{Subsets, members, power_of_two, squeeze, unsqueeze};
use crate::graph::Family;
use crate::score::FamilyLengths;
use crate::search::Constraints;

/// The exponent of an empty sum: below that of any graph, and far enough from overflow to be added to.
pub(super) const EMPTY: i32 = i32::MIN / 4;

/// A family this many bits longer than the shortest of its child counts as not allowed.
const MAX_BITS: f64 = 1e7;

/// The weights of one child's parent sets, e^-length each, summed as the recursion over layers needs them.
///
/// Weights span thousands of nats, too much for a common unit. Sums over parents within a set S are in units
/// of 2^e(S), where the largest weight of a parent set within S is between 2^e(S) and twice as much; what
/// underflows to zero is then beyond 300 digits of the sum over S. Units are powers of two, so that changing
/// them rounds nothing.
pub(super) struct ParentSums {
    child: usize,
    n_vars: usize,
    /// `[set]`: e(set). Sets leave out the child, here and below.
    exponent: Vec<i32>,
    /// `[set]`: the weight of the set as parent set, in its own unit.
    own: Vec<f64>,
    /// `[set][other node]`: the sum over the parent sets within the set that hold the other node; at last,
    /// over all of them.
    sums: Vec<f64>,
}

impl ParentSums {
    /// Bytes for all children, with their [`ParentShares`].
    pub(super) fn memory(n_vars: usize) -> f64 {
        let n = n_vars as f64;
        n * 2f64.powi(n_vars as i32 - 1) * (2.0 * 8.0 * n + 12.0)
    }

    /// Over the parent sets that are scored and allowed.
    pub(super) fn new(lengths: &dyn FamilyLengths, constraints: &Constraints, child: usize) -> ParentSums {
        let n_vars = lengths.n_vars();
        let bits = log_weights(lengths, constraints, child);
        let to_exponent = |&bits: &f64| if bits < -MAX_BITS { EMPTY } else { bits.floor() as i32 };
        let mut exponent: Vec<i32> = bits.iter().map(to_exponent).collect();
        each_pair(&mut exponent, 1, |_, without, with| with[0] = with[0].max(without[0]));
        let own: Vec<f64> =
            bits.iter().zip(&exponent).map(|(bits, &exponent)| (bits - f64::from(exponent)).exp2()).collect();
        let mut sums = vec![0.0; own.len() * n_vars];
        for (place, (row, &own)) in sums.chunks_exact_mut(n_vars).zip(&own).enumerate() {
            members(place as u32).for_each(|other| row[other] = own);
            row[n_vars - 1] = own;
        }
        each_pair(&mut sums, n_vars, |places, without, with| {
            let scale = scale(&exponent, places);
            with.iter_mut().zip(without).for_each(|(with, without)| *with += scale * *without);
        });
        ParentSums { child, n_vars, exponent, own, sums }
    }

    /// The exponent of the unit in which sums over parents within `set` are counted.
    pub(super) fn exponent(&self, set: u32) -> i32 {
        self.exponent[squeeze(set, self.child)]
    }

    /// The logarithm to base 2 of the sum over all parent sets within `set`.
    pub(super) fn log_sum(&self, set: u32) -> f64 {
        let place = squeeze(set, self.child);
        self.sums[(place + 1) * self.n_vars - 1].log2() + f64::from(self.exponent[place])
    }

    /// For each possible last layer of `set`, the sum over the parent sets within `set` that hold some node
    /// of the layer, in units of `set`; of the empty set, that of no parents.
    ///
    /// Each parent set is counted at its lowest node in the layer. So a layer with one more node on top has
    /// one more term: the parent sets that hold the new node and none of the others.
    pub(super) fn touching(&self, set: u32, last: &Subsets) -> Vec<f64> {
        let nodes = self.others(last.of);
        let mut sums = vec![0.0; last.len()];
        sums[0] = if set == 0 { self.own[0] } else { 0.0 };
        // Layers with the top node have no node above.
        for (layer, below) in last.iter().take(last.len() / 2).enumerate() {
            let (scale, row) = self.without(set, below);
            for i in above(layer)..nodes.len() {
                sums[layer | 1 << i] = sums[layer] + scale * self.sums[row + nodes[i]];
            }
        }
        sums
    }

    /// The backward pass of [`ParentSums::touching`]: distributes what each of its sums received per unit to
    /// its terms.
    pub(super) fn share_out(
        &self,
        shares: &mut ParentShares,
        set: u32,
        last: &Subsets,
        mut received: Vec<f64>,
    ) {
        let nodes = self.others(last.of);
        let layers: Vec<u32> = last.iter().take(last.len() / 2).collect();
        for (layer, &below) in layers.iter().enumerate().rev() {
            let (scale, row) = self.without(set, below);
            for i in above(layer)..nodes.len() {
                let share = received[layer | 1 << i];
                shares.0[row + nodes[i]] += scale * share;
                received[layer] += share;
            }
        }
    }

    /// The probability of each node as a parent, from the probabilities of the child's parent sets: weight
    /// times shares.
    pub(super) fn parent_probabilities(&self, mut shares: ParentShares) -> Vec<f64> {
        each_pair(&mut shares.0, self.n_vars, |places, without, with| {
            let scale = scale(&self.exponent, places);
            without.iter_mut().zip(with).for_each(|(without, with)| *without += scale * *with);
        });
        let mut probability = vec![0.0; self.n_vars];
        for (place, (row, own)) in shares.0.chunks_exact(self.n_vars).zip(&self.own).enumerate() {
            let set_probability = own * members(place as u32).map(|other| row[other]).sum::<f64>();
            members(unsqueeze(place, self.child)).for_each(|parent| probability[parent] += set_probability);
        }
        probability
    }

    /// Nothing distributed yet.
    pub(super) fn shares(&self) -> ParentShares {
        ParentShares(vec![0.0; self.sums.len()])
    }

    /// The numbers of nodes when the child is left out.
    fn others(&self, nodes: u32) -> Vec<usize> {
        members(nodes).map(|node| node - usize::from(node > self.child)).collect()
    }

    /// The factor that converts sums over `set` without `below` to units of `set`, and where their row
    /// begins.
    fn without(&self, set: u32, below: u32) -> (f64, usize) {
        let (inner, outer) = (squeeze(set & !below, self.child), squeeze(set, self.child));
        (scale(&self.exponent, [inner, outer]), inner * self.n_vars)
    }
}

/// What every sum of a child has received per unit in the backward pass, laid out like the sums.
pub(super) struct ParentShares(Vec<f64>);

/// `[set]`: logarithms to base 2 of the weights of `child`'s parent sets, 0 for the largest; minus infinity
/// where not allowed or not scored.
fn log_weights(lengths: &dyn FamilyLengths, constraints: &Constraints, child: usize) -> Vec<f64> {
    let mut weights = vec![f64::NEG_INFINITY; 1 << (lengths.n_vars() - 1)];
    lengths.for_each(child, &mut |parents, length| {
        if constraints.allows(&Family::new(child, parents.clone())) {
            let bits = parents.to_bits().unwrap_or_else(|| panic!("few enough variables were checked for"));
            weights[squeeze(bits as u32, child)] = -length.0;
        }
    });
    let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest > f64::NEG_INFINITY {
        weights.iter_mut().for_each(|weight| *weight = (*weight - largest) / LN_2);
    }
    weights
}

/// The first place above the highest one bit.
fn above(layer: usize) -> usize {
    (usize::BITS - layer.leading_zeros()) as usize
}

/// The factor that converts units of the smaller set to units of the larger.
#[inline(always)]
fn scale(exponent: &[i32], [smaller, larger]: [usize; 2]) -> f64 {
    power_of_two(exponent[smaller] - exponent[larger])
}

/// Calls `visit([set without the node, set with it], row of the first, row of the second)` for every node
/// and set, node after node.
fn each_pair<T>(rows: &mut [T], width: usize, visit: impl Fn([usize; 2], &mut [T], &mut [T])) {
    let n_sets = rows.len() / width;
    let mut bit = 1;
    while bit < n_sets {
        for (i, pair) in rows.chunks_exact_mut(2 * bit * width).enumerate() {
            let (without, with) = pair.split_at_mut(bit * width);
            let rows = without.chunks_exact_mut(width).zip(with.chunks_exact_mut(width));
            for (place, (without, with)) in (2 * bit * i..).zip(rows) {
                visit([place, place + bit], without, with);
            }
        }
        bit *= 2;
    }
}
