//! What a run will do and take, for a reader.

use std::fmt::Write;

use super::text::{data_text, estimator_text};
use crate::observer::Estimate;
use crate::plan::Plan;
use crate::settings::Search;
use crate::table::Table;
use crate::words::{bytes, count, duration, plural};

/// The plan of a run: what is read, what will be scored and searched, and what that will take. Ends with a line break.
pub fn plan_text(table: &Table, plan: &Plan, estimate: &Estimate) -> String {
    let mut text = data_text(table, &plan.data, &plan.settings) + "\n";
    let mut line = |what: &str, value: String| {
        let _ = writeln!(text, "{what:11}{value}");
    };
    let more = if estimate.is_least { " to begin with" } else { "" };
    let max_parents = plural(plan.constraints.max_parents(), "parent");
    let threads = plural(estimate.n_threads, "thread");
    let these = if estimate.is_least { "for these " } else { "" };
    line("Estimator", estimator_text(&plan.settings));
    line("Families", format!("{}{more}, at most {max_parents}", families(estimate)));
    line("Search", search_text(plan).to_string());
    line("Time", format!("{} {these}on {threads}, from a short trial", duration(estimate.seconds)));
    line("Memory", format!("{}{more}", bytes(estimate.memory)));
    text
}

/// What is to be scored and how long that will take, in one line.
pub fn estimate_text(estimate: &Estimate) -> String {
    let more = if estimate.is_least { ", to begin with" } else { "" };
    format!(
        "{} to score: about {} on {}, {} of memory{more}",
        families(estimate),
        duration(estimate.seconds),
        plural(estimate.n_threads, "thread"),
        bytes(estimate.memory),
    )
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

fn search_text(plan: &Plan) -> &'static str {
    match plan.settings.search {
        Search::Exhaustive => "exhaustive, every allowed graph is ranked",
        Search::Exact | Search::Auto => "exact, a proven optimum",
        Search::HillClimb => "hill-climb, which scores families as it needs them and proves nothing",
        Search::Order => "order, which scores families as it needs them and proves nothing",
    }
}
