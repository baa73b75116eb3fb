//! The estimated cost of a run, stage by stage.

use super::forecast::RunForecast;
use super::plan::Plan;
use super::pool::in_pool;
use super::selection::FamilySelection;
use super::trial::{Costs, cpu_seconds};
use crate::base::error::Result;
use crate::base::observer::{Estimate, Span, Stage, StageEstimate};
use crate::base::stop::Stop;
use crate::graph::Family;
use crate::score::{ScoreCache, TwoStageCache};

impl Plan {
    /// The estimated cost of learning, from a short trial of a few families and from the table.
    pub fn estimate(&self) -> Result<Estimate> {
        self.check_learnable()?;
        let plan = self.without_new_store();
        in_pool(self.threads, || {
            let mut cache = None;
            let seconds = cpu_seconds(|| {
                cache = Some(plan.open_two_stage(&(), Stop::never())?);
                Ok(())
            })?;
            let cache = cache.unwrap_or_else(|| panic!("a cache that was opened is there"));
            try_learning(&cache, &plan, seconds)
        })
    }

    /// The estimated cost of scoring without a search.
    pub fn estimate_score(&self, selection: FamilySelection) -> Result<Estimate> {
        let families = selection.families(self)?;
        let plan = self.without_new_store();
        in_pool(self.threads, || try_scoring(&plan.open_cache(&(), Stop::never())?, &plan, &families))
    }

    /// Stored families cost nothing, but a trial creates no store.
    fn without_new_store(&self) -> Plan {
        Plan { store: self.store.clone().filter(|path| path.exists()), ..self.clone() }
    }
}

/// Scores some families of a run and estimates the cost of the whole; preparation took `seconds_before`. The
/// scores are kept.
pub(crate) fn try_learning(cache: &TwoStageCache, plan: &Plan, seconds_before: f64) -> Result<Estimate> {
    let first = plan.first_families();
    let to_score = cache.initial().unscored(&first)?;
    let roots: Vec<Family> = plan.constraints.smallest_dag().families().collect();
    let n_untrained =
        cache.deferred().map_or(Ok(0), |trained| trained.unscored(&roots).map(|all| all.len()))?;
    let costs = Costs::measured(cache, plan, &first)?;
    // The share of the first families that a store has is assumed for later families too.
    let share = |n_left: usize, n_all: usize| n_left as f64 / n_all.max(1) as f64;
    let forecast = RunForecast::new(plan);
    let is_new = share(to_score.len(), first.len());
    let opening = forecast.opening(&costs, &to_score, is_new);
    let mut stages = vec![
        StageEstimate { cpu_seconds: opening.cpu_seconds + Span::exactly(seconds_before), ..opening },
        forecast.search(&costs, is_new),
    ];
    if cache.deferred().is_some() {
        stages.push(forecast.networks(&costs, share(n_untrained, roots.len())));
    }
    stages.push(forecast.probabilities());
    let n_scored = stages[0].n_families + stages[1].n_families;
    // With contexts, a family is coded twice.
    let n_codes = plan.permutations * if plan.contexts.is_empty() { 1 } else { 2 };
    let n_each = (plan.estimator.cost().n_trainings * n_codes) as f64;
    let n_networks = match cache.deferred() {
        Some(_) => stages[2].n_families * n_each,
        None if n_scored.certain() == Some(to_score.len() as f64) => {
            Span::exactly(n_trainings(&to_score, plan) as f64)
        }
        None => n_scored * n_each,
    };
    Ok(Estimate {
        n_networks,
        memory: plan.memory(n_scored.most),
        n_threads: rayon::current_num_threads(),
        stages: stages.into_iter().map(|stage| uncertain(stage, &costs)).collect(),
    })
}

/// Scores some of `families` and extrapolates to all of them. The scores are kept.
pub(crate) fn try_scoring(cache: &ScoreCache, plan: &Plan, families: &[Family]) -> Result<Estimate> {
    let to_score = cache.unscored(families)?;
    let costs = Costs::measured_on(cache, plan, &to_score)?;
    let opening = StageEstimate {
        stage: Stage::InitialScoring,
        n_families: Span::exactly(to_score.len() as f64),
        cpu_seconds: Span::exactly(costs.total(&to_score)),
    };
    Ok(Estimate {
        n_networks: Span::exactly(n_trainings(&to_score, plan) as f64),
        memory: plan.memory_without_search(families.len()),
        n_threads: rayon::current_num_threads(),
        stages: vec![uncertain(opening, &costs)],
    })
}

/// If the costs are upper bounds, there is no lower bound.
fn uncertain(stage: StageEstimate, costs: &Costs) -> StageEstimate {
    let Span { least, most } = stage.cpu_seconds;
    StageEstimate { cpu_seconds: Span { least: if costs.are_most { 0.0 } else { least }, most }, ..stage }
}

/// Training runs of networks for these families.
fn n_trainings(families: &[Family], plan: &Plan) -> usize {
    let cost = plan.estimator.cost();
    let given_contexts = if plan.contexts.is_empty() { 0 } else { cost.n_trainings };
    let trainings = |family: &Family| {
        let without = if family.parents.is_empty() { cost.n_trainings_alone } else { cost.n_trainings };
        without + given_contexts
    };
    families.iter().map(trainings).sum::<usize>() * plan.permutations
}
