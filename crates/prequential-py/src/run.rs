//! Runs in threads of their own, so that Python can show progress and handle Ctrl-C while it waits.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prequential::progress::{Estimate, Stage};
use prequential::results::ScoreDocument;
use prequential::workers::Shard;
use prequential::{
    DocumentOptions, Family, FamilySelection, Knowledge, Observer, Plan, ResultDocument, StopReason,
    StopToken,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::options::read;
use crate::results::{PyLearned, PyScored};
use crate::table::Table;
use crate::wording::as_keywords;
use crate::workers::with_workers;

/// A run in progress.
#[pyclass(frozen, module = "prequential._native")]
pub(crate) struct Run {
    progress: Arc<Progress>,
    done: Mutex<Receiver<Done>>,
    result: Mutex<Option<Done>>,
}

/// The result.
type Done = prequential::Result<RunOutcome>;

enum RunOutcome {
    Learned(Box<ResultDocument>),
    Scored(Box<ScoreDocument>),
}

/// The progress of a run.
#[derive(Default)]
struct Progress {
    n_asked: AtomicUsize,
    n_scored: AtomicUsize,
    /// Families of the whole run, if that is known in advance.
    n_planned: AtomicUsize,
    is_searching: AtomicBool,
    stop: StopToken,
}

impl Observer for Progress {
    fn planned(&self, estimate: &Estimate) {
        if let Some(n_families) = estimate.n_families().certain() {
            self.n_planned.store(n_families as usize, Ordering::Relaxed);
        }
    }

    fn scoring(&self, n_families: usize) {
        self.n_asked.fetch_add(n_families, Ordering::Relaxed);
    }

    fn scored(&self, n_families: usize) {
        self.n_scored.fetch_add(n_families, Ordering::Relaxed);
    }

    fn entered(&self, stage: Stage) {
        self.is_searching.store(stage != Stage::InitialScoring, Ordering::Relaxed);
    }

    fn stop(&self) -> Option<StopReason> {
        self.stop.reason()
    }
}

#[pymethods]
impl Run {
    /// Starts to learn the graph behind `table`; `truth` is a graph to compare the answer with.
    #[staticmethod]
    #[pyo3(signature = (table, options, truth, workers))]
    fn learn(
        table: Py<Table>,
        options: &str,
        truth: Option<Vec<(String, String)>>,
        workers: Option<Py<PyAny>>,
        py: Python<'_>,
    ) -> PyResult<Run> {
        let Prepared { plan, knowledge, stop } = Prepared::new(py, &table, options)?;
        let plan = with_workers(plan, workers);
        let names = table.get().table.names();
        let truth = truth.map(|edges| crate::graphs::onto(&edges, &names, &knowledge, "truth")).transpose();
        let truth = truth.map_err(|error| raise(&error))?;
        Ok(Run::start(stop, move |progress| {
            let learned = plan.learn(progress)?;
            let truth = truth.map(|truth| learned.against(&truth));
            let options = DocumentOptions { families: true, truth: truth.as_ref(), ..as_keywords() };
            Ok(RunOutcome::Learned(Box::new(learned.document(&options))))
        }))
    }

    /// Starts to score families: these, those of a graph, a part of all, or all.
    #[staticmethod]
    #[pyo3(signature = (table, options, families, graph, shard, workers))]
    fn score(
        table: Py<Table>,
        options: &str,
        families: Option<Vec<(String, Vec<String>)>>,
        graph: Option<Vec<(String, String)>>,
        shard: Option<(usize, usize)>,
        workers: Option<Py<PyAny>>,
        py: Python<'_>,
    ) -> PyResult<Run> {
        let Prepared { plan, knowledge, stop } = Prepared::new(py, &table, options)?;
        let plan = with_workers(plan, workers);
        let names = table.get().table.names();
        let families = families.map(|all| named_families(&all, plan.names())).transpose();
        let graph = graph.map(|edges| crate::graphs::onto(&edges, &names, &knowledge, "graph")).transpose();
        let shard = shard.map(|(number, n_shards)| Shard::new(number, n_shards)).transpose();
        let (families, graph, shard) = match (families, graph, shard) {
            (Ok(families), Ok(graph), Ok(shard)) => (families, graph, shard),
            (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) => return Err(raise(&error)),
        };
        Ok(Run::start(stop, move |progress| {
            let selection = match (&families, &graph, shard) {
                (Some(families), _, _) => FamilySelection::Families(families),
                (_, Some(graph), _) => FamilySelection::Graph(graph),
                (_, _, Some(shard)) => FamilySelection::Shard(shard),
                _ => FamilySelection::All,
            };
            let scored = plan.score(selection, progress)?;
            Ok(RunOutcome::Scored(Box::new(scored.document(&as_keywords()))))
        }))
    }

    /// Waits for this many seconds; whether the run is done.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<bool> {
        py.check_signals()?;
        let time = Duration::from_secs_f64(seconds);
        let received = py.detach(|| lock(&self.done).recv_timeout(time));
        match received {
            Ok(done) => {
                *lock(&self.result) = Some(done);
                Ok(true)
            }
            Err(RecvTimeoutError::Timeout) => Ok(false),
            Err(RecvTimeoutError::Disconnected) => {
                Err(PyRuntimeError::new_err("the run panicked; what it said is on standard error"))
            }
        }
    }

    /// Stops the run: it answers from what it has.
    fn stop(&self) {
        self.progress.stop.stop(StopReason::Interrupted);
    }

    /// Families scored, families planned (`None` if a search requests them), and whether the search has
    /// started.
    #[getter]
    fn progress(&self) -> (usize, Option<usize>, bool) {
        let progress = &self.progress;
        let (asked, planned) =
            (progress.n_asked.load(Ordering::Relaxed), progress.n_planned.load(Ordering::Relaxed));
        let all = (planned > 0).then_some(planned.max(asked));
        (progress.n_scored.load(Ordering::Relaxed), all, progress.is_searching.load(Ordering::Relaxed))
    }

    /// The result of learning; once, and only when the run is done.
    fn learned(&self) -> PyResult<PyLearned> {
        match self.outcome()? {
            RunOutcome::Learned(document) => Ok(PyLearned { document: *document }),
            RunOutcome::Scored(_) => Err(PyRuntimeError::new_err("this run learns no graph")),
        }
    }

    /// The result of scoring; once, and only when the run is done.
    fn scored(&self) -> PyResult<PyScored> {
        match self.outcome()? {
            RunOutcome::Scored(document) => Ok(PyScored { document: *document }),
            RunOutcome::Learned(_) => Err(PyRuntimeError::new_err("this run learns a graph")),
        }
    }
}

