//! What a store holds, for a reader.

use std::fmt::Write;

use serde_json::Value;

use crate::base::format::{bytes, count, plural, visible_names};
use crate::score::{StoreInfo, StoredContext};

impl StoreInfo {
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
