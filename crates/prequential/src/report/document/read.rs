//! Reads a document; what breaks it is named by its key.

use serde::Deserialize;
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::{Document, DocumentHead, DocumentKind, SCHEMA};
use crate::base::error::{Error, Result};
use crate::base::message::{Call, Message, message};

/// The document of one kind in `text`, which stands in the file `source`.
pub(in crate::report) fn read<T: Document>(text: &str, source: &str) -> Result<T> {
    let value: Value = serde_json::from_str(text).map_err(|error| not_json(&error, source))?;
    check_schema(&value, source)?;
    let head: DocumentHead = typed(&value, source)?;
    if head.kind != T::KIND {
        let problem = format!("this is {}, not {}", head.kind.in_words(), T::KIND.in_words());
        return Err(complaint(source, "kind", &problem));
    }
    typed(&value, source)
}

/// The complaint about what stands under `key`, which is empty for the whole.
pub(super) fn complaint(source: &str, key: &str, problem: &str) -> Error {
    let way_out = message!["give the `result.json` of ", Call::LearnToFiles, ", unchanged; or run it again"];
    complaint_with_hint(source, key, problem, way_out)
}

fn complaint_with_hint(source: &str, key: &str, problem: &str, hint: Message) -> Error {
    let place = if key.is_empty() { String::new() } else { format!("key `{key}`: ") };
    Error::Format { path: source.to_string(), line: None, problem: format!("{place}{problem}").into(), hint }
}

fn not_json(error: &serde_json::Error, source: &str) -> Error {
    let text = error.to_string();
    // Line and column stand at the end of the text too.
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    Error::Format {
        path: source.to_string(),
        line: Some(error.line() as u64).filter(|&line| line > 0),
        problem: format!("this is not JSON: {problem}").into(),
        hint: message!["give the `result.json` of ", Call::LearnToFiles],
    }
}

/// Refuses what follows another schema or none.
fn check_schema(value: &Value, source: &str) -> Result<()> {
    let Some(schema) = value.get("schema") else {
        return Err(complaint(source, "", "this is not a result: it has no key `schema`"));
    };
    match schema.as_u64() {
        Some(SCHEMA) => Ok(()),
        Some(other) => Err(other_schema(other, value, source)),
        None => Err(complaint(source, "schema", &expected("usize", schema))),
    }
}

fn other_schema(schema: u64, value: &Value, source: &str) -> Error {
    let version = value.get("version").and_then(Value::as_str).unwrap_or("unknown");
    let problem = match schema {
        1 => format!("this is schema 1, made by version 0.1, but this version reads schema {SCHEMA}"),
        _ => format!("this is schema {schema}, but this version reads schema {SCHEMA}"),
    };
    let hint = match schema {
        1 => message!["run ", Call::Learn, " again"],
        _ => message![
            format!("use the `prequential` that wrote it (version {version}), or run "),
            Call::Learn,
            " again"
        ],
    };
    complaint_with_hint(source, "schema", &problem, hint)
}

/// The value as a type of the schema.
fn typed<'a, T: Deserialize<'a>>(value: &'a Value, source: &str) -> Result<T> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let key = match error.path().to_string() {
            whole if whole == "." => String::new(),
            key => key,
        };
        broken(&key, at(value, error.path()), &error.inner().to_string(), source)
    })
}

/// What stands at the end of a path.
fn at<'a>(value: &'a Value, path: &Path) -> &'a Value {
    path.iter().fold(value, |value, segment| match segment {
        Segment::Seq { index } => value.get(index).unwrap_or(value),
        Segment::Map { key } => value.get(key).unwrap_or(value),
        Segment::Enum { .. } | Segment::Unknown => value,
    })
}

/// In our words what serde says of `value`, which stands under `key`.
fn broken(key: &str, value: &Value, problem: &str, source: &str) -> Error {
    if let Some(missing) = problem.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let dot = if key.is_empty() { "" } else { "." };
        return complaint(source, "", &format!("key `{key}{dot}{missing}` is missing"));
    }
    match problem.split_once(", expected ") {
        Some((_, wanted)) => complaint(source, key, &expected(wanted, value)),
        None => complaint(source, key, problem),
    }
}

/// What was expected, by serde's name of it, and what is there.
fn expected(wanted: &str, found: &Value) -> String {
    let wanted = match wanted {
        "f64" => "a number",
        "usize" | "u64" | "i64" => "a whole number",
        "a string" | "string or map" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        object if object == "a map" || object.starts_with("struct ") => "an object",
        other => other,
    };
    format!("expected {wanted}, found {}", excerpt(found))
}

/// A value as a complaint quotes it.
fn excerpt(value: &Value) -> String {
    const MAX_CHARS: usize = 40;
    match value {
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
        _ => {
            let text = value.to_string();
            let cut: String = text.chars().take(MAX_CHARS).collect();
            format!("`{cut}{}`", if cut.len() < text.len() { "…" } else { "" })
        }
    }
}

impl DocumentKind {
    fn in_words(self) -> &'static str {
        match self {
            DocumentKind::Learned => "the result of a run",
            DocumentKind::Scored => "a list of scored families",
            DocumentKind::Searched => "what a search of given code lengths found",
            DocumentKind::Plan => "the plan of a run",
            DocumentKind::Comparison => "a comparison of two graphs",
            DocumentKind::Compressed => "what a compressed table takes",
            DocumentKind::Store => "a description of a store",
            DocumentKind::LocalScores => "a list of code lengths without their table",
            DocumentKind::Curves => "a list of curves",
        }
    }
}
