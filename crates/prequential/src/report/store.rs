//! What a store holds, in words and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::base::format::{bytes, count, plural, visible_names};
use crate::score::{StoreInfo, StoredContext};

/// In words; ends with a line break.
pub fn store_text(info: &StoreInfo) -> String {
    let table = info.table.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
    let mut text = format!(
        "{}: {}, code lengths{table}: {} rows, {} variables\n  {}\n",
        info.path.display(),
        bytes(info.n_bytes as f64),
        count(info.n_rows),
        info.names.len(),
        visible_names(&info.names).join(", ")
    );
    for context in &info.contexts {
        text += &context_text(context);
    }
    if info.contexts.is_empty() {
        text += "\nNothing is scored yet.\n";
    }
    text
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
    let word = |key: &str| settings[key].as_str().map_or_else(|| settings[key].to_string(), String::from);
    let mut text = word("estimator");
    if let Some(prior) = settings["prior"].as_object().and_then(|prior| prior.iter().next()) {
        let _ = write!(text, ", {} {}", prior.0, prior.1);
    }
    if let Some(networks) = settings["networks"].as_u64() {
        let _ = write!(
            text,
            ", {} a family, schedule {}",
            plural(networks as usize, "network"),
            word("schedule")
        );
    }
    let _ = write!(text, ", {} bins ({})", word("bins"), word("binning"));
    let _ =
        write!(text, ", inputs {}, row order {}, seed {}", word("inputs"), word("row_order"), word("seed"));
    text
}

/// As one object.
pub fn store_json(info: &StoreInfo) -> Value {
    let context = |context: &StoredContext| {
        json!({
            "number": context.number,
            "settings": context.settings,
            "families": context.n_scored(),
            "families_by_parents": context.n_families,
            "row_orders": context.n_orders,
            "training_runs": context.n_trainings,
            "seconds": context.seconds,
        })
    };
    json!({
        "schema": 1,
        "path": info.path,
        "bytes": info.n_bytes,
        "table": info.table,
        "rows": info.n_rows,
        "variables": info.names,
        "contexts": info.contexts.iter().map(context).collect::<Vec<_>>(),
    })
}
