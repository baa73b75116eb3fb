//! What a run will do and take, for a reader.

use std::fmt::Write;

use super::text::{data_text, estimator_text};
use crate::base::format::{bytes, count, duration, plural};
use crate::base::observer::Estimate;
use crate::run::plan::Plan;
use crate::run::selection::Wanted;
use crate::run::settings::Search;
use crate::table::Table;

/// The plan of a run of `learn`: what is read, what will be scored and searched, and what that will take. Ends with a line break.
pub fn plan_text(table: &Table, plan: &Plan, estimate: &Estimate) -> String {
    let more = if estimate.is_least { " to begin with" } else { "" };
    let max_parents = plural(plan.constraints.max_parents(), "parent");
    let families = format!("{}{more}, at most {max_parents}", families(estimate));
    let mut text =
        lines(table, plan, estimate, &[("Families", families), ("Search", search_text(plan).to_string())]);
    let n_vars = plan.constraints.n_vars();
    if plan.settings.search == Search::Exact && n_vars >= LONG_SEARCH {
        let limit = bytes(plan.settings.limits.memory as f64);
        let _ = writeln!(
            text,
            "{:11}search and edge probabilities of {n_vars} variables come on top: seconds to minutes, and up to {limit}",
            ""
        );
    }
    text
}

/// From so many variables on, exact search and edge probabilities take time and memory worth mentioning.
const LONG_SEARCH: usize = 15;

/// The same for a run of `score`, in which nothing is searched.
pub fn score_plan_text(table: &Table, plan: &Plan, estimate: &Estimate, wanted: Wanted) -> String {
    let max_parents = plural(plan.constraints.max_parents(), "parent");
    let which = match wanted {
        Wanted::All => format!("at most {max_parents}"),
        Wanted::Graph(_) => "those of the graph".to_string(),
        Wanted::Shard(shard) => format!("part {shard} of those with at most {max_parents}"),
    };
    lines(table, plan, estimate, &[("Families", format!("{}, {which}", families(estimate)))])
}

fn lines(table: &Table, plan: &Plan, estimate: &Estimate, work: &[(&str, String)]) -> String {
    let mut text = data_text(table, &plan.data, &plan.settings) + "\n";
    let (more, these) = if estimate.is_least { (" to begin with", "for these ") } else { ("", "") };
    let most = if estimate.is_most { "at most " } else { "" };
    let threads = plural(estimate.n_threads, "thread");
    let time = format!("{most}{} {these}on {threads}, from a short trial", duration(estimate.seconds));
    let mut line = |what: &str, value: &str| {
        let _ = writeln!(text, "{what:11}{value}");
    };
    line("Estimator", &estimator_text(&plan.settings));
    work.iter().for_each(|(what, value)| line(what, value));
    line("Time", &time);
    line("Memory", &format!("{}{more}", bytes(estimate.memory)));
    text
}

/// What is to be scored and how long that will take, in one line.
pub fn estimate_text(estimate: &Estimate) -> String {
    let more = if estimate.is_least { ", to begin with" } else { "" };
    format!(
        "{} to score: {} {} on {}, {} of memory{more}",
        families(estimate),
        if estimate.is_most { "at most" } else { "about" },
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
