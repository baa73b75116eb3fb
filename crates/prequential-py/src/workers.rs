//! Scoring by a Python executor: the side of the driver and the side of the workers.

use std::sync::Arc;

use prequential::workers::{Job, Workers};
use prequential::{Error, Plan, Result};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raise;
use crate::options::{read, worker_settings};
use crate::table::Table;

/// Seconds between two checks of the stop condition.
const STEP: f64 = 0.1;

/// The plan with `workers`, an object of Python with `start`, `next` and `cancel`, if there is one.
pub(crate) fn with_workers(plan: Plan, workers: Option<Py<PyAny>>) -> Plan {
    match workers {
        None => plan,
        Some(dispatcher) => plan.with_workers(Arc::new(Executor { dispatcher })),
    }
}

/// Workers that an object of Python drives.
#[derive(Debug)]
struct Executor {
    dispatcher: Py<PyAny>,
}

impl Workers for Executor {
    fn score(
        &self,
        jobs: &[Job],
        networks: bool,
        done: &dyn Fn(usize, &[u8]) -> Result<()>,
        stopped: &dyn Fn() -> bool,
    ) -> Result<()> {
        let listed: Vec<(Vec<usize>, Vec<usize>)> =
            jobs.iter().map(|job| (job.parents.clone(), job.children.clone())).collect();
        self.call(|dispatcher| dispatcher.call_method1("start", (listed, networks)).map(drop))?;
        let mut n_left = jobs.len();
        while n_left > 0 {
            if stopped() {
                return self.call(|dispatcher| dispatcher.call_method0("cancel").map(drop));
            }
            let scored: Vec<(usize, Vec<u8>)> =
                self.call(|dispatcher| dispatcher.call_method1("next", (STEP,))?.extract())?;
            n_left -= scored.len();
            scored.iter().try_for_each(|(place, bytes)| done(*place, bytes))?;
        }
        Ok(())
    }
}

impl Executor {
    /// Calls the dispatcher; what it raises ends the run.
    fn call<R>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> Result<R> {
        Python::attach(|py| {
            call(self.dispatcher.bind(py)).map_err(|error| {
                let text = error.value(py).to_string();
                let (what, hint) =
                    text.split_once("\nhint: ").unwrap_or((&text, "run it without `executor`"));
                Error::Worker { what: what.to_string(), hint: hint.to_string() }
            })
        })
    }
}

/// Scores jobs of a run in another process.
#[pyclass(frozen, module = "prequential._native")]
pub(crate) struct Worker {
    worker: prequential::workers::Worker,
}

#[pymethods]
impl Worker {
    /// Prepares the table of a run with these options.
    #[new]
    fn new(py: Python<'_>, table: Py<Table>, options: &str) -> PyResult<Worker> {
        let options = read(options)?;
        let table = &table.get().table;
        let settings = worker_settings(&options, table).map_err(|error| raise(&error))?;
        let worker = py
            .detach(|| Plan::new(table, &settings).and_then(|plan| prequential::workers::Worker::new(&plan)));
        worker.map(|worker| Worker { worker }).map_err(|error| raise(&error))
    }

    /// The codes of the families with these parents, as bytes.
    fn score<'py>(
        &self,
        py: Python<'py>,
        parents: Vec<usize>,
        children: Vec<usize>,
        networks: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let job = Job { parents, children };
        let codes = py.detach(|| self.worker.score(&job, networks)).map_err(|error| raise(&error))?;
        Ok(PyBytes::new(py, &codes))
    }
}
