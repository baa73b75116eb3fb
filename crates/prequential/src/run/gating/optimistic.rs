//! How short codes might be with networks, where they were not trained.

use super::super::plan::Plan;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::graph::{Family, NodeSet};
use crate::score::{FamilyLengths, TwoStageCache};
use crate::search::Constraints;

/// How many nats networks may gain in a family, more than in its parts, before they are taken to have told something: what they
/// gained by chance in families in which there is nothing to gain was less.
const MARGIN: f64 = 2.0;

/// Nats by which one direction between two variables is ahead, from which on networks try to make up for it in the other.
///
/// With exact conditional distributions both directions would cost the same: the gap is all that any expert could still gain.
pub(crate) const MIN_GAP: f64 = 8.0;

/// Nats by which the best order of three variables is ahead of one given the others and the best order of these, more than of it given one of
/// them, from which on networks might gain them. Two causes that tell nothing without each other are told by some order, if by any.
pub(crate) const MIN_JOINT_GAP: f64 = 30.0;

impl Plan {
    /// How many nats networks may gain in a family besides what they gained in its parts.
    pub(crate) fn network_margin(&self) -> f64 {
        if self.search.is_lazy() { 0.0 } else { MARGIN }
    }
}

/// How far the other direction is ahead of `child` with `parent`, both with what they require besides; `None` if one of the codes is unknown.
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

/// Code lengths as short as they might be with networks.
pub(super) struct OptimisticLengths<'a, 'b> {
    cache: &'a TwoStageCache<'b>,
    constraints: &'a Constraints,
    /// What networks may gain in any family.
    pub(super) margin: f64,
    /// Per child: for which parents it is known what networks gain, and what.
    gains: Vec<Vec<(NodeSet, f64)>>,
    /// Per child: the parents, one or two besides the required ones, for which they were not trained and might be worth it, and what they
    /// might gain there.
    possible_gains: Vec<Vec<(NodeSet, f64)>>,
}

impl<'a, 'b> OptimisticLengths<'a, 'b> {
    pub(super) fn new(cache: &'a TwoStageCache<'b>, plan: &'a Plan) -> OptimisticLengths<'a, 'b> {
        let known_gains = |child: usize| {
            let mut gains = Vec::new();
            let Some(trained) = cache.deferred() else { return gains };
            trained.for_each(child, &mut |parents, _| {
                let gain = cache.gain(&Family::new(child, parents.clone()));
                gains.extend(gain.map(|gain| (parents.clone(), gain)));
            });
            gains
        };
        let nodes = 0..cache.n_vars();
        let gains = nodes.clone().map(known_gains).collect();
        let margin = plan.network_margin();
        let mut optimistic = OptimisticLengths {
            cache,
            constraints: &plan.constraints,
            margin,
            gains,
            possible_gains: Vec::new(),
        };
        optimistic.possible_gains = nodes.map(|child| optimistic.find_possible_gains(child)).collect();
        optimistic
    }

    /// By what is known by now: where networks have put one order of two or three variables ahead, they may do as much for another.
    fn find_possible_gains(&self, child: usize) -> Vec<(NodeSet, f64)> {
        let required = self.constraints.required(child);
        let mut few = Vec::new();
        self.cache.initial().for_each(child, &mut |parents, _| {
            let is_few = (1..=2).contains(&parents.len().saturating_sub(required.len()));
            if is_few && !self.is_known(&Family::new(child, parents.clone())) {
                few.push(parents.clone());
            }
        });
        let gap = |parents: NodeSet| {
            let gap = match parents.difference(required).iter().collect::<Vec<_>>()[..] {
                [parent] => self.gap(child, parent).filter(|&gap| gap > MIN_GAP),
                [a, b] => self.joint_gap(child, a, b).filter(|&gap| gap > MIN_JOINT_GAP),
                _ => None,
            };
            Some((parents, gap?))
        };
        few.into_iter().filter_map(gap).collect()
    }

