//! Cluster constraints, which every acyclic graph satisfies.

use crate::graph::NodeSet;

/// k-clusters: in every acyclic graph, at least k of these variables have fewer than k parents among them:
/// the first k in an order.
///
/// With 1: some member has no parent in the cluster (Jaakkola and others 2010). With more: Cussens (2011).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cluster {
    pub(crate) nodes: NodeSet,
    /// At least 1, and fewer than there are variables.
    pub(crate) at_least: usize,
}

impl Cluster {
    /// Some variable has no parent among `nodes`.
    pub(crate) fn without_parents(nodes: NodeSet) -> Cluster {
        Cluster { nodes, at_least: 1 }
    }

    /// Whether a member with these parents counts as one of those that come first.
    pub(crate) fn has_few(&self, parents: &NodeSet) -> bool {
        match self.at_least {
            1 => parents.is_disjoint(&self.nodes),
            most => parents.n_common(&self.nodes) < most,
        }
    }
}
