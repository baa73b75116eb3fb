//! The parts of the page that say how the result came about: data, settings, cost.

use serde_json::Value;

use super::facts::{Facts, Variable};
use super::markup::{
    Element, Heading, cell, definitions, name, number_cell, numbers, paragraph, table, words,
};
use super::sections::section;
use crate::base::format::count;

pub(super) fn data(facts: &Facts) -> Element {
    let variables = &facts.data.variables;
    let has_missing = variables.iter().any(|variable| variable.missing > 0);
    let has_set = variables.iter().any(|variable| variable.intervened > 0);
    let row = |(title, variable): (&String, &Variable)| {
        let number = |value: usize| number_cell(Some(count(value)));
        let row =
            Element::new("tr").child(cell(name(title))).child(cell(Element::new("span").text(variable.kind)));
        row.child(number(variable.bins))
            .child(number(variable.rows_used))
            .children(has_missing.then(|| number(variable.missing)))
            .children(has_set.then(|| number(variable.intervened)))
    };
    let rows = facts.names.iter().zip(variables).map(row).collect();
    let mut headings: Vec<Heading> =
        vec![words("variable"), words("kind"), numbers("bins or levels"), numbers("rows coded")];
    headings.extend(has_missing.then(|| numbers("missing")));
    headings.extend(has_set.then(|| numbers("set by intervention")));
    let mut items =
        vec![("file".to_string(), Element::new("span").text(facts.data.path.unwrap_or("not from a file")))];
    items.extend(facts.data.sha256.map(|hash| ("SHA-256".to_string(), Element::new("code").text(hash))));
    items.extend(facts.data.options.map(shown_settings).unwrap_or_default());
    let warnings = facts.data.warnings.iter().map(|warning| {
        Element::new("p").class("warning").child(Element::new("b").text("Warning: ")).text(warning)
    });
    let numbers_note = variables.iter().any(|variable| variable.kind == "continuous").then(|| {
        paragraph("Numbers are coded by their bins: all code lengths hold for the binned table.")
            .class("note")
    });
    section("data", "The data as read")
        .child(table("Variables", &headings, rows))
        .children(numbers_note)
        .children(warnings)
        .child(definitions(items))
}

pub(super) fn settings(facts: &Facts) -> Element {
    section("settings", "Settings").child(definitions(shown_settings(facts.settings)))
}

pub(super) fn cost(facts: &Facts) -> Element {
    let made_by = format!("prequential {}", facts.version);
    let mut items = vec![("made by".to_string(), Element::new("span").text(&made_by))];
    let seconds = |key: &str| facts.cost.get(key).and_then(Value::as_f64);
    items.extend(shown_settings(facts.cost).into_iter().filter(|(key, _)| !key.ends_with("seconds")));
    for (key, label) in [("cpu_seconds", "CPU seconds"), ("wall_seconds", "seconds")] {
        items.extend(
            seconds(key).map(|time| (label.to_string(), Element::new("span").text(&format!("{time:.1}")))),
        );
    }
    section("cost", "Cost").child(definitions(items))
}

/// Every value that says something, under its key in words; objects are opened.
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
                let dot = if key.is_empty() { "" } else { ": " };
                flatten(&format!("{key}{dot}{inner}"), value, found);
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
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_opened_and_what_is_not_set_is_left_out() {
        let settings = json!({"seed": 12345, "ess": null, "tiers": [["a", "b"], ["c"]], "roots": [],
            "network": {"hidden": [32, 32], "layer_norm": true, "rate": 0.0001}});
        let mut found = Vec::new();
        flatten("", &settings, &mut found);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected = [
            ("seed", "12,345"),
            ("tiers", "a, b; c"),
            ("network: hidden", "32, 32"),
            ("network: layer_norm", "true"),
            ("network: rate", "0.0001"),
        ];
        assert_eq!(found, expected);
    }
}
