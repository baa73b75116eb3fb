//! The JSON contract, schema 2: documents that are built once from a result, written, read again, and shown by every view.
//!
//! Every document says which schema it follows, what it is (`kind`) and which version made it. Variables go by name, never by number.
//! A number that is not known is `null`; a key whose value is `null` may as well be left out.

mod check;
mod curves;
mod graph;
mod learned;
mod read;
mod sections;
#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::graph::Family;

pub(super) use curves::{CurveMoments, GraphCurve, NamedCurve, RankingCurves};
pub(super) use graph::{
    ClassSection, Direction, Findings, GraphSection, GraphView, RankedGraph, SearchSection, named_pairs,
};
pub use graph::{LearnedEdge, VariablePair};
pub use learned::ResultDocument;
pub(super) use learned::{ContextEntry, ContextSection};
pub(super) use sections::{CostSection, PartialSection, ScoredFamily, TableSection, VariableEntry};

/// The schema that this version writes and reads.
const SCHEMA: u64 = 2;

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DocumentKind {
    Learned,
    Scored,
    Searched,
    Plan,
    Comparison,
    Compressed,
    Store,
    LocalScores,
    Curves,
}

/// What stands at the head of every document.
#[derive(Deserialize)]
struct DocumentHead {
    #[serde(rename = "schema")]
    _schema: u64,
    kind: DocumentKind,
}

/// A document below its head; the first key of each is `version`.
#[derive(Serialize)]
struct Headed<'a, T> {
    schema: u64,
    kind: DocumentKind,
    #[serde(flatten)]
    document: &'a T,
}

/// A document of one kind.
pub(super) trait Document: Serialize + DeserializeOwned {
    /// Which kind.
    const KIND: DocumentKind;

    /// As text that people can read too; ends with a line break.
    fn write(&self) -> String {
        let text = serde_json::to_string_pretty(&Headed { schema: SCHEMA, kind: Self::KIND, document: self });
        text.unwrap_or_else(|error| panic!("every document can be written: {error}")) + "\n"
    }
}

/// The version of the program that makes a document now.
pub(super) fn this_version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}

/// The parents of a family by name.
pub(super) fn parent_names(family: &Family, names: &[String]) -> Vec<String> {
    family.parents.iter().map(|parent| names[parent].clone()).collect()
}
