//! What a run will do and take, for a program.

use serde_json::{Value, json};

use super::json::{data_json, settings_json};
use crate::base::observer::Estimate;
use crate::run::plan::Plan;
use crate::table::Table;

/// The plan of a run as one object: the fields of its result that are known beforehand, and the estimate.
pub fn plan_json(table: &Table, plan: &Plan, estimate: &Estimate) -> Value {
    json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "data": data_json(table, &plan.data),
        "settings": settings_json(&plan.settings),
        "estimate": {
            "families": estimate.n_families,
            "more_to_come": estimate.is_least,
            "networks": estimate.n_networks,
            "seconds": estimate.seconds,
            "seconds_are_most": estimate.is_most,
            "threads": estimate.n_threads,
            "memory_bytes": estimate.memory,
        },
    })
}
