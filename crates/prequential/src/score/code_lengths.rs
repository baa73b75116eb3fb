//! The table of code lengths: one number per family.

use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::graph::{Dag, Family, NodeSet};

/// The interface between scores and searches: the code lengths of families.
pub trait FamilyLengths: Sync {
    /// How many variables.
    fn n_vars(&self) -> usize;

    /// Requests the code lengths of `families`, to be scored in one batch if they are not known. What cannot
    /// be scored stays unknown: a fixed table scores nothing, nor does a run that was stopped.
    fn request(&self, _families: &[Family]) -> Result<()> {
        Ok(())
    }

    /// The code length of `family`; `None` if it was not scored.
    fn code_length(&self, family: &Family) -> Option<Nats>;

    /// Reports that a search has reached a graph of this code length, for progress.
    fn found(&self, _code_length: Nats) {}

    /// Visits every scored parent set of `child`, smaller sets first.
    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats));
}

/// The code length of `dag`, summed in node order; `None` if one of its families was not scored.
pub fn dag_length(lengths: &dyn FamilyLengths, dag: &Dag) -> Option<Nats> {
    dag.families().map(|family| lengths.code_length(&family)).sum()
}

/// Code lengths of families with at most `max_parents` parents, eight bytes each.
///
/// The parent sets of a child are kept in order of size, then colexicographically, so that a set's place follows from
/// its members.
///
/// ```
/// use prequential::internals::{CodeLengths, FamilyLengths};
/// use prequential::{Family, Nats, NodeSet};
/// let mut lengths = CodeLengths::new(3, 2);
/// let family = Family::new(1, NodeSet::single(2));
/// assert_eq!(lengths.code_length(&family), None);
/// lengths.set(&family, Nats(7.5));
/// assert_eq!(lengths.code_length(&family), Some(Nats(7.5)));
/// ```
#[derive(Debug, Clone)]
pub struct CodeLengths {
    n_vars: usize,
    max_parents: usize,
    /// `binomial[n][k]` for k up to `max_parents`.
    binomial: Vec<Vec<usize>>,
    /// Per child and place; NaN where not scored.
    lengths: Vec<Vec<f64>>,
}

impl CodeLengths {
    /// An empty table.
    pub fn new(n_vars: usize, max_parents: usize) -> CodeLengths {
        let max_parents = max_parents.min(n_vars.saturating_sub(1));
        let binomial = binomials(n_vars, max_parents + 1);
        let n_sets: usize = (0..=max_parents).map(|size| binomial[n_vars.saturating_sub(1)][size]).sum();
        CodeLengths { n_vars, max_parents, binomial, lengths: vec![vec![f64::NAN; n_sets]; n_vars] }
    }

    /// A table of the code lengths in `lengths` with at most `max_parents` parents.
    pub(crate) fn of(lengths: &dyn FamilyLengths, max_parents: usize) -> CodeLengths {
        let mut table = CodeLengths::new(lengths.n_vars(), max_parents);
        for child in 0..lengths.n_vars() {
            lengths.for_each(child, &mut |parents, length| {
                if parents.len() <= table.max_parents {
                    table.set(&Family::new(child, parents.clone()), length);
                }
            });
        }
        table
    }

    /// Bytes that a table takes; a float, because it can be huge.
    pub fn memory(n_vars: usize, max_parents: usize) -> f64 {
        8.0 * n_vars as f64 * n_subsets(n_vars.saturating_sub(1), max_parents)
    }

    /// Enters the code length of one family.
    ///
    /// # Panics
    /// If the family has more than `max_parents` parents, or the length is NaN.
    pub fn set(&mut self, family: &Family, code_length: Nats) {
        assert!(!code_length.0.is_nan(), "the code length of {family:?} is not a number");
        assert!(
            family.parents.len() <= self.max_parents,
            "{family:?} has more than {} parents",
            self.max_parents
        );
        let place = self.place(family);
        self.lengths[family.child][place] = code_length.0;
    }

    /// The largest number of parents that the table has room for.
    pub fn max_parents(&self) -> usize {
        self.max_parents
    }

    /// How many families are scored.
    pub fn len(&self) -> usize {
        self.lengths.iter().flatten().filter(|length| !length.is_nan()).count()
    }

    /// Whether no family is scored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets of smaller size come first; among those of one size, place = sum of C(x_i, i) over the i-th member x_i, from 1,
    /// where the nodes are numbered without the child.
    fn place(&self, family: &Family) -> usize {
        let others = |node: usize| node - usize::from(node > family.child);
        let within = family.parents.iter().enumerate().map(|(i, node)| self.binomial[others(node)][i + 1]);
        let smaller = (0..family.parents.len()).map(|size| self.binomial[self.n_vars - 1][size]);
        within.sum::<usize>() + smaller.sum::<usize>()
    }
}

