//! Code lengths of families, without their table.

use super::super::schema::{self, Document, ScoredFamily};
use super::parent_names;
use crate::base::nats::Nats;
use crate::graph::Family;
use crate::score::LocalScores;

impl LocalScores {
    /// All families as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        let one = |(family, length): (&Family, &Nats)| ScoredFamily {
            child: self.names[family.child].clone(),
            parents: parent_names(family, &self.names),
            code_length_nats: length.0,
            spread_nats: None,
        };
        Document::new(schema::LocalScores {
            variables: self.names.clone(),
            families: self.lengths.iter().map(one).collect(),
        })
        .to_json()
    }
}
