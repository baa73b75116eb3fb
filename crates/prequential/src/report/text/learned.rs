//! The result for a reader at a terminal.

use std::fmt::Write;

use super::super::settings::{configurations_words, estimator_words, repeats};
use super::super::view::ViewOptions;
use super::context::context_text;
use super::data::data_text;
use super::{growth_in_words, networks_in_words, probabilities_in_words};
use crate::base::format::{count, nats, plural, visible_names};
use crate::base::message::{OptionName, message};
use crate::base::stop::StopReason;
use crate::posterior::EdgeEvidence;
use crate::run::{Answer, Learned, Partial, Shortcuts, TruthReport};
use crate::search::MAX_K_BEST;
use crate::shape::EdgeShape;
use crate::table::Table;

impl Learned {
    /// The whole result in words and columns; `table` is the one that was learnt from. Ends with a line break.
    pub fn to_text(&self, table: &Table, view: &ViewOptions) -> String {
        let names = visible_names(self.plan.names());
        let mut parts = vec![
            data_text(table, &self.plan, view),
            work_text(self),
            graph_text(self, &names, &self.shapes(table))
                + &agreement_text(self, &names)
                + &context_text(self, &names),
            class_text(self, &names),
            ranking_text(self, &names, view),
        ];
        parts.extend(view.truth.map(truth_text));
        parts.join("\n")
    }
}

fn work_text(learned: &Learned) -> String {
    let plan = &learned.plan;
    let is_whole = learned.partial.is_none() && learned.shortcuts.growth.is_none();
    let of_scored = if is_whole { "" } else { " of scored families" };
    let search = plan.search.report_in_words(&learned.answer.found, of_scored);
    let Shortcuts { networks, growth } = &learned.shortcuts;
    let shortcuts = growth
        .iter()
        .map(growth_in_words)
        .chain(networks.iter().map(|networks| networks_in_words(networks, learned.answer.found.is_proven)));
    format!(
        "{}Scored {} families{} of at most {}{} ({}).\n{}Search {search}.\n",
        learned.partial.as_ref().map(partial_text).unwrap_or_default(),
        count(learned.cost.n_families),
        reused_text(learned),
        plural(plan.constraints.max_parents(), "parent"),
        configurations_words(plan),
        estimator_words(plan),
        shortcuts.map(|line| line + "\n").collect::<String>(),
    )
}

/// How many families were not scored anew, where code lengths are kept.
fn reused_text(learned: &Learned) -> String {
    match &learned.plan.store {
        Some(_) => format!(" ({} of them from the store)", count(learned.cost.n_reused)),
        None => String::new(),
    }
}

/// Why not everything was scored.
pub(super) fn partial_text(partial: &Partial) -> String {
    let reason = match partial.reason {
        StopReason::TimeLimit => "Stopped by the time limit",
        StopReason::Interrupted => "Interrupted",
        StopReason::MemoryLimit => "Stopped by the memory limit",
    };
    let of = partial.n_planned.map(|n| format!(" of {}", count(n))).unwrap_or_default();
    format!("{reason}: a partial answer, from {}{of} families.\n", count(partial.n_scored))
}

fn graph_text(learned: &Learned, names: &[String], shapes: &[EdgeShape]) -> String {
    let dag = &learned.answer.dag;
    let mut text = format!(
        "Best graph: {}, {} nats ({:.4} per row)\n",
        plural(dag.n_edges(), "edge"),
        nats(learned.answer.code_length),
        learned.answer.code_length.0 / learned.plan.data.n_rows() as f64
    );
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 7;
    let columns = match learned.tempered.is_some() || has_spreads(learned) {
        true => "probability  tempered          removal costs         reversal costs",
        false => "probability  removal costs  reversal costs",
    };
    let _ = writeln!(text, "{:width$}  {columns}  strength  sign", "");
    for node in dag.topological_order() {
        let _ = writeln!(text, "  {}", names[node]);
        let edges = learned.answer.evidence.iter().zip(shapes);
        for (edge, shape) in edges.filter(|(edge, _)| edge.to == node) {
            let line = edge_text(learned, edge) + &effect_text(learned, edge, shape);
            let _ = writeln!(text, "{:width$}  {}", format!("    <- {}", names[edge.from]), line.trim_end());
        }
    }
    if let Some(reason) = &learned.answer.no_posterior {
        let _ = writeln!(text, "  (no probabilities: {reason})");
    }
    if dag.n_edges() > 0 {
        text += EFFECTS_IN_WORDS;
    }
    if let Some(view) = &learned.tempered {
        let _ = writeln!(text, "{}", probabilities_in_words(view.spread, view.temperature));
    }
    text
}

/// Whether costs are known up to a spread over networks or row orders.
fn has_spreads(learned: &Learned) -> bool {
    learned.answer.evidence.iter().any(|edge| edge.removal_spread.or(edge.reversal_spread).is_some())
}

