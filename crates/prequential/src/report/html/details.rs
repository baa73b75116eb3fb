//! The parts of the page that say how the result came about: data, settings, cost.

use serde_json::{Value, json};

use super::super::document::VariableEntry;
use super::super::words::numbers_in_words;
use super::markup::{
    Element, Heading, cell, definitions, name, number_cell, numbers, paragraph, table, words,
};
use super::sections::section;
use super::view::Page;
use crate::base::format::{count, nats};
use crate::base::nats::Nats;
use crate::table::Kind;

pub(super) fn data(page: &Page) -> Element {
    let data = &page.result.data;
    let variables = &data.variables;
    let has_missing = variables.iter().any(|variable| variable.missing > 0);
    let has_set = variables.iter().any(|variable| variable.intervened > 0);
    let row = |variable: &VariableEntry| {
        let number = |value: usize| number_cell(Some(count(value)));
        let kind = match variable.kind {
            Kind::Categorical => "categorical",
            Kind::Continuous => "continuous",
        };
        let row = Element::new("tr").child(cell(name(&variable.name)));
        let row = row.child(cell(Element::new("span").text(kind)));
        row.child(number_cell(variable.bins.map(count)))
            .child(number(variable.rows_used))
            .children(has_missing.then(|| number(variable.missing)))
            .children(has_set.then(|| number(variable.intervened)))
    };
    let rows = variables.iter().map(row).collect();
    let mut headings: Vec<Heading> =
        vec![words("variable"), words("kind"), numbers("bins or levels"), numbers("rows coded")];
    headings.extend(has_missing.then(|| numbers("missing")));
    headings.extend(has_set.then(|| numbers("set by intervention")));
    let mut items = vec![(
        "file".to_string(),
        Element::new("span").text(data.path.as_deref().unwrap_or("not from a file")),
    )];
    items.extend(data.sha256.iter().map(|hash| ("SHA-256".to_string(), Element::new("code").text(hash))));
    items.extend(data.options.iter().flat_map(|options| shown_settings(&json!(options))));
    let notes = data.notes.iter().map(|note| paragraph(note).class("note"));
    let warnings = data.warnings.iter().map(|warning| {
        Element::new("p").class("warning").child(Element::new("b").text("Warning: ")).text(warning)
    });
    let numbers_note = variables.iter().any(|variable| variable.kind == Kind::Continuous).then(|| {
        let (first, rest) = numbers_in_words(&page.result.settings).split_at(1);
        let note = format!("{}{rest}.", first.to_uppercase());
        paragraph(&note).class("note")
    });
    let command = page.result.cost.command.as_ref().map(|command| {
        let code = Element::new("code").id("command").text(command);
        Element::new("p").class("command").text("The run: ").child(code)
    });
    section("data", "The data as read")
        .children(command)
        .child(table("Variables", &headings, rows))
        .children(numbers_note)
        .children(notes)
        .children(warnings)
        .child(definitions(items))
}

pub(super) fn settings(page: &Page) -> Element {
    let count = format!("{} families were scored. ", count(page.result.cost.cost.n_families));
    let words: Vec<&str> = page.result.shortcuts.in_words().collect();
    let shortcuts = (!words.is_empty()).then(|| paragraph(&(count + &words.join(" "))).class("note"));
    section("settings", "Settings")
        .children(shortcuts)
        .child(definitions(shown_settings(&json!(page.result.settings))))
}

pub(super) fn cost(page: &Page) -> Element {
    let made_by = format!("prequential {}", page.result.version);
    let mut items = vec![("made by".to_string(), Element::new("span").text(&made_by))];
    let cost = &page.result.cost;
    let code_length = page.result.dag.code_length_nats;
    let per_row = code_length / page.result.data.rows.max(1) as f64;
    let lengths = [("nats in all", nats(Nats(code_length))), ("nats a row", format!("{per_row:.4}"))];
    items.extend(lengths.map(|(label, value)| (label.to_string(), Element::new("span").text(&value))));
    items.extend(
        shown_settings(&json!(cost))
            .into_iter()
            .filter(|(key, _)| !key.ends_with("seconds") && key != "command"),
    );
    let seconds = [("CPU seconds", cost.cost.cpu_seconds), ("seconds", cost.cost.wall_seconds)];
    let shown =
        |(label, time): (&str, f64)| (label.to_string(), Element::new("span").text(&format!("{time:.1}")));
    items.extend(seconds.map(shown));
    section("cost", "Cost").child(definitions(items))
}

/// Every value that says something, under its key in words; objects are opened, and the name of a choice stands for it.
fn shown_settings(settings: &Value) -> Vec<(String, Element)> {
    let mut found = Vec::new();
    flatten("", settings, &mut found);
    found.into_iter().map(|(key, value)| (key.replace('_', " "), Element::new("span").text(&value))).collect()
}

fn flatten(key: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Null => {}
        Value::Array(items) if items.is_empty() => {}
        Value::Object(entries) => {
            for (inner, value) in entries {
                match inner.as_str() {
                    _ if key.is_empty() => flatten(inner, value, found),
                    "name" => flatten(key, value, found),
                    _ => flatten(&format!("{key}: {inner}"), value, found),
                }
            }
        }
        _ => found.push((key.to_string(), plain(value))),
    }
}

/// A value without quotes; an edge as `A -> B` cannot be told from a list of two names here, so lists stay lists.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let nested = items.iter().any(Value::is_array);
            items.iter().map(plain).collect::<Vec<_>>().join(if nested { "; " } else { ", " })
        }
        Value::Number(number) => match number.as_u64() {
            Some(whole) => count(whole as usize),
            None => {
                number.as_f64().map_or_else(|| number.to_string(), |number| format!("{}", rounded(number)))
            }
        },
        _ => value.to_string(),
    }
}

/// To six digits after the point.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_opened_and_what_is_not_set_is_left_out() {
        let settings = json!({"seed": 12345, "ess": null, "tiers": [["a", "b"], ["c"]], "roots": [],
            "network": {"name": "small", "hidden": [32, 32], "layer_norm": true, "rate": 0.0001}});
        let mut found = Vec::new();
        flatten("", &settings, &mut found);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected = [
            ("seed", "12,345"),
            ("tiers", "a, b; c"),
            ("network", "small"),
            ("network: hidden", "32, 32"),
            ("network: layer_norm", "true"),
            ("network: rate", "0.0001"),
        ];
        assert_eq!(found, expected);
    }
}
