//! From code lengths to an answer: the search of the plan, and what speaks for what it finds.

use std::time::Duration;

use super::candidates::candidates;
use super::final_search::search_cached_families;
use super::gating::{compare_fairly, decide};
use super::growth::grow;
use super::plan::Plan;
use super::result::Answer;
use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::base::observer::{Observer, Stage};
use crate::base::stop::Stop;
use crate::graph::{Dag, Family, NodeSet};
use crate::posterior::{
    EdgeEvidence, EdgeProbabilities, LINK_TEMPERATURE, TemperedLengths, by_layers_until, by_visited,
    direction_temperature, evidence, links_and_directions, temper_graphs,
};
use crate::score::{FamilyLengths, MeanSd, ScoreCache, Scores, TwoStageCache, dag_length};
use crate::search::{PosteriorSupport, Problem, SearchMethod, SearchResult};

/// How many graphs next to the best say how far gaps vary.
const N_NEAR: usize = 9;

/// How long a search may still take once a run is told to stop.
const SEARCH_GRACE: Duration = Duration::from_millis(500);

/// How long edge probabilities may still take.
const POSTERIOR_GRACE: Duration = Duration::from_secs(1);

impl Plan {
    /// The search for the best graph by `lengths`.
    pub(crate) fn problem<'a>(&'a self, lengths: &'a dyn FamilyLengths, stop: Stop<'a>) -> Problem<'a> {
        Problem {
            lengths,
            constraints: &self.constraints,
            limits: &self.limits,
            top: self.top,
            candidates: None,
            start: None,
            n_near: if self.estimator.depends_on_row_order() { N_NEAR } else { 0 },
            seed: self.seed,
            stop,
        }
    }
}

/// Scores what the search of the plan needs, searches, and trains networks where they decide.
pub(crate) fn find(
    cache: &TwoStageCache,
    plan: &Plan,
    observer: &dyn Observer,
    stop: Stop,
) -> Result<Answer> {
    observer.entered(Stage::InitialScoring);
    score_smallest(cache.initial(), plan)?;
    if !plan.search.is_lazy() {
        if plan.grows {
            grow(cache, &plan.constraints, stop)?
        } else {
            cache.request(&plan.first_families())?
        }
    }
    let candidates = if plan.is_wide() { Some(candidates(cache, plan)?) } else { None };
    observer.entered(Stage::Search);
    let problem = Problem { candidates: candidates.as_ref(), ..plan.problem(cache, stop) };
    let found = match cache.deferred() {
        Some(_) => find_with_networks(cache, plan, &problem, observer)?,
        None => search(&*plan.search, &problem)?,
    };
    let found = if plan.search.is_lazy() && stop.now() {
        search_cached_families(found, &*plan.search, &problem)?
    } else {
        found
    };
    observer.entered(Stage::Probabilities);
    let edge_prior_nats = plan.estimator.nats_of_parent(plan.data.n_vars());
    with_probabilities(found, &problem, LengthScale { n_rows: plan.data.n_rows(), edge_prior_nats })
}

/// How often networks are trained for what lies near the best graph; each time it may be another one.
const MAX_COMPARISONS: usize = 8;

/// Searches without networks, then with networks where they decide.
fn find_with_networks(
    cache: &TwoStageCache,
    plan: &Plan,
    problem: &Problem,
    observer: &dyn Observer,
) -> Result<SearchResult> {
    let without = if plan.search.is_lazy() {
        search(&*plan.search, problem)?.dag
    } else {
        plan.constraints.smallest_dag()
    };
    observer.entered(Stage::Networks);
    let from = |start: &Dag| search(&*plan.search, &Problem { start: Some(start), ..*problem });
    let mut best = without.clone();
    let mut settled = None;
    for _ in 0..MAX_COMPARISONS {
        let Some(decided) = decide(cache, plan, problem, best)? else {
            best = without.clone();
            break;
        };
        let found = from(&decided)?;
        let is_settled = !compare_fairly(cache, plan, problem, &found)?;
        best = found.dag.clone();
        if is_settled {
            settled = Some(found);
            break;
        }
    }
    // A climb from optimistic code lengths may end beside a better graph: what was found without networks is where another begins.
    let found = settled.map_or_else(|| from(&best), Ok)?;
    if !plan.search.is_lazy() || best == without {
        return Ok(found);
    }
    let again = from(&without)?;
    Ok(if again.code_length < found.code_length { again } else { found })
}

fn search(search: &dyn SearchMethod, problem: &Problem) -> Result<SearchResult> {
    search.find(&Problem { stop: problem.stop.later(SEARCH_GRACE), ..*problem })
}