/// Whether each network alone finds the same.
fn agreement_text(learned: &Learned, names: &[String]) -> String {
    let n_nets = learned.by_repeat.len();
    if n_nets == 0 {
        return String::new();
    }
    let agreement = learned.agreement();
    let mut text = format!(
        "Each {} alone: {} of {n_nets} find this graph, {} of {n_nets} one of its class\n",
        repeats(&learned.plan).0.one(),
        agreement.same_graph,
        agreement.same_class
    );
    let edges =
        learned.answer.dag.edges().into_iter().zip(agreement.edges).filter(|&(_, found)| found < n_nets);
    let edges: Vec<String> =
        edges.map(|((from, to), found)| format!("{} -> {} ({found})", names[from], names[to])).collect();
    if !edges.is_empty() {
        let _ = writeln!(text, "  edges that not all find: {}", edges.join(", "));
    }
    text
}

fn edge_text(learned: &Learned, edge: &EdgeEvidence) -> String {
    let shown = |probability: Option<f64>| probability.map_or("-".to_string(), |p| format!("{p:.3}"));
    let probability = shown(learned.answer.edge_probability(edge.from, edge.to));
    let unknown = if learned.partial.is_some() || !learned.answer.found.is_proven {
        "not scored"
    } else {
        "impossible"
    };
    let without = if edge.is_required { "required" } else { unknown };
    let removal = edge.removal.map_or(without.to_string(), |cost| format!("{cost:+}"));
    let reversal = edge.reversal.map_or(unknown.to_string(), |cost| format!("{cost:+}"));
    if learned.tempered.is_none() && !has_spreads(learned) {
        return format!("{probability:>11}  {removal:>13}  {reversal:>14}");
    }
    let spread = |sd: Option<f64>| sd.map_or(String::new(), |sd| format!("+- {sd:.1}"));
    let tempered = learned.tempered.as_ref().map(|view| view.posterior.edge_probability(edge.from, edge.to));
    format!(
        "{probability:>11}  {:>8}  {removal:>11} {:<9}  {reversal:>11} {:<9}",
        shown(tempered),
        spread(edge.removal_spread),
        spread(edge.reversal_spread)
    )
}

/// What strength and sign mean.
const EFFECTS_IN_WORDS: &str = "Strength: nats a row that the edge saves. Sign: + if the child rises with this parent, the others held \
                                fixed, - if it falls,\n  +- if both, ? if neither is clear; none where labels have no order.\n";

/// How strong an edge is, and which way it acts.
fn effect_text(learned: &Learned, edge: &EdgeEvidence, shape: &EdgeShape) -> String {
    let strength = learned.strength(edge).map_or("-".to_string(), |nats| format!("{nats:.3}"));
    format!("  {strength:>8}  {:>4}", shape.sign.map_or("", |sign| sign.symbol()))
}

fn class_text(learned: &Learned, names: &[String]) -> String {
    let cpdag = learned.answer.cpdag();
    let list = |pairs: &[(usize, usize)], mark: &str| {
        let shown: Vec<String> =
            pairs.iter().map(|&(a, b)| format!("{} {mark} {}", names[a], names[b])).collect();
        if shown.is_empty() { "none".to_string() } else { shown.join(", ") }
    };
    format!(
        "Equivalence class (what observation alone could tell; interventions, knowledge and the code may tell more)\n  \
         directed: {}\n  undirected: {}\n",
        list(&cpdag.directed(), "->"),
        list(&cpdag.undirected(), "-"),
    )
}

fn ranking_text(learned: &Learned, names: &[String], view: &ViewOptions) -> String {
    if learned.answer.ranking.len() < 2 {
        let is_exact = learned.answer.found.is_proven && learned.answer.found.n_graphs.is_none();
        let reason = if is_exact && names.len() > MAX_K_BEST {
            format!("looked for with up to {MAX_K_BEST} variables only")
        } else if learned.answer.found.n_graphs == Some(1) || learned.plan.top > 1 {
            "no other graph is allowed".to_string()
        } else {
            view.worded(message!["not asked for (", OptionName::Top, ")"])
        };
        return format!("Runners-up: {reason}\n");
    }
    runners_up_text(&learned.answer, names)
}

/// The graphs after the best, each as what it changes.
pub(super) fn runners_up_text(answer: &Answer, names: &[String]) -> String {
    let mut text = "Runners-up (excess in nats over the best graph)\n".to_string();
    for (rank, (dag, length)) in answer.ranking.iter().enumerate().skip(1) {
        let excess = format!("{:+}", answer.excess(*length));
        let _ = writeln!(text, "  {:>2}. {excess:>9}  {}", rank + 1, answer.dag.changes_in_words(dag, names));
    }
    text
}

fn truth_text(truth: &TruthReport) -> String {
    let comparison = &truth.comparison;
    let verdict = if comparison.exact {
        "the same graph"
    } else if comparison.equivalent {
        "the same equivalence class"
    } else {
        "another equivalence class"
    };
    let expected = truth.expected_shd.map(|shd| format!(", expected SHD {shd:.2}")).unwrap_or_default();
    format!(
        "Against the known graph: {verdict}; SHD {}, SHD of classes {}, SID {}{expected}\n",
        comparison.shd, comparison.shd_cpdag, comparison.sid
    )
}
