//! The parent sets that an optimal graph can have.

use super::constraints::Constraints;
use super::subset_bits::{members, spread_minima, squeeze};
use crate::graph::NodeSet;
use crate::score::FamilyLengths;

/// A parent set and its code length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ParentSet {
    /// The parents as a bit mask, squeezed to leave out the child.
    pub(crate) bits: u32,
    /// The code length in nats.
    pub(crate) length: f64,
}

/// The parent sets of one child that an optimal graph can have.
///
/// A set is dropped if one of its subsets, allowed and scored too, has a code that is no longer: parents can
/// be removed from a graph without closing a cycle. The shortest code of any choice among given variables
/// keeps every bit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ParentSets {
    /// The remaining sets, shorter codes first, smaller sets first among equals.
    Few(Vec<ParentSet>),
    /// Too many to be listed: the shortest code of parents within every set, by its squeezed bits.
    Many(Vec<f64>),
}

/// A query for parent sets.
#[derive(Clone, Copy)]
pub(crate) struct ParentSetQuery<'a> {
    pub(crate) lengths: &'a dyn FamilyLengths,
    pub(crate) constraints: &'a Constraints,
    pub(crate) child: usize,
    /// Only sets that have this member.
    pub(crate) member: Option<usize>,
}

impl ParentSetQuery<'_> {
    /// Visits every allowed and scored set, smaller ones first.
    pub(crate) fn for_each(&self, visit: &mut dyn FnMut(&NodeSet, f64)) {
        self.lengths.for_each(self.child, &mut |parents, length| {
            let wanted = self.member.is_none_or(|member| parents.contains(member));
            if wanted && length.0 < f64::INFINITY && self.constraints.allows_parents(self.child, parents) {
                visit(parents, length.0);
            }
        });
    }

    fn for_each_squeezed(&self, mut visit: impl FnMut(ParentSet)) {
        self.for_each(&mut |parents, length| {
            let bits = parents.to_bits().unwrap_or_else(|| panic!("exact search has few variables"));
            visit(ParentSet { bits: squeeze(bits as usize, self.child) as u32, length });
        });
    }

    /// How many sets there are within all others.
    fn n_possible(&self) -> usize {
        1 << (self.lengths.n_vars() - 1)
    }
}

impl ParentSets {
    /// Drops what no optimal graph can have, and returns the number of sets considered. Needs at most
    /// [`ParentSets::memory`].
    pub(crate) fn new(query: &ParentSetQuery) -> (ParentSets, usize) {
        let mut gathered = Gathered::new(query);
        if gathered.table.is_empty() {
            let most = max_comparisons(query.lengths.n_vars());
            if let Some(left) = undominated(&mut gathered.list, most) {
                return (ParentSets::Few(left), gathered.n_sets);
            }
            gathered.move_to_table(query.n_possible());
        }
        (from_table(query, gathered.table), gathered.n_sets)
    }

    /// The most bytes needed to find the sets of one of `n_vars` variables, if `n_queried` are requested at
    /// most.
    pub(crate) fn memory(n_vars: usize, n_queried: usize) -> f64 {
        let n_possible = 1usize << (n_vars - 1);
        let bytes_each = size_of::<ParentSet>() as f64;
        let is_listed =
            n_queried <= max_listed(n_possible) && n_queried.pow(2) / 2 <= max_comparisons(n_vars);
        // A list takes three times its size while it grows.
        if is_listed {
            return (2.0 + 3.0) * bytes_each * n_queried as f64;
        }
        8.0 * n_possible as f64 + 3.0 * bytes_each * (max_listed(n_possible) + 1) as f64
    }
}

/// The most of `n_possible` sets that are listed: a longer list takes more time than a table, and no less
/// memory.
fn max_listed(n_possible: usize) -> usize {
    n_possible / 16 + 8
}

/// The number of comparisons that costs as much as the table of all sets.
fn max_comparisons(n_vars: usize) -> usize {
    n_vars << (n_vars - 1)
}

/// All requested sets: a list, or a table if the list becomes too long.
#[derive(Default)]
struct Gathered {
    list: Vec<ParentSet>,
    /// The code length of every set, infinite if not requested; empty while the list suffices.
    table: Vec<f64>,
    n_sets: usize,
}

impl Gathered {
    fn new(query: &ParentSetQuery) -> Gathered {
        let mut gathered = Gathered::default();
        let n_possible = query.n_possible();
        query.for_each_squeezed(|set| {
            gathered.n_sets += 1;
            if !gathered.table.is_empty() {
                gathered.table[set.bits as usize] = set.length;
                return;
            }
            gathered.list.push(set);
            if gathered.list.len() > max_listed(n_possible) {
                gathered.move_to_table(n_possible);
            }
        });
        gathered
    }

    fn move_to_table(&mut self, n_possible: usize) {
        self.table = vec![f64::INFINITY; n_possible];
        for set in std::mem::take(&mut self.list) {
            self.table[set.bits as usize] = set.length;
        }
    }
}

