//! Dual lower bound on the code length of every acyclic graph: clusters of variables, each with a weight.
//!
//! In an acyclic graph every cluster of variables has a member with no parent in the cluster. A member that
//! takes a parent set outside a cluster is credited the cluster's weight, and every weight is paid once: that
//! gives no acyclic graph a longer code than it has. The best choice of every variable by itself is then no
//! longer than the best graph. In words of linear programming (Jaakkola, Sontag, Globerson and Meila 2010):
//! weights are dual to the constraints, and whatever they are, the bound holds.

use super::super::choices::{Choice, Choices, components};
use super::cluster::Cluster;
use crate::base::stop::Stop;
use crate::graph::NodeSet;

/// Nats by which a choice may be longer than the shortest and count as one of the shortest.
const TIGHT: f64 = 1e-7;

/// A round of [`Multipliers::ascend`] that gains less, in nats, is the last.
const MIN_ROUND_GAIN: f64 = 1e-4;

/// Clusters with their weights, and the reduced code lengths.
#[derive(Debug, Clone)]
pub(crate) struct Multipliers<'a> {
    choices: &'a Choices,
    /// Not negative.
    clusters: Vec<(Cluster, f64)>,
    /// Per child and choice.
    reduced: Vec<Vec<f64>>,
}

impl<'a> Multipliers<'a> {
    /// No clusters.
    pub(crate) fn new(choices: &'a Choices) -> Multipliers<'a> {
        let lengths = |choices: &Vec<Choice>| choices.iter().map(|choice| choice.length).collect();
        Multipliers { choices, clusters: Vec::new(), reduced: choices.0.iter().map(lengths).collect() }
    }

    /// These clusters; those without positive weight are left out.
    pub(crate) fn of(
        choices: &'a Choices,
        clusters: impl IntoIterator<Item = (Cluster, f64)>,
    ) -> Multipliers<'a> {
        let mut all = Multipliers::new(choices);
        clusters
            .into_iter()
            .filter(|&(_, weight)| weight > 0.0)
            .for_each(|(cluster, weight)| all.raise(cluster, weight));
        all
    }

    /// All choices. The clusters with their weights.
    pub(crate) fn clusters(&self) -> &[(Cluster, f64)] {
        &self.clusters
    }

    fn least(&self, child: usize) -> f64 {
        self.reduced[child].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// No acyclic graph of these choices has a shorter code.
    pub(crate) fn bound(&self) -> f64 {
        let weights: f64 =
            self.clusters.iter().map(|(cluster, weight)| cluster.at_least as f64 * weight).sum();
        weights + (0..self.choices.n_vars()).map(|child| self.least(child)).sum::<f64>()
    }

    /// The choices that a graph of a code no longer than `length` can have.
    pub(crate) fn possible(&self, length: f64) -> Choices {
        // A little more, for rounding.
        let slack = length - self.bound() + 1e-9 * (1.0 + length.abs());
        let least: Vec<f64> = (0..self.choices.n_vars()).map(|child| self.least(child)).collect();
        self.choices.retained(|child, place| self.reduced[child][place] - least[child] <= slack)
    }

    /// Raises the weight of `cluster`.
    fn raise(&mut self, cluster: Cluster, by: f64) {
        for child in cluster.nodes.iter() {
            for (choice, reduced) in self.choices.0[child].iter().zip(&mut self.reduced[child]) {
                if cluster.has_few(&choice.parents) {
                    *reduced -= by;
                }
            }
        }
        match self.clusters.iter_mut().find(|(known, _)| *known == cluster) {
            Some((_, weight)) => *weight += by,
            None => self.clusters.push((cluster, by)),
        }
    }

    /// Coordinate ascent: raises weights one after another as long as that raises the bound. Fast, and exact
    /// with at most one parent (Edmonds 1967); otherwise to a coordinate-wise optimum (Trösser, de Givry and
    /// Katsirelos 2021).
    pub(crate) fn ascend(&mut self, stop: Stop) {
        let n_vars = self.choices.n_vars();
        for _ in 0..10 * n_vars + 100 {
            if stop.now() {
                return;
            }
            let tight = Tight::of(self);
            let gain: f64 = (tight.violated().into_iter())
                .map(|cluster| {
                    let gain = self.possible_gain(&cluster);
                    self.raise(Cluster::without_parents(cluster), gain);
                    gain
                })
                .sum();
            if gain < MIN_ROUND_GAIN {
                return;
            }
        }
    }

    /// By how much the weight of `cluster` can be raised before one of its members prefers a set outside.
    fn possible_gain(&self, cluster: &NodeSet) -> f64 {
        let slack = |child: usize| {
            let outside = self.choices.0[child].iter().zip(&self.reduced[child]);
            let outside = outside.filter(|(choice, _)| choice.parents.is_disjoint(cluster));
            outside.fold(f64::INFINITY, |least, (_, &reduced)| least.min(reduced)) - self.least(child)
        };
        cluster.iter().map(slack).fold(f64::INFINITY, f64::min)
    }

    /// An order of the variables in which few lose their shortest choices: next is always the variable that
    /// loses least. Good graphs are found along it, and the best where the bound leaves no gap.
    pub(crate) fn order(&self) -> Vec<usize> {
        let n_vars = self.choices.n_vars();
        let least: Vec<f64> = (0..n_vars).map(|child| self.least(child)).collect();
        let mut placed = NodeSet::new();
        let mut loss = vec![f64::INFINITY; n_vars];
        let mut order: Vec<usize> = Vec::with_capacity(n_vars);
        while order.len() < n_vars {
            let left = (0..n_vars).filter(|&child| !placed.contains(child));
            let mut best: Option<usize> = None;
            for child in left {
                // Only sets with the newest member can have become possible.
                for (choice, reduced) in self.choices.0[child].iter().zip(&self.reduced[child]) {
                    let is_new = order.last().is_none_or(|&newest| choice.parents.contains(newest));
                    if is_new && reduced - least[child] < loss[child] && choice.parents.is_subset(&placed) {
                        loss[child] = reduced - least[child];
                    }
                }
                if best.is_none_or(|best| loss[child] < loss[best]) {
                    best = Some(child);
                }
            }
            let Some(next) = best else { break };
            placed.insert(next);
            order.push(next);
        }
        order
    }
}

/// Per child, its shortest choices.
struct Tight<'a>(Vec<Vec<&'a NodeSet>>);

