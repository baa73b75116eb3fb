//! The linear relaxation: mixtures of graphs, in which only the clusters found so far exclude cycles.

mod cluster;
mod multipliers;
mod separation;
mod simplex;

use super::choices::{Choice, Choices, Incumbent};
use super::orders::climbed;
use crate::base::stop::Stop;
use crate::graph::NodeSet;

pub(super) use cluster::Cluster;
pub(super) use multipliers::Multipliers;
use separation::Fractional;
use simplex::{Ended, LpBasis, Simplex};

/// Weights below count as 0.
const MIN_WEIGHT: f64 = 1e-6;

/// Clusters added per round.
const CLUSTERS_PER_ROUND: usize = 60;

/// The most steps of a probe.
const PROBE_STEPS: usize = 25;

/// How many rounds in a row may gain little.
const MAX_POOR_ROUNDS: usize = 6;

/// A round gains little if it closes less than this fraction of the gap.
const POOR_GAIN: f64 = 0.01;

/// The linear program with the clusters found for it.
pub(super) struct Relaxation<'a> {
    choices: &'a Choices,
    clusters: Vec<Cluster>,
    simplex: Simplex,
}

/// The outcome of a relaxation.
pub(super) enum Relaxed {
    /// There is no shorter graph.
    NothingShorter,
    /// No graph is shorter than this bound; whether it was stopped.
    Bounded { bound: f64, is_stopped: bool },
}

/// A saved state of the program.
pub(super) struct ChoicePlace(LpBasis);

