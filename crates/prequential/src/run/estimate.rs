//! What a run will take, from a short trial.

use cpu_time::ProcessTime;

use crate::base::error::Result;
use crate::base::observer::Estimate;
use crate::estimator::Schedule;
use crate::graph::{Family, NodeSet};
use crate::run::learn::{in_pool, open_ledger, scorers};
use crate::run::plan::Plan;
use crate::run::selection::Wanted;
use crate::run::settings::Settings;
use crate::score::{FamilyLengths, Ledger};
use crate::table::Table;

/// CPU seconds that a trial may take, roughly: no further number of parents is tried beyond that.
const MAX_TRIAL: f64 = 1.0;

/// Children that are scored in a trial of networks, whose cost is theirs alone; others share work, so all are scored.
const MAX_CHILDREN: usize = 3;

/// Plans a run of `learn` and tries a few families, to say what the whole will take.
pub fn estimate(table: &Table, settings: &Settings) -> Result<(Plan, Estimate)> {
    let plan = Plan::new(table, &with_old_store(settings))?;
    plan.check_search()?;
    plan.check_scoring()?;
    let (families, memory) = (plan.first_families(), plan.memory());
    estimate_families(table, plan, &families, memory)
}

/// The same for a run of `score`.
pub fn estimate_score(table: &Table, settings: &Settings, wanted: Wanted) -> Result<(Plan, Estimate)> {
    let plan = Plan::of_scores(table, &with_old_store(settings), wanted)?;
    let families = wanted.families(&plan);
    let memory = plan.memory_without_search(families.len());
    estimate_families(table, plan, &families, memory)
}

/// What a store has is no work; but a trial makes none.
fn with_old_store(settings: &Settings) -> Settings {
    Settings { store: settings.store.clone().filter(|path| path.exists()), ..settings.clone() }
}

fn estimate_families(
    table: &Table,
    plan: Plan,
    families: &[Family],
    memory: f64,
) -> Result<(Plan, Estimate)> {
    in_pool(plan.settings.threads, || {
        let estimate = try_out(&open_ledger(table, &plan, &())?, &plan, families, memory)?;
        Ok((plan, estimate))
    })
}

/// Tries some of `families` and extrapolates to all of them. What is scored stays known.
pub(crate) fn try_out(ledger: &Ledger, plan: &Plan, families: &[Family], memory: f64) -> Result<Estimate> {
    let to_score = ledger.unscored(families)?;
    let from_scratch = plan.settings.model().learns_marginals();
    let cpu = match from_scratch {
        true => cpu_from_scratch(&to_score, plan)?,
        false => cpu_by_size(ledger, &to_score, plan)?,
    };
    let n_threads = rayon::current_num_threads();
    Ok(Estimate {
        n_families: to_score.len(),
        is_least: plan.settings.search.is_lazy(),
        is_most: from_scratch,
        n_networks: n_networks(&to_score, &plan.settings),
        memory,
        seconds: cpu / n_threads as f64,
        n_threads,
    })
}

/// CPU seconds for all of `families`, from a few of every size.
fn cpu_by_size(ledger: &Ledger, families: &[Family], plan: &Plan) -> Result<f64> {
    let n_sizes = families.iter().map(|family| family.parents.len() + 1).max().unwrap_or(0);
    let mut by_size: Vec<Vec<&Family>> = vec![Vec::new(); n_sizes];
    families.iter().for_each(|family| by_size[family.parents.len()].push(family));
    let (mut cpu, mut per_family, mut spent) = (0.0, 0.0, 0.0);
    for families in by_size.iter().filter(|families| !families.is_empty()) {
        if spent < MAX_TRIAL {
            let trial = trial(families, plan);
            let clock = ProcessTime::now();
            ledger.request(&trial)?;
            let seconds = clock.elapsed().as_secs_f64();
            (per_family, spent) = (seconds / trial.len() as f64, spent + seconds);
        }
        cpu += per_family * families.len() as f64;
    }
    Ok(cpu)
}

/// Gradient steps of each training run in the trial of networks trained from scratch.
const TRIAL_STEPS: usize = 8;

/// The most CPU seconds for all of `families`, if no training run stops early: a single run would be too long for a trial, so a few
/// steps of one family are tried.
fn cpu_from_scratch(families: &[Family], plan: &Plan) -> Result<f64> {
    let Some(family) = families.get(families.len() / 2) else { return Ok(0.0) };
    let max_steps = plan.settings.blockwise.max_steps;
    let mut short = plan.clone();
    short.settings.blockwise.max_steps = TRIAL_STEPS.min(max_steps);
    let trial = Ledger::new(scorers(&short), &(), None, usize::MAX);
    let clock = ProcessTime::now();
    trial.request(std::slice::from_ref(family))?;
    let per_family =
        clock.elapsed().as_secs_f64() * max_steps as f64 / TRIAL_STEPS.min(max_steps).max(1) as f64;
    Ok(per_family * families.len() as f64)
}

/// The children of the parent set in the middle of the list.
fn trial(families: &[&Family], plan: &Plan) -> Vec<Family> {
    let parents: &NodeSet = &families[families.len() / 2].parents;
    let most = if plan.settings.estimator.has_networks() { MAX_CHILDREN } else { usize::MAX };
    families
        .iter()
        .filter(|family| family.parents == *parents)
        .take(most)
        .map(|&family| family.clone())
        .collect()
}

fn n_networks(families: &[Family], settings: &Settings) -> usize {
    let model = settings.model();
    if !settings.estimator.has_networks() {
        return 0;
    }
    let trained =
        families.iter().filter(|family| !family.parents.is_empty() || model.learns_marginals()).count();
    let per_net = match settings.schedule {
        Schedule::Replay => 1,
        Schedule::Blockwise => settings.blockwise.n_splits * settings.blockwise.learning_rates.len(),
    };
    trained * settings.n_nets() * per_net
}
