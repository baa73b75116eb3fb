//! Results for programs: each fills the types of the schema. One file per kind.

mod comparison;
mod compressed;
mod context;
mod curves;
mod data;
mod graph;
mod learned;
mod local_scores;
mod plan;
mod scored;
mod searched;
pub(super) mod shapes;
#[cfg(feature = "store")]
mod store;
#[cfg(test)]
mod tests;

use super::schema::{Cost, Pair, Partial, Reason, ScoredFamily, StageCost};
use super::view::ViewOptions;
use crate::base::stop::StopReason;
use crate::graph::Family;
use crate::run::{self, Plan};
use crate::score::{MeanSd, Scores};

/// Pairs of variables by name.
pub(super) fn named_pairs(pairs: &[(usize, usize)], names: &[String]) -> Vec<Pair> {
    pairs.iter().map(|&(a, b)| Pair(names[a].clone(), names[b].clone())).collect()
}

/// The parents of a family by name.
pub(super) fn parent_names(family: &Family, names: &[String]) -> Vec<String> {
    family.parents.iter().map(|parent| names[parent].clone()).collect()
}

/// What the families cost.
fn scored_families(scores: &Scores, plan: &Plan, names: &[String]) -> Vec<ScoredFamily> {
    let (_, n_repeats) = super::settings::repeats(plan);
    let one = |(family, moments): (&Family, &MeanSd)| ScoredFamily {
        child: names[family.child].clone(),
        parents: parent_names(family, names),
        code_length_nats: moments.mean,
        spread_nats: (n_repeats > 1).then_some(moments.sd),
    };
    scores.families.iter().zip(&scores.moments).map(one).collect()
}

/// Why the work stopped early, if it did.
fn partial(partial: Option<&run::Partial>, view: &ViewOptions) -> Option<Partial> {
    partial.map(|partial| Partial {
        reason: match partial.reason {
            StopReason::TimeLimit => Reason::TimeLimit,
            StopReason::Interrupted => Reason::Interrupted,
            StopReason::MemoryLimit => Reason::MemoryLimit,
        },
        scored_families: partial.n_scored,
        planned_families: partial.n_planned,
        command: view.command.map(String::from),
    })
}

fn stage(cost: &run::StageCost) -> StageCost {
    StageCost { stage: cost.stage.name().into(), families: cost.n_families, cpu_seconds: cost.cpu_seconds }
}

/// What the run took.
fn cost(cost: &run::RunCost, view: &ViewOptions) -> Cost {
    Cost {
        command: view.run.map(str::to_string),
        families: cost.n_families,
        training_runs: cost.n_trainings,
        gradient_steps: cost.n_steps,
        cpu_seconds: cost.cpu_seconds,
        wall_seconds: cost.wall_seconds,
        reused_families: cost.n_reused,
        stages: cost.stages.iter().map(stage).collect(),
    }
}
