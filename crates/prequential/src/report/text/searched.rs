//! What a search of given code lengths found, for a reader.

use std::fmt::Write;

use super::learned::runners_up_text;
use crate::base::format::{count, nats, plural, visible_names};
use crate::base::nats::Nats;
use crate::run::{Answer, Searched};
use crate::search::SearchReport;

impl Searched {
    /// What was found in words and columns; ends with a line break.
    pub fn to_text(&self) -> String {
        let names = &visible_names(&self.names);
        let mut text = format!(
            "{} variables, {} families. Search: {}.\n\nBest graph: {}, {} nats\n",
            names.len(),
            count(self.n_families),
            found_text(&self.answer.found),
            plural(self.answer.dag.n_edges(), "edge"),
            nats(self.answer.code_length)
        );
        text += &edges_text(&self.answer, names);
        if self.answer.ranking.len() > 1 {
            text += &format!("\n{}", runners_up_text(&self.answer, names));
        }
        text
    }
}

fn found_text(found: &SearchReport) -> String {
    match (found.n_graphs, found.n_visited) {
        (Some(n_graphs), _) => format!("all {} graphs of these families were ranked", count(n_graphs)),
        (_, Some(n_visited)) => {
            let stopped = if found.is_stopped { "stopped, " } else { "" };
            format!(
                "{stopped}the best of {} graphs looked at, not proven to be the best of all",
                count(n_visited)
            )
        }
        _ => "no graph of these families has a shorter code".to_string(),
    }
}

/// Every variable with its parents and what speaks for each.
fn edges_text(answer: &Answer, names: &[String]) -> String {
    let mut text = String::new();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) + 7;
    let _ = writeln!(text, "{:width$}  probability  removal costs  reversal costs", "");
    let cost = |cost: Option<Nats>| cost.map_or("unknown".to_string(), |cost| format!("{cost:+}"));
    for node in answer.dag.topological_order() {
        let _ = writeln!(text, "  {}", names[node]);
        for edge in answer.evidence.iter().filter(|edge| edge.to == node) {
            let probability = answer.edge_probability(edge.from, edge.to);
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
    text
}