impl Run {
    /// Starts `work` in a thread of its own.
    fn start(stop: StopToken, work: impl FnOnce(&Progress) -> Done + Send + 'static) -> Run {
        let progress = Arc::new(Progress { stop, ..Progress::default() });
        let (send, done) = channel();
        let watched = progress.clone();
        // A failure to send means that the receiver is gone.
        std::thread::spawn(move || drop(send.send(work(&watched))));
        Run { progress, done: Mutex::new(done), result: Mutex::default() }
    }

    fn outcome(&self) -> PyResult<RunOutcome> {
        match lock(&self.result).take() {
            Some(done) => done.map_err(|error| raise(&error)),
            None => Err(PyRuntimeError::new_err("the run is not done, or its result was taken")),
        }
    }
}

impl Drop for Run {
    /// The receiver is gone.
    fn drop(&mut self) {
        self.stop();
    }
}

/// The plan of a run, the known graph, and the stop token.
struct Prepared {
    plan: Plan,
    knowledge: Knowledge,
    stop: StopToken,
}

impl Prepared {
    fn new(py: Python<'_>, table: &Py<Table>, options: &str) -> PyResult<Prepared> {
        let options = read(options)?;
        let table = &table.get().table;
        let settings = options.settings(&table.names()).map_err(|error| raise(&error))?;
        let stop = options.time_limit().map_or_else(StopToken::new, StopToken::with_time_limit);
        let plan = py.detach(|| Plan::new(table, &settings)).map_err(|error| raise(&error))?;
        Ok(Prepared { plan, knowledge: settings.knowledge, stop })
    }
}

fn named_families(families: &[(String, Vec<String>)], names: &[String]) -> prequential::Result<Vec<Family>> {
    let number = |name: &String| {
        names.iter().position(|known| known == name).ok_or_else(|| prequential::Error::UnknownName {
            option: prequential::wording::OptionName::Families.into(),
            name: name.clone(),
            what: "variable",
            known: names.to_vec(),
        })
    };
    let family = |(child, parents): &(String, Vec<String>)| {
        let parents = parents.iter().map(number).collect::<prequential::Result<Vec<_>>>()?;
        Ok(Family::new(number(child)?, parents.into_iter().collect()))
    };
    families.iter().map(family).collect()
}

/// The content of a mutex; a panic elsewhere ends the work anyway.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
