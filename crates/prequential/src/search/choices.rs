//! The parent sets that a best graph can have, of any number of variables, and components that can be
//! searched one by one.

use std::collections::HashMap;

use rayon::prelude::*;

use super::constraints::Constraints;
use super::parent_sets::ParentSetQuery;
use crate::graph::{Dag, NodeSet};
use crate::score::FamilyLengths;

/// A parent set and its code length.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) parents: NodeSet,
    /// The code length in nats.
    pub(super) length: f64,
}

/// Per variable, the parent sets that an optimal graph can have, shorter codes first: none has a subset whose
/// code is no longer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Choices(pub(super) Vec<Vec<Choice>>);

impl Choices {
    /// From all families that are allowed and scored.
    pub(super) fn new(lengths: &dyn FamilyLengths, constraints: &Constraints) -> Choices {
        let child_choices = |child: usize| {
            let mut sets = Vec::new();
            ParentSetQuery { lengths, constraints, child, member: None }
                .for_each(&mut |parents, length| sets.push(Choice { parents: parents.clone(), length }));
            undominated(sets, constraints.required(child))
        };
        Choices((0..lengths.n_vars()).into_par_iter().map(child_choices).collect())
    }

    pub(super) fn n_vars(&self) -> usize {
        self.0.len()
    }

    /// The total over all variables.
    pub(super) fn n_choices(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The best choice of `child` among those before it; `None` if there is none.
    pub(super) fn best_within(&self, child: usize, before: &NodeSet) -> Option<&Choice> {
        self.0[child].iter().find(|choice| choice.parents.is_subset(before))
    }

    /// The shortest code of graphs along `order`; infinite if there is none.
    pub(super) fn length_along(&self, order: &[usize]) -> f64 {
        let mut before = NodeSet::new();
        let mut sum = 0.0;
        for &child in order {
            sum += self.best_within(child, &before).map_or(f64::INFINITY, |choice| choice.length);
            before.insert(child);
        }
        sum
    }

    /// The graph of shortest code along `order`, which must have one.
    pub(super) fn dag_along(&self, order: &[usize]) -> Dag {
        let mut before = NodeSet::new();
        let mut parents = vec![NodeSet::new(); self.n_vars()];
        for &child in order {
            let best = self.best_within(child, &before);
            parents[child] =
                best.unwrap_or_else(|| panic!("no parents of {child} within {before:?}")).parents.clone();
            before.insert(child);
        }
        Dag::from_parents(parents).unwrap_or_else(|cycle| panic!("parents come before children: {cycle}"))
    }

    /// Those for which `is_kept(child, place)`.
    pub(super) fn retained(&self, is_kept: impl Fn(usize, usize) -> bool) -> Choices {
        let kept = |(child, choices): (usize, &Vec<Choice>)| {
            let kept = choices.iter().enumerate().filter(|&(place, _)| is_kept(child, place));
            kept.map(|(_, choice)| choice.clone()).collect()
        };
        Choices(self.0.iter().enumerate().map(kept).collect())
    }

    /// The components that can be searched one by one, causes before effects: sets of variables each of
    /// which may be a cause of each other, through others or not. Parents in other components are always at
    /// hand and are left out. After Fan, Malone and Yuan (2014).
    pub(super) fn components(&self) -> Vec<Component> {
        let causes: Vec<NodeSet> = (self.0.iter())
            .map(|choices| choices.iter().fold(NodeSet::new(), |all, choice| all.union(&choice.parents)))
            .collect();
        components(&causes).into_iter().map(|nodes| self.part(nodes)).collect()
    }

    fn part(&self, nodes: Vec<usize>) -> Component {
        let number: HashMap<usize, usize> =
            nodes.iter().enumerate().map(|(own, &node)| (node, own)).collect();
        let within = |choice: &Choice| Choice {
            parents: choice.parents.iter().filter_map(|parent| number.get(&parent).copied()).collect(),
            length: choice.length,
        };
        let own_choices =
            |&node: &usize| undominated(self.0[node].iter().map(within).collect(), &NodeSet::new());
        let choices = Choices(nodes.iter().map(own_choices).collect());
        Component { choices, nodes }
    }
}

/// Variables that are searched together, renumbered.
#[derive(Debug, Clone)]
pub(super) struct Component {
    /// Their original numbers.
    pub(super) nodes: Vec<usize>,
    pub(super) choices: Choices,
}

impl Component {
    /// The variables of this part, in an order of all variables.
    pub(super) fn order_within(&self, order: &[usize]) -> Vec<usize> {
        order.iter().filter_map(|node| self.nodes.iter().position(|own| own == node)).collect()
    }
}

/// The incumbent: an order whose best graph it is, and its code length.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Incumbent {
    pub(super) order: Vec<usize>,
    pub(super) length: f64,
}

