//! Pruned parent sets, where all would be too many: larger sets are scored only where smaller ones call for
//! them.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Family, NodeSet};
use crate::score::FamilyLengths;
use crate::search::Constraints;

/// Which parent sets were scored.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ParentSetPruning {
    /// All sets of this many parents, besides the required ones.
    pub all_up_to: usize,
    /// Larger ones if they contain sets that are at most this much longer than without any of their parents.
    #[serde(rename = "slack_nats")]
    pub slack: Nats,
}

/// Parents besides the required ones up to which all sets are scored: two causes may help only jointly.
pub(super) const ALL_UP_TO: usize = 2;

/// How many nats longer than without one of its parents the code of a set may be, for the set to grow
/// further.
const GROWTH_SLACK: f64 = 3.0;

/// A description for the result.
pub(super) const PRUNING: ParentSetPruning =
    ParentSetPruning { all_up_to: ALL_UP_TO, slack: Nats(GROWTH_SLACK) };

/// The families with which growing starts.
pub(super) fn seeds(constraints: &Constraints) -> Vec<Family> {
    let n_required = |family: &Family| constraints.required(family.child).len();
    let small = constraints.clone().with_max_parents(max_seed_parents(constraints));
    small.families().filter(|family| family.parents.len() <= n_required(family) + ALL_UP_TO).collect()
}

/// How many they are; a float, because it can be huge.
pub(super) fn n_seeds(constraints: &Constraints) -> f64 {
    constraints.n_families(max_seed_parents(constraints))
}

/// The most parents of any seed.
fn max_seed_parents(constraints: &Constraints) -> usize {
    let most = (0..constraints.n_vars()).map(|child| constraints.required(child).len()).max().unwrap_or(0);
    (most + ALL_UP_TO).min(constraints.max_parents())
}

/// Scores the [`seeds`], and larger sets as long as smaller ones call for them.
///
/// A set is useful if no scored subset of it has a code shorter by more than [`GROWTH_SLACK`]. With one
/// parent more than the seeds, a set is scored if it contains a useful seed; a larger one, if it contains two
/// useful sets of one parent less. Three causes that contribute nothing in pairs would be missed.
pub(super) fn grow(lengths: &dyn FamilyLengths, constraints: &Constraints, stop: Stop) -> Result<()> {
    let mut layer = seeds(constraints);
    let mut shortest: HashMap<Family, f64> = HashMap::new();
    while !layer.is_empty() && !stop.now() {
        lengths.request(&layer)?;
        layer.sort_by_key(|family| family.parents.len());
        let n_largest = layer.last().map_or(0, |family| family.parents.len());
        let mut calls: BTreeMap<Family, usize> = BTreeMap::new();
        for family in &layer {
            let Some(length) = lengths.code_length(family) else { continue };
            let within = shortest_within(family, &shortest);
            shortest.insert(family.clone(), within.min(length.0));
            let is_edge = family.parents.len() == n_largest
                || family.parents.len() == constraints.required(family.child).len() + ALL_UP_TO;
            if is_edge && length.0 <= within + GROWTH_SLACK {
                grown(family, constraints).for_each(|larger| *calls.entry(larger).or_default() += 1);
            }
        }
        let is_called = |(family, n_calls): &(Family, usize)| {
            let n_free = family.parents.len() - constraints.required(family.child).len();
            !shortest.contains_key(family) && (*n_calls >= 2 || n_free == ALL_UP_TO + 1)
        };
        layer = calls.into_iter().filter(is_called).map(|(family, _)| family).collect();
    }
    Ok(())
}

/// The shortest code of any scored set within that of `family`, itself left out.
fn shortest_within(family: &Family, shortest: &HashMap<Family, f64>) -> f64 {
    let without = |parent| shortest.get(&Family::new(family.child, family.parents.without(parent)));
    family.parents.iter().filter_map(without).copied().fold(f64::INFINITY, f64::min)
}