/// Where nobody knows how many rows made the code lengths, they are taken for so many.
const USUAL_ROWS: usize = 1_000;

/// Searches the graphs whose families have code lengths, and weighs them.
pub(crate) fn find_among(method: &dyn SearchMethod, problem: &Problem) -> Result<Answer> {
    with_probabilities(
        search(method, problem)?,
        problem,
        LengthScale { n_rows: USUAL_ROWS, edge_prior_nats: 0.0 },
    )
}

/// What code lengths are made of, where they are weighed.
#[derive(Clone, Copy)]
struct LengthScale {
    n_rows: usize,
    /// What the name of a parent costs.
    edge_prior_nats: f64,
}

/// What was found, with probabilities and what speaks for each edge.
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

/// The same with all gaps divided by this temperature.
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

/// Scores what every search begins with, so that there is a graph to return whatever happens.
fn score_smallest(cache: &ScoreCache, plan: &Plan) -> Result<()> {
    let families: Vec<Family> = plan.constraints.smallest_dag().families().collect();
    // Where one family takes too long to be waited for, even these do; elsewhere a variable without parents costs next to nothing.
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
            "give it more time, or use a quicker estimator such as ",
            OptionName::Estimator.set("fourier"),
        ],
    })
}

/// What each network alone, with the other experts, or each row order makes of the same families.
pub(crate) struct ByRepeat {
    /// Its best graph.
    pub(crate) dag: Dag,
    /// For each edge of the answer: what turning it round costs, in the best way.
    reversals: Vec<Option<f64>>,
}

/// The search once more for every repeat alone, where there are several that can differ and searching again is cheap.
pub(crate) fn find_by_repeat(
    scores: &Scores,
    plan: &Plan,
    answer: &Dag,
    stop: Stop,
) -> Result<Vec<ByRepeat>> {
    if scores.by_repeat.len() < 2 || !plan.estimator.depends_on_row_order() {
        return Ok(Vec::new());
    }
    let search_repeat = |repeat: usize| {
        let alone = Listed::for_repeat(scores, repeat, plan.data.n_vars());
        let problem = plan.problem(&alone, stop.later(SEARCH_GRACE));
        let Some(again) = plan.search.rerun(&problem, answer)? else { return Ok(None) };
        let answer_length =
            dag_length(&alone, answer).unwrap_or_else(|| panic!("the answer has scored families"));
        let cost = |best: Nats| (best - answer_length).0;
        let reversals = again.reversed.into_iter().map(|best| best.map(cost)).collect();
        Ok(Some(ByRepeat { dag: again.dag, reversals }))
    };
    let all: Vec<Option<ByRepeat>> = (0..scores.by_repeat.len()).map(search_repeat).collect::<Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// Enters how far networks or row orders lie apart in what removing and reversing each edge costs.
pub(crate) fn add_spreads(evidence: &mut [EdgeEvidence], scores: &Scores, dag: &Dag, by_repeat: &[ByRepeat]) {
    for (i, edge) in evidence.iter_mut().enumerate() {
        let with = scores.place(&Family::new(edge.to, dag.parents(edge.to).clone()));
        let without = scores.place(&Family::new(edge.to, dag.parents(edge.to).without(edge.from)));
        edge.removal_spread =
            with.zip(without).filter(|_| scores.by_repeat.len() > 1).map(|(with, without)| {
                MeanSd::of(scores.by_repeat.iter().map(|lengths| lengths[without] - lengths[with])).sd
            });
        let reversals: Option<Vec<f64>> = by_repeat.iter().map(|repeat| repeat.reversals[i]).collect();
        edge.reversal_spread =
            reversals.filter(|all| all.len() > 1).map(|all| MeanSd::of(all.into_iter()).sd);
    }
}

/// Code lengths of the scored families, of one repeat alone.
struct Listed<'a> {
    scores: &'a Scores,
    /// In the order of the families.
    lengths: &'a [f64],
    n_vars: usize,
}

impl<'a> Listed<'a> {
    fn for_repeat(scores: &'a Scores, repeat: usize, n_vars: usize) -> Listed<'a> {
        Listed { scores, lengths: &scores.by_repeat[repeat], n_vars }
    }
}

impl FamilyLengths for Listed<'_> {
    fn n_vars(&self) -> usize {
        self.n_vars
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.scores.place(family).map(|place| Nats(self.lengths[place]))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let lengths = self.scores.families.iter().zip(self.lengths.iter());
        lengths
            .filter(|(family, _)| family.child == child)
            .for_each(|(family, &length)| visit(&family.parents, Nats(length)));
    }
}
