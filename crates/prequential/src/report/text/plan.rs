//! What a run will do and take, for a reader.

use std::fmt::Write;

use super::super::settings::{estimator_words, long_search_words};
use super::super::view::ViewOptions;
use super::data::data_text;
use crate::base::format::{bytes, count, duration, plural};
use crate::base::observer::{Estimate, Span, Stage, StageEstimate};
use crate::run::{FamilySelection, Plan};
use crate::table::Table;

impl Plan {
    /// The plan of a run of `learn`: what is read, what will be scored and searched, and what that will take. Ends with a line break.
    pub fn to_text(&self, table: &Table, estimate: &Estimate, view: &ViewOptions) -> String {
        let max_parents = plural(self.constraints.max_parents(), "parent");
        let families = format!("{}, at most {max_parents}", families(estimate));
        let search = self.search.plan_in_words();
        let mut text = data_text(table, self, view);
        text += &work_text(self, estimate, &[("Families", families), ("Search", search)]);
        if let Some(more) = long_search_words(self) {
            let _ = writeln!(text, "{:11}{more}", "");
        }
        text
    }

    /// The same for a run of `score`, in which nothing is searched.
    pub fn score_to_text(
        &self,
        table: &Table,
        estimate: &Estimate,
        selection: FamilySelection,
        view: &ViewOptions,
    ) -> String {
        let max_parents = plural(self.scored.max_parents(), "parent");
        let which = match selection {
            FamilySelection::All => format!("at most {max_parents}"),
            FamilySelection::Graph(_) => "those of the graph".to_string(),
            FamilySelection::Families(_) => "those that were named".to_string(),
            FamilySelection::Shard(shard) => format!("part {shard} of those with at most {max_parents}"),
        };
        let families = format!("{}, {which}", families(estimate));
        data_text(table, self, view) + &work_text(self, estimate, &[("Families", families)])
    }
}

impl Estimate {
    /// What is to be scored and how long that will take, in one line without its end.
    pub fn to_text(&self) -> String {
        let stages = self.stages.iter().filter(|stage| stage.cpu_seconds.most >= MIN_STAGE);
        let stages: Vec<String> = stages.map(|stage| self.stage_words(stage)).collect();
        let stages = if stages.len() > 1 { format!(" ({})", stages.join(", ")) } else { String::new() };
        format!(
            "{} to score: {} on {}{stages}, {} of memory",
            families(self),
            span(self.seconds(), duration),
            plural(self.n_threads, "thread"),
            bytes(self.memory),
        )
    }

    /// `networks 2 to 5 s`.
    fn stage_words(&self, stage: &StageEstimate) -> String {
        let seconds = stage.cpu_seconds * (1.0 / self.n_threads as f64);
        format!("{} {}", stage.stage.name(), span(seconds, duration))
    }
}

/// CPU seconds from which on a stage is worth a word.
const MIN_STAGE: f64 = 1.0;

/// The estimator, then `work`, then what that takes, a line each, and one for each stage.
fn work_text(plan: &Plan, estimate: &Estimate, work: &[(&str, String)]) -> String {
    let mut text = "\n".to_string();
    let mut line = |what: &str, value: &str| {
        let _ = writeln!(text, "{what:11}{value}");
    };
    line("Estimator", &estimator_words(plan));
    work.iter().for_each(|(what, value)| line(what, value));
    let threads = plural(estimate.n_threads, "thread");
    line("Time", &format!("{} on {threads}, from a short trial", span(estimate.seconds(), duration)));
    for stage in estimate.stages.iter().filter(|_| estimate.stages.len() > 1) {
        let n_families = match (stage.stage, stage.n_families.most) {
            (_, 0.0) => String::new(),
            (Stage::Networks, _) => format!(", for {}", span(stage.n_families, families_words)),
            _ => format!(", {}", span(stage.n_families, families_words)),
        };
        line("", &format!("{}{n_families}", estimate.stage_words(stage)));
    }
    line("Memory", &bytes(estimate.memory));
    text
}

fn families(estimate: &Estimate) -> String {
    let networks = match estimate.n_networks.most {
        0.0 => String::new(),
        _ => format!(" ({})", span(estimate.n_networks, |number| plural(number.round() as usize, "network"))),
    };
    format!("{}{networks}", span(estimate.n_families(), families_words))
}

fn families_words(number: f64) -> String {
    match number.round() as usize {
        1 => "1 family".to_string(),
        n_families => format!("{} families", count(n_families)),
    }
}

/// `3 min`, `2 to 5 s`, `40 s to 2 min`, `at most 2 h`; both ends in words of which the last is a unit.
fn span(span: Span, words: impl Fn(f64) -> String) -> String {
    let (least, most) = (words(span.least), words(span.most));
    let unit = most.rsplit_once(' ').map_or("", |(_, unit)| unit);
    match least.strip_suffix(unit) {
        _ if least == most => most,
        _ if span.least == 0.0 || least.starts_with("less") => format!("at most {most}"),
        Some(least) => format!("{least}to {most}"),
        None => format!("{least} to {most}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_name_their_unit_once() {
        let words = |least, most| span(Span { least, most }, duration);
        assert_eq!(words(2.0, 5.0), "2 to 5 s");
        assert_eq!(words(40.0, 120.0), "40 s to 2 min");
        assert_eq!(words(3.0, 3.1), "3 s");
        assert_eq!(
            (words(0.0, 7_200.0), words(0.2, 4.0)),
            ("at most 2 h 0 min".into(), "at most 4 s".into())
        );
        assert_eq!(span(Span { least: 1.0, most: 30.0 }, families_words), "1 family to 30 families");
        assert_eq!(span(Span { least: 12.0, most: 30.0 }, families_words), "12 to 30 families");
    }
}
