//! Two graphs side by side.

use super::super::comparison::{ComparedGraphs, EdgeDiff};
use super::super::schema::{self, Document};
use super::named_pairs;
use crate::graph::{ancestor_aid, compare};

impl ComparedGraphs<'_> {
    /// All distances, and the edges by what became of them, as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        let distances = compare(self.graph, self.truth);
        let EdgeDiff { common, reversed, extra, absent } = self.edges();
        Document::new(schema::Comparison {
            shd: distances.shd,
            shd_cpdag: distances.shd_cpdag,
            sid: distances.sid,
            ancestor_aid: ancestor_aid(self.truth, self.graph),
            equivalent: distances.equivalent,
            exact: distances.exact,
            common: named_pairs(&common, self.names),
            reversed: named_pairs(&reversed, self.names),
            extra: named_pairs(&extra, self.names),
            absent: named_pairs(&absent, self.names),
        })
        .to_json()
    }
}
