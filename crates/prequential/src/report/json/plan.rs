//! What a run will do and take.

use super::super::schema::{self, Document};
use super::super::view::ViewOptions;
use super::data;
use crate::base::observer::{Estimate, StageEstimate};
use crate::run::Plan;
use crate::table::Table;

impl Plan {
    /// The plan and the estimate as JSON, with the keys of a result that are known beforehand. Ends with a line break.
    pub fn to_json(&self, table: &Table, estimate: &Estimate, view: &ViewOptions) -> String {
        Document::new(schema::Plan {
            data: data::data(table, self, view),
            settings: self.resolved(&self.constraints),
            estimate: schema::Estimate {
                stages: estimate.stages.iter().map(stage).collect(),
                families: estimate.n_families().into(),
                training_runs: estimate.n_networks.into(),
                cpu_seconds: estimate.cpu_seconds().into(),
                wall_seconds: estimate.seconds().into(),
                threads: estimate.n_threads,
                memory_bytes: estimate.memory,
            },
        })
        .to_json()
    }
}

fn stage(estimate: &StageEstimate) -> schema::StageEstimate {
    schema::StageEstimate {
        stage: estimate.stage.name().into(),
        families: estimate.n_families.into(),
        cpu_seconds: estimate.cpu_seconds.into(),
    }
}
