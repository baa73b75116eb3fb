//! All that views ask of the settings of a run; nothing else in this folder looks into an estimator or a search.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::json::named_pairs;
use super::schema::{self, Choice, Over, Pair, Quantisation, pretty};
use crate::base::format::{bytes, count, plural};
use crate::estimator::{Estimator, Prior, Schedule};
use crate::graph::Dag;
use crate::run::result::SearchReport;
use crate::run::settings::{RowOrder, Search, Settings};
use crate::search::Statement;
use crate::table::Inputs;

impl Settings {
    /// Every setting that can change a result as JSON, as it stands in results; ends with a line break.
    ///
    /// `names` are those of the variables.
    pub fn to_json(&self, names: &[String]) -> String {
        pretty(&written(self, names))
    }
}

/// The settings as the schema has them.
pub(super) fn written(settings: &Settings, names: &[String]) -> schema::Settings {
    let knowledge = &settings.knowledge;
    schema::Settings {
        estimator: Choice { name: settings.estimator.to_string(), settings: of_estimator(settings) },
        search: Choice { name: search_name(settings), settings: of_search(settings) },
        quantisation: Quantisation {
            bins: settings.n_bins,
            binning: name_of(settings.binning),
            inputs: name_of(settings.inputs),
        },
        max_parents: settings.max_parents,
        seed: settings.seed,
        row_orders: settings.n_orders(),
        row_order: name_of(settings.row_order),
        require: edges(&knowledge.required),
        forbid: edges(&knowledge.forbidden),
        tiers: values(&knowledge.tiers),
        roots: values(&knowledge.roots),
        leaves: values(&knowledge.leaves),
        start: settings.start.as_ref().map(|start: &Dag| named_pairs(&start.edges(), names)),
        memory_limit_bytes: settings.limits.memory,
        top: settings.top,
    }
}

/// The settings that the estimator alone has.
fn of_estimator(settings: &Settings) -> Map<String, Value> {
    let model = settings.model();
    let (regressions, networks) = (model.estimator.has_regressions(), model.estimator.has_networks());
    let (alpha, ess) = match settings.prior {
        Prior::Alpha(alpha) => (Some(alpha), None),
        Prior::SampleSize(size) => (None, Some(size)),
    };
    let network = || match model.schedule {
        Schedule::Replay => json!(model.replay),
        Schedule::Blockwise => json!(model.blockwise),
    };
    known([
        ("alpha", json!(alpha)),
        ("ess", json!(ess)),
        ("max_configurations", json!(settings.max_configurations)),
        ("fourier", json!(regressions.then_some(&model.fourier))),
        ("networks", json!(networks.then_some(model.n_nets))),
        ("schedule", json!(networks.then_some(model.schedule))),
        ("network", json!(networks.then(network))),
    ])
}

/// The settings that the search alone has.
fn of_search(settings: &Settings) -> Map<String, Value> {
    let is_lazy = settings.search.is_lazy();
    known([
        ("restarts", json!(is_lazy.then_some(settings.restarts))),
        ("tabu", json!(is_lazy.then_some(settings.tabu))),
    ])
}

/// The search by name.
pub(super) fn search_name(settings: &Settings) -> String {
    name_of(settings.search)
}

/// What differs from repeat to repeat, and how many repeats there are.
pub(super) fn repeats(settings: &Settings) -> (Over, usize) {
    match settings.estimator.has_networks() {
        true => (Over::Networks, settings.n_nets()),
        false => (Over::RowOrders, settings.n_orders()),
    }
}

/// What predicts the families, in words.
pub(super) fn estimator_words(settings: &Settings) -> String {
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

/// Which families are scored, in words: ` and 8 combinations of their values` follows the number of parents.
pub(super) fn configurations_words(settings: &Settings) -> String {
    let words = |limit| format!(" and {} of their values", plural(limit, "combination"));
    settings.max_configurations.map_or_else(String::new, words)
}

/// In which order rows are coded, in words.
pub(super) fn row_order_words(settings: &Settings) -> String {
    match settings.row_order {
        RowOrder::Shuffled => format!("row order drawn from seed {}", settings.seed),
        RowOrder::Given => "rows in the order of the file".to_string(),
    }
}

/// How numbers are coded, in words.
pub(super) fn numbers_words(settings: &Settings) -> &'static str {
    match settings.inputs {
        Inputs::Quantised => "numbers are coded by their bins: all that follows holds for the binned table",
        Inputs::Raw => "numbers are coded by their bins, and seen as they are by their children",
    }
}

/// What the search did, in words.
pub(super) fn search_words(settings: &Settings, found: &SearchReport, is_partial: bool) -> String {
    let of_scored = if is_partial { " of scored families" } else { "" };
    let looked_at = count(found.n_visited.unwrap_or(0));
    match (settings.search, found.n_graphs) {
        (Search::Exhaustive, Some(n_graphs)) => {
            format!("exhaustive: all {} allowed graphs{of_scored} were ranked", count(n_graphs))
        }
        (search @ (Search::HillClimb | Search::Order), _) => {
            format!(
                "{}: the best of {looked_at} graphs looked at, not proven to be the best of all",
                name_of(search)
            )
        }
        _ => format!("exact: no allowed graph{of_scored} has a shorter code"),
    }
}

/// What the search will do, in words.
pub(super) fn planned_search_words(settings: &Settings) -> &'static str {
    match settings.search {
        Search::Exhaustive => "exhaustive, every allowed graph is ranked",
        Search::Exact | Search::Auto => "exact, a proven optimum",
        Search::HillClimb => "hill-climb, which scores families as it needs them and proves nothing",
        Search::Order => "order, which scores families as it needs them and proves nothing",
    }
}

/// From so many variables on, exact search and edge probabilities take time and memory worth mentioning.
const LONG_SEARCH: usize = 15;

/// What the search of so many variables will take besides scoring, in words, if that is much.
pub(super) fn long_search_words(settings: &Settings, n_vars: usize) -> Option<String> {
    let limit = bytes(settings.limits.memory as f64);
    (settings.search == Search::Exact && n_vars >= LONG_SEARCH).then(|| {
        format!(
            "search and edge probabilities of {n_vars} variables come on top: seconds to minutes, and up to {limit}"
        )
    })
}

/// The name under which a choice is written.
pub(super) fn name_of(choice: impl Serialize) -> String {
    match json!(choice) {
        Value::String(name) => name,
        other => panic!("a choice without settings is written as its name, not as {other}"),
    }
}

/// The settings that say something, by name.
fn known<const N: usize>(settings: [(&str, Value); N]) -> Map<String, Value> {
    let said = settings.into_iter().filter(|(_, value)| !value.is_null());
    said.map(|(name, value)| (name.to_string(), value)).collect()
}

fn edges(statements: &[Statement<(String, String)>]) -> Vec<Pair> {
    values(statements).into_iter().map(|(from, to)| Pair(from, to)).collect()
}

fn values<T: Clone>(statements: &[Statement<T>]) -> Vec<T> {
    statements.iter().map(|statement| statement.value.clone()).collect()
}
