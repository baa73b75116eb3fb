//! The result of a run for a reader at a terminal.

mod links;

use std::fmt::Write;

use super::document::{ContextEntry, ContextSection, ResultDocument, TableSection, VariableEntry};
use super::words::{
    ASSUMPTIONS, estimator_in_words, family_size_in_words, numbers_in_words, partial_in_words,
    row_order_in_words,
};
use crate::base::format::{count, nats, plural, visible, visible_names};
use crate::base::nats::Nats;
use crate::run::{NamedPair, ResolvedSettings, RunCost, TruthReport};
use crate::search::MAX_K_BEST;
use crate::table::Kind;
pub(super) use links::{LinksText, runners_up_text};

impl ResultDocument {
    /// The whole result in words and columns. Ends with a line break.
    pub fn to_text(&self) -> String {
        let contexts = self.context.iter().flat_map(|context| &context.columns);
        let contexts: Vec<VariableEntry> = contexts
            .map(|column| VariableEntry {
                name: column.name.clone(),
                kind: column.kind,
                bins: column.bins,
                rows_used: self.data.rows - column.missing,
                missing: column.missing,
                intervened: 0,
            })
            .collect();
        let mut parts = vec![
            table_text(&self.data, &self.settings, &contexts),
            self.work_text(),
            self.graph_text() + &self.context.as_ref().map(context_text).unwrap_or_default(),
            format!("Assumptions: {ASSUMPTIONS}. Evidence against them is listed under warnings.\n"),
            self.class_text(),
            self.ranking_text(),
        ];
        parts.extend(self.truth.as_ref().map(truth_text));
        parts.join("\n")
    }

    fn work_text(&self) -> String {
        let stopped = self.partial.as_ref().map(|stopped| partial_in_words(&stopped.partial) + ".\n");
        format!(
            "{}Scored {} families{} of at most {} ({}).\n{}Search {}.\n",
            stopped.unwrap_or_default(),
            count(self.cost.cost.n_families),
            reused_text(&self.cost.cost),
            family_size_in_words(&self.settings),
            estimator_in_words(&self.estimator_in_words, &self.settings),
            self.shortcuts.in_words().map(|line| format!("{line}\n")).collect::<String>(),
            self.search_in_words(),
        )
    }

    fn graph_text(&self) -> String {
        let code_length = self.dag.code_length_nats;
        let mut text = format!(
            "Best graph: {}, {} nats ({:.4} per row)\n",
            plural(self.dag.edges.len(), "edge"),
            nats(Nats(code_length)),
            code_length / self.data.rows as f64
        );
        let is_known = self.partial.is_none() && self.search.proven;
        let unknown = if is_known { "impossible" } else { "not scored" };
        let no_posterior = self.no_posterior.as_deref();
        text += &LinksText { graph: &self.graph(), unknown, no_posterior }.write();
        if !self.dag.edges.is_empty() {
            text += EFFECTS_IN_WORDS;
        }
        text
    }

    fn class_text(&self) -> String {
        let list = |pairs: &[NamedPair], mark: &str| {
            let shown = pairs.iter().map(|NamedPair(a, b)| format!("{} {mark} {}", visible(a), visible(b)));
            let shown: Vec<String> = shown.collect();
            if shown.is_empty() { "none".to_string() } else { shown.join(", ") }
        };
        format!(
            "Equivalence class (what observation alone could tell; interventions, knowledge and the code may tell more)\n  \
             directed: {}\n  undirected: {}\n",
            list(&self.cpdag.directed, "->"),
            list(&self.cpdag.undirected, "-"),
        )
    }

    fn ranking_text(&self) -> String {
        if self.ranking.len() > 1 {
            return runners_up_text(&self.graph());
        }
        let is_exact = self.search.proven && self.search.graphs.is_none();
        let reason = if is_exact && self.data.variables.len() > MAX_K_BEST {
            format!("looked for with up to {MAX_K_BEST} variables only")
        } else if self.search.graphs == Some(1) || self.settings.top > 1 {
            "no other graph is allowed".to_string()
        } else {
            "not asked for (`top` is 1)".to_string()
        };
        format!("Runners-up: {reason}\n")
    }
}

