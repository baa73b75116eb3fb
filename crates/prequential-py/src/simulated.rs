//! Tables from known graphs.

use prequential::Values;
use prequential_simulate::{Experiment, MechanismKind, YuKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{mistake, raise};

/// Columns by name, and the nodes and edges of the graph that made them.
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
    let experiment = experiment(name, variables, set)?;
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

fn experiment(name: &str, variables: Option<usize>, set: Option<usize>) -> PyResult<Experiment> {
    let n_numbers = variables.unwrap_or(10);
    let numbered = set.unwrap_or(1);
    let drawn = |kind| Experiment::RandomMechanisms { n_vars: n_numbers, kind };
    let all = [
        Experiment::TabularChain,
        Experiment::Cancer,
        Experiment::Asia,
        Experiment::Alarm,
        Experiment::RandomCategorical { n_vars: variables.unwrap_or(37) },
        Experiment::RandomFunctions { n_vars: n_numbers, is_additive: true },
        Experiment::RandomFunctions { n_vars: n_numbers, is_additive: false },
        Experiment::Shifts { n_vars: variables.unwrap_or(8), is_categorical: false },
        Experiment::Shifts { n_vars: variables.unwrap_or(8), is_categorical: true },
        drawn(MechanismKind::Paper),
        drawn(MechanismKind::GaussianProcess),
        drawn(MechanismKind::AdditiveGaussianProcess),
        drawn(MechanismKind::Network),
        Experiment::Chain3,
        Experiment::Star5,
        Experiment::Chain5,
        Experiment::Chain5Periodic,
        Experiment::Primes { largest: 1_000 },
        Experiment::Yu { kind: YuKind::A, set: numbered },
        Experiment::Yu { kind: YuKind::B, set: numbered },
        Experiment::Mechanisms { set: numbered },
    ];
    let Some(&found) = all.iter().find(|experiment| experiment.name() == name) else {
        let known: Vec<&str> = all.iter().map(|experiment| experiment.name()).collect();
        let problem = format!("there is no simulation called `{name}`");
        return Err(mistake(&problem, &format!("the simulations are: {}", known.join(", "))));
    };
    let is_random = matches!(
        found,
        Experiment::RandomCategorical { .. }
            | Experiment::RandomFunctions { .. }
            | Experiment::RandomMechanisms { .. }
            | Experiment::Shifts { .. }
    );
    if variables.is_some() && !is_random {
        let problem =
            format!("`variables` is for simulations of random graphs; `{name}` has a number of its own");
        return Err(mistake(&problem, "leave out `variables`"));
    }
    let has_sets = matches!(found, Experiment::Yu { .. } | Experiment::Mechanisms { .. });
    if set.is_some() && !has_sets {
        let problem = format!("`set` chooses among several data sets, but `{name}` has only one");
        return Err(mistake(&problem, "leave out `set`"));
    }
    Ok(found)
}
