//! What contexts have to do with the answer.

use super::super::schema::{Context, ContextColumn, ContextEffect, ContextShare, Variable};
use super::data;
use crate::base::nats::Nats;
use crate::run::{self, Learned};
use crate::table::Table;

/// The contexts of a run and what they act on, if there are any.
pub(super) fn context(learned: &Learned, table: &Table) -> Option<Context> {
    let plan = &learned.plan;
    let contexts = plan.context_names();
    let share =
        |(column, saved): (&String, &Nats)| ContextShare { column: column.clone(), saved_nats: saved.0 };
    let effect = |effect: &run::ContextEffect| ContextEffect {
        variable: plan.names()[effect.child].clone(),
        acts: effect.acts(),
        saved_nats: effect.gain.0,
        columns: contexts.iter().zip(&effect.by_column).map(share).collect(),
    };
    let column = |described: Variable| ContextColumn {
        name: described.name,
        kind: described.kind,
        bins: described.bins,
        missing: described.missing,
    };
    (!contexts.is_empty()).then(|| Context {
        columns: data::contexts(table, plan).map(column).collect(),
        variables: learned.contexts.iter().map(effect).collect(),
    })
}