/// What strength and sign mean.
const EFFECTS_IN_WORDS: &str = "Strength: nats a row that the edge saves. Sign: + if the child rises with this parent, the others held \
                                fixed, - if it falls,\n  +- if both, ? if neither is clear; none where labels have no order.\n";

/// What was read: rows, and every column with its kind.
pub(super) fn table_text(
    table: &TableSection,
    settings: &ResolvedSettings,
    contexts: &[VariableEntry],
) -> String {
    let mut text = format!(
        "{}: {} rows, {} variables{}; {}\n",
        table.path.as_deref().unwrap_or("table"),
        count(table.rows),
        table.variables.len(),
        if contexts.is_empty() { String::new() } else { format!(", {}", plural(contexts.len(), "context")) },
        row_order_in_words(settings)
    );
    let columns = || table.variables.iter().chain(contexts);
    let width = columns().map(|column| visible(&column.name).chars().count()).max().unwrap_or(0);
    for (place, column) in columns().enumerate() {
        let context = if place < table.variables.len() { "" } else { "context, " };
        let words = column_in_words(column, table.rows);
        let _ = writeln!(text, "  {:width$}  {context}{words}", visible(&column.name));
    }
    if columns().any(|column| column.kind == Kind::Continuous) {
        let _ = writeln!(text, "  ({})", numbers_in_words(settings));
    }
    for (what, lines) in [("note", &table.notes), ("warning", &table.warnings)] {
        text.extend(lines.iter().map(|line| format!("{what}: {line}\n")));
    }
    text
}

fn column_in_words(column: &VariableEntry, n_rows: usize) -> String {
    let (kind, what) = match column.kind {
        Kind::Categorical => ("categorical", "level"),
        Kind::Continuous => ("continuous", "bin"),
    };
    let mut text = kind.to_string();
    text.extend(column.bins.map(|bins| format!(", {}", plural(bins, what))));
    if column.missing > 0 {
        let _ = write!(text, ", {} missing", count(column.missing));
    }
    let n_set = n_rows.saturating_sub(column.rows_used + column.missing);
    if column.intervened > 0 && n_set > 0 {
        let _ = write!(text, ", set by intervention in {} rows", count(n_set));
    }
    text
}

/// How many families were not scored anew.
fn reused_text(cost: &RunCost) -> String {
    match cost.n_reused {
        0 => String::new(),
        n_reused => format!(" ({} of them from the store)", count(n_reused)),
    }
}

/// On which variables contexts act, and what that saves.
fn context_text(context: &ContextSection) -> String {
    let contexts: Vec<String> = context.columns.iter().map(|column| column.name.clone()).collect();
    let what = match &visible_names(&contexts)[..] {
        [only] => format!("Context {only} acts"),
        several => format!("Contexts {} together act", several.join(", ")),
    };
    let acting: Vec<&ContextEntry> = context.variables.iter().filter(|entry| entry.acts).collect();
    if acting.is_empty() {
        return format!("{what} on no variable\n");
    }
    let n_vars = plural(context.variables.len(), "variable");
    let mut text = format!("{what} on {} of {n_vars}; nats saved\n", acting.len());
    let width = acting.iter().map(|entry| visible(&entry.variable).chars().count()).max().unwrap_or(0);
    for entry in acting {
        let share = |(column, nats): (&String, f64)| format!("{} {:+}", visible(column), Nats(nats));
        let shares = entry.columns.iter().map(|share| (&share.column, share.saved_nats));
        let shares: Vec<String> = shares.map(share).collect();
        let shares = if shares.is_empty() {
            String::new()
        } else {
            format!("  (beside the others: {})", shares.join(", "))
        };
        let saved = nats(Nats(entry.saved_nats));
        let _ = writeln!(text, "  {:width$}  {saved:>12}{shares}", visible(&entry.variable));
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
