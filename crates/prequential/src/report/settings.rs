//! All that views ask of the settings of a run; nothing else in this folder looks into an estimator or a search.

use serde::Serialize;
use serde_json::{Value, json};

use super::schema::Over;
use crate::base::format::{bytes, plural};
use crate::run::{Plan, RowOrder};
use crate::table::Inputs;

/// What differs from repeat to repeat, and how many repeats there are.
pub(super) fn repeats(plan: &Plan) -> (Over, usize) {
    let n_networks = plan.n_networks();
    let over = match (n_networks, plan.row_orders) {
        (0, _) => Over::RowOrders,
        (_, 1) => Over::Networks,
        _ => Over::Both,
    };
    (over, plan.row_orders * n_networks.max(1))
}

/// What predicts the families, in words.
pub(super) fn estimator_words(plan: &Plan) -> String {
    let what = match plan.row_order {
        RowOrder::Shuffled => "row orders",
        RowOrder::Given => "repeats in the same row order",
    };
    let orders = if plan.row_orders > 1 { format!(", {} {what}", plan.row_orders) } else { String::new() };
    plan.estimator.in_words() + &orders
}

/// Which families are scored, in words: ` and 8 combinations of their values` follows the number of parents.
pub(super) fn configurations_words(plan: &Plan) -> String {
    let words = |limit| format!(" and {} of their values", plural(limit, "combination"));
    plan.estimator.max_configurations().map_or_else(String::new, words)
}

/// In which order rows are coded, in words.
pub(super) fn row_order_words(plan: &Plan) -> String {
    match plan.row_order {
        RowOrder::Shuffled => format!("row order drawn from seed {}", plan.seed),
        RowOrder::Given => "rows in the order of the file".to_string(),
    }
}

/// How numbers are coded, in words.
pub(super) fn numbers_words(plan: &Plan) -> &'static str {
    match plan.quantisation.inputs {
        _ if !plan.bins_numbers() => "numbers are coded at the resolution at which they were written down",
        Inputs::Quantised => "numbers are coded by their bins: all that follows holds for the binned table",
        Inputs::Raw => "numbers are coded by their bins, and seen as they are by their children",
    }
}

/// From so many variables on, exact search and edge probabilities take time and memory worth mentioning.
const LONG_SEARCH: usize = 15;

/// What the search of so many variables will take besides scoring, in words, if that is much.
pub(super) fn long_search_words(plan: &Plan) -> Option<String> {
    let n_vars = plan.data.n_vars();
    let limit = bytes(plan.limits.memory as f64);
    (!plan.search.is_lazy() && n_vars >= LONG_SEARCH).then(|| {
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
