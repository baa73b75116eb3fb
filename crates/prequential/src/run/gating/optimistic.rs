//! The optimistic bound of gating: how short codes might be with expensive experts, where they were not
//! trained.

use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::graph::{Family, NodeSet};
use crate::score::FamilyLengths;
use crate::search::Constraints;

/// Nats by which one direction between two variables is ahead, from which on expensive experts may make up
/// for it in the other.
pub(super) const MIN_PAIR_GAP: f64 = 8.0;

/// Nats by which the best order of three variables is ahead of one given the others, more than of it given
/// one of them, from which on expensive experts may make up for it. Two causes that tell nothing without
/// each other are told by some order, if by any.
pub(super) const MIN_JOINT_GAP: f64 = 30.0;

/// Code lengths of families in two stages: without expensive experts where they are requested, with them
/// where they were trained.
///
/// As [`FamilyLengths`] it has the one with expensive experts where there is one, and else the cheap one.
pub(crate) trait StagedLengths: FamilyLengths {
    /// The code lengths without expensive experts.
    fn cheap(&self) -> &dyn FamilyLengths;

    /// The code lengths with expensive experts, of the families that they were trained for.
    fn trained(&self) -> &dyn FamilyLengths;

    /// Trains expensive experts for `families`, as far as there is time.
    fn train(&self, families: &[Family]) -> Result<()>;

    /// Nats that expensive experts gain in `family`, if they were trained for it.
    fn gain(&self, family: &Family) -> Option<f64> {
        Some((self.cheap().code_length(family)? - self.trained().code_length(family)?).0)
    }
}

/// How far the other direction is ahead of `child` with `parent`, both with what they require besides;
/// `None` if one of the codes is unknown.
pub(super) fn gap(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    child: usize,
    parent: usize,
) -> Option<f64> {
    let alone = |node: usize| Family::new(node, constraints.required(node).clone());
    let with = |node: usize, other: usize| Family::new(node, constraints.required(node).with(other));
    let length = |family: Family| lengths.code_length(&family).map(|length| length.0);
    let here = length(alone(parent))? + length(with(child, parent))?;
    Some(here - (length(alone(child))? + length(with(parent, child))?))
}

/// Code lengths as short as they might be with expensive experts.
pub(super) struct OptimisticLengths<'a> {
    lengths: &'a dyn StagedLengths,
    constraints: &'a Constraints,
    /// What expensive experts may gain in any family.
    margin: f64,
    /// Per child: the parent sets of which the gain is known, or taken for known, and the gain.
    gains: Vec<Vec<(NodeSet, f64)>>,
    /// Per child: the sets of one or two parents besides the required ones that were not trained but lag
    /// behind another order of the same variables, and by how much.
    possible_gains: Vec<Vec<(NodeSet, f64)>>,
}

