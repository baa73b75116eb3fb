//! The result of one estimator on one arm.

use prequential::internals::{settings_value, shd, shd_cpdag};
use prequential::{Cpdag, Dag, Learned, Result, Settings, Table, learn};
use serde_json::{Value, json};

use super::COARSE_BINS;
use super::arms::{ArmCells, SachsArm};
use super::reference::{NAMES, consensus_20, discrete_17, figure_19};

/// The result of one estimator on one arm.
pub(super) struct SachsRun {
    pub(super) arm: SachsArm,
    pub(super) cells: ArmCells,
    pub(super) learned: Learned,
}

impl SachsRun {
    pub(super) fn new(all: &Table, arm: SachsArm, cells: ArmCells, settings: &Settings) -> Result<SachsRun> {
        let settings = Settings { knowledge: arm.knowledge(), ..settings.clone() };
        Ok(SachsRun { arm, cells, learned: learn(&arm.table(all, cells)?, &settings)? })
    }

    pub(super) fn dag(&self) -> &Dag {
        &self.learned.answer.dag
    }

    /// One line for progress.
    pub(super) fn in_words(&self) -> String {
        let graph = Graph(self.dag());
        format!(
            "{}: {} links, SHD {} to the 20 links, {} to the 17; {:.0} s",
            self.name(),
            self.dag().n_edges(),
            graph.shd(&consensus_20()),
            graph.shd(&discrete_17()),
            self.learned.cost.wall_seconds
        )
    }

    /// Arm, estimator and cells.
    pub(super) fn name(&self) -> String {
        let estimator = match self.learned.plan.estimator() {
            "counts" => format!("counts, {COARSE_BINS} bins"),
            estimator => estimator.to_string(),
        };
        format!(
            "{}, {estimator}, {} cells",
            self.arm.in_words(),
            prequential::internals::count(self.cells.n_rows())
        )
    }

    /// Its line of the table.
    pub(super) fn row(&self) -> String {
        let cost = &self.learned.cost;
        let seconds = format!("{:.0} ({:.0})", cost.wall_seconds, cost.cpu_seconds);
        Graph(self.dag()).row(&self.name(), &seconds)
    }

    /// The proteins on which the condition acts, in words; empty if it is not a context.
    pub(super) fn context_in_words(&self) -> String {
        let mut acting: Vec<_> = self.learned.contexts.iter().filter(|effect| effect.acts()).collect();
        acting.sort_by(|a, b| b.gain.0.total_cmp(&a.gain.0));
        let one = |effect: &&prequential::results::ContextEffect| {
            format!("{} {:.0}", NAMES[effect.child], effect.gain.0)
        };
        acting.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// All of its numbers.
    pub(super) fn json(&self) -> Value {
        let (cost, answer) = (&self.learned.cost, &self.learned.answer);
        json!({
            "arm": self.arm.in_words(), "cells": self.cells.n_rows(),
            "settings": settings_value(&self.learned.plan),
            "families": cost.n_families, "cpu_seconds": cost.cpu_seconds, "wall_seconds": cost.wall_seconds,
            "is_proven": answer.found.is_proven,
            "graph": Graph(self.dag()).json(),
            "evidence": answer.evidence.iter().map(|edge| json!({
                "from": NAMES[edge.from], "to": NAMES[edge.to],
                "probability": answer.edge_probability(edge.from, edge.to),
                "removal_nats": edge.removal, "reversal_nats": edge.reversal,
            })).collect::<Vec<_>>(),
            "context": self.learned.contexts.iter().map(|effect| json!({
                "variable": NAMES[effect.child], "saved_nats": effect.gain,
            })).collect::<Vec<_>>(),
            "code_length_nats": answer.code_length,
        })
    }
}

/// A graph of the proteins, compared with the networks of the literature.
pub(super) struct Graph<'a>(pub(super) &'a Dag);

impl Graph<'_> {
    fn shd(&self, truth: &Dag) -> usize {
        shd(self.0, truth)
    }

    fn shd_of_classes(&self, truth: &Dag) -> usize {
        shd_cpdag(&Cpdag::of(self.0), &Cpdag::of(truth))
    }

    /// Links of the accepted network, in either direction.
    fn n_accepted(&self) -> usize {
        let truth = consensus_20();
        self.0
            .edges()
            .iter()
            .filter(|&&(from, to)| truth.has_edge(from, to) || truth.has_edge(to, from))
            .count()
    }

    /// A line of the table.
    pub(super) fn row(&self, name: &str, seconds: &str) -> String {
        let distances: String = [consensus_20(), figure_19(), discrete_17()]
            .iter()
            .map(|truth| format!(" {} ({}) |", self.shd(truth), self.shd_of_classes(truth)))
            .collect();
        let n_links = self.0.n_edges();
        let precision = match n_links {
            0 => String::new(),
            _ => format!("{} of {n_links}", self.n_accepted()),
        };
        format!("| {name} | {n_links} |{distances} {precision} | {seconds} |\n")
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "edges": self.0.edges().iter().map(|&(from, to)| json!([NAMES[from], NAMES[to]])).collect::<Vec<_>>(),
            "links": self.0.n_edges(), "links_in_the_20": self.n_accepted(),
            "shd_20": self.shd(&consensus_20()), "shd_19": self.shd(&figure_19()), "shd_17": self.shd(&discrete_17()),
            "shd_of_classes_20": self.shd_of_classes(&consensus_20()),
            "shd_of_classes_19": self.shd_of_classes(&figure_19()),
            "shd_of_classes_17": self.shd_of_classes(&discrete_17()),
        })
    }
}
