//! What a store of code lengths holds, as a document.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::document::{Document, DocumentKind, this_version};
use crate::base::format::{bytes, count, plural, visible_names};
use crate::score::{StoreInfo, StoredContext};

/// A file of code lengths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoreDocument {
    version: String,
    path: String,
    bytes: u64,
    /// The file that its table was last read from, if it was read from one.
    table: Option<String>,
    rows: usize,
    variables: Vec<String>,
    contexts: Vec<StoredSettings>,
}

impl Document for StoreDocument {
    const KIND: DocumentKind = DocumentKind::Store;
}

/// Families that were scored with the same settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredSettings {
    /// By which it is chosen.
    number: i64,
    /// All settings that code lengths depend on, as the store keeps them.
    settings: Map<String, Value>,
    families: usize,
    /// How many have no parent, one parent, ...
    families_by_parents: Vec<usize>,
    row_orders: usize,
    training_runs: usize,
    seconds: f64,
}

impl StoreInfo {
    /// What it holds as JSON, with all settings that code lengths depend on. Ends with a line break.
    pub fn to_json(&self) -> String {
        let stored = |context: &StoredContext| StoredSettings {
            number: context.number,
            settings: context.settings.as_object().cloned().unwrap_or_default(),
            families: context.n_scored(),
            families_by_parents: context.n_families.clone(),
            row_orders: context.n_orders,
            training_runs: context.n_trainings,
            seconds: context.seconds,
        };
        let document = StoreDocument {
            version: this_version(),
            path: self.path.display().to_string(),
            bytes: self.n_bytes,
            table: self.table.clone(),
            rows: self.n_rows,
            variables: self.names.clone(),
            contexts: self.contexts.iter().map(stored).collect(),
        };
        document.write()
    }

    /// What it holds, with the settings that people choose; ends with a line break.
    pub fn to_text(&self) -> String {
        let table = self.table.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
        let mut text = format!(
            "{}: {}, code lengths{table}: {} rows, {} variables\n  {}\n",
            self.path.display(),
            bytes(self.n_bytes as f64),
            count(self.n_rows),
            self.names.len(),
            visible_names(&self.names).join(", ")
        );
        for context in &self.contexts {
            text += &context_text(context);
        }
        if self.contexts.is_empty() {
            text += "\nNothing is scored yet.\n";
        }
        text
    }
}

fn context_text(context: &StoredContext) -> String {
    let mut text = format!("\nSettings {}: {}\n", context.number, settings_text(&context.settings));
    let _ =
        writeln!(text, "  {} families, {:.1} seconds of scoring", count(context.n_scored()), context.seconds);
    for (n_parents, &n_families) in context.n_families.iter().enumerate() {
        let _ = writeln!(text, "    {:>9}  with {}", count(n_families), plural(n_parents, "parent"));
    }
    if context.n_orders > 1 {
        let _ = writeln!(text, "  in up to {} row orders", context.n_orders);
    }
    text
}

/// The settings that people choose; all are in the JSON.
fn settings_text(settings: &Value) -> String {
    let value = |path: &str| settings.pointer(path).unwrap_or(&Value::Null);
    let word = |path: &str| value(path).as_str().map_or_else(|| value(path).to_string(), String::from);
    let mut text = word("/estimator/name");
    if let Some((name, prior)) = value("/estimator/prior").as_object().and_then(|prior| prior.iter().next()) {
        let _ = write!(text, ", {name} {prior}");
    }
    if let Some(prior) = value("/estimator/prior").as_str() {
        let _ = write!(text, ", {prior} alpha");
    }
    if let Some(networks) = value("/estimator/networks").as_u64() {
        let _ = write!(text, ", {} a family", plural(networks as usize, "network"));
    }
    if let Some(schedule) = value("/estimator/schedule/name").as_str() {
        let _ = write!(text, ", schedule {schedule}");
    }
    if !value("/quantisation").is_null() {
        let (bins, binning) = (word("/quantisation/bins"), word("/quantisation/binning"));
        let _ = write!(text, ", {bins} bins ({binning}), inputs {}", word("/quantisation/inputs"));
    }
    let _ = write!(text, ", row order {}, seed {}", word("/row_order"), word("/seed"));
    text
}
