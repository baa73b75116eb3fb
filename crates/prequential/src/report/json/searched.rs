//! What a search of given code lengths found.

use super::super::schema::{self, Document};
use super::graph;
use crate::run::Searched;

impl Searched {
    /// What was found as JSON, with the keys of a result that make sense without a table. Ends with a line break.
    pub fn to_json(&self) -> String {
        let names = &self.names;
        Document::new(schema::Searched {
            variables: names.clone(),
            families: self.n_families,
            search: graph::search(self.search, &self.answer, self.partial.is_none()),
            dag: graph::dag(&self.answer, names, self.answer.posterior.as_ref(), self.answer.basis()),
            cpdag: graph::cpdag(&self.answer, names),
            ranking: graph::ranking(&self.answer, names),
        })
        .to_json()
    }
}