/// The allowed families with one parent more.
fn grown<'a>(family: &'a Family, constraints: &'a Constraints) -> impl Iterator<Item = Family> + 'a {
    let others: NodeSet = constraints.allowed(family.child).difference(&family.parents);
    let others: Vec<usize> = others.iter().collect();
    let larger = others.into_iter().map(|parent| Family::new(family.child, family.parents.with(parent)));
    larger.filter(|family| constraints.allows(family))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::score::CodeLengths;
    use std::sync::Mutex;

    /// Code lengths by a formula, and the requests for them.
    struct RecordingLengths<F> {
        n_vars: usize,
        length: F,
        families: Mutex<BTreeSet<Family>>,
    }

    impl<F: Fn(&Family) -> f64 + Sync> FamilyLengths for RecordingLengths<F> {
        fn n_vars(&self) -> usize {
            self.n_vars
        }

        fn request(&self, families: &[Family]) -> Result<()> {
            self.families.lock().unwrap().extend(families.iter().cloned());
            Ok(())
        }

        fn code_length(&self, family: &Family) -> Option<Nats> {
            self.families.lock().unwrap().contains(family).then(|| Nats((self.length)(family)))
        }

        fn for_each(&self, _child: usize, _visit: &mut dyn FnMut(&NodeSet, Nats)) {}
    }

    fn requested_families(
        n_vars: usize,
        max_parents: usize,
        length: impl Fn(&Family) -> f64 + Sync,
    ) -> BTreeSet<Family> {
        let constraints = Constraints::none(n_vars).with_max_parents(max_parents);
        let lengths = RecordingLengths { n_vars, length, families: Mutex::default() };
        grow(&lengths, &constraints, Stop::never()).unwrap();
        lengths.families.into_inner().unwrap()
    }

    /// Each of the first `n_causes` nodes saves 50 nats of the last one, and every parent costs 4.
    fn with_causes(n_vars: usize, n_causes: usize) -> impl Fn(&Family) -> f64 {
        move |family| {
            let told =
                family.parents.iter().filter(|&parent| family.child == n_vars - 1 && parent < n_causes);
            1_000.0 - 50.0 * told.count() as f64 + 4.0 * family.parents.len() as f64
        }
    }

    #[test]
    fn sets_grow_to_the_causes_and_one_beyond() {
        let families = requested_families(9, 8, with_causes(9, 5));
        let causes: NodeSet = (0..5).collect();
        assert!(families.contains(&Family::new(8, causes.clone())));
        let (one, two): (NodeSet, NodeSet) =
            ([0, 1, 6].into_iter().collect(), [0, 1, 6, 7].into_iter().collect());
        assert!(families.contains(&Family::new(8, one)), "one more is tried");
        assert!(!families.contains(&Family::new(8, two)), "nobody calls for two more");
        assert!(families.iter().all(|family| family.parents.len() <= 5));
        // The others are independent: they stop at pairs of parents.
        assert!(families.iter().all(|family| family.child == 8 || family.parents.len() <= ALL_UP_TO));
        let n_all = CodeLengths::memory(9, 8) / 8.0;
        assert!(families.len() < n_all as usize / 4, "{} of {n_all}", families.len());
    }

    #[test]
    fn what_is_useless_by_less_than_the_slack_grows_too_and_the_limit_holds() {
        let nearly_free = |family: &Family| 10.0 + 1.0 * family.parents.len() as f64;
        let families = requested_families(6, 4, nearly_free);
        assert_eq!(families.len(), 6 * (1 + 5 + 10 + 10 + 5));
    }

    #[test]
    fn two_causes_that_tell_nothing_alone_are_found_with_a_third() {
        let (together, third): (NodeSet, usize) = ([0, 1].into_iter().collect(), 2);
        let length = |family: &Family| {
            let n_parents = family.parents.len() as f64;
            let told = family.child == 6 && together.is_subset(&family.parents);
            let told = if told { 100.0 + 40.0 * f64::from(family.parents.contains(third)) } else { 0.0 };
            500.0 - told + 4.0 * n_parents
        };
        assert!(requested_families(7, 6, length).contains(&Family::new(6, together.with(third))));
    }
}
