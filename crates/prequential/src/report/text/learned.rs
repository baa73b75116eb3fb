//! The result for a reader at a terminal.

use std::fmt::Write;

use super::super::settings::{configurations_words, estimator_words};
use super::super::view::ViewOptions;
use super::context::context_text;
use super::data::data_text;
use super::links::Links;
use super::searched::gap_text;
use super::{growth_in_words, networks_in_words};
use crate::base::format::{count, nats, plural, visible_names};
use crate::base::message::{OptionName, message};
use crate::base::stop::StopReason;
use crate::posterior::EdgeEvidence;
use crate::run::{Answer, Approximations, Learned, Partial, TruthReport};
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
            graph_text(self, &names, &self.shapes(table)) + &context_text(self, &names),
            ASSUMED.to_string(),
            class_text(self, &names),
            ranking_text(self, &names, view),
        ];
        parts.extend(view.truth.map(truth_text));
        parts.join("\n")
    }
}

fn work_text(learned: &Learned) -> String {
    let plan = &learned.plan;
    let is_whole = learned.partial.is_none() && learned.approximations.parent_sets.is_none();
    let of_scored = if is_whole { "" } else { " of scored families" };
    let search = plan.search.report_in_words(&learned.answer.found, of_scored);
    let Approximations { networks, parent_sets: growth } = &learned.approximations;
    let shortcuts = growth
        .iter()
        .map(growth_in_words)
        .chain(networks.iter().map(|networks| networks_in_words(networks, learned.answer.found.is_proven)));
    format!(
        "{}Scored {} families{} of at most {}{} ({}).\n{}Search {search}{}.\n",
        learned.partial.as_ref().map(partial_text).unwrap_or_default(),
        count(learned.cost.n_families),
        reused_text(learned),
        plural(plan.constraints.max_parents(), "parent"),
        configurations_words(plan),
        estimator_words(plan),
        shortcuts.map(|line| line + "\n").collect::<String>(),
        gap_text(&learned.answer),
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
    let unknown = if learned.partial.is_some() || !learned.answer.found.is_proven {
        "not scored"
    } else {
        "impossible"
    };
    let effects: Vec<String> = learned
        .answer
        .evidence
        .iter()
        .zip(shapes)
        .map(|(edge, shape)| effect_text(learned, edge, shape))
        .collect();
    let (answer, probabilities, basis) = (&learned.answer, learned.probabilities(), learned.basis());
    text += &Links { answer, names, probabilities, basis, unknown, effects: &effects }.to_text();
    if learned.answer.dag.n_edges() > 0 {
        text += EFFECTS_IN_WORDS;
    }
    text
}

/// What strength and sign mean.
const EFFECTS_IN_WORDS: &str = "Strength: nats a row that the edge saves. Sign: + if the child rises with this parent, the others held \
                                fixed, - if it falls,\n  +- if both, ? if neither is clear; none where labels have no order.\n";

/// How strong an edge is, and which way it acts.
fn effect_text(learned: &Learned, edge: &EdgeEvidence, shape: &EdgeShape) -> String {
    let strength = learned.strength(edge).map_or("-".to_string(), |nats| format!("{nats:.3}"));
    format!("  {strength:>8}  {:>4}", shape.sign.map_or("", |sign| sign.symbol()))
}

/// What nothing in a table can confirm.
const ASSUMED: &str = "Assumed: no common cause is missing from the table, nothing feeds back on itself, rows were not chosen by their values \
                       and do not\n  hang on each other, and there are enough of them. What the data say against it stands among the warnings.\n";

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
