//! What a store holds.

use super::super::schema::{self, Document};
use crate::score::{StoreInfo, StoredContext};

impl StoreInfo {
    /// What it holds as JSON, with all settings that code lengths depend on. Ends with a line break.
    pub fn to_json(&self) -> String {
        Document::new(schema::Store {
            path: self.path.display().to_string(),
            bytes: self.n_bytes,
            table: self.table.clone(),
            rows: self.n_rows,
            variables: self.names.clone(),
            contexts: self.contexts.iter().map(context).collect(),
        })
        .to_json()
    }
}

fn context(context: &StoredContext) -> schema::StoredContext {
    schema::StoredContext {
        number: context.number,
        settings: context.settings.as_object().cloned().unwrap_or_default(),
        families: context.n_scored(),
        families_by_parents: context.n_families.clone(),
        row_orders: context.n_orders,
        training_runs: context.n_trainings,
        seconds: context.seconds,
    }
}
