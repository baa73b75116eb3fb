//! What a run will take, from a short trial.

use std::sync::Arc;

use cpu_time::ProcessTime;

use super::learn::in_pool;
use super::plan::Plan;
use super::selection::FamilySelection;
use crate::base::error::Result;
use crate::base::observer::Estimate;
use crate::base::stop::Stop;
use crate::estimator::Method;
use crate::graph::{Family, NodeSet};
use crate::score::{FamilyLengths, ScoreCache};

/// CPU seconds that a trial may take, roughly: no further number of parents is tried beyond that.
const MAX_TRIAL: f64 = 1.0;

/// Children that are scored in a trial of networks, whose cost is theirs alone; others share work, so all are scored.
const MAX_CHILDREN: usize = 3;

impl Plan {
    /// What learning will take, from a short trial of a few families.
    pub fn estimate(&self) -> Result<Estimate> {
        self.check_learnable()?;
        self.estimate_families(&self.first_families(), self.memory())
    }

    /// The same for scoring without a search.
    pub fn estimate_score(&self, selection: FamilySelection) -> Result<Estimate> {
        let families = selection.families(self)?;
        self.estimate_families(&families, self.memory_without_search(families.len()))
    }

    fn estimate_families(&self, families: &[Family], memory: f64) -> Result<Estimate> {
        // What a store has is no work; but a trial makes none.
        let store = self.store.clone().filter(|path| path.exists());
        let plan = Plan { store, ..self.clone() };
        in_pool(self.threads, || try_out(&plan.open_cache(&(), Stop::never())?, &plan, families, memory))
    }
}

/// Tries some of `families` and extrapolates to all of them. What is scored stays known.
pub(crate) fn try_out(cache: &ScoreCache, plan: &Plan, families: &[Family], memory: f64) -> Result<Estimate> {
    let to_score = cache.unscored(families)?;
    let shortened = plan.estimator.shortened();
    let is_most = shortened.is_some();
    let cpu = match shortened {
        Some((short, times_longer)) => times_longer * cpu_shortened(&to_score, plan, short.into())?,
        None => cpu_by_size(cache, &to_score, plan)?,
    };
    let n_threads = rayon::current_num_threads();
    Ok(Estimate {
        n_families: to_score.len(),
        is_least: plan.n_families().is_none(),
        is_most,
        n_networks: n_trainings(&to_score, plan),
        memory,
        seconds: cpu / n_threads as f64,
        n_threads,
    })
}

/// CPU seconds for all of `families`, from a few of every size.
fn cpu_by_size(cache: &ScoreCache, families: &[Family], plan: &Plan) -> Result<f64> {
    let n_sizes = families.iter().map(|family| family.parents.len() + 1).max().unwrap_or(0);
    let mut by_size: Vec<Vec<&Family>> = vec![Vec::new(); n_sizes];
    families.iter().for_each(|family| by_size[family.parents.len()].push(family));
    let (mut cpu, mut per_family, mut spent) = (0.0, 0.0, 0.0);
    for families in by_size.iter().filter(|families| !families.is_empty()) {
        if spent < MAX_TRIAL {
            let trial = trial(families, plan);
            let clock = ProcessTime::now();
            cache.request(&trial)?;
            let seconds = clock.elapsed().as_secs_f64();
            (per_family, spent) = (seconds / trial.len() as f64, spent + seconds);
        }
        cpu += per_family * families.len() as f64;
    }
    Ok(cpu)
}

/// CPU seconds for all of `families` by a shortened version of the estimator, from one of them.
fn cpu_shortened(families: &[Family], plan: &Plan, short: Arc<dyn Method>) -> Result<f64> {
    let Some(family) = families.get(families.len() / 2) else { return Ok(0.0) };
    let short = Plan { estimator: short, ..plan.clone() };
    let trial = ScoreCache::new(short.scorers(), &(), Stop::never(), None, usize::MAX);
    let clock = ProcessTime::now();
    trial.request(std::slice::from_ref(family))?;
    Ok(clock.elapsed().as_secs_f64() * families.len() as f64)
}

/// The children of the parent set in the middle of the list.
fn trial(families: &[&Family], plan: &Plan) -> Vec<Family> {
    let parents: &NodeSet = &families[families.len() / 2].parents;
    let most = if plan.n_networks() > 0 { MAX_CHILDREN } else { usize::MAX };
    families
        .iter()
        .filter(|family| family.parents == *parents)
        .take(most)
        .map(|&family| family.clone())
        .collect()
}

/// Training runs of networks for these families.
fn n_trainings(families: &[Family], plan: &Plan) -> usize {
    let cost = plan.estimator.cost();
    let given_contexts = if plan.contexts.is_empty() { 0 } else { cost.n_trainings };
    let one = |family: &Family| {
        let without = if family.parents.is_empty() { cost.n_trainings_alone } else { cost.n_trainings };
        without + given_contexts
    };
    families.iter().map(one).sum::<usize>() * plan.row_orders
}