    /// Takes it that networks gain nothing in these.
    pub(super) fn assume_no_gain(&mut self, families: &[Family]) {
        for family in families {
            self.gains[family.child].push((family.parents.clone(), 0.0));
            self.possible_gains[family.child].retain(|(parents, _)| *parents != family.parents);
        }
    }

    /// Whether it is known, or taken for known, what networks gain in `family`.
    fn is_known(&self, family: &Family) -> bool {
        self.gains[family.child].iter().any(|(parents, _)| *parents == family.parents)
    }

    /// What networks might gain in `family`: 0 if that is known.
    pub(super) fn optimistic_gain(&self, family: &Family) -> f64 {
        if self.is_known(family) {
            return 0.0;
        }
        let gap = self.possible_gains_within(family).map(|&(_, gap)| gap).fold(0.0, f64::max);
        self.margin + gap.max(self.gain_in_parts(family))
    }

    /// The most that networks gained in any part of `family` that lies in no larger part which they were trained for; at least 0.
    fn gain_in_parts(&self, family: &Family) -> f64 {
        let trained = self.gains[family.child].iter();
        let parts: Vec<&(NodeSet, f64)> =
            trained.filter(|(parents, _)| parents.is_subset(&family.parents)).collect();
        let is_largest =
            |part: &NodeSet| !parts.iter().any(|(other, _)| part != other && part.is_subset(other));
        parts.iter().filter(|(part, _)| is_largest(part)).map(|(_, gain)| *gain).fold(0.0, f64::max)
    }

    /// Those of `families` that have no networks, and the pairs of parents within them that might gain by them.
    pub(super) fn untrained(&self, families: impl Iterator<Item = Family>) -> Vec<Family> {
        let families = families.filter(|family| !self.is_known(family));
        let with_pairs = families.flat_map(|family| {
            let pairs = self.possible_gains_within(&family);
            let pairs: Vec<Family> = pairs.map(|(pair, _)| Family::new(family.child, pair.clone())).collect();
            std::iter::once(family).chain(pairs)
        });
        let mut untrained: Vec<Family> =
            with_pairs.filter(|family| self.cache.code_length(family).is_some()).collect();
        untrained.sort_unstable();
        untrained.dedup();
        untrained
    }

    /// The pairs of parents within `family`, or its only parent, for which networks were not trained, and what they might gain there.
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

    /// What networks might gain for `child` given `a` and `b`, more than given one of them; unknown where parents are required.
    fn joint_gap(&self, child: usize, a: usize, b: usize) -> Option<f64> {
        let is_free = [child, a, b].iter().all(|&node| self.constraints.required(node).is_empty());
        let with = self.length(child, &[a, b]).filter(|_| is_free)?;
        let best_two = self.best_of_two(a, b)?;
        let last = |node: usize, x: usize, y: usize| {
            let sets = [vec![], vec![x], vec![y], vec![x, y]];
            let given = sets.iter().filter_map(|given| self.length(node, given));
            Some(self.best_of_two(x, y)? + given.fold(f64::INFINITY, f64::min))
        };
        let orders = [last(child, a, b), last(a, child, b), last(b, child, a)];
        let best = orders.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let alone = |parent: usize| self.gap(child, parent).unwrap_or(0.0);
        let alone = alone(a).max(alone(b)).max(0.0);
        Some(with + best_two - best - alone)
    }

    /// How far the other direction is ahead of `child` with `parent`.
    fn gap(&self, child: usize, parent: usize) -> Option<f64> {
        gap(self.cache, self.constraints, child, parent)
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

    /// The code length, with networks where they were trained.
    fn length(&self, child: usize, parents: &[usize]) -> Option<f64> {
        let family = Family::new(child, parents.iter().copied().collect());
        self.cache.code_length(&family).map(|length| length.0)
    }
}

impl FamilyLengths for OptimisticLengths<'_, '_> {
    fn n_vars(&self) -> usize {
        self.cache.n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.cache.request(families)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.cache.code_length(family).map(|length| Nats(length.0 - self.optimistic_gain(family)))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.cache.for_each(child, &mut |parents, length| {
            visit(parents, Nats(length.0 - self.optimistic_gain(&Family::new(child, parents.clone()))));
        });
    }
}
