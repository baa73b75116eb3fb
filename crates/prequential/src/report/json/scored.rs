//! The result of a run of `score`.

use super::super::schema::{self, Document};
use super::super::view::ViewOptions;
use super::{cost, data, partial, scored_families};
use crate::run::Scored;
use crate::table::Table;

impl Scored {
    /// Code lengths of families, and of the graph that they make if one was scored, as JSON; `table` is the one that was scored. Ends
    /// with a line break.
    pub fn to_json(&self, table: &Table, view: &ViewOptions) -> String {
        let names = self.plan.names().to_vec();
        Document::new(schema::Scored {
            data: data::data(table, &self.plan, view),
            settings: self.plan.resolved(&self.plan.scored),
            families: scored_families(&self.scores, &self.plan, &names),
            code_length_nats: self.total.map(|total| total.0),
            partial: partial(self.partial.as_ref(), view),
            cost: cost(&self.cost, view),
        })
        .to_json()
    }
}
