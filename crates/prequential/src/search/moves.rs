//! Single-edge changes of a DAG, with their costs.

use std::sync::Arc;

use super::constraints::Constraints;
use super::visited::{Visited, edge_fingerprint, fingerprint};
use crate::base::error::Result;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::FamilyLengths;

/// A change of one edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    Add { from: usize, to: usize },
    Remove { from: usize, to: usize },
    Reverse { from: usize, to: usize },
}

/// A walk through DAGs, one change after another, with the cost of every change of the present graph.
pub(super) struct Walk<'a> {
    lengths: &'a dyn FamilyLengths,
    constraints: &'a Constraints,
    dag: Arc<Dag>,
    length: f64,
    fingerprint: u64,
    /// `[to][from]`: the cost for the family of `to` if `from` joins or leaves its parents.
    toggles: Vec<Vec<Toggle>>,
}

/// The cost of a change of one family.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Toggle {
    NotAsked,
    /// The family is not allowed, or was not scored.
    Impossible,
    Costs(f64),
}

impl<'a> Walk<'a> {
    /// Starts at `dag`. Its code length is infinite if one of its families cannot be scored.
    pub(super) fn new(
        lengths: &'a dyn FamilyLengths,
        constraints: &'a Constraints,
        dag: Dag,
    ) -> Result<Walk<'a>> {
        lengths.request(&dag.families().collect::<Vec<_>>())?;
        let family_length =
            |family: Family| lengths.code_length(&family).map_or(f64::INFINITY, |length| length.0);
        let n_nodes = dag.n_nodes();
        Ok(Walk {
            length: dag.families().map(family_length).sum(),
            fingerprint: fingerprint(dag.edges().into_iter()),
            lengths,
            constraints,
            dag: Arc::new(dag),
            toggles: vec![vec![Toggle::NotAsked; n_nodes]; n_nodes],
        })
    }

    pub(super) fn length(&self) -> f64 {
        self.length
    }

    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(super) fn into_dag(self) -> Dag {
        Arc::unwrap_or_clone(self.dag)
    }

    pub(super) fn fingerprint_after(&self, step: Move) -> u64 {
        match step {
            Move::Add { from, to } | Move::Remove { from, to } => {
                self.fingerprint ^ edge_fingerprint(from, to)
            }
            Move::Reverse { from, to } => {
                self.fingerprint ^ edge_fingerprint(from, to) ^ edge_fingerprint(to, from)
            }
        }
    }

    /// Every change that keeps the graph acyclic and allowed, with its cost, in a fixed order. Scores the
    /// families needed.
    pub(super) fn legal_moves(&mut self) -> Result<Vec<(Move, f64)>> {
        let acyclic = self.acyclic_moves();
        self.ask(&acyclic)?;
        Ok(acyclic.into_iter().filter_map(|step| Some((step, self.cost(step)?))).collect())
    }

    fn acyclic_moves(&self) -> Vec<Move> {
        let n_nodes = self.dag.n_nodes();
        let ancestors = ancestors(&self.dag);
        let mut moves = Vec::new();
        for to in 0..n_nodes {
            let parents = self.dag.parents(to);
            for from in (0..n_nodes).filter(|&from| from != to) {
                if parents.contains(from) {
                    moves.push(Move::Remove { from, to });
                    // Another way from `from` to `to` goes through another parent of `to`.
                    let another = parents.iter().any(|parent| ancestors[parent].contains(from));
                    if !another {
                        moves.push(Move::Reverse { from, to });
                    }
                } else if !self.dag.has_edge(to, from) && !ancestors[from].contains(to) {
                    moves.push(Move::Add { from, to });
                }
            }
        }
        moves
    }

    /// The edges that a move adds or removes.
    fn edges_of(step: Move) -> [Option<(usize, usize)>; 2] {
        match step {
            Move::Add { from, to } | Move::Remove { from, to } => [Some((from, to)), None],
            Move::Reverse { from, to } => [Some((from, to)), Some((to, from))],
        }
    }

    /// The changes of families that a move consists of, as (child, parent that joins or leaves).
    fn toggles_of(step: Move) -> impl Iterator<Item = (usize, usize)> {
        Walk::edges_of(step).into_iter().flatten().map(|(from, to)| (to, from))
    }

    fn toggled(&self, child: usize, parent: usize) -> Family {
        let parents = self.dag.parents(child);
        let changed = if parents.contains(parent) { parents.without(parent) } else { parents.with(parent) };
        Family::new(child, changed)
    }

    /// Scores, in one batch, the families that `moves` lead to and that are not known yet.
    fn ask(&mut self, moves: &[Move]) -> Result<()> {
        let mut unrequested: Vec<(usize, usize)> =
            moves.iter().flat_map(|&step| Walk::toggles_of(step)).collect();
        unrequested.retain(|&(child, parent)| self.toggles[child][parent] == Toggle::NotAsked);
        let (allowed, forbidden): (Vec<_>, Vec<_>) = unrequested
            .into_iter()
            .partition(|&(child, parent)| self.constraints.allows(&self.toggled(child, parent)));
        for (child, parent) in forbidden {
            self.toggles[child][parent] = Toggle::Impossible;
        }
        let families: Vec<Family> =
            allowed.iter().map(|&(child, parent)| self.toggled(child, parent)).collect();
        self.lengths.request(&families)?;
        for (&(child, parent), family) in allowed.iter().zip(&families) {
            let present = self.lengths.code_length(&Family::new(child, self.dag.parents(child).clone()));
            let change = self.lengths.code_length(family).zip(present).map(|(new, old)| (new - old).0);
            self.toggles[child][parent] = change.map_or(Toggle::Impossible, Toggle::Costs);
        }
        Ok(())
    }

    fn cost(&self, step: Move) -> Option<f64> {
        let change = |(child, parent): (usize, usize)| match self.toggles[child][parent] {
            Toggle::Costs(change) => Some(change),
            Toggle::NotAsked | Toggle::Impossible => None,
        };
        Walk::toggles_of(step).map(change).sum()
    }

    /// Takes a legal step that costs `change`.
    pub(super) fn take(&mut self, step: Move, change: f64) {
        self.fingerprint = self.fingerprint_after(step);
        self.dag = Arc::new(self.dag.with_toggled(Walk::edges_of(step).into_iter().flatten()));
        for (child, _) in Walk::toggles_of(step) {
            self.toggles[child].fill(Toggle::NotAsked);
        }
        // Summed again where that is possible: many small errors would add up.
        let summed: Option<f64> =
            self.dag.families().map(|family| Some(self.lengths.code_length(&family)?.0)).sum();
        self.length = summed.unwrap_or(self.length + change);
    }

    /// Adds the present graph to `visited`.
    pub(super) fn note(&self, visited: &mut Visited) {
        if self.length.is_finite() {
            visited.offer(self.fingerprint, self.length, &self.dag, [None; 2]);
        }
    }

    /// Adds the graph that a legal step leads to to `visited`.
    pub(super) fn note_neighbour(&self, step: Move, change: f64, visited: &mut Visited) {
        let length = self.length + change;
        if length.is_finite() {
            visited.offer(self.fingerprint_after(step), length, &self.dag, Walk::edges_of(step));
        }
    }
}

/// `[node]`: every node from which edges lead to it, itself not included.
fn ancestors(dag: &Dag) -> Vec<NodeSet> {
    let mut ancestors = vec![NodeSet::new(); dag.n_nodes()];
    for node in dag.topological_order() {
        let above = dag
            .parents(node)
            .iter()
            .fold(dag.parents(node).clone(), |above, parent| above.union(&ancestors[parent]));
        ancestors[node] = above;
    }
    ancestors
}
