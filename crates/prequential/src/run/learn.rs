//! The pipeline: table -> code lengths -> DAG -> result.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;

use crate::base::error::{Error, Result};
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::graph::{Dag, Family};
use crate::run::estimate::try_out;
use crate::run::find::{add_spreads, find, find_by_repeat, temper};
use crate::run::plan::Plan;
use crate::run::result::{Cost, Learned, Partial, Scored};
use crate::run::selection::Wanted;
use crate::run::settings::Settings;
use crate::score::{
    CURVE_POINTS, Curves, FamilyLengths, FamilyScorer, Ledger, Reused, Scores, Shelf, checkpoints,
};
#[cfg(feature = "store")]
use crate::score::{StoreShelf, TableIdentity, context};
use crate::table::{Quantised, Table};

/// Learns the graph under which `table` is cheapest to predict.
pub fn learn(table: &Table, settings: &Settings) -> Result<Learned> {
    learn_observed(table, settings, &())
}

/// The same, telling `observer` how far it is.
pub fn learn_observed(table: &Table, settings: &Settings, observer: &dyn Observer) -> Result<Learned> {
    let clock = Clock::start();
    let plan = Plan::new(table, settings)?;
    plan.check_search()?;
    plan.check_scoring()?;
    in_pool(settings.threads, || {
        let ledger = open_ledger(table, &plan, observer)?;
        announce(&ledger, &plan, &plan.first_families(), plan.memory(), observer)?;
        let mut found = find(&ledger, &plan, observer)?;
        let n_planned = || (!plan.settings.search.is_lazy()).then(|| plan.families().len());
        let (partial, reused) = (partial(&ledger, n_planned), ledger.reused());
        let scores = ledger.into_scores();
        let by_repeat = find_by_repeat(&scores, &plan, &found.answer.dag)?;
        add_spreads(&mut found.answer.evidence, &scores, &found.answer.dag, &by_repeat);
        let tempered = temper(&scores, &plan, &found, observer)?;
        let curves = curves_of(&plan.data, &plan.settings, &scores, ranked_families(&found.answer.ranking))?;
        Ok(Learned {
            cost: clock.cost(&scores, reused),
            settings: plan.settings,
            data: plan.data,
            scores,
            answer: found.answer,
            tempered,
            by_repeat: by_repeat.into_iter().map(|repeat| repeat.dag).collect(),
            curves,
            partial,
        })
    })
}

/// Scores the families that are wanted, without searching.
pub fn score(table: &Table, settings: &Settings, wanted: Wanted, observer: &dyn Observer) -> Result<Scored> {
    let clock = Clock::start();
    let plan = Plan::of_scores(table, settings, wanted)?;
    in_pool(settings.threads, || {
        let ledger = open_ledger(table, &plan, observer)?;
        let families = wanted.families(&plan);
        announce(&ledger, &plan, &families, plan.memory_without_search(families.len()), observer)?;
        ledger.request(&families)?;
        let (partial, reused) = (partial(&ledger, || Some(families.len())), ledger.reused());
        let scores = ledger.into_scores();
        let total = matches!(wanted, Wanted::Graph(_))
            .then(|| scores.moments.iter().map(|moments| Nats(moments.mean)).sum());
        let total = total.filter(|_| partial.is_none());
        let cost = clock.cost(&scores, reused);
        Ok(Scored { settings: plan.settings, data: plan.data, scores, total, partial, cost })
    })
}

impl Learned {
    /// How the code lengths of some scored families grow with the rows.
    pub(crate) fn curves_of(&self, families: Vec<Family>) -> Result<Curves> {
        in_pool(self.settings.threads, || curves_of(&self.data, &self.settings, &self.scores, families))
    }
}

impl Scored {
    /// How the code lengths of the scored families grow with the rows, over the row orders of the settings or over the networks,
    /// each alone. Counts are coded again; of other estimators the curves were kept.
    pub fn curves(&self) -> Result<Curves> {
        in_pool(self.settings.threads, || {
            curves_of(&self.data, &self.settings, &self.scores, self.scores.families.clone())
        })
    }
}

