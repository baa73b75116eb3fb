//! The family: a child with one set of parents.

use super::NodeSet;

/// A child variable with one set of parents: what a code length belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Family {
    /// The variable that is predicted.
    pub child: usize,
    /// The variables it is predicted from.
    pub parents: NodeSet,
}

impl Family {
    /// The family of `child` with `parents`.
    ///
    /// # Panics
    /// If the child is among its own parents.
    pub fn new(child: usize, parents: NodeSet) -> Family {
        assert!(!parents.contains(child), "node {child} cannot be its own parent");
        Family { child, parents }
    }

    /// The family in words, `C | A, B`; just `C` without parents.
    pub fn display(&self, names: &[String]) -> String {
        let parents: Vec<&str> = self.parents.iter().map(|parent| names[parent].as_str()).collect();
        if parents.is_empty() {
            names[self.child].clone()
        } else {
            format!("{} | {}", names[self.child], parents.join(", "))
        }
    }
}
