//! The library's options and their table, for Python.

use prequential::options::{OPTIONS, OptionSpec, RunOptions};
use prequential::{Error, Result, Settings, Table};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::wording::Keywords;

/// An option: its name, the kind of its values, its default as JSON, and what it does.
type Described = (&'static str, String, String, String);

/// All options, in the order in which they are shown.
#[pyfunction]
pub(crate) fn options() -> Vec<Described> {
    let described = |spec: &OptionSpec| {
        let kind = format!("{:?}", spec.kind).to_lowercase();
        (spec.name(), kind, spec.default().to_string(), spec.help(&Keywords))
    };
    OPTIONS.iter().map(described).collect()
}

/// Refuses a name that is not `known`, with what it is called now or the nearest one.
#[pyfunction]
pub(crate) fn check_names(names: Vec<String>, known: Vec<String>) -> PyResult<()> {
    let Some(unknown) = names.iter().find(|name| !known.contains(name)) else { return Ok(()) };
    let is_known = |spec: &&OptionSpec| known.iter().any(|name| name == spec.name());
    let options: Vec<_> = OPTIONS.iter().filter(is_known).map(|spec| spec.option).collect();
    Err(raise(&Error::unknown_option(unknown, &options)))
}

/// Options from their JSON.
pub(crate) fn read(json: &str) -> PyResult<RunOptions> {
    RunOptions::from_json(json).map_err(|error| raise(&error))
}

/// The settings of a worker of the run: one thread, no store.
pub(crate) fn worker_settings(options: &RunOptions, table: &Table) -> Result<Settings> {
    Ok(Settings { threads: Some(1), store: None, ..options.settings(&table.names())? })
}