/// How the code lengths of `families`, which are scored, grow with the rows.
fn curves_of(
    data: &Quantised,
    settings: &Settings,
    scores: &Scores,
    families: Vec<Family>,
) -> Result<Curves> {
    if let Some(curves) = &scores.curves {
        return Ok(curves.of_families(&families));
    }
    let n_rows = data.n_rows();
    let order = |repeat| settings.order_of_rows(n_rows, repeat);
    let points = checkpoints(n_rows, CURVE_POINTS);
    Curves::new(data, &settings.model(), &families, &points, settings.n_orders(), order)
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

/// Tells the observer what scoring these families will take, unless they are few.
fn announce(
    ledger: &Ledger,
    plan: &Plan,
    families: &[Family],
    memory: f64,
    observer: &dyn Observer,
) -> Result<()> {
    if families.len() * plan.settings.n_nets().max(1) > MIN_ANNOUNCED {
        observer.planned(&try_out(ledger, plan, families, memory)?);
    }
    Ok(())
}

/// A ledger of the planned table: nothing scored yet but what the store has.
pub(crate) fn open_ledger<'a>(table: &Table, plan: &Plan, observer: &'a dyn Observer) -> Result<Ledger<'a>> {
    let shelf = plan.settings.store.as_ref().map(|path| open_shelf(path, table, plan)).transpose()?;
    Ok(Ledger::new(scorers(plan), observer, shelf, plan.max_families()))
}

/// What scores the families of the planned table, one for each order of the rows.
pub(crate) fn scorers(plan: &Plan) -> Vec<FamilyScorer> {
    let (data, settings) = (&plan.data, &plan.settings);
    let model = settings.model();
    let scorer = |repeat| {
        let ordered = data.reordered(&settings.order_of_rows(data.n_rows(), repeat));
        FamilyScorer::new(ordered, model.for_repeat(repeat))
    };
    (0..settings.n_orders()).map(scorer).collect()
}

/// Where the code lengths of the planned table are kept.
#[cfg(feature = "store")]
fn open_shelf(path: &Path, table: &Table, plan: &Plan) -> Result<Box<dyn Shelf>> {
    let context = context(&plan.data, &plan.settings);
    Ok(Box::new(StoreShelf::open(path, &TableIdentity::of(table), &context)?))
}

#[cfg(not(feature = "store"))]
fn open_shelf(path: &Path, _table: &Table, _plan: &Plan) -> Result<Box<dyn Shelf>> {
    Err(Error::Store {
        path: path.to_path_buf(),
        problem: "this build of prequential keeps no code lengths".into(),
        hint: "build it with the feature `store`".into(),
    })
}

/// Why not everything was scored, if that is so; `n_planned` counts what there was to score.
fn partial(ledger: &Ledger, n_planned: impl FnOnce() -> Option<usize>) -> Option<Partial> {
    ledger.refused().map(|reason| Partial { reason, n_scored: ledger.len(), n_planned: n_planned() })
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

    fn cost(&self, scores: &Scores, reused: Reused) -> Cost {
        Cost {
            n_families: scores.families.len(),
            n_reused: reused.n_families,
            n_trainings: scores.effort.n_trainings - reused.effort.n_trainings,
            n_steps: scores.effort.n_steps - reused.effort.n_steps,
            cpu_seconds: self.cpu.elapsed().as_secs_f64(),
            wall_seconds: self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Runs `work` on its own threads; nothing global is touched.
pub(crate) fn in_pool<R: Send>(threads: Option<usize>, work: impl FnOnce() -> Result<R> + Send) -> Result<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Error::Setting {
        what: format!("cannot start worker threads: {error}").into(),
        hint: "use fewer with `--threads`".into(),
    })?;
    pool.install(work)
}
