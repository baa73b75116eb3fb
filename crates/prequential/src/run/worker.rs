//! A worker: scores jobs of a run that goes on elsewhere.

use std::time::Instant;

use super::plan::Plan;
use crate::base::error::Result;
use crate::base::stop::Stop;
use crate::graph::NodeSet;
use crate::score::{FamilyScorer, Job, Kept, pack};

/// Scores jobs of a run whose [`Plan`] has the same table and settings, perhaps on another machine.
///
/// ```
/// use prequential::{Experiment, Job, Plan, Settings, Worker};
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let worker = Worker::new(&Plan::new(&table, &Settings::default())?);
/// let codes = worker.score(&Job { parents: vec![1], children: vec![3] }, true)?;
/// assert!(!codes.is_empty());
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug)]
pub struct Worker {
    /// One for each order of the rows.
    whole: Vec<FamilyScorer>,
    /// The same without networks, if they can wait.
    quick: Option<Vec<FamilyScorer>>,
    key: String,
}

impl Worker {
    /// Prepares the table, in every order of its rows.
    pub fn new(plan: &Plan) -> Worker {
        let whole = plan.scorers();
        let quick = whole.iter().map(FamilyScorer::without_networks).collect();
        Worker { whole, quick, key: plan.key_of_codes() }
    }

    /// The codes of a job as bytes, for [`Workers::score`](crate::Workers::score) to hand over.
    pub fn score(&self, job: &Job, networks: bool) -> Result<Vec<u8>> {
        let scorers = if networks { &self.whole } else { self.quick.as_ref().unwrap_or(&self.whole) };
        let parents: NodeSet = job.parents.iter().copied().collect();
        let mut codes = Vec::new();
        for (order, scorer) in scorers.iter().enumerate() {
            let start = Instant::now();
            let scored = scorer.score_group(&parents, &job.children, Stop::never())?.unwrap_or_default();
            let seconds = start.elapsed().as_secs_f64() / job.children.len().max(1) as f64;
            let of_child = job.children.iter().zip(scored);
            codes.extend(of_child.map(|(&child, code)| Kept { child, order, code, seconds }));
        }
        Ok(pack(&self.key, &codes))
    }
}
