//! Code lengths of families without their table, as a document and as CSV.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::csv::quoted;
use super::document::{Document, DocumentKind, ScoredFamily, parent_names, this_version};
use crate::base::nats::Nats;
use crate::graph::Family;
use crate::score::LocalScores;

/// All families that have a code length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LocalScoresDocument {
    version: String,
    variables: Vec<String>,
    families: Vec<ScoredFamily>,
}

impl Document for LocalScoresDocument {
    const KIND: DocumentKind = DocumentKind::LocalScores;
}

impl LocalScores {
    /// All families as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        let scored = |(family, length): (&Family, &Nats)| ScoredFamily {
            child: self.names[family.child].clone(),
            parents: parent_names(family, &self.names),
            code_length_nats: length.0,
            spread_nats: None,
        };
        let families = self.lengths.iter().map(scored).collect();
        LocalScoresDocument { version: this_version(), variables: self.names.clone(), families }.write()
    }

    /// All families as CSV with the columns `child`, `parents` and `code_length_nats`; parents are a JSON list, so that any name can be
    /// read back.
    pub fn to_csv(&self) -> String {
        let line = |(family, length): (&Family, &Nats)| {
            let parents = quoted(&json!(parent_names(family, &self.names)).to_string());
            format!("{},{parents},{:?}\n", quoted(&self.names[family.child]), length.0)
        };
        "child,parents,code_length_nats\n".to_string() + &self.lengths.iter().map(line).collect::<String>()
    }
}
