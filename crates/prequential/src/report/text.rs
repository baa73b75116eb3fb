//! The result for a reader at a terminal.

use std::fmt::Write;

use super::probabilities::probabilities_in_words;
use crate::base::format::{count, nats, plural, visible_names};
use crate::base::observer::StopReason;
use crate::estimator::{Estimator, Prior, Schedule};
use crate::graph::Dag;
use crate::posterior::EdgeEvidence;
use crate::run::find::MAX_K_BEST;
use crate::run::result::{Answer, Learned, Partial, TruthReport};
use crate::run::settings::{RowOrder, Search, Settings};
use crate::table::{Inputs, Kind, Quantised, Table, Variable};

/// The whole result in words and columns; ends with a line break.
pub fn result_text(table: &Table, learned: &Learned, truth: Option<&TruthReport>) -> String {
    let names = visible_names(&table.names());
    let mut parts = vec![
        data_text(table, &learned.data, &learned.settings),
        work_text(learned),
        graph_text(learned, &names) + &agreement_text(learned, &names),
        class_text(learned, &names),
        ranking_text(learned, &names),
    ];
    parts.extend(truth.map(truth_text));
    parts.join("\n")
}

/// What was read: rows, and every column with its kind.
pub(super) fn data_text(table: &Table, data: &Quantised, settings: &Settings) -> String {
    let path = table.source().map_or("table", |source| &source.path);
    let order = match settings.row_order {
        RowOrder::Shuffled => format!("row order drawn from seed {}", settings.seed),
        RowOrder::Given => "rows in the order of the file".to_string(),
    };
    let mut text = format!("{path}: {} rows, {} variables; {order}\n", count(table.n_rows()), table.n_vars());
    let names = visible_names(&table.names());
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (node, variable) in table.variables().iter().enumerate() {
        let _ = writeln!(text, "  {:width$}  {}", names[node], column_text(variable, data, node));
    }
    if table.variables().iter().any(|variable| variable.kind() == Kind::Continuous) {
        text += match settings.inputs {
            Inputs::Quantised => {
                "  (numbers are coded by their bins: all that follows holds for the binned table)\n"
            }
            Inputs::Raw => "  (numbers are coded by their bins, and seen as they are by their children)\n",
        };
    }
    table.warnings().iter().for_each(|warning| text.push_str(&format!("warning: {warning}\n")));
    text
}

fn column_text(variable: &Variable, data: &Quantised, node: usize) -> String {
    let column = data.column(node);
    let mut text = match variable.kind() {
        Kind::Categorical => format!("categorical, {}", plural(column.n_levels, "level")),
        Kind::Continuous => format!("continuous, {}", plural(column.n_levels, "bin")),
    };
    if column.n_missing > 0 {
        let _ = write!(text, ", {} missing", count(column.n_missing));
    }
    let n_set = column.codes.len() - column.n_rows_used() - column.n_missing;
    if variable.intervened.is_some() && n_set > 0 {
        let _ = write!(text, ", set by intervention in {} rows", count(n_set));
    }
    text
}

fn work_text(learned: &Learned) -> String {
    let settings = &learned.settings;
    let of_scored = if learned.partial.is_some() { " of scored families" } else { "" };
    let n_visited = count(learned.answer.found.n_visited.unwrap_or(0));
    let search = match (settings.search, learned.answer.found.n_graphs) {
        (Search::Exhaustive, Some(n_graphs)) => {
            format!("exhaustive: all {} allowed graphs{of_scored} were ranked", count(n_graphs))
        }
        (Search::HillClimb, _) => {
            format!("hill-climb: the best of {n_visited} graphs looked at, not proven to be the best of all")
        }
        (Search::Order, _) => {
            format!("order: the best of {n_visited} graphs looked at, not proven to be the best of all")
        }
        _ => format!("exact: no allowed graph{of_scored} has a shorter code"),
    };
    format!(
        "{}Scored {} families{} of at most {}{} ({}).\nSearch {search}.\n",
        learned.partial.as_ref().map(partial_text).unwrap_or_default(),
        count(learned.cost.n_families),
        reused_text(learned),
        plural(settings.max_parents.unwrap_or(0), "parent"),
        settings.max_configurations.map_or_else(String::new, |limit| {
            format!(" and {} of their values", plural(limit, "combination"))
        }),
        estimator_text(settings),
    )
}

