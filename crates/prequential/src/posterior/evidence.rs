//! What speaks for each edge of the answer.

use crate::graph::{Dag, Family};
use crate::nats::Nats;
use crate::score::FamilyLengths;
use crate::search::Constraints;

/// What speaks for one edge of the best graph.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeEvidence {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// Nats lost by taking the edge out and leaving the rest; `None` if constraints require the edge.
    pub removal: Option<Nats>,
    /// Nats lost by the best graph in which it is reversed; `None` if no allowed graph reverses it.
    pub reversal: Option<Nats>,
}

/// The evidence for each edge of `dag`, the best graph, of length `code_length`.
///
/// `best_with_edges` finds the shortest code of any graph with each of some edges.
pub fn evidence(
    dag: &Dag,
    code_length: Nats,
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    best_with_edges: impl Fn(&[(usize, usize)]) -> Vec<Option<Nats>>,
) -> Vec<EdgeEvidence> {
    let edges = dag.edges();
    let reversed: Vec<(usize, usize)> = edges.iter().map(|&(from, to)| (to, from)).collect();
    let one = |(&(from, to), reversed): (&(usize, usize), Option<Nats>)| {
        let without = Family::new(to, dag.parents(to).without(from));
        let shorter = lengths.code_length(&without).filter(|_| constraints.allows(&without));
        let family = lengths.code_length(&Family::new(to, dag.parents(to).clone()));
        EdgeEvidence {
            from,
            to,
            removal: shorter.zip(family).map(|(shorter, family)| shorter - family),
            // Rounding may put an equally good graph a hair below the best.
            reversal: reversed.map(|length| Nats((length - code_length).0.max(0.0))),
        }
    };
    edges.iter().zip(best_with_edges(&reversed)).map(one).collect()
}
