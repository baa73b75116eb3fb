//! What was read, for a reader.

use std::fmt::Write;

use super::super::settings::{numbers_words, row_order_words};
use super::super::view::ViewOptions;
use crate::base::format::{count, plural, visible_names};
use crate::run::Plan;
use crate::table::{Kind, Table, Variable};

/// What was read: rows, and every column with its kind.
pub(super) fn data_text(table: &Table, plan: &Plan, view: &ViewOptions) -> String {
    let path = table.source().map_or("table", |source| &source.path);
    let order = row_order_words(plan);
    let contexts = match plan.context_names().len() {
        0 => String::new(),
        n_contexts => format!(", {}", plural(n_contexts, "context")),
    };
    let n_vars = plan.names().len();
    let mut text = format!("{path}: {} rows, {n_vars} variables{contexts}; {order}\n", count(table.n_rows()));
    let columns = plan.columns(table);
    let names = visible_names(&columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>());
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (place, variable) in columns.into_iter().enumerate() {
        let context = if place < n_vars { "" } else { "context, " };
        let _ = writeln!(text, "  {:width$}  {context}{}", names[place], column_text(variable, plan, place));
    }
    if table.variables().iter().any(|variable| variable.kind() == Kind::Continuous) {
        let _ = writeln!(text, "  ({})", numbers_words(plan));
    }
    for note in view.notes(table) {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in view.warnings(table, plan) {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}

fn column_text(variable: &Variable, plan: &Plan, node: usize) -> String {
    let column = plan.data.column(node);
    let mut text = match variable.kind() {
        Kind::Categorical => format!("categorical, {}", plural(column.n_levels, "level")),
        Kind::Continuous if plan.bins_numbers() => {
            format!("continuous, {}", plural(column.n_levels, "bin"))
        }
        Kind::Continuous => "continuous".to_string(),
    };
    if column.n_missing > 0 {
        let _ = write!(text, ", {} missing", count(column.n_missing));
    }
    let n_set = column.codes.len() - column.n_rows_used() - column.n_missing;
    if variable.intervened.is_some() && n_set > 0 {
        let _ = write!(text, ", set by intervention in {} rows", count(n_set));
    }
    text
}
