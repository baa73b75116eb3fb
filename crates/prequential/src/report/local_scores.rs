//! Code lengths of families, without their table, for other programs.

use serde_json::{Value, json};

use super::json::parents_json;
use crate::base::nats::Nats;
use crate::graph::Family;
use crate::score::LocalScores;

/// As one object with a list of families.
pub fn local_scores_json(scores: &LocalScores) -> Value {
    let one = |(family, length): (&Family, &Nats)| {
        json!({
            "child": scores.names[family.child],
            "parents": parents_json(family, &scores.names),
            "code_length_nats": length,
        })
    };
    let families: Vec<Value> = scores.lengths.iter().map(one).collect();
    json!({ "schema": 1, "variables": scores.names, "families": families })
}

/// As CSV with the columns `child`, `parents` and `code_length_nats`; several parents are a JSON list, so that any name can be read
/// back.
pub fn local_scores_csv(scores: &LocalScores) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |(family, length): (&Family, &Nats)| {
        let parents = quoted(&parents_json(family, &scores.names).to_string());
        format!("{},{parents},{:?}\n", quoted(&scores.names[family.child]), length.0)
    };
    "child,parents,code_length_nats\n".to_string() + &scores.lengths.iter().map(line).collect::<String>()
}
