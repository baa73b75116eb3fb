//! Code lengths of families as CSV, for other programs.

use serde_json::json;

use super::json::parent_names;
use crate::base::nats::Nats;
use crate::graph::Family;
use crate::score::LocalScores;

impl LocalScores {
    /// All families as CSV with the columns `child`, `parents` and `code_length_nats`; parents are a JSON list, so that any name can be
    /// read back.
    pub fn to_csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let line = |(family, length): (&Family, &Nats)| {
            let parents = quoted(&json!(parent_names(family, &self.names)).to_string());
            format!("{},{parents},{:?}\n", quoted(&self.names[family.child]), length.0)
        };
        "child,parents,code_length_nats\n".to_string() + &self.lengths.iter().map(line).collect::<String>()
    }
}