/// How many families were not scored anew, where code lengths are kept.
fn reused_text(learned: &Learned) -> String {
    match &learned.settings.store {
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

/// What predicted the families.
pub(super) fn estimator_text(settings: &Settings) -> String {
    let mut text = settings.estimator.to_string();
    if settings.estimator == Estimator::Counts {
        let _ = match settings.prior {
            Prior::Alpha(alpha) => write!(text, ", alpha {alpha}"),
            Prior::SampleSize(size) => write!(text, ", equivalent sample size {size}"),
        };
    }
    if settings.estimator.has_networks() {
        let _ = write!(text, ", {} a family", plural(settings.n_nets(), "network"));
        if settings.schedule == Schedule::Blockwise {
            let splits = plural(settings.blockwise.n_splits, "split point");
            let _ = write!(text, ", trained from scratch at {splits}");
        }
    }
    if settings.n_orders() > 1 {
        let what = match settings.row_order {
            RowOrder::Shuffled => "row orders",
            RowOrder::Given => "repeats in the same row order",
        };
        let _ = write!(text, ", {} {what}", settings.n_orders());
    }
    text
}

fn graph_text(learned: &Learned, names: &[String]) -> String {
    let dag = &learned.answer.dag;
    let mut text = format!(
        "Best graph: {}, {} nats ({:.4} per row)\n",
        plural(dag.n_edges(), "edge"),
        nats(learned.answer.code_length),
        learned.answer.code_length.0 / learned.data.n_rows() as f64
    );
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 7;
    let columns = match learned.tempered.is_some() || has_spreads(learned) {
        true => "probability  tempered          removal costs         reversal costs",
        false => "probability  removal costs  reversal costs",
    };
    let _ = writeln!(text, "{:width$}  {columns}", "");
    for node in dag.topological_order() {
        let _ = writeln!(text, "  {}", names[node]);
        for edge in learned.answer.evidence.iter().filter(|edge| edge.to == node) {
            let line = edge_text(learned, edge);
            let _ = writeln!(text, "{:width$}  {line}", format!("    <- {}", names[edge.from]));
        }
    }
    if let Some(reason) = &learned.answer.no_posterior {
        let _ = writeln!(text, "  (no probabilities: {reason})");
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
        if learned.settings.estimator.has_networks() { "network" } else { "row order" },
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
    let line = format!(
        "{probability:>11}  {:>8}  {removal:>11} {:<9}  {reversal:>11} {:<9}",
        shown(tempered),
        spread(edge.removal_spread),
        spread(edge.reversal_spread)
    );
    line.trim_end().to_string()
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

fn ranking_text(learned: &Learned, names: &[String]) -> String {
    if learned.answer.ranking.len() < 2 {
        let is_exact = learned.answer.found.is_proven && learned.answer.found.n_graphs.is_none();
        let reason = if is_exact && names.len() > MAX_K_BEST {
            format!("looked for with up to {MAX_K_BEST} variables only")
        } else if learned.answer.found.n_graphs == Some(1) || learned.settings.top > 1 {
            "no other graph is allowed".to_string()
        } else {
            "not asked for (`--top`)".to_string()
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
        let _ = writeln!(text, "  {:>2}. {excess:>9}  {}", rank + 1, difference(&answer.dag, dag, names));
    }
    text
}

/// What changes from one graph to another, in words.
pub fn difference(from: &Dag, to: &Dag, names: &[String]) -> String {
    let edge = |&(a, b): &(usize, usize)| format!("{} -> {}", names[a], names[b]);
    let list =
        |verb: &str, edges: Vec<String>| (!edges.is_empty()).then(|| format!("{verb} {}", edges.join(", ")));
    let reversed = from.edges().iter().filter(|&&(a, b)| to.has_edge(b, a)).map(edge).collect();
    let removed = from.edges().iter().filter(|&&(a, b)| !to.adjacent(a, b)).map(edge).collect();
    let added = to.edges().iter().filter(|&&(a, b)| !from.adjacent(a, b)).map(edge).collect();
    let parts = [list("reverses", reversed), list("drops", removed), list("adds", added)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_each_changed_edge_once() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let from = Dag::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let to = Dag::from_edges(3, [(1, 0), (0, 2)]).unwrap();
        assert_eq!(difference(&from, &to, &names), "reverses a -> b; drops b -> c; adds a -> c");
    }
}
