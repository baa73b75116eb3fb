//! From code lengths to an answer: runs the search of the plan, and computes evidence and probabilities.

use std::time::Duration;

use super::final_search::{search_cached_families, search_with_grace};
use super::gating::GatedSearch;
use super::plan::Plan;
use super::result::Answer;
use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::base::observer::{Observer, Stage};
use crate::base::stop::Stop;
use crate::graph::Family;
use crate::posterior::{
    EdgeProbabilities, LINK_TEMPERATURE, TemperedLengths, by_layers_until, by_visited, direction_temperature,
    evidence, links_and_directions, temper_graphs,
};
use crate::score::{FamilyLengths, ScoreCache, TwoStageCache};
use crate::search::{PosteriorSupport, Problem, SearchMethod, SearchResult};

/// How many neighbours of the best graph are kept, to show how differences vary.
const N_NEAR: usize = 9;

/// The extra time for edge probabilities after a stop.
const POSTERIOR_GRACE: Duration = Duration::from_secs(1);

/// The search for the best graph by `lengths`.
pub(super) fn problem<'a>(plan: &'a Plan, lengths: &'a dyn FamilyLengths, stop: Stop<'a>) -> Problem<'a> {
    Problem {
        lengths,
        constraints: &plan.constraints,
        limits: &plan.limits,
        top: plan.top,
        candidates: None,
        start: None,
        n_near: if plan.estimator.depends_on_row_order() { N_NEAR } else { 0 },
        seed: plan.seed,
        stop,
    }
}

/// Scores what the search of the plan needs, and searches; expensive experts are trained as the plan says.
pub(super) fn find(
    cache: &TwoStageCache,
    plan: &Plan,
    observer: &dyn Observer,
    stop: Stop,
) -> Result<Answer> {
    observer.entered(Stage::InitialScoring);
    score_smallest(cache.initial(), plan)?;
    let candidates = plan.families.score_first(cache, &plan.constraints, &plan.data, stop)?;
    observer.entered(Stage::Search);
    let problem = Problem { candidates: candidates.as_ref(), ..problem(plan, cache, stop) };
    let method = &*plan.search;
    let search = |problem: &Problem| search_with_grace(method, problem);
    let found = if cache.deferred().is_some() {
        let rules = plan.gating_rules();
        GatedSearch { lengths: cache, rules, method, problem: &problem, search: &search }.find(observer)?
    } else {
        search(&problem)?
    };
    let found = if !plan.families.knows_all() && stop.now() {
        search_cached_families(found, method, &problem)?
    } else {
        found
    };
    observer.entered(Stage::Probabilities);
    let edge_prior_nats = plan.estimator.nats_of_parent(plan.data.n_vars());
    with_probabilities(found, &problem, LengthScale { n_rows: plan.data.n_rows(), edge_prior_nats })
}

/// The assumed number of rows if it is unknown.
const USUAL_ROWS: usize = 1_000;

/// Searches the graphs whose families have code lengths, and weighs them.
pub(super) fn find_among(method: &dyn SearchMethod, problem: &Problem) -> Result<Answer> {
    with_probabilities(
        search_with_grace(method, problem)?,
        problem,
        LengthScale { n_rows: USUAL_ROWS, edge_prior_nats: 0.0 },
    )
}

/// The origin of code lengths, needed for weighing.
#[derive(Clone, Copy)]
struct LengthScale {
    n_rows: usize,
    /// The structure prior per parent.
    edge_prior_nats: f64,
}

/// The search result, with probabilities and the evidence for each edge.
fn with_probabilities(found: SearchResult, problem: &Problem, scale: LengthScale) -> Result<Answer> {
    let SearchResult { dag, code_length, reversed, ranking, report, support, .. } = found;
    let (posterior, no_posterior) = match edge_probabilities(&support, problem, scale) {
        Ok(Some(posterior)) => (Some(posterior), None),
        Ok(None) => (None, Some("the run was stopped before all graphs were weighed".to_string())),
        Err(error) => (None, Some(error.to_string())),
    };
    let evidence = evidence(&dag, code_length, problem.lengths, problem.constraints, reversed);
    Ok(Answer { dag, code_length, evidence, ranking, found: report, posterior, no_posterior })
}

/// Edge probabilities over the graphs that a search knows; `None` if there was no time for them.
fn edge_probabilities(
    support: &PosteriorSupport,
    problem: &Problem,
    scale: LengthScale,
) -> Result<Option<EdgeProbabilities>> {
    let Some(links) = edge_probabilities_at(LINK_TEMPERATURE, support, problem, scale)? else {
        return Ok(None);
    };
    let directions = edge_probabilities_at(direction_temperature(scale.n_rows), support, problem, scale)?;
    Ok(directions.map(|directions| links_and_directions(&links, &directions)))
}

/// Edge probabilities at this temperature.
fn edge_probabilities_at(
    temperature: f64,
    support: &PosteriorSupport,
    problem: &Problem,
    scale: LengthScale,
) -> Result<Option<EdgeProbabilities>> {
    let (constraints, edge_prior_nats) = (problem.constraints, scale.edge_prior_nats);
    match support {
        PosteriorSupport::Visited(visited) => {
            Ok(Some(by_visited(temper_graphs(visited.all(), constraints, edge_prior_nats, temperature))))
        }
        PosteriorSupport::Families(lengths) => {
            let stop = problem.stop.later(POSTERIOR_GRACE);
            let tempered = TemperedLengths { lengths, constraints, edge_prior_nats, temperature };
            by_layers_until(&tempered, constraints, problem.limits, stop)
        }
    }
}

/// Scores the families with which every search starts, so that there is always a graph to return.
fn score_smallest(cache: &ScoreCache, plan: &Plan) -> Result<()> {
    let families: Vec<Family> = plan.constraints.smallest_dag().families().collect();
    // If a single family takes too long, so do these; otherwise a variable without parents costs next to
    // nothing.
    match plan.estimator.shortened() {
        Some(_) => cache.request(&families)?,
        None => cache.request_uninterruptible(&families)?,
    }
    if families.iter().all(|family| cache.code_length(family).is_some()) {
        return Ok(());
    }
    Err(Error::Setting {
        what: "the run was stopped before a single graph was scored".into(),
        hint: message![
            "give it more time, or use a faster estimator such as ",
            OptionName::Estimator.set("fourier"),
        ],
    })
}
