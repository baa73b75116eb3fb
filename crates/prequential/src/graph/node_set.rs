//! A set of variables as a bit set of any size.

use std::cmp::Ordering;
use std::fmt;

use smallvec::SmallVec;

/// A set of node numbers; up to 128 nodes it needs no allocation, beyond that it grows.
///
/// Sets are ordered by size, then by their smallest differing member, so that ties between parent sets go to the
/// smaller one, then to the lower node numbers.
///
/// ```
/// use prequential::NodeSet;
/// let parents: NodeSet = [0, 200].into_iter().collect();
/// assert!(parents.contains(200) && parents.len() == 2);
/// assert!(NodeSet::single(5) < parents);
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct NodeSet {
    /// No trailing zero words, so that equal sets have equal words.
    words: SmallVec<[u64; 2]>,
}

impl NodeSet {
    /// The empty set.
    pub fn new() -> NodeSet {
        NodeSet::default()
    }

    /// The set of one node.
    pub fn single(node: usize) -> NodeSet {
        let mut set = NodeSet::new();
        set.insert(node);
        set
    }

    /// The nodes 0 to `n_nodes - 1`.
    pub fn full(n_nodes: usize) -> NodeSet {
        (0..n_nodes).collect()
    }

    /// The set whose members are the one bits of `bits`.
    pub fn from_bits(bits: u64) -> NodeSet {
        NodeSet { words: SmallVec::from_slice(if bits == 0 { &[] } else { std::slice::from_ref(&bits) }) }
    }

    /// The members as one bits, if all are below 64.
    pub fn to_bits(&self) -> Option<u64> {
        match self.words.len() {
            0 => Some(0),
            1 => Some(self.words[0]),
            _ => None,
        }
    }

    /// Whether `node` is a member.
    pub fn contains(&self, node: usize) -> bool {
        self.words.get(node / 64).is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    /// Adds `node`.
    pub fn insert(&mut self, node: usize) {
        if self.words.len() <= node / 64 {
            self.words.resize(node / 64 + 1, 0);
        }
        self.words[node / 64] |= 1 << (node % 64);
    }

    /// Removes `node`, if it is a member.
    pub fn remove(&mut self, node: usize) {
        if let Some(word) = self.words.get_mut(node / 64) {
            *word &= !(1 << (node % 64));
            self.trim();
        }
    }

    /// A copy with `node`.
    pub fn with(&self, node: usize) -> NodeSet {
        let mut set = self.clone();
        set.insert(node);
        set
    }

    /// A copy without `node`.
    pub fn without(&self, node: usize) -> NodeSet {
        let mut set = self.clone();
        set.remove(node);
        set
    }

    /// How many members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The members, in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let rest = |&bits: &u64| Some(bits & (bits - 1)).filter(|&left| left != 0);
            let bits = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            bits.map(move |bits| 64 * i + bits.trailing_zeros() as usize)
        })
    }

    /// The members of either set.
    pub fn union(&self, other: &NodeSet) -> NodeSet {
        let (long, short) = if self.words.len() >= other.words.len() { (self, other) } else { (other, self) };
        let mut set = long.clone();
        set.words.iter_mut().zip(&short.words).for_each(|(word, add)| *word |= add);
        set
    }

    /// The members of both sets.
    pub fn intersection(&self, other: &NodeSet) -> NodeSet {
        let words = self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect();
        let mut set = NodeSet { words };
        set.trim();
        set
    }

    /// The members of this set that are not in `other`.
    pub fn difference(&self, other: &NodeSet) -> NodeSet {
        let mut set = self.clone();
        set.words.iter_mut().zip(&other.words).for_each(|(word, drop)| *word &= !drop);
        set.trim();
        set
    }

    /// Whether every member is in `other` too.
    pub fn is_subset(&self, other: &NodeSet) -> bool {
        self.words.len() <= other.words.len() && self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// How many members are in both sets.
    pub fn n_common(&self, other: &NodeSet) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Whether no member is in `other`.
    pub fn is_disjoint(&self, other: &NodeSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl FromIterator<usize> for NodeSet {
    fn from_iter<I: IntoIterator<Item = usize>>(nodes: I) -> NodeSet {
        let mut set = NodeSet::new();
        nodes.into_iter().for_each(|node| set.insert(node));
        set
    }
}

impl Ord for NodeSet {
    fn cmp(&self, other: &NodeSet) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| self.iter().cmp(other.iter()))
    }
}

impl PartialOrd for NodeSet {
    fn partial_cmp(&self, other: &NodeSet) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for NodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn nodes() -> impl Strategy<Value = BTreeSet<usize>> {
        proptest::collection::btree_set(0usize..300, 0..12)
    }

    proptest! {
        #[test]
        fn behaves_as_the_set_of_the_standard_library(a in nodes(), b in nodes(), node in 0usize..300) {
            let (x, y): (NodeSet, NodeSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            let list = |set: &NodeSet| set.iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(list(&x), a.clone());
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.contains(node), a.contains(&node));
            prop_assert_eq!(list(&x.union(&y)), &a | &b);
            prop_assert_eq!(list(&x.intersection(&y)), &a & &b);
            prop_assert_eq!(x.n_common(&y), (&a & &b).len());
            prop_assert_eq!(list(&x.difference(&y)), &a - &b);
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.is_disjoint(&y), a.is_disjoint(&b));
            prop_assert_eq!(x.with(node).without(node), x.without(node));
            prop_assert_eq!(x == y, a == b);
        }
    }

    #[test]
    fn smaller_sets_come_first_then_lower_members() {
        let mut sets: Vec<NodeSet> = (0..8).map(NodeSet::from_bits).collect();
        sets.sort();
        let lists: Vec<Vec<usize>> = sets.iter().map(|set| set.iter().collect()).collect();
        let expected: [&[usize]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        assert_eq!(lists, expected);
    }
}
