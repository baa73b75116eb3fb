//! What a run will do and take.

use super::super::schema::{self, Document};
use super::super::view::ViewOptions;
use super::data;
use crate::base::observer::Estimate;
use crate::run::Plan;
use crate::table::Table;

impl Plan {
    /// The plan and the estimate as JSON, with the keys of a result that are known beforehand. Ends with a line break.
    pub fn to_json(&self, table: &Table, estimate: &Estimate, view: &ViewOptions) -> String {
        Document::new(schema::Plan {
            data: data::data(table, self, view),
            settings: self.resolved(&self.constraints),
            estimate: schema::Estimate {
                families: estimate.n_families,
                more_to_come: estimate.is_least,
                networks: estimate.n_networks,
                seconds: estimate.seconds,
                seconds_are_most: estimate.is_most,
                threads: estimate.n_threads,
                memory_bytes: estimate.memory,
            },
        })
        .to_json()
    }
}
