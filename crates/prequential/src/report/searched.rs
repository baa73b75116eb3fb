//! What a search of given code lengths found, in words and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::json::{cpdag_json, ranking_json, search_json};
use super::text::runners_up_text;
use crate::base::format::{count, nats, plural, visible_names};
use crate::base::nats::Nats;
use crate::run::search_scores::Searched;

/// In words; ends with a line break.
pub fn searched_text(searched: &Searched) -> String {
    let names = &visible_names(&searched.names);
    let found = match (searched.answer.found.n_graphs, searched.answer.found.n_visited) {
        (Some(n_graphs), _) => format!("all {} graphs of these families were ranked", count(n_graphs)),
        (_, Some(n_visited)) => {
            format!("the best of {} graphs looked at, not proven to be the best of all", count(n_visited))
        }
        _ => "no graph of these families has a shorter code".to_string(),
    };
    let mut text = format!(
        "{} variables, {} families. Search: {found}.\n\nBest graph: {}, {} nats\n",
        names.len(),
        count(searched.n_families),
        plural(searched.answer.dag.n_edges(), "edge"),
        nats(searched.answer.code_length)
    );
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 7;
    let _ = writeln!(text, "{:width$}  probability  removal costs  reversal costs", "");
    let cost = |cost: Option<Nats>| cost.map_or("unknown".to_string(), |cost| format!("{cost:+}"));
    for node in searched.answer.dag.topological_order() {
        let _ = writeln!(text, "  {}", names[node]);
        for edge in searched.answer.evidence.iter().filter(|edge| edge.to == node) {
            let probability = searched.answer.edge_probability(edge.from, edge.to);
            let probability = probability.map_or("-".to_string(), |probability| format!("{probability:.3}"));
            let _ = writeln!(
                text,
                "{:width$}  {probability:>11}  {:>13}  {:>14}",
                format!("    <- {}", names[edge.from]),
                if edge.is_required { "required".to_string() } else { cost(edge.removal) },
                cost(edge.reversal)
            );
        }
    }
    if searched.answer.ranking.len() > 1 {
        text += &format!("\n{}", runners_up_text(&searched.answer, names));
    }
    text
}

/// As one object, with the fields of a result that make sense without a table.
pub fn searched_json(searched: &Searched) -> Value {
    let names = &searched.names;
    let edges: Vec<Value> = searched
        .answer
        .evidence
        .iter()
        .map(|edge| {
            json!({
                "from": names[edge.from], "to": names[edge.to],
                "probability": searched.answer.edge_probability(edge.from, edge.to),
                "removal_nats": edge.removal, "reversal_nats": edge.reversal,
            })
        })
        .collect();
    json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "variables": names,
        "families": searched.n_families,
        "search": search_json(&searched.settings, &searched.answer, true),
        "dag": { "edges": edges, "code_length_nats": searched.answer.code_length },
        "cpdag": cpdag_json(&searched.answer, names),
        "ranking": ranking_json(&searched.answer, names),
    })
}