/// Sorts `sets` and keeps those without a better subset, unless that takes more than `most` comparisons.
fn undominated(sets: &mut [ParentSet], most: usize) -> Option<Vec<ParentSet>> {
    sets.sort_unstable_by(by_length);
    let mut left: Vec<ParentSet> = Vec::new();
    let mut n_comparisons = 0;
    for set in sets {
        // All remaining sets so far are no longer, and smaller if equal.
        let better = left.iter().position(|before| before.bits & !set.bits == 0);
        n_comparisons += better.unwrap_or(left.len());
        if n_comparisons > most {
            return None;
        }
        if better.is_none() {
            left.push(*set);
        }
    }
    left.shrink_to_fit();
    Some(left)
}

/// Shorter codes first, then smaller sets, then lower members.
fn by_length(a: &ParentSet, b: &ParentSet) -> std::cmp::Ordering {
    let by_set = || {
        let (x, y) = (a.bits, b.bits);
        // The set with the lowest member that the other lacks comes first.
        x.count_ones().cmp(&y.count_ones()).then(y.reverse_bits().cmp(&x.reverse_bits()))
    };
    a.length.total_cmp(&b.length).then_with(by_set)
}

/// Drops dominated sets by a table of all sets; the cost depends on its size, not on the number of sets
/// requested.
fn from_table(query: &ParentSetQuery, mut shortest: Vec<f64>) -> ParentSets {
    spread_minima(&mut shortest);
    let most = max_listed(query.n_possible());
    let mut left = Vec::new();
    let mut n_left = 0;
    query.for_each_squeezed(|set| {
        let bits = set.bits as usize;
        let is_longer = |without: usize| shortest[bits & !(1 << without)] > set.length;
        if set.length <= shortest[bits] && members(bits).all(is_longer) {
            n_left += 1;
            if n_left <= most {
                left.push(set);
            }
        }
    });
    if n_left > most {
        return ParentSets::Many(shortest);
    }
    left.shrink_to_fit();
    left.sort_unstable_by(by_length);
    ParentSets::Few(left)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::subset_bits::unsqueeze;
    use super::*;
    use crate::base::nats::Nats;
    use crate::graph::Family;
    use crate::score::CodeLengths;

    /// Every third set is not scored; lengths are few whole numbers, so that ties abound.
    fn lengths(n_vars: usize, n_values: u32, rng: &mut ChaCha8Rng) -> CodeLengths {
        let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
        for family in Constraints::none(n_vars).families() {
            if rng.random_range(0..3) > 0 {
                lengths.set(&family, Nats(f64::from(rng.random_range(0..n_values))));
            }
        }
        lengths
    }

    /// Compares every two sets.
    fn by_pairs(query: &ParentSetQuery) -> Vec<(NodeSet, f64)> {
        let mut all = Vec::new();
        query.for_each(&mut |parents, length| all.push((parents.clone(), length)));
        let is_left = |(set, length): &&(NodeSet, f64)| {
            !all.iter().any(|(other, shorter)| other != set && other.is_subset(set) && shorter <= length)
        };
        let mut left: Vec<(NodeSet, f64)> = all.iter().filter(is_left).cloned().collect();
        left.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        left
    }

    fn listed(query: &ParentSetQuery, sets: &ParentSets) -> Option<Vec<(NodeSet, f64)>> {
        let ParentSets::Few(sets) = sets else { return None };
        let set = |set: &ParentSet| {
            let bits = unsqueeze(set.bits as usize, query.child);
            (NodeSet::from_bits(bits as u64), set.length)
        };
        Some(sets.iter().map(set).collect())
    }

    #[test]
    fn what_is_left_is_what_comparing_every_two_sets_leaves() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..40 {
            let n_vars = 3 + round % 7;
            let lengths = lengths(n_vars, [3, 1_000_000][round % 2], &mut rng);
            let constraints = Constraints::none(n_vars).with_max_parents(1 + round % n_vars);
            for (child, member) in [(0, None), (1, Some(0)), (n_vars - 1, Some(1))] {
                let query = ParentSetQuery { lengths: &lengths, constraints: &constraints, child, member };
                let expected = by_pairs(&query);
                let mut all = Gathered::default();
                query.for_each_squeezed(|set| all.list.push(set));
                assert_eq!(ParentSets::new(&query).1, all.list.len());
                let by_list = undominated(&mut all.list, usize::MAX).map(ParentSets::Few);
                assert_eq!(by_list.and_then(|sets| listed(&query, &sets)).as_ref(), Some(&expected));
                all.move_to_table(query.n_possible());
                match listed(&query, &from_table(&query, all.table)) {
                    Some(by_table) => assert_eq!(by_table, expected),
                    None => assert!(expected.len() > max_listed(query.n_possible())),
                }
            }
        }
    }

    #[test]
    fn a_table_of_all_sets_has_the_shortest_code_within_each() {
        let n_vars = 10;
        let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
        for family in Constraints::none(n_vars).families() {
            lengths.set(&family, Nats(100.0 - family.parents.iter().sum::<usize>() as f64));
        }
        let query = ParentSetQuery {
            lengths: &lengths,
            constraints: &Constraints::none(n_vars),
            child: 3,
            member: None,
        };
        let (ParentSets::Many(table), 512) = ParentSets::new(&query) else {
            panic!("there are too many to list")
        };
        for bits in 0..512 {
            let parents = NodeSet::from_bits(unsqueeze(bits, 3) as u64);
            assert_eq!(Some(Nats(table[bits])), lengths.code_length(&Family::new(3, parents)));
        }
    }
}
