//! Measures the cost of each stage of a run.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cpu_time::ProcessTime;

use super::result::StageCost;
use crate::base::nats::Nats;
use crate::base::observer::{Estimate, Observer, Stage};
use crate::base::stop::StopReason;

/// Forwards everything to `observer`, and records the cost of each stage.
pub(crate) struct Watch<'a> {
    observer: &'a dyn Observer,
    log: Mutex<Log>,
}

struct Log {
    /// The finished stages, and the present one.
    stages: Vec<StageCost>,
    since: ProcessTime,
}

impl Log {
    /// Adds the elapsed time to the present stage.
    fn charge(&mut self) {
        if let Some(present) = self.stages.last_mut() {
            present.cpu_seconds += self.since.elapsed().as_secs_f64();
        }
        self.since = ProcessTime::now();
    }
}

impl<'a> Watch<'a> {
    /// For a run that starts now; preparation is part of its first stage.
    pub(crate) fn new(observer: &'a dyn Observer) -> Watch<'a> {
        let log = Log { stages: vec![StageCost::new(Stage::InitialScoring)], since: ProcessTime::now() };
        Watch { observer, log: Mutex::new(log) }
    }

    /// The cost of each stage until now.
    pub(crate) fn stages(&self) -> Vec<StageCost> {
        let mut log = self.log();
        log.charge();
        log.stages.clone()
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Watch<'_> {
    fn planned(&self, estimate: &Estimate) {
        self.observer.planned(estimate);
    }

    fn scoring(&self, n_families: usize) {
        self.observer.scoring(n_families);
    }

    fn scored(&self, n_families: usize) {
        if let Some(present) = self.log().stages.last_mut() {
            present.n_families += n_families;
        }
        self.observer.scored(n_families);
    }

    fn entered(&self, stage: Stage) {
        let mut log = self.log();
        log.charge();
        if log.stages.last().is_none_or(|present| present.stage != stage) {
            log.stages.push(StageCost::new(stage));
        }
        drop(log);
        self.observer.entered(stage);
    }

    fn found(&self, code_length: Nats) {
        self.observer.found(code_length);
    }

    fn stop(&self) -> Option<StopReason> {
        self.observer.stop()
    }
}
