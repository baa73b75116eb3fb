//! What a search of given code lengths found, for a reader.

use super::learned::runners_up_text;
use super::links::Links;
use crate::base::format::{count, nats, plural, visible_names};
use crate::run::{Answer, Searched};

impl Searched {
    /// What was found in words and columns; ends with a line break.
    pub fn to_text(&self) -> String {
        let names = &visible_names(&self.names);
        let mut text = format!(
            "{} variables, {} families. Search: {}.\n\nBest graph: {}, {} nats\n",
            names.len(),
            count(self.n_families),
            found_text(&self.answer),
            plural(self.answer.dag.n_edges(), "edge"),
            nats(self.answer.code_length)
        );
        let (answer, probabilities, basis) =
            (&self.answer, self.answer.posterior.as_ref(), self.answer.basis());
        text += &Links { answer, names, probabilities, basis, unknown: "unknown", effects: &[] }.to_text();
        if self.answer.ranking.len() > 1 {
            text += &format!("\n{}", runners_up_text(&self.answer, names));
        }
        text
    }
}

/// How far the best graph may be from the shortest code, where that is known and not nothing.
pub(super) fn gap_text(answer: &Answer) -> String {
    let gap = answer.gap().filter(|_| !answer.found.is_proven);
    gap.map_or_else(String::new, |gap| format!(", a gap of {}", nats(gap)))
}

fn found_text(answer: &Answer) -> String {
    let found = &answer.found;
    if let Some(bound) = found.lower_bound.filter(|_| !found.is_proven) {
        let stopped = if found.is_stopped { "stopped, " } else { "gave up, " };
        let bound = nats(bound);
        return format!(
            "{stopped}not proven; no graph of these families has a code shorter than {bound} nats{}",
            gap_text(answer)
        );
    }
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
