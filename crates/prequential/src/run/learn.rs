//! The pipeline: table -> code lengths -> DAG -> result.

use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;

use super::answer::{add_spreads, find, find_by_repeat};
use super::contexts::{by_column, effects};
use super::estimate::{try_learning, try_scoring};
use super::gating::{MIN_GAP, MIN_JOINT_GAP};
use super::growth::{ALL_UP_TO, GROWTH_SLACK};
use super::plan::Plan;
use super::result::{
    Approximations, Learned, NetworkGating, ParentSetPruning, Partial, RunCost, Scored, StageCost,
};
use super::selection::FamilySelection;
use super::settings::Settings;
use super::watch::Watch;
use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::{Stop, StopReason, StopToken};
use crate::estimator::Method;
use crate::graph::{Dag, Family};
use crate::score::{
    CURVE_POINTS, CodeStore, Curves, FamilyLengths, FamilyScorer, RemoteWorkers, Reused, ScoreCache, Scores,
    TwoStageCache, checkpoints,
};
use crate::simd::arithmetic;
use crate::table::Table;

/// Learns the graph under which `table` is cheapest to predict.
pub fn learn(table: &Table, settings: &Settings) -> Result<Learned> {
    Plan::new(table, settings)?.learn(&())
}

impl Plan {
    /// Learns the graph under which the table is cheapest to predict, telling `observer` how far it is.
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

    /// How the code lengths of `families` grow with the rows, read when so many rows are coded. Codes them anew.
    pub fn curves_at(&self, families: &[Family], n_rows: &[usize]) -> Result<Curves> {
        let order = |repeat| self.order_of_rows(repeat);
        in_pool(self.threads, || {
            Curves::new(&self.data, &self.estimator, self.seed, families, n_rows, self.row_orders, order)
        })
    }

    /// How the code lengths of `families`, which are scored, grow with the rows.
    pub(crate) fn curves(&self, scores: &Scores, families: Vec<Family>) -> Result<Curves> {
        if let Some(curves) = &scores.curves {
            return Ok(curves.restricted_to(&families));
        }
        let points = checkpoints(self.data.n_rows(), CURVE_POINTS);
        let order = |repeat| self.order_of_rows(repeat);
        Curves::new(&self.data, &self.estimator, self.seed, &families, &points, self.row_orders, order)
    }

    /// What was not scored, and by which rules.
    fn approximations(&self, cache: &TwoStageCache) -> Approximations {
        let networks = cache.deferred().map(|trained| NetworkGating {
            n_families: trained.len(),
            margin: Nats(self.network_margin()),
            pair_gap: Nats(MIN_GAP),
            joint_gap: Nats(MIN_JOINT_GAP),
            decisive_gap: self.decisive_gap(),
        });
        let parent_sets =
            self.grows.then_some(ParentSetPruning { all_up_to: ALL_UP_TO, slack: Nats(GROWTH_SLACK) });
        Approximations { networks, parent_sets }
    }

    /// Whether so many families are worth an estimate; a trial here says nothing about remote workers.
    fn is_long(&self, n_families: usize) -> bool {
        self.workers.is_none() && n_families * self.n_networks().max(1) > MIN_ANNOUNCED
    }

    /// Nothing scored yet but what the store has.
    pub(crate) fn open_cache<'a>(
        &self,
        observer: &'a dyn Observer,
        stop: Stop<'a>,
    ) -> Result<ScoreCache<'a>> {
        let store = self.open_store(&self.estimator)?;
        let cache = ScoreCache::new(self.scorers(), observer, stop, store, self.max_families());
        Ok(cache.with_remote_workers(self.remote(true)))
    }

    /// The same, in which networks wait until they are asked for, if they can.
    pub(crate) fn open_two_stage<'a>(
        &self,
        observer: &'a dyn Observer,
        stop: Stop<'a>,
    ) -> Result<TwoStageCache<'a>> {
        let Some(method) = self.estimator.without_networks() else {
            return Ok(TwoStageCache::new(None, self.open_cache(observer, stop)?));
        };
        let (full, max) = (self.scorers(), self.max_families());
        let cheap: Option<Vec<FamilyScorer>> = full.iter().map(FamilyScorer::without_networks).collect();
        let open = |scorers, method, networks| -> Result<ScoreCache<'a>> {
            let cache = ScoreCache::new(scorers, observer, stop, self.open_store(method)?, max);
            Ok(cache.with_remote_workers(self.remote(networks)))
        };
        let cheap = cheap.map(|scorers| open(scorers, &method, false)).transpose()?;
        Ok(TwoStageCache::new(cheap, open(full, &self.estimator, true)?))
    }

    /// Remote workers, if there are any.
    fn remote(&self, networks: bool) -> Option<RemoteWorkers> {
        let workers = self.workers.clone()?;
        Some(RemoteWorkers { workers, networks, key: self.key_of_codes() })
    }

    /// Says whose codes workers send: those of this table with these settings.
    pub(crate) fn key_of_codes(&self) -> String {
        let rows = format!("{} {} {:?}", self.data.n_rows(), self.seed, self.names());
        format!("{rows} {} {}", self.estimator.name(), arithmetic())
    }

    /// What scores the families, one for each order of the rows.
    pub(crate) fn scorers(&self) -> Vec<FamilyScorer> {
        let scorer = |order| {
            let data = self.data.reordered(&self.order_of_rows(order));
            FamilyScorer::new(&self.estimator, data, self.seed, order)
        };
        (0..self.row_orders).map(scorer).collect()
    }

    /// Where code lengths of an estimator are kept beyond the run.
    #[cfg(feature = "store")]
    fn open_store(&self, estimator: &Arc<dyn Method>) -> Result<Option<Box<dyn CodeStore>>> {
        use crate::score::OpenStore;
        let Some(path) = &self.store else { return Ok(None) };
        let plan = Plan { estimator: estimator.clone(), ..self.clone() };
        Ok(Some(Box::new(OpenStore::open(path, &self.table, &plan.store_context())?)))
    }

    #[cfg(not(feature = "store"))]
    fn open_store(&self, _estimator: &Arc<dyn Method>) -> Result<Option<Box<dyn CodeStore>>> {
        let Some(path) = &self.store else { return Ok(None) };
        Err(Error::Store {
            path: path.clone(),
            problem: "this build of prequential keeps no code lengths".into(),
            hint: "build it with the feature `store`".into(),
        })
    }
}

impl Learned {
    /// How the code lengths of some scored families grow with the rows.
    pub fn curves_of(&self, families: Vec<Family>) -> Result<Curves> {
        in_pool(self.plan.threads, || self.plan.curves(&self.scores, families))
    }
}

impl Scored {
    /// How the code lengths of the scored families grow with the rows, over the row orders of the settings or over the networks,
    /// each alone. Counts are coded again; of other estimators the curves were kept.
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

/// Fewer families, or networks, than this are scored without an estimate.
const MIN_ANNOUNCED: usize = 100;

/// Why not everything was scored, or searched, if that is so; `n_planned` counts what there was to score.
fn partial(
    reason: Option<StopReason>,
    n_scored: usize,
    n_planned: impl FnOnce() -> Option<usize>,
) -> Option<Partial> {
    Some(Partial { reason: reason?, n_scored, n_planned: n_planned() })
}

/// What has been used since the start.
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

/// Runs `work` on its own threads; nothing global is touched.
pub fn in_pool<R: Send>(threads: Option<usize>, work: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Error::Setting {
        what: format!("cannot start worker threads: {error}").into(),
        hint: message!["use fewer with ", OptionName::Threads],
    })?;
    pool.install(work)
}
