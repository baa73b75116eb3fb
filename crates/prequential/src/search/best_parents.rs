//! The shortest code of one child for every set of candidate parents.

use super::parent_sets::{ParentSet, ParentSetQuery, ParentSets};
use super::subset_bits::{lower, spread_minima, squeeze, unsqueeze};
use crate::graph::NodeSet;

/// The shortest code of one child for every set of candidate parents, computed block by block.
///
/// A block is the sets that agree in all bits but the lowest few. From a short list of parent sets its
/// values take less time to compute than to fetch from memory, so no table of all sets is kept unless the
/// list is long.
#[derive(Debug)]
pub(crate) struct BestParents {
    child: usize,
    /// How many parent sets are allowed and scored.
    n_families: usize,
    /// How many variables differ within a block: all low ones but the child.
    width: usize,
    choices: ParentTable,
}

#[derive(Debug)]
enum ParentTable {
    /// By their high bits, those outside a block's reach; of one group, in no order.
    List { sets: Vec<ParentSet>, groups: Vec<HighBitsGroup> },
    /// The value of every set.
    Table(Vec<f64>),
}

/// Parent sets with the same high bits: those in places up to `end`, from the end of the group before.
#[derive(Debug, Clone, Copy)]
struct HighBitsGroup {
    high: u32,
    end: u32,
}

impl BestParents {
    /// For blocks in which the lowest `block_bits` variables differ.
    pub(crate) fn new(query: &ParentSetQuery, block_bits: usize) -> BestParents {
        let child = query.child;
        let (sets, n_families) = ParentSets::new(query);
        let width = block_bits - usize::from(child < block_bits);
        let choices = match sets {
            ParentSets::Many(table) => ParentTable::Table(table),
            ParentSets::Few(mut sets) => {
                sets.sort_unstable_by_key(|set| set.bits >> width);
                let same = sets.chunk_by(|a, b| a.bits >> width == b.bits >> width);
                let group = |end: &mut u32, group: &[ParentSet]| {
                    *end += group.len() as u32;
                    Some(HighBitsGroup { high: group[0].bits >> width, end: *end })
                };
                let groups = same.scan(0, group).collect();
                ParentTable::List { sets, groups }
            }
        };
        BestParents { child, n_families, width, choices }
    }

    /// Its size in bytes.
    pub(crate) fn memory(&self) -> f64 {
        match &self.choices {
            ParentTable::List { sets, groups } => {
                (sets.capacity() * size_of::<ParentSet>() + groups.capacity() * size_of::<HighBitsGroup>())
                    as f64
            }
            ParentTable::Table(table) => (table.len() * size_of::<f64>()) as f64,
        }
    }

    /// The child.
    pub(crate) fn child(&self) -> usize {
        self.child
    }

    /// How many parent sets are allowed and scored.
    pub(crate) fn n_families(&self) -> usize {
        self.n_families
    }

    /// How many parent sets are listed; `None` if there are too many.
    pub(crate) fn n_listed(&self) -> Option<usize> {
        match &self.choices {
            ParentTable::List { sets, .. } => Some(sets.len()),
            ParentTable::Table(_) => None,
        }
    }

    /// How many sets a block has.
    pub(crate) fn block_len(&self) -> usize {
        1 << self.width
    }

    /// Writes the values of the block that starts with `first`, a set without low variables and without the
    /// child; false if all are infinite.
    pub(crate) fn fill(&self, first: usize, values: &mut [f64]) -> bool {
        let first = squeeze(first, self.child);
        match &self.choices {
            ParentTable::Table(table) => {
                values.copy_from_slice(&table[first..][..values.len()]);
                true
            }
            ParentTable::List { sets, groups } => {
                values.fill(f64::INFINITY);
                let (high, low) = ((first >> self.width) as u32, values.len() as u32 - 1);
                let mut start = 0;
                let mut any = false;
                for group in groups {
                    if group.high & !high == 0 {
                        any = true;
                        for set in &sets[start..group.end as usize] {
                            let value = &mut values[(set.bits & low) as usize];
                            *value = lower(*value, set.length);
                        }
                    }
                    start = group.end as usize;
                }
                if any {
                    spread_minima(values);
                }
                any
            }
        }
    }

    /// The shortest code of parents within `set`.
    pub(crate) fn within(&self, set: usize) -> f64 {
        let set = squeeze(set, self.child);
        match &self.choices {
            ParentTable::Table(table) => table[set],
            ParentTable::List { sets, .. } => {
                let inside = sets.iter().filter(|parents| parents.bits as usize & !set == 0);
                inside.fold(f64::INFINITY, |shortest, parents| lower(shortest, parents.length))
            }
        }
    }

    /// The first in set order among the parents within `set` whose code is shortest; ties by rounding count
    /// as equal.
    pub(crate) fn set_within(&self, set: usize, query: &ParentSetQuery) -> NodeSet {
        let wanted = self.within(set);
        let mut found: Option<NodeSet> = None;
        let mut consider = |parents: &NodeSet, length: f64| {
            let fits = || parents.to_bits().is_some_and(|bits| bits & !(set as u64) == 0);
            if is_tie(length, wanted) && fits() && found.as_ref().is_none_or(|best| parents < best) {
                found = Some(parents.clone());
            }
        };
        match &self.choices {
            ParentTable::Table(_) => query.for_each(&mut consider),
            ParentTable::List { sets, .. } => sets.iter().for_each(|set| {
                let bits = unsqueeze(set.bits as usize, self.child) as u64;
                consider(&NodeSet::from_bits(bits), set.length);
            }),
        }
        found.unwrap_or_else(|| panic!("no family of node {} has the code length {wanted}", self.child))
    }
}

/// Whether only rounding tells a length from the shortest.
pub(crate) fn is_tie(length: f64, shortest: f64) -> bool {
    length - shortest <= 1e-10 * (1.0 + shortest.abs())
}
