//! The evidence for each edge of the best graph.

use crate::base::nats::Nats;
use crate::graph::{Dag, Family};
use crate::score::FamilyLengths;
use crate::search::Constraints;

/// The evidence for one edge of the best graph.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EdgeEvidence {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// Whether constraints require it.
    pub is_required: bool,
    /// The removal cost: nats lost without the edge, the rest unchanged; `None` if that is not allowed, or
    /// was not scored.
    pub removal: Option<Nats>,
    /// The reversal cost: nats lost by the best graph in which it is reversed; `None` if no allowed graph of
    /// scored families reverses it.
    pub reversal: Option<Nats>,
    /// The standard deviation of the cost of removal over networks or row orders, where there are several.
    pub removal_spread: Option<f64>,
    /// The standard deviation of the cost of reversal over networks or row orders, where there are several.
    pub reversal_spread: Option<f64>,
}

/// The evidence for each edge of `dag`, the best graph, of length `code_length`.
///
/// `reversed` has, for each edge of `dag`, the shortest code of any graph in which it is reversed.
pub fn evidence(
    dag: &Dag,
    code_length: Nats,
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    reversed: Vec<Option<Nats>>,
) -> Vec<EdgeEvidence> {
    let edge_evidence = |((from, to), reversed): ((usize, usize), Option<Nats>)| {
        let without = Family::new(to, dag.parents(to).without(from));
        let shorter = lengths.code_length(&without).filter(|_| constraints.allows(&without));
        let family = lengths.code_length(&Family::new(to, dag.parents(to).clone()));
        EdgeEvidence {
            from,
            to,
            is_required: constraints.required(to).contains(from),
            removal: shorter.zip(family).map(|(shorter, family)| shorter - family),
            // Rounding may put an equally good graph slightly below the best.
            reversal: reversed.map(|length| Nats((length - code_length).0.max(0.0))),
            removal_spread: None,
            reversal_spread: None,
        }
    };
    dag.edges().into_iter().zip(reversed).map(edge_evidence).collect()
}
