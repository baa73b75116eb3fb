//! What a run will take, from a short trial.

use cpu_time::ProcessTime;

use crate::error::Result;
use crate::estimator::Schedule;
use crate::graph::{Family, NodeSet};
use crate::learn::{in_pool, open_ledger};
use crate::observer::Estimate;
use crate::plan::Plan;
use crate::score::{FamilyLengths, Ledger};
use crate::settings::Settings;
use crate::table::Table;

/// CPU seconds that a trial may take, roughly: no further number of parents is tried beyond that.
const MAX_TRIAL: f64 = 1.0;

/// Children that are scored in a trial of networks, whose cost is theirs alone; others share work, so all are scored.
const MAX_CHILDREN: usize = 3;

/// Plans a run and tries a few families, to say what the whole will take.
pub fn estimate(table: &Table, settings: &Settings) -> Result<(Plan, Estimate)> {
    // What a store has is no work; but a trial makes none.
    let store = settings.store.clone().filter(|path| path.exists());
    let plan = Plan::new(table, &Settings { store, ..settings.clone() })?;
    plan.check_search()?;
    plan.check_scoring()?;
    in_pool(settings.threads, || {
        let estimate = try_out(&open_ledger(table, &plan, &())?, &plan)?;
        Ok((plan, estimate))
    })
}

/// Scores a few families of every size, which stay known, and extrapolates.
pub(crate) fn try_out(ledger: &Ledger, plan: &Plan) -> Result<Estimate> {
    let is_least = plan.settings.search.is_lazy();
    let first = if is_least { first_families(plan) } else { plan.families() };
    let to_score = ledger.unscored(&first)?;
    let n_sizes = to_score.iter().map(|family| family.parents.len() + 1).max().unwrap_or(0);
    let mut by_size: Vec<Vec<&Family>> = vec![Vec::new(); n_sizes];
    to_score.iter().for_each(|family| by_size[family.parents.len()].push(family));
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
    let n_threads = rayon::current_num_threads();
    Ok(Estimate {
        n_families: to_score.len(),
        is_least,
        n_networks: n_networks(&to_score, &plan.settings),
        memory: plan.memory(),
        seconds: cpu / n_threads as f64,
        n_threads,
    })
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

/// What a search without proof asks for first: every variable with one parent more than it must have.
fn first_families(plan: &Plan) -> Vec<Family> {
    let constraints = &plan.constraints;
    let of_child = |child: usize| {
        let required = constraints.required(child);
        let grown = constraints.allowed(child).difference(required);
        let grown: Vec<usize> = grown.iter().collect();
        let sets =
            std::iter::once(required.clone()).chain(grown.into_iter().map(|parent| required.with(parent)));
        sets.map(move |parents| Family::new(child, parents)).collect::<Vec<_>>()
    };
    (0..constraints.n_vars()).flat_map(of_child).filter(|family| constraints.allows(family)).collect()
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
