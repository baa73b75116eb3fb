//! What a run will do and take, as a document.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::document::{Document, DocumentKind, TableSection, this_version};
use super::options::DocumentOptions;
use super::text::table_text;
use super::words::{estimator_in_words, long_search_in_words};
use crate::base::format::{bytes, count, duration, plural};
use crate::base::observer::{Estimate, Span, Stage, StageEstimate};
use crate::run::{FamilySelection, Plan, ResolvedSettings};
use crate::search::Constraints;

/// The parts of a result that are known beforehand, and the estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanDocument {
    version: String,
    data: TableSection,
    settings: ResolvedSettings,
    estimator_in_words: String,
    /// Which families are scored.
    families_in_words: String,
    /// How they are searched, if they are.
    search_in_words: Vec<String>,
    estimate: EstimateSection,
}

impl Document for PlanDocument {
    const KIND: DocumentKind = DocumentKind::Plan;
}

/// What the run will take, from a short trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct EstimateSection {
    stages: Vec<StageEstimate>,
    /// Of all stages, families that get networks counted once.
    families: Span,
    /// Training runs of networks.
    training_runs: Span,
    cpu_seconds: Span,
    /// On the clock, if nobody else uses the cores.
    wall_seconds: Span,
    threads: usize,
    memory_bytes: f64,
}

impl Plan {
    /// The plan of a run of `learn`: what is read, what will be scored and searched, and what that will take.
    pub fn document(&self, estimate: &Estimate, options: &DocumentOptions) -> PlanDocument {
        let families = format!("at most {}", plural(self.constraints.max_parents(), "parent"));
        let search = search_in_words(self.search.description().name, self.search.description().summary);
        let search = std::iter::once(search).chain(long_search_in_words(self)).collect();
        self.planned(&self.constraints, estimate, (families, search), options)
    }

    /// The plan of a run of `score`, in which nothing is searched.
    pub fn score_document(
        &self,
        estimate: &Estimate,
        selection: FamilySelection,
        options: &DocumentOptions,
    ) -> PlanDocument {
        let max_parents = plural(self.scored.max_parents(), "parent");
        let families = match selection {
            FamilySelection::All => format!("at most {max_parents}"),
            FamilySelection::Graph(_) => "those of the graph".to_string(),
            FamilySelection::Families(_) => "those that were named".to_string(),
            FamilySelection::Shard(shard) => format!("part {shard} of those with at most {max_parents}"),
        };
        self.planned(&self.scored, estimate, (families, Vec::new()), options)
    }

    fn planned(
        &self,
        constraints: &Constraints,
        estimate: &Estimate,
        (families_in_words, search_in_words): (String, Vec<String>),
        options: &DocumentOptions,
    ) -> PlanDocument {
        PlanDocument {
            version: this_version(),
            data: TableSection::new(self, options),
            settings: self.resolved(constraints),
            estimator_in_words: self.estimator.in_words(),
            families_in_words,
            search_in_words,
            estimate: EstimateSection {
                stages: estimate.stages.clone(),
                families: estimate.n_families(),
                training_runs: estimate.n_networks,
                cpu_seconds: estimate.cpu_seconds(),
                wall_seconds: estimate.seconds(),
                threads: estimate.n_threads,
                memory_bytes: estimate.memory,
            },
        }
    }
}

impl PlanDocument {
    /// The plan and the estimate as JSON, with the keys of a result that are known beforehand. Ends with a line break.
    pub fn to_json(&self) -> String {
        self.write()
    }

    /// The plan in words and columns. Ends with a line break.
    pub fn to_text(&self) -> String {
        let EstimateSection { stages, training_runs, threads, memory_bytes, .. } = &self.estimate;
        let (stages, n_networks) = (stages.clone(), *training_runs);
        let estimate = Estimate { stages, n_networks, memory: *memory_bytes, n_threads: *threads };
        let mut text = table_text(&self.data, &self.settings, &[]) + "\n";
        let mut line = |what: &str, value: &str| {
            let _ = writeln!(text, "{what:11}{value}");
        };
        line("Estimator", &estimator_in_words(&self.estimator_in_words, &self.settings));
        line("Families", &format!("{}, {}", families(&estimate), self.families_in_words));
        for (place, words) in self.search_in_words.iter().enumerate() {
            line(if place == 0 { "Search" } else { "" }, words);
        }
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

/// A search by its name, and what it does in a line.
fn search_in_words(name: &str, summary: &str) -> String {
    let (first, rest) = summary.split_at(1);
    format!("{name} ({}{rest})", first.to_lowercase())
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
