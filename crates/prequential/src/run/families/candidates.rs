//! Candidate parents, which a search of a wide table tries first.

use crate::base::error::Result;
use crate::graph::{Family, NodeSet};
use crate::score::{FamilyLengths, joint_hints};
use crate::search::{Candidates, Constraints};
use crate::table::Quantised;

/// The most variables dependent with a child among which its candidates are chosen.
const MAX_DEPENDENT: usize = 24;

/// How many of the strongest single parents of a child are always candidates.
const N_STRONGEST: usize = 4;

/// Nats that two parents must gain jointly, beyond either alone, to count as a pair.
const MIN_JOINT_GAIN: f64 = 8.0;

/// Chooses candidates for every variable, scoring the families needed.
///
/// First every variable is scored given every other. Then, for all children in turn, the parent that helps
/// most is added to those before, among those that are dependent with the child, as long as the code gets
/// shorter. Candidates of a child are these, those whose candidate it is itself, and the [`N_STRONGEST`].
/// Pairs that only help jointly are found by [`joint_hints`] and scored.
pub(super) fn candidates(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    data: &Quantised,
) -> Result<Candidates> {
    let chooser = Chooser { lengths, constraints };
    lengths.request(&single_parents(constraints))?;
    let gains = chooser.gains();
    let joint = chooser.joint(joint_hints(data, |child, other| gains[child][other] > 0.0))?;
    let chosen = chooser.grow(&gains, &joint)?;
    Ok(Candidates { parents: chooser.both_ways(&chosen, &gains), joint })
}

/// Every variable with its required parents, and with one more.
pub(super) fn single_parents(constraints: &Constraints) -> Vec<Family> {
    let small_families = |child: usize| {
        let required = constraints.required(child);
        let more: Vec<usize> = constraints.allowed(child).difference(required).iter().collect();
        let sets =
            std::iter::once(required.clone()).chain(more.into_iter().map(|parent| required.with(parent)));
        sets.map(move |parents| Family::new(child, parents)).collect::<Vec<_>>()
    };
    (0..constraints.n_vars()).flat_map(small_families).filter(|family| constraints.allows(family)).collect()
}

struct Chooser<'a> {
    lengths: &'a dyn FamilyLengths,
    constraints: &'a Constraints,
}

impl Chooser<'_> {
    fn n_vars(&self) -> usize {
        self.constraints.n_vars()
    }

    fn length(&self, child: usize, parents: &NodeSet) -> f64 {
        let family = Family::new(child, parents.clone());
        self.lengths.code_length(&family).map_or(f64::INFINITY, |length| length.0)
    }

    /// `[child][other]`: the nats gained by either as the only parent of the other, the larger of the two; at
    /// most 0 if independent.
    fn gains(&self) -> Vec<Vec<f64>> {
        let told = |child: usize, other: usize| {
            let required = self.constraints.required(child);
            self.length(child, required) - self.length(child, &required.with(other))
        };
        let both = |child: usize, other: usize| {
            if child == other { f64::NEG_INFINITY } else { told(child, other).max(told(other, child)) }
        };
        (0..self.n_vars()).map(|child| (0..self.n_vars()).map(|other| both(child, other)).collect()).collect()
    }

    /// The pairs among `hints` that gain more jointly than separately.
    fn joint(&self, hints: Vec<Vec<(usize, usize)>>) -> Result<Vec<Vec<(usize, usize)>>> {
        let with = |child: usize, (a, b): (usize, usize)| {
            Family::new(child, self.constraints.required(child).with(a).with(b))
        };
        let families = hints
            .iter()
            .enumerate()
            .flat_map(|(child, pairs)| pairs.iter().map(move |&pair| with(child, pair)).collect::<Vec<_>>());
        let allowed = |family: &Family| self.constraints.allows(family);
        self.lengths.request(&families.filter(allowed).collect::<Vec<_>>())?;
        let tells = |child: usize, (a, b): (usize, usize)| {
            let required = self.constraints.required(child);
            let parts = [required.clone(), required.with(a), required.with(b)];
            let alone = parts.iter().map(|part| self.length(child, part)).fold(f64::INFINITY, f64::min);
            self.length(child, &with(child, (a, b)).parents) < alone - MIN_JOINT_GAIN
        };
        let kept = |(child, pairs): (usize, Vec<(usize, usize)>)| {
            pairs.into_iter().filter(|&pair| tells(child, pair)).collect()
        };
        Ok(hints.into_iter().enumerate().map(kept).collect())
    }

    /// For every child, one parent after another that makes the code shorter, the best first.
    fn grow(&self, gains: &[Vec<f64>], joint: &[Vec<(usize, usize)>]) -> Result<Vec<NodeSet>> {
        let mut chosen: Vec<NodeSet> =
            (0..self.n_vars()).map(|child| self.constraints.required(child).clone()).collect();
        let pool: Vec<Vec<NodeSet>> =
            (0..self.n_vars()).map(|child| pool(&gains[child], &joint[child])).collect();
        let mut growing: Vec<usize> = (0..self.n_vars()).collect();
        while !growing.is_empty() {
            let larger = |child: usize| -> Vec<Family> {
                let with = |added: &NodeSet| Family::new(child, chosen[child].union(added));
                let grows =
                    |family: &Family| family.parents != chosen[child] && self.constraints.allows(family);
                pool[child].iter().map(with).filter(grows).collect()
            };
            let by_child: Vec<(usize, Vec<Family>)> =
                growing.iter().map(|&child| (child, larger(child))).collect();
            let families: Vec<Family> = by_child.iter().flat_map(|(_, families)| families.clone()).collect();
            self.lengths.request(&families)?;
            growing.clear();
            for (child, families) in by_child {
                let best = families.into_iter().map(|family| (self.length(child, &family.parents), family));
                let best = best.min_by(|(a, _), (b, _)| a.total_cmp(b));
                let best = best.filter(|(length, _)| *length < self.length(child, &chosen[child]));
                if let Some((_, family)) = best {
                    chosen[child] = family.parents;
                    growing.push(child);
                }
            }
        }
        Ok(chosen)
    }

    /// Candidates of each child: its own, those whose candidate it is, and the strongest.
    fn both_ways(&self, chosen: &[NodeSet], gains: &[Vec<f64>]) -> Vec<NodeSet> {
        let candidates = |child: usize| {
            let strongest = strongest(&gains[child], N_STRONGEST);
            let others = (0..self.n_vars()).filter(|&other| chosen[other].contains(child));
            others.chain(strongest).fold(chosen[child].clone(), |all, other| all.with(other))
        };
        (0..self.n_vars()).map(candidates).collect()
    }
}

/// What can be added in one step: variables that help alone, the strongest first, and pairs that help
/// jointly.
fn pool(gains: &[f64], joint: &[(usize, usize)]) -> Vec<NodeSet> {
    let alone = strongest(gains, MAX_DEPENDENT).into_iter().map(NodeSet::single);
    let together = joint.iter().map(|&(a, b)| [a, b].into_iter().collect());
    alone.chain(together).collect()
}

/// The variables with the largest gains above 0.
fn strongest(gains: &[f64], most: usize) -> Vec<usize> {
    let mut dependent: Vec<usize> = (0..gains.len()).filter(|&other| gains[other] > 0.0).collect();
    dependent.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
    dependent.truncate(most);
    dependent
}