impl<'a> Relaxation<'a> {
    /// With clusters known to be useful.
    pub(super) fn new<'c>(
        choices: &'a Choices,
        clusters: impl IntoIterator<Item = &'c Cluster>,
    ) -> Relaxation<'a> {
        let mut relaxation = Relaxation { choices, clusters: Vec::new(), simplex: Simplex::new(choices) };
        clusters.into_iter().for_each(|cluster| relaxation.add(cluster.clone()));
        relaxation
    }

    fn add(&mut self, cluster: Cluster) {
        self.simplex.add_cluster(&cluster, self.choices);
        self.clusters.push(cluster);
    }

    pub(super) fn n_clusters(&self) -> usize {
        self.clusters.len()
    }

    pub(super) fn place(&self) -> ChoicePlace {
        ChoicePlace(self.simplex.basis())
    }

    /// Restores an earlier state; clusters stay.
    pub(super) fn go_back(&mut self, place: &ChoicePlace) {
        self.simplex.go_back(place.0.clone());
    }

    /// The clusters with their weights.
    pub(super) fn multipliers(&self) -> Multipliers<'a> {
        let weights = self.simplex.cluster_weights();
        Multipliers::of(self.choices, self.clusters.iter().cloned().zip(weights))
    }

    /// Excludes exactly the choices that contradict the fixed edges.
    pub(super) fn decide(&mut self, decisions: &Decisions) {
        let all = self.choices.0.iter().enumerate();
        let all = all.flat_map(|(child, all)| all.iter().map(move |choice| (child, choice)));
        self.simplex.leave_out(all.map(|(child, choice)| !decisions.allow(child, &choice.parents)).collect());
    }

    /// Cutting planes: solves the program and adds violated clusters, for at most `n_rounds` or until there
    /// are none, little is gained or the bound reaches the incumbent. Graphs met on the way are offered as
    /// incumbents.
    pub(super) fn tighten(&mut self, incumbent: &mut Incumbent, n_rounds: usize, stop: Stop) -> Relaxed {
        let mut bound = f64::NEG_INFINITY;
        let mut n_poor = 0;
        for round in 0..n_rounds {
            if round == 1 {
                incumbent.offer(climbed(
                    Incumbent::along(self.multipliers().order(), self.choices),
                    self.choices,
                    stop,
                ));
            }
            let ended = self.simplex.solve(incumbent.cutoff(), stop);
            let now = self.simplex.bound();
            let part = (now - bound) / (incumbent.length - bound);
            n_poor = if part < POOR_GAIN { n_poor + 1 } else { 0 };
            bound = bound.max(now);
            if bound >= incumbent.cutoff() {
                return Relaxed::NothingShorter;
            }
            if ended != Ended::Optimal {
                return Relaxed::Bounded { bound, is_stopped: ended == Ended::Stopped };
            }
            incumbent.offer(Incumbent::along(self.multipliers().order(), self.choices));
            if let Some(order) = self.fractional().order() {
                incumbent.offer(Incumbent::along(order, self.choices));
            }
            if bound >= incumbent.cutoff() {
                return Relaxed::NothingShorter;
            }
            if n_poor > MAX_POOR_ROUNDS || round + 1 == n_rounds {
                break;
            }
            let violated = self.fractional().violated(CLUSTERS_PER_ROUND);
            if violated.is_empty() {
                break;
            }
            violated.into_iter().for_each(|cluster| self.add(cluster));
        }
        Relaxed::Bounded { bound, is_stopped: false }
    }

    /// Solves the program as it is and removes clusters with slack.
    pub(super) fn settle(&mut self, stop: Stop) {
        if self.simplex.solve(f64::INFINITY, stop) == Ended::Optimal {
            self.drop_idle();
        }
    }

    /// Removes clusters with slack.
    pub(super) fn drop_idle(&mut self) {
        let left = self.simplex.drop_idle_clusters();
        self.clusters = left.into_iter().map(|cluster| self.clusters[cluster].clone()).collect();
    }

    fn fractional(&self) -> Fractional<'a> {
        let weights = self.simplex.weights();
        let mut weights = weights.iter();
        let child_weights = |all: &'a Vec<Choice>| {
            let weighted = all.iter().map(|choice| &choice.parents).zip(weights.by_ref().copied());
            weighted.filter(|&(_, weight)| weight > MIN_WEIGHT).collect()
        };
        Fractional(self.choices.0.iter().map(child_weights).collect())
    }

    /// Fractional edges with their weights, the most fractional first; empty if all are integral.
    pub(super) fn undecided(&self) -> Vec<((usize, usize), f64)> {
        let mut edges = Vec::new();
        for (to, links) in self.fractional().links().into_iter().enumerate() {
            edges.extend(links.into_iter().map(|(from, weight)| ((from, to), weight)));
        }
        let distance = |weight: f64| (weight - 0.5).abs();
        edges.retain(|&(_, weight)| distance(weight) < 0.5 - MIN_WEIGHT);
        edges.sort_by(|a, b| distance(a.1).total_cmp(&distance(b.1)).then(a.0.cmp(&b.0)));
        edges
    }

    /// Probes a fixed edge: the approximate bound after a few steps; then restores the state.
    pub(super) fn probe(&mut self, decisions: &Decisions, cutoff: f64) -> f64 {
        let (place, is_out) = (self.place(), self.simplex.is_out().to_vec());
        self.decide(decisions);
        self.simplex.solve_for(PROBE_STEPS, cutoff, Stop::never());
        let bound = self.simplex.objective();
        self.simplex.leave_out(is_out);
        self.go_back(&place);
        bound
    }
}

/// Edges that a graph must have, and edges that it must not have.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Decisions {
    edges: Vec<(usize, usize, bool)>,
}

impl Decisions {
    /// A copy with one more.
    pub(super) fn with(&self, (from, to): (usize, usize), is_there: bool) -> Decisions {
        Decisions { edges: self.edges.iter().copied().chain([(from, to, is_there)]).collect() }
    }

    /// Whether `child` may have these parents.
    fn allow(&self, child: usize, parents: &NodeSet) -> bool {
        let fits =
            |&(from, to, is_there): &(usize, usize, bool)| to != child || parents.contains(from) == is_there;
        self.edges.iter().all(fits) && parents.is_disjoint(&self.effects(child))
    }

    /// The nodes that must come after `node`.
    fn effects(&self, node: usize) -> NodeSet {
        let mut effects = NodeSet::new();
        let mut waiting = vec![node];
        while let Some(cause) = waiting.pop() {
            for &(from, to, is_there) in &self.edges {
                if is_there && from == cause && !effects.contains(to) {
                    effects.insert(to);
                    waiting.push(to);
                }
            }
        }
        effects
    }
}