impl Incumbent {
    /// The best along `order`.
    pub(super) fn along(order: Vec<usize>, choices: &Choices) -> Incumbent {
        Incumbent { length: choices.length_along(&order), order }
    }

    /// Replaces this one if it is shorter.
    pub(super) fn offer(&mut self, other: Incumbent) {
        if other.length < self.length {
            *self = other;
        }
    }

    /// The code length below which a graph is shorter by more than rounding.
    pub(super) fn cutoff(&self) -> f64 {
        self.length - 1e-10 * (1.0 + self.length.abs())
    }
}

/// Sorts sets and keeps those without a subset whose code is no longer; none has fewer members than
/// `required`.
pub(super) fn undominated(mut sets: Vec<Choice>, required: &NodeSet) -> Vec<Choice> {
    sets.sort_by(|a, b| a.parents.cmp(&b.parents).then(a.length.total_cmp(&b.length)));
    // Of equal sets the first is the shortest.
    sets.dedup_by(|later, first| later.parents == first.parents);
    let mut shortest: HashMap<NodeSet, f64> = HashMap::with_capacity(sets.len());
    let mut kept = Vec::new();
    for set in sets {
        let within = shortest_without_one(&set.parents, required, &mut shortest);
        shortest.insert(set.parents.clone(), within.min(set.length));
        if set.length < within {
            kept.push(set);
        }
    }
    // Stable: among equal codes the smaller set stays first.
    kept.sort_by(|a, b| a.length.total_cmp(&b.length));
    kept
}

/// The shortest code of any set within `set` that lacks a member of it.
fn shortest_without_one(set: &NodeSet, required: &NodeSet, shortest: &mut HashMap<NodeSet, f64>) -> f64 {
    let mut least = f64::INFINITY;
    for member in set.difference(required).iter() {
        let smaller = set.without(member);
        let within = shortest.get(&smaller).copied().unwrap_or_else(|| {
            // It was not requested, but sets within it may have been.
            let within = shortest_without_one(&smaller, required, shortest);
            shortest.insert(smaller, within);
            within
        });
        least = least.min(within);
    }
    least
}

/// The strongly connected components: causes before effects, members in increasing order.
pub(super) fn components(causes: &[NodeSet]) -> Vec<Vec<usize>> {
    let n_nodes = causes.len();
    let mut components = Tarjan {
        causes,
        seen: vec![0; n_nodes],
        lowest: vec![0; n_nodes],
        path: Vec::new(),
        is_on_path: vec![false; n_nodes],
        n_seen: 0,
        found: Vec::new(),
    };
    (0..n_nodes).for_each(|node| components.visit(node));
    components.found
}

/// After Tarjan (1972).
struct Tarjan<'a> {
    causes: &'a [NodeSet],
    /// When each node was first seen, from 1; 0 if it was not.
    seen: Vec<usize>,
    /// The earliest node on the path that each leads back to.
    lowest: Vec<usize>,
    path: Vec<usize>,
    is_on_path: Vec<bool>,
    n_seen: usize,
    found: Vec<Vec<usize>>,
}

impl Tarjan<'_> {
    fn visit(&mut self, node: usize) {
        if self.seen[node] > 0 {
            return;
        }
        self.n_seen += 1;
        (self.seen[node], self.lowest[node], self.is_on_path[node]) = (self.n_seen, self.n_seen, true);
        self.path.push(node);
        let causes = self.causes;
        for cause in causes[node].iter() {
            if self.seen[cause] == 0 {
                self.visit(cause);
                self.lowest[node] = self.lowest[node].min(self.lowest[cause]);
            } else if self.is_on_path[cause] {
                self.lowest[node] = self.lowest[node].min(self.seen[cause]);
            }
        }
        if self.lowest[node] == self.seen[node] {
            let start = self.path.iter().position(|&other| other == node).unwrap_or(0);
            let mut component = self.path.split_off(start);
            component.iter().for_each(|&member| self.is_on_path[member] = false);
            component.sort_unstable();
            self.found.push(component);
        }
    }
}
