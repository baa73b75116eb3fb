//! Tables from known graphs.

use prequential::Values;
use prequential_simulate::Experiment;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raise;

/// Columns by name, and the nodes and edges of the true graph.
type Drawn<'py> = (Bound<'py, PyDict>, Vec<String>, Vec<(String, String)>);

/// Draws a table from the graph called `name`.
#[pyfunction]
#[pyo3(signature = (name, rows, variables, set, seed))]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    name: &str,
    rows: Option<usize>,
    variables: Option<usize>,
    set: Option<usize>,
    seed: u64,
) -> PyResult<Drawn<'py>> {
    let experiment = Experiment::named(name, variables, set).map_err(|error| raise(&error))?;
    let rows = rows.unwrap_or(experiment.default_rows());
    let simulated = py.detach(|| experiment.simulate(rows, seed)).map_err(|error| raise(&error))?;
    let columns = PyDict::new(py);
    for variable in simulated.table.variables() {
        match &variable.values {
            Values::Numbers(numbers) => columns.set_item(&variable.name, numbers)?,
            Values::Labels { levels, codes } => {
                let labels: Vec<&str> = codes.iter().map(|&code| levels[code as usize].as_str()).collect();
                columns.set_item(&variable.name, labels)?;
            }
        }
    }
    if let Some(interventions) = interventions(&simulated.table) {
        columns.set_item("intervention", interventions)?;
    }
    let truth = simulated.named_truth();
    let edges = truth.edges().into_iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
    Ok((columns, truth.names, edges))
}

/// Per row, the variables that were set, separated by `;`; `None` if none was.
fn interventions(table: &prequential::Table) -> Option<Vec<String>> {
    let set: Vec<_> = table.variables().iter().filter(|variable| variable.intervened.is_some()).collect();
    let in_row = |row: usize| {
        let names = set.iter().filter(|variable| variable.intervened.as_ref().is_some_and(|set| set[row]));
        names.map(|variable| variable.name.as_str()).collect::<Vec<_>>().join(";")
    };
    (!set.is_empty()).then(|| (0..table.n_rows()).map(in_row).collect())
}