impl FamilyLengths for CodeLengths {
    fn n_vars(&self) -> usize {
        self.n_vars
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        if family.parents.len() > self.max_parents {
            return None;
        }
        Some(Nats(self.lengths[family.child][self.place(family)])).filter(|length| !length.0.is_nan())
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        if self.n_vars <= 64 {
            let sets = colexicographic(self.n_vars - 1, self.max_parents);
            let scored = sets.zip(&self.lengths[child]).filter(|(_, length)| !length.is_nan());
            scored
                .for_each(|(bits, &length)| visit(&NodeSet::from_bits(make_room(bits, child)), Nats(length)));
            return;
        }
        let node_of = |other: usize| other + usize::from(other >= child);
        let mut lengths = self.lengths[child].iter();
        for size in 0..=self.max_parents {
            let mut members: Vec<usize> = (0..size).collect();
            loop {
                let Some(&length) = lengths.next() else { return };
                if !length.is_nan() {
                    visit(&members.iter().map(|&other| node_of(other)).collect(), Nats(length));
                }
                if !advance(&mut members, self.n_vars - 1) {
                    break;
                }
            }
        }
    }
}

/// How many sets of at most `max_size` there are among `n`; a float, because it can be huge.
pub(crate) fn n_subsets(n: usize, max_size: usize) -> f64 {
    let grow = |(n_sets, total): (f64, f64), size: usize| {
        let n_sets = n_sets * (n - size + 1) as f64 / size as f64;
        (n_sets, total + n_sets)
    };
    (1..=max_size.min(n)).fold((1.0, 1.0), grow).1
}

/// The sets of at most `max_size` among 63 nodes or fewer, smaller ones first, those of one size in colexicographic order:
/// the order of their bits as numbers.
fn colexicographic(n: usize, max_size: usize) -> impl Iterator<Item = u64> {
    let next = move |&bits: &u64| {
        // The lowest run of ones: its last moves up by one place, the others down to the start.
        let lowest = bits & bits.wrapping_neg();
        let moved = bits.checked_add(lowest).filter(|_| bits != 0)?;
        Some(moved | ((moved ^ bits) / lowest) >> 2).filter(|next| next >> n == 0)
    };
    (0..=max_size.min(n)).flat_map(move |size| std::iter::successors(Some((1u64 << size) - 1), next))
}

/// Moves the bits from number `child` up by one place.
fn make_room(bits: u64, child: usize) -> u64 {
    let low = (1 << child) - 1;
    bits & low | (bits & !low) << 1
}

/// The next combination in colexicographic order; false after the last.
fn advance(members: &mut [usize], n: usize) -> bool {
    for i in 0..members.len() {
        let limit = members.get(i + 1).copied().unwrap_or(n);
        if members[i] + 1 < limit {
            members[i] += 1;
            (0..i).for_each(|j| members[j] = j);
            return true;
        }
    }
    false
}

/// C(n, k) for n up to `max_n` and k up to `max_k`, saturating.
fn binomials(max_n: usize, max_k: usize) -> Vec<Vec<usize>> {
    let mut rows = vec![vec![0; max_k + 1]; max_n + 1];
    for n in 0..=max_n {
        rows[n][0] = 1;
        for k in 1..=max_k.min(n) {
            rows[n][k] = usize::saturating_add(rows[n - 1][k - 1], rows[n - 1][k]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_its_own_place_and_is_visited_once_in_order() {
        let (n_vars, max_parents) = (6, 3);
        let mut lengths = CodeLengths::new(n_vars, max_parents);
        let mut expected = vec![Vec::new(); n_vars];
        for child in 0..n_vars {
            for bits in (0..1u64 << n_vars).filter(|bits| bits >> child & 1 == 0 && bits.count_ones() <= 3) {
                let family = Family::new(child, NodeSet::from_bits(bits));
                assert_eq!(lengths.code_length(&family), None);
                lengths.set(&family, Nats((100 * child) as f64 + bits as f64));
                expected[child].push((family.parents, Nats((100 * child) as f64 + bits as f64)));
            }
        }
        assert_eq!(lengths.len(), 6 * (1 + 5 + 10 + 10));
        for (child, mut expected) in expected.into_iter().enumerate() {
            let mut visited = Vec::new();
            lengths.for_each(child, &mut |parents, length| visited.push((parents.clone(), length)));
            assert!(visited.windows(2).all(|pair| pair[0].0.len() <= pair[1].0.len()));
            let by_set = |a: &(NodeSet, Nats), b: &(NodeSet, Nats)| a.0.cmp(&b.0);
            visited.sort_by(by_set);
            expected.sort_by(by_set);
            assert_eq!(visited, expected);
        }
    }

    #[test]
    fn families_of_many_variables_are_visited_once() {
        for n_vars in [63, 64, 65, 66] {
            let mut lengths = CodeLengths::new(n_vars, 2);
            let pairs =
                (0..n_vars).flat_map(|a| (0..a).map(move |b| [a, b])).filter(|pair| !pair.contains(&7));
            let sets: Vec<NodeSet> = pairs.map(|pair| pair.into_iter().collect()).collect();
            for (i, parents) in sets.iter().enumerate() {
                lengths.set(&Family::new(7, parents.clone()), Nats(i as f64));
            }
            let mut visited = Vec::new();
            lengths.for_each(7, &mut |parents, length| visited.push((parents.clone(), length)));
            assert_eq!(visited.len(), sets.len());
            assert!(visited.iter().all(|(parents, length)| sets[length.0 as usize] == *parents));
        }
    }
}
