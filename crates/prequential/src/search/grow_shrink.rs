//! Grow-shrink: the parents of one variable among those before it, added and removed one at a time.

use super::climb::MIN_GAIN;
use super::constraints::Constraints;
use crate::base::error::Result;
use crate::graph::{Family, NodeSet};
use crate::score::FamilyLengths;

/// A tree of parent sets of one child, starting from its required parents; each branch adds a parent that
/// shortens the code, the best first. For any set of predecessors in an order, the parents are found by
/// walking down the tree.
pub(super) struct GrowShrink<'a> {
    lengths: &'a dyn FamilyLengths,
    constraints: &'a Constraints,
    child: usize,
    /// Pairs of parents that are also added jointly.
    joint: &'a [(usize, usize)],
    /// The first is the root.
    nodes: Vec<TreeNode>,
}

struct TreeNode {
    parents: NodeSet,
    length: f64,
    /// Computed on first use: what can be added, shortest code first.
    branches: Option<Vec<Branch>>,
    /// Computed on first use: the set after removing what is not needed, with its length.
    shrunk: Option<(NodeSet, f64)>,
}

struct Branch {
    /// One parent, or two that gain more jointly.
    added: NodeSet,
    length: f64,
    /// The node it leads to, once it was visited.
    node: Option<usize>,
}

impl<'a> GrowShrink<'a> {
    pub(super) fn new(
        lengths: &'a dyn FamilyLengths,
        constraints: &'a Constraints,
        child: usize,
        joint: &'a [(usize, usize)],
    ) -> Result<GrowShrink<'a>> {
        let root = Family::new(child, constraints.required(child).clone());
        lengths.request(std::slice::from_ref(&root))?;
        let length = lengths.code_length(&root).map_or(f64::INFINITY, |length| length.0);
        let root = TreeNode { parents: root.parents, length, branches: None, shrunk: None };
        Ok(GrowShrink { lengths, constraints, child, joint, nodes: vec![root] })
    }

    /// The code length of the child if its parents come from `before`; infinite if a required one does not.
    pub(super) fn length(&mut self, before: &NodeSet) -> Result<f64> {
        let Some(node) = self.grow(before)? else { return Ok(f64::INFINITY) };
        Ok(self.shrink(node)?.1)
    }

    /// The parents found among `before`, with the code length; `None` if a required one is not there.
    pub(super) fn best_parents(&mut self, before: &NodeSet) -> Result<Option<(NodeSet, f64)>> {
        let Some(node) = self.grow(before)? else { return Ok(None) };
        Ok(Some(self.shrink(node)?.clone()).filter(|(_, length)| length.is_finite()))
    }

    /// The node at which nothing in `before` makes the code any shorter.
    fn grow(&mut self, before: &NodeSet) -> Result<Option<usize>> {
        if !self.nodes[0].parents.is_subset(before) {
            return Ok(None);
        }
        let mut at = 0;
        loop {
            self.expand(at)?;
            let new = self.nodes.len();
            let here = &mut self.nodes[at];
            let mut branches = here.branches.iter_mut().flatten();
            let Some(branch) = branches.find(|branch| branch.added.is_subset(before)) else {
                return Ok(Some(at));
            };
            at = *branch.node.get_or_insert(new);
            if at == new {
                let (parents, length) = (here.parents.union(&branch.added), branch.length);
                self.nodes.push(TreeNode { parents, length, branches: None, shrunk: None });
            }
        }
    }

    /// Computes what could be added at a node.
    fn expand(&mut self, at: usize) -> Result<()> {
        if self.nodes[at].branches.is_some() {
            return Ok(());
        }
        let (parents, limit) = (&self.nodes[at].parents, self.nodes[at].length - MIN_GAIN);
        let candidates = self.constraints.allowed(self.child).difference(parents);
        let singles = candidates.iter().map(NodeSet::single);
        let pairs = self.joint.iter().map(|&(a, b)| [a, b].into_iter().collect::<NodeSet>());
        let pairs = pairs.filter(|pair| pair.is_subset(&candidates));
        let grown = singles.chain(pairs).map(|added| (Family::new(self.child, parents.union(&added)), added));
        let grown: Vec<(Family, NodeSet)> =
            grown.filter(|(family, _)| self.constraints.allows(family)).collect();
        let families: Vec<Family> = grown.iter().map(|(family, _)| family.clone()).collect();
        self.lengths.request(&families)?;
        let branch = |(family, added): (Family, NodeSet)| {
            let length = self.lengths.code_length(&family)?.0;
            (length < limit).then_some(Branch { added, length, node: None })
        };
        let mut branches: Vec<Branch> = grown.into_iter().filter_map(branch).collect();
        branches.sort_by(|a, b| a.length.total_cmp(&b.length).then_with(|| a.added.cmp(&b.added)));
        self.nodes[at].branches = Some(branches);
        Ok(())
    }

    /// Removes one parent after another while the code gets no longer.
    fn shrink(&mut self, at: usize) -> Result<&(NodeSet, f64)> {
        if self.nodes[at].shrunk.is_none() {
            let (mut parents, mut length) = (self.nodes[at].parents.clone(), self.nodes[at].length);
            while let Some((smaller, shorter)) = self.best_without_one(&parents)? {
                if shorter > length {
                    break;
                }
                (parents, length) = (smaller, shorter);
            }
            self.nodes[at].shrunk = Some((parents, length));
        }
        Ok(self.nodes[at].shrunk.get_or_insert_with(|| panic!("just shrunk")))
    }

    fn best_without_one(&self, parents: &NodeSet) -> Result<Option<(NodeSet, f64)>> {
        let free = parents.difference(self.constraints.required(self.child));
        let smaller = free.iter().map(|parent| Family::new(self.child, parents.without(parent)));
        let smaller: Vec<Family> = smaller.filter(|family| self.constraints.allows(family)).collect();
        self.lengths.request(&smaller)?;
        let known = smaller.into_iter().filter_map(|family| {
            let length = self.lengths.code_length(&family)?.0;
            Some((family.parents, length))
        });
        Ok(known.min_by(|(_, x), (_, y)| x.total_cmp(y)))
    }
}
