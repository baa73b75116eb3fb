//! What a search of given code lengths found, in words and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::json::pairs_json;
use super::text::difference;
use crate::nats::Nats;
use crate::search_scores::Searched;
use crate::words::{count, nats, plural, visible_names};

/// In words; ends with a line break.
pub fn searched_text(searched: &Searched) -> String {
    let names = &visible_names(&searched.names);
    let found = match (searched.found.n_graphs, searched.found.n_visited) {
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
        plural(searched.dag.n_edges(), "edge"),
        nats(searched.code_length)
    );
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 7;
    let _ = writeln!(text, "{:width$}  probability  removal costs  reversal costs", "");
    let cost = |cost: Option<Nats>| cost.map_or("unknown".to_string(), |cost| format!("{cost:+}"));
    for node in searched.dag.topological_order() {
        let _ = writeln!(text, "  {}", names[node]);
        for edge in searched.evidence.iter().filter(|edge| edge.to == node) {
            let probability = searched.edge_probability(edge.from, edge.to);
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
    if searched.ranking.len() > 1 {
        text += "\nRunners-up (excess in nats over the best graph)\n";
    }
    for (rank, (dag, length)) in searched.ranking.iter().enumerate().skip(1) {
        let excess = format!("{:+}", searched.excess(*length));
        let _ = writeln!(text, "  {:>2}. {excess:>9}  {}", rank + 1, difference(&searched.dag, dag, names));
    }
    text
}

/// As one object, with the fields of a result that make sense without a table.
pub fn searched_json(searched: &Searched) -> Value {
    let names = &searched.names;
    let edges: Vec<Value> = searched
        .evidence
        .iter()
        .map(|edge| {
            json!({
                "from": names[edge.from], "to": names[edge.to],
                "probability": searched.edge_probability(edge.from, edge.to),
                "removal_nats": edge.removal, "reversal_nats": edge.reversal,
            })
        })
        .collect();
    let ranking = searched.ranking.iter().map(|(dag, length)| {
        json!({
            "edges": pairs_json(&dag.edges(), names),
            "code_length_nats": length,
            "excess_nats": searched.excess(*length),
        })
    });
    let ranking: Vec<Value> = ranking.collect();
    json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "variables": names,
        "families": searched.n_families,
        "search": {
            "method": searched.settings.search,
            "proven": searched.found.is_proven,
            "graphs": searched.found.n_graphs,
            "visited": searched.found.n_visited,
        },
        "dag": { "edges": edges, "code_length_nats": searched.code_length },
        "cpdag": {
            "directed": pairs_json(&searched.cpdag.directed(), names),
            "undirected": pairs_json(&searched.cpdag.undirected(), names),
        },
        "ranking": ranking,
    })
}
