//! What a run will do and take, for a reader.

use std::fmt::Write;

use super::super::settings::{estimator_words, long_search_words};
use super::super::view::ViewOptions;
use super::data::data_text;
use crate::base::format::{bytes, count, duration, plural};
use crate::base::observer::Estimate;
use crate::run::{FamilySelection, Plan};
use crate::table::Table;

impl Plan {
    /// The plan of a run of `learn`: what is read, what will be scored and searched, and what that will take. Ends with a line break.
    pub fn to_text(&self, table: &Table, estimate: &Estimate, view: &ViewOptions) -> String {
        let more = if estimate.is_least { " to begin with" } else { "" };
        let max_parents = plural(self.constraints.max_parents(), "parent");
        let families = format!("{}{more}, at most {max_parents}", families(estimate));
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
        let more = if self.is_least { ", to begin with" } else { "" };
        format!(
            "{} to score: {} {} on {}, {} of memory{more}",
            families(self),
            if self.is_most { "at most" } else { "about" },
            duration(self.seconds),
            plural(self.n_threads, "thread"),
            bytes(self.memory),
        )
    }
}

/// The estimator, then `work`, then what that takes, a line each.
fn work_text(plan: &Plan, estimate: &Estimate, work: &[(&str, String)]) -> String {
    let mut text = "\n".to_string();
    let (more, these) = if estimate.is_least { (" to begin with", "for these ") } else { ("", "") };
    let most = if estimate.is_most { "at most " } else { "" };
    let threads = plural(estimate.n_threads, "thread");
    let time = format!("{most}{} {these}on {threads}, from a short trial", duration(estimate.seconds));
    let mut line = |what: &str, value: &str| {
        let _ = writeln!(text, "{what:11}{value}");
    };
    line("Estimator", &estimator_words(plan));
    work.iter().for_each(|(what, value)| line(what, value));
    line("Time", &time);
    line("Memory", &format!("{}{more}", bytes(estimate.memory)));
    text
}

fn families(estimate: &Estimate) -> String {
    let networks = match estimate.n_networks {
        0 => String::new(),
        n_networks => format!(" ({})", plural(n_networks, "network")),
    };
    match estimate.n_families {
        1 => format!("1 family{networks}"),
        n_families => format!("{} families{networks}", count(n_families)),
    }
}
