//! The pipeline: table -> code lengths -> DAG -> result.

use std::sync::OnceLock;
use std::time::Instant;

use cpu_time::ProcessTime;

use super::answer::find;
use super::contexts::{by_column, effects};
use super::estimate::{try_learning, try_scoring};
use super::plan::Plan;
use super::pool::in_pool;
use super::repeats::{add_spreads, find_by_repeat};
use super::result::{Approximations, Learned, Partial, RunCost, Scored, StageCost};
use super::selection::FamilySelection;
use super::settings::Settings;
use super::watch::Watch;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::{Stop, StopReason, StopToken};
use crate::graph::{Dag, Family};
use crate::score::{CURVE_POINTS, Curves, FamilyLengths, Reused, Scores, TwoStageCache, checkpoints};
use crate::table::Table;

/// Learns the graph with the shortest code of `table`.
pub fn learn(table: &Table, settings: &Settings) -> Result<Learned> {
    Plan::new(table, settings)?.learn(&())
}

impl Plan {
    /// Learns the graph with the shortest code of the table, and reports progress to `observer`.
    pub fn learn(&self, observer: &dyn Observer) -> Result<Learned> {
        let clock = Clock::start();
        self.check_learnable()?;
        let token = StopToken::new();
        let watch = Watch::new(observer);
        let observer: &dyn Observer = &watch;
        let stop = Stop::when(&token, observer);
        in_pool(self.threads, || {
            let cache = self.open_two_stage(observer, stop)?;
            if self.is_long(self.first_families().len()) {
                observer.planned(&try_learning(&cache, self, clock.cpu.elapsed().as_secs_f64())?);
            }
            let mut answer = find(&cache, self, observer, stop)?;
            let stopped = token.reason().filter(|_| answer.found.is_stopped);
            let partial = partial(cache.refused().or(stopped), cache.len(), || self.n_families());
            answer.found.is_proven &= partial.is_none();
            let (reused, approximations) = (cache.reused(), self.approximations(&cache));
            let by_column = by_column(cache.initial(), &answer.dag);
            let scores = cache.into_scores();
            let by_repeat = find_by_repeat(&scores, self, &answer.dag, stop)?;
            add_spreads(&mut answer.evidence, &scores, &answer.dag, &by_repeat);
            let contexts = effects(&scores, &answer.dag, by_column);
            let curves = self.curves(&scores, ranked_families(&answer.ranking))?;
            Ok(Learned {
                cost: clock.cost(&scores, reused, watch.stages()),
                plan: self.clone(),
                scores,
                answer,
                by_repeat: by_repeat.into_iter().map(|repeat| repeat.dag).collect(),
                contexts,
                curves,
                partial,
                approximations,
                shapes: OnceLock::new(),
            })
        })
    }

    /// Scores the families that are selected, without searching.
    pub fn score(&self, selection: FamilySelection, observer: &dyn Observer) -> Result<Scored> {
        let clock = Clock::start();
        let families = selection.families(self)?;
        let token = StopToken::new();
        let watch = Watch::new(observer);
        let observer: &dyn Observer = &watch;
        in_pool(self.threads, || {
            let cache = self.open_cache(observer, Stop::when(&token, observer))?;
            if self.is_long(families.len()) {
                observer.planned(&try_scoring(&cache, self, &families)?);
            }
            cache.request(&families)?;
            let partial = partial(cache.refused(), cache.len(), || Some(families.len()));
            let reused = cache.reused();
            let scores = TwoStageCache::new(None, cache).into_scores();
            let total = matches!(selection, FamilySelection::Graph(_))
                .then(|| scores.moments.iter().map(|moments| Nats(moments.mean)).sum());
            let total = total.filter(|_| partial.is_none());
            let cost = clock.cost(&scores, reused, watch.stages());
            Ok(Scored { plan: self.clone(), scores, total, partial, cost })
        })
    }

    /// The learning curves of `families` at these numbers of rows. Codes them again.
    pub fn curves_at(&self, families: &[Family], n_rows: &[usize]) -> Result<Curves> {
        let order = |repeat| self.order_of_rows(repeat);
        in_pool(self.threads, || {
            Curves::new(&self.data, &self.estimator, self.seed, families, n_rows, self.permutations, order)
        })
    }

    /// The learning curves of scored `families`.
    pub(crate) fn curves(&self, scores: &Scores, families: Vec<Family>) -> Result<Curves> {
        if let Some(curves) = &scores.curves {
            return Ok(curves.restricted_to(&families));
        }
        let points = checkpoints(self.data.n_rows(), CURVE_POINTS);
        let order = |repeat| self.order_of_rows(repeat);
        Curves::new(&self.data, &self.estimator, self.seed, &families, &points, self.permutations, order)
    }

    /// The approximations: what was not scored, and by which rules.
    fn approximations(&self, cache: &TwoStageCache) -> Approximations {
        let networks = cache.deferred().map(|trained| self.gating_rules().report(trained.len()));
        Approximations { networks, parent_sets: self.families.pruning() }
    }

    /// Whether this many families deserve an estimate; a local trial says nothing about remote workers.
    fn is_long(&self, n_families: usize) -> bool {
        self.workers.is_none() && n_families * self.n_networks().max(1) > MIN_ANNOUNCED
    }
}

impl Learned {
    /// The learning curves of some scored families.
    pub fn curves_of(&self, families: Vec<Family>) -> Result<Curves> {
        in_pool(self.plan.threads, || self.plan.curves(&self.scores, families))
    }
}

impl Scored {
    /// The learning curves of the scored families, over the row orders of the settings or over the single
    /// networks. Counts are coded again; for other estimators the curves were recorded.
    pub fn curves(&self) -> Result<Curves> {
        in_pool(self.plan.threads, || self.plan.curves(&self.scores, self.scores.families.clone()))
    }
}

/// The families of these graphs, each once.
fn ranked_families(ranking: &[(Dag, Nats)]) -> Vec<Family> {
    let mut families: Vec<Family> =
        ranking.iter().flat_map(|(dag, _)| dag.families().collect::<Vec<_>>()).collect();
    families.sort_unstable();
    families.dedup();
    families
}

/// Fewer families or networks than this are scored without an estimate.
const MIN_ANNOUNCED: usize = 100;

/// Why the run is partial, if it is; `n_planned` is the number of families planned.
fn partial(
    reason: Option<StopReason>,
    n_scored: usize,
    n_planned: impl FnOnce() -> Option<usize>,
) -> Option<Partial> {
    Some(Partial { reason: reason?, n_scored, n_planned: n_planned() })
}

/// The cost since the start.
struct Clock {
    wall: Instant,
    cpu: ProcessTime,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), cpu: ProcessTime::now() }
    }

    fn cost(&self, scores: &Scores, reused: Reused, stages: Vec<StageCost>) -> RunCost {
        RunCost {
            n_families: scores.families.len(),
            n_reused: reused.n_families,
            n_trainings: scores.effort.n_trainings - reused.effort.n_trainings,
            n_steps: scores.effort.n_steps - reused.effort.n_steps,
            cpu_seconds: self.cpu.elapsed().as_secs_f64(),
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            stages,
        }
    }
}
