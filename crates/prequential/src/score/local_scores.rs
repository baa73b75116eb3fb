//! Local scores: code lengths of families without their table, as a search needs them.

use std::collections::BTreeMap;

use super::code_lengths::FamilyLengths;
use super::local_score::LocalScore;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::graph::{Family, NodeSet};

/// The most variables of local scores from a file: a parent set takes a bit for each.
pub(crate) const MAX_LOCAL_VARS: usize = 2_000;

/// Code lengths of families, with the names of the variables: the contents of a store, or of a file of local scores.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalScores {
    /// The variables.
    pub names: Vec<String>,
    /// Families with their code lengths; those that are not listed cannot be in a graph.
    pub lengths: BTreeMap<Family, Nats>,
}

impl FamilyLengths for LocalScores {
    fn n_vars(&self) -> usize {
        self.names.len()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.get(family).copied()
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let from_child = self.lengths.range(Family::new(child, NodeSet::new())..);
        from_child
            .take_while(|(family, _)| family.child == child)
            .for_each(|(family, &length)| visit(&family.parents, length));
    }
}

impl LocalScore for LocalScores {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn code_length(&self, family: &Family) -> Result<Nats> {
        Ok(self.lengths.get(family).copied().unwrap_or(Nats(f64::INFINITY)))
    }

    fn table(&self) -> Option<&LocalScores> {
        Some(self)
    }
}
