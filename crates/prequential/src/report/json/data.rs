//! What was read.

use serde_json::{Map, Value, json};

use super::super::schema::{Data, Variable, VariableKind};
use super::super::view::ViewOptions;
use crate::run::Plan;
use crate::table::{self, Kind, Source, Table};

/// The table and its columns.
pub(super) fn data(table: &Table, plan: &Plan, view: &ViewOptions) -> Data {
    Data {
        path: table.source().map(|source| source.path.clone()),
        rows: table.n_rows(),
        sha256: table.source().map(|source| source.sha256.clone()),
        variables: described(table, plan).take(plan.names().len()).collect(),
        options: table.source().map(options),
        notes: view.notes(table),
        warnings: view.warnings(table, plan),
    }
}

/// The columns that are contexts.
pub(super) fn contexts(table: &Table, plan: &Plan) -> impl Iterator<Item = Variable> {
    described(table, plan).skip(plan.names().len())
}

/// Every column: variables, then contexts.
fn described(table: &Table, plan: &Plan) -> impl Iterator<Item = Variable> {
    let columns = plan.columns(table).into_iter().enumerate();
    columns.map(|(place, column)| describe(column, plan, place))
}

fn describe(variable: &table::Variable, plan: &Plan, place: usize) -> Variable {
    let column = plan.data.column(place);
    let has_levels = plan.bins_numbers() || variable.kind() == Kind::Categorical;
    Variable {
        name: variable.name.clone(),
        kind: match variable.kind() {
            Kind::Categorical => VariableKind::Categorical,
            Kind::Continuous => VariableKind::Continuous,
        },
        bins: has_levels.then_some(column.n_levels),
        rows_used: column.n_rows_used(),
        missing: column.n_missing,
        intervened: variable.intervened.as_ref().map_or(0, |set| set.iter().filter(|&&set| set).count()),
    }
}

/// How the file was read.
fn options(source: &Source) -> Map<String, Value> {
    let options = &source.options;
    let mask = options.intervention_mask.as_ref().and_then(|mask| mask.file());
    let mask = mask.map(|path| path.display().to_string());
    let ordered: Vec<Value> = options
        .ordered
        .iter()
        .map(|labels| json!({"column": labels.column, "levels": labels.levels}))
        .collect();
    let all = [
        ("columns", json!(options.columns)),
        ("ignore", json!(options.ignore)),
        ("labels", json!(options.labels)),
        ("numbers", json!(options.numbers)),
        ("ordered", json!(ordered)),
        ("missing", json!(options.missing)),
        ("interventions", json!(options.interventions)),
        ("intervention_mask", json!(mask)),
        ("intervention_mask_sha256", json!(source.mask_sha256)),
    ];
    all.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}