impl<'a> Tight<'a> {
    fn of(multipliers: &Multipliers<'a>) -> Tight<'a> {
        let child_choices = |child: usize| {
            let least = multipliers.least(child);
            let all = multipliers.choices.0[child].iter().zip(&multipliers.reduced[child]);
            all.filter(|&(_, &reduced)| reduced <= least + TIGHT).map(|(choice, _)| &choice.parents).collect()
        };
        Tight((0..multipliers.choices.n_vars()).map(child_choices).collect())
    }

    /// Clusters, no two with a common member, in which every shortest choice of every member has a parent: small ones, none if an acyclic graph
    /// of shortest choices exists.
    fn violated(&self) -> Vec<NodeSet> {
        let left = NodeSet::full(self.0.len())
            .difference(&self.reached(&NodeSet::full(self.0.len()), NodeSet::new()));
        let causes = |child: usize| {
            let all = self.0[child].iter().fold(NodeSet::new(), |all, parents| all.union(parents));
            if left.contains(child) { all.intersection(&left) } else { NodeSet::new() }
        };
        let causes: Vec<NodeSet> = (0..self.0.len()).map(causes).collect();
        let is_closed = |nodes: &NodeSet| nodes.iter().all(|node| causes[node].is_subset(nodes));
        let all = components(&causes).into_iter().filter(|nodes| left.contains(nodes[0]));
        let closed = all.map(|nodes| nodes.into_iter().collect()).filter(is_closed);
        closed.map(|nodes| self.shrunk(nodes)).collect()
    }

    /// The members of `cluster` that can be ordered after those `before` and all others, with shortest choices.
    fn reached(&self, cluster: &NodeSet, mut before: NodeSet) -> NodeSet {
        let mut left = cluster.difference(&before);
        loop {
            let can_be_next = |child: &usize| self.0[*child].iter().any(|parents| parents.is_disjoint(&left));
            let next: NodeSet = left.iter().filter(can_be_next).collect();
            if next.is_empty() {
                return before;
            }
            left = left.difference(&next);
            before = before.union(&next);
        }
    }

    /// A minimal cluster within `cluster`.
    fn shrunk(&self, mut cluster: NodeSet) -> NodeSet {
        let members: Vec<usize> = cluster.iter().collect();
        for member in members {
            if cluster.contains(member) {
                let smaller = cluster.difference(&self.reached(&cluster, NodeSet::single(member)));
                if !smaller.is_empty() {
                    cluster = smaller;
                }
            }
        }
        cluster
    }
}
