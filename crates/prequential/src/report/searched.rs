//! What a search of given code lengths found, as a document.

use serde::{Deserialize, Serialize};

use super::document::{
    ClassSection, Document, DocumentKind, Findings, GraphSection, GraphView, RankedGraph, SearchSection,
    VariablePair, this_version,
};
use super::text::{LinksText, runners_up_text};
use super::words::search_in_words;
use crate::base::format::{count, nats, plural};
use crate::base::nats::Nats;
use crate::run::{Partial, Searched};

/// The parts of a result that make sense without a table, by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchDocument {
    version: String,
    variables: Vec<String>,
    /// How many families had a code length.
    families: usize,
    search: SearchSection,
    dag: GraphSection,
    cpdag: ClassSection,
    ranking: Vec<RankedGraph>,
    #[serde(default)]
    pairs: Option<Vec<VariablePair>>,
    /// Why there are no probabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    no_posterior: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
}

impl Document for SearchDocument {
    const KIND: DocumentKind = DocumentKind::Searched;
}

impl Searched {
    /// What was found, by name.
    pub fn document(&self) -> SearchDocument {
        let (answer, names) = (&self.answer, &self.names[..]);
        let findings = Findings { answer, names, basis: answer.basis() };
        SearchDocument {
            version: this_version(),
            variables: self.names.clone(),
            families: self.n_families,
            search: findings.search(self.search, self.partial.is_none()),
            dag: findings.graph(),
            cpdag: findings.class(),
            ranking: findings.ranking(),
            pairs: findings.pairs(),
            no_posterior: answer.no_posterior.clone(),
            partial: self.partial,
        }
    }

    /// What was found in words and columns; ends with a line break.
    pub fn to_text(&self) -> String {
        self.document().to_text()
    }

    /// What was found as JSON, with the keys of a result that make sense without a table. Ends with a line break.
    pub fn to_json(&self) -> String {
        self.document().to_json()
    }
}

impl SearchDocument {
    /// All of it as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        self.write()
    }

    /// What was found in words and columns; ends with a line break.
    pub fn to_text(&self) -> String {
        let graph =
            GraphView::new(self.variables.iter(), &self.dag.edges, &self.ranking, self.pairs.as_deref());
        let mut text = format!(
            "{} variables, {} families.\nSearch {}.\n\nBest graph: {}, {} nats\n",
            self.variables.len(),
            count(self.families),
            search_in_words(&self.search, false, self.partial.is_some()),
            plural(self.dag.edges.len(), "edge"),
            nats(Nats(self.dag.code_length_nats))
        );
        let no_posterior = self.no_posterior.as_deref();
        text += &LinksText { graph: &graph, unknown: "unknown", no_posterior }.write();
        if self.ranking.len() > 1 {
            text += &format!("\n{}", runners_up_text(&graph));
        }
        text
    }
}