impl<'a> OptimisticLengths<'a> {
    /// By what is known now.
    pub(super) fn new(
        lengths: &'a dyn StagedLengths,
        constraints: &'a Constraints,
        margin: f64,
    ) -> OptimisticLengths<'a> {
        let known_gains = |child: usize| {
            let mut gains = Vec::new();
            lengths.trained().for_each(child, &mut |parents, _| {
                let gain = lengths.gain(&Family::new(child, parents.clone()));
                gains.extend(gain.map(|gain| (parents.clone(), gain)));
            });
            gains
        };
        let nodes = 0..lengths.n_vars();
        let gains = nodes.clone().map(known_gains).collect();
        let mut optimistic =
            OptimisticLengths { lengths, constraints, margin, gains, possible_gains: Vec::new() };
        optimistic.possible_gains = nodes.map(|child| optimistic.gains_by_order(child)).collect();
        optimistic
    }

    /// The sets of one or two parents for which another order of the same two or three variables is ahead,
    /// and how far: expensive experts may do as much for this one.
    fn gains_by_order(&self, child: usize) -> Vec<(NodeSet, f64)> {
        let required = self.constraints.required(child);
        let mut few = Vec::new();
        self.lengths.cheap().for_each(child, &mut |parents, _| {
            let is_few = (1..=2).contains(&parents.len().saturating_sub(required.len()));
            if is_few && !self.is_known(&Family::new(child, parents.clone())) {
                few.push(parents.clone());
            }
        });
        let gain = |parents: NodeSet| {
            let gain = match parents.difference(required).iter().collect::<Vec<_>>()[..] {
                [parent] => self.gap(child, parent).filter(|&gap| gap > MIN_PAIR_GAP),
                [a, b] => self.joint_gap(child, a, b).filter(|&gap| gap > MIN_JOINT_GAP),
                _ => None,
            };
            Some((parents, gain?))
        };
        few.into_iter().filter_map(gain).collect()
    }

    /// Assumes that expensive experts gain nothing in these families.
    pub(super) fn assume_no_gain(&mut self, families: &[Family]) {
        for family in families {
            self.gains[family.child].push((family.parents.clone(), 0.0));
            self.possible_gains[family.child].retain(|(parents, _)| *parents != family.parents);
        }
    }

    /// Whether it is known, or taken for known, what expensive experts gain in `family`.
    fn is_known(&self, family: &Family) -> bool {
        self.gains[family.child].iter().any(|(parents, _)| *parents == family.parents)
    }

    /// What expensive experts might gain in `family` beyond what is known: 0 if they were trained for it.
    pub(super) fn optimistic_gain(&self, family: &Family) -> f64 {
        if self.is_known(family) {
            return 0.0;
        }
        let gap = self.possible_gains_within(family).map(|&(_, gap)| gap).fold(0.0, f64::max);
        self.margin + gap.max(self.gain_in_subsets(family))
    }

    /// The most that expensive experts gained with any subset of the parents of `family` that is not a
    /// subset of another one that they were trained for; at least 0.
    fn gain_in_subsets(&self, family: &Family) -> f64 {
        let trained = self.gains[family.child].iter();
        let subsets: Vec<&(NodeSet, f64)> =
            trained.filter(|(parents, _)| parents.is_subset(&family.parents)).collect();
        let is_largest =
            |subset: &NodeSet| !subsets.iter().any(|(other, _)| subset != other && subset.is_subset(other));
        let largest = subsets.iter().filter(|(subset, _)| is_largest(subset));
        largest.map(|(_, gain)| *gain).fold(0.0, f64::max)
    }

    /// Those of `families` for which expensive experts were not trained, and the pairs of parents within
    /// them that might gain by them.
    pub(super) fn untrained(&self, families: impl Iterator<Item = Family>) -> Vec<Family> {
        let families = families.filter(|family| !self.is_known(family));
        let with_pairs = families.flat_map(|family| {
            let pairs = self.possible_gains_within(&family);
            let pairs: Vec<Family> = pairs.map(|(pair, _)| Family::new(family.child, pair.clone())).collect();
            std::iter::once(family).chain(pairs)
        });
        let mut untrained: Vec<Family> =
            with_pairs.filter(|family| self.lengths.code_length(family).is_some()).collect();
        untrained.sort_unstable();
        untrained.dedup();
        untrained
    }

    /// The pairs of parents within `family`, or its only parent, that lag behind another order, and by how
    /// much.
    fn possible_gains_within<'c>(
        &'c self,
        family: &'c Family,
    ) -> impl Iterator<Item = &'c (NodeSet, f64)> + 'c {
        let n_pair = self.constraints.required(family.child).len() + 2;
        let is_within = move |few: &NodeSet| few.len() == n_pair && few.is_subset(&family.parents);
        self.possible_gains[family.child]
            .iter()
            .filter(move |(few, _)| *few == family.parents || is_within(few))
    }

    /// What expensive experts might gain for `child` given `a` and `b`, more than given one of them; unknown
    /// where parents are required.
    fn joint_gap(&self, child: usize, a: usize, b: usize) -> Option<f64> {
        let is_free = [child, a, b].iter().all(|&node| self.constraints.required(node).is_empty());
        let with = self.length(child, &[a, b]).filter(|_| is_free)?;
        let best_pair = self.best_of_two(a, b)?;
        let last = |node: usize, x: usize, y: usize| {
            let sets = [vec![], vec![x], vec![y], vec![x, y]];
            let given = sets.iter().filter_map(|given| self.length(node, given));
            Some(self.best_of_two(x, y)? + given.fold(f64::INFINITY, f64::min))
        };
        let orders = [last(child, a, b), last(a, child, b), last(b, child, a)];
        let best = orders.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let alone = |parent: usize| self.gap(child, parent).unwrap_or(0.0);
        let alone = alone(a).max(alone(b)).max(0.0);
        Some(with + best_pair - best - alone)
    }

    /// How far the other direction is ahead of `child` with `parent`.
    fn gap(&self, child: usize, parent: usize) -> Option<f64> {
        gap(self.lengths, self.constraints, child, parent)
    }

    /// The shortest code of two variables.
    fn best_of_two(&self, a: usize, b: usize) -> Option<f64> {
        let (alone_a, alone_b) = (self.length(a, &[])?, self.length(b, &[])?);
        let linked = [
            self.length(b, &[a]).map(|length| alone_a + length),
            self.length(a, &[b]).map(|length| alone_b + length),
        ];
        Some(linked.into_iter().flatten().fold(alone_a + alone_b, f64::min))
    }

    /// The code length, with expensive experts where they were trained.
    fn length(&self, child: usize, parents: &[usize]) -> Option<f64> {
        let family = Family::new(child, parents.iter().copied().collect());
        self.lengths.code_length(&family).map(|length| length.0)
    }
}

impl FamilyLengths for OptimisticLengths<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.lengths.request(families)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).map(|length| Nats(length.0 - self.optimistic_gain(family)))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths.for_each(child, &mut |parents, length| {
            visit(parents, Nats(length.0 - self.optimistic_gain(&Family::new(child, parents.clone()))));
        });
    }
}
