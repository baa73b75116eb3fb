//! From code lengths to a graph: runs the search of the settings and gathers what speaks for its answer.

use std::borrow::Cow;
use std::time::Duration;

use crate::base::error::{Error, Result};
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::{Halt, Later};
use crate::graph::{Dag, Family, NodeSet};
use crate::posterior::{
    EdgeEvidence, Tempered, by_enumeration, by_layers_until, by_visited, evidence, one_edge_away,
    spread_of_gaps, temperature,
};
use crate::run::plan::Plan;
use crate::run::result::{Answer, SearchReport, TemperedView};
use crate::run::settings::{Search, Settings};
use crate::score::{CodeLengths, FamilyLengths, Ledger, Moments, Scores, dag_length};
use crate::search::{
    ClimbSettings, Constraints, OrderGraph, RankedDags, Visited, exhaustive, hill_climb, k_best, order_search,
};

/// The most variables for which the runners-up of exact search are found: about k n further searches of a part each.
pub(crate) const MAX_K_BEST: usize = 18;

/// What a search found.
pub(crate) struct Found {
    pub(crate) answer: Answer,
    /// The graphs next to the best, as many whatever the length of the ranking.
    runners_up: Vec<Dag>,
    /// What a search without proof looked at.
    visited: Option<Visited>,
}

/// What a search is to find, and how.
#[derive(Clone, Copy)]
pub(crate) struct Aim<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) constraints: &'a Constraints,
}

/// How many graphs next to the best say how far gaps vary.
const N_RUNNERS_UP: usize = 9;

/// Scores what the search of the plan needs, and searches.
pub(crate) fn find(ledger: &Ledger, plan: &Plan, observer: &dyn Observer) -> Result<Found> {
    score_smallest(ledger, plan)?;
    if !plan.settings.search.is_lazy() {
        ledger.request(&plan.families())?;
        observer.searching();
    }
    find_among(ledger, plan.aim(), Halt::when(&Later::new(observer, GRACE)))
}

/// How long edge probabilities may still take once a run is told to stop.
const GRACE: Duration = Duration::from_secs(1);

/// Searches the graphs whose families have code lengths; the smallest one allowed must be among them. `halt` ends what an answer can
/// do without: edge probabilities.
pub(crate) fn find_among(lengths: &dyn FamilyLengths, aim: Aim, halt: Halt) -> Result<Found> {
    let table = || CodeLengths::of(lengths, aim.constraints.max_parents());
    match aim.settings.search {
        Search::Exhaustive => find_exhaustively(&table(), aim),
        Search::Exact | Search::Auto => find_exactly(&table(), aim, halt),
        Search::HillClimb => {
            find_without_proof(lengths, aim, hill_climb(lengths, aim.constraints, &aim.settings.climb())?)
        }
        Search::Order => {
            find_without_proof(lengths, aim, order_search(lengths, aim.constraints, &aim.settings.climb())?)
        }
    }
}

/// Scores what every search begins with, so that there is a graph to return whatever happens.
fn score_smallest(ledger: &Ledger, plan: &Plan) -> Result<()> {
    let families: Vec<Family> = plan.constraints.smallest_dag().families().collect();
    // Networks trained from scratch take too long even for these; elsewhere a variable without parents costs next to nothing.
    if plan.settings.model().learns_marginals() {
        ledger.request(&families)?;
    } else {
        ledger.insist(&families)?;
    }
    if families.iter().all(|family| ledger.code_length(family).is_some()) {
        return Ok(());
    }
    Err(Error::Setting {
        what: "the run was stopped before a single graph was scored".into(),
        hint: "give it more time, or use a quicker estimator such as `--estimator fourier`".into(),
    })
}

fn find_exhaustively(lengths: &CodeLengths, aim: Aim) -> Result<Found> {
    let graphs = exhaustive(lengths, aim.constraints)?;
    let (dag, code_length) = (graphs.dag(0), graphs.code_length(0));
    let best_with = |edges: &[(usize, usize)]| best_of_ranked(&graphs, edges);
    let ranking = (0..graphs.len().min(aim.settings.top)).map(|i| (graphs.dag(i), graphs.code_length(i)));
    let answer = Answer {
        evidence: evidence(&dag, code_length, lengths, aim.constraints, best_with),
        ranking: ranking.collect(),
        found: SearchReport { is_proven: true, n_graphs: Some(graphs.len()), n_visited: None },
        posterior: Some(by_enumeration(&graphs)),
        no_posterior: None,
        dag,
        code_length,
    };
    let runners_up = (1..graphs.len().min(1 + N_RUNNERS_UP)).map(|i| graphs.dag(i)).collect();
    Ok(Found { answer, runners_up, visited: None })
}

fn best_of_ranked(graphs: &RankedDags, edges: &[(usize, usize)]) -> Vec<Option<Nats>> {
    edges.iter().map(|&(from, to)| graphs.best_with_edge(from, to)).collect()
}

fn exactly_best(search: &OrderGraph) -> Dag {
    search.best_dag().unwrap_or_else(|| panic!("constraints are checked: some graph is allowed"))
}

fn find_exactly(lengths: &CodeLengths, aim: Aim, halt: Halt) -> Result<Found> {
    let (constraints, limits) = (aim.constraints, &aim.settings.limits);
    let search = OrderGraph::new(lengths, constraints, limits)?;
    let dag = exactly_best(&search);
    let code_length = length_of(lengths, &dag);
    let evidence = evidence(&dag, code_length, lengths, constraints, |edges| search.best_with_edges(edges));
    drop(search);
    let (ranking, runners_up) = if constraints.n_vars() <= MAX_K_BEST {
        let n_near = if aim.settings.repeats_differ() { 1 + N_RUNNERS_UP } else { 1 };
        let mut best = k_best(lengths, constraints, limits, aim.settings.top.max(n_near))?;
        let runners_up = dags(best.iter().skip(1).take(N_RUNNERS_UP));
        best.truncate(aim.settings.top);
        (best, runners_up)
    } else {
        (vec![(dag.clone(), code_length)], one_edge_away(&dag, lengths, constraints, N_RUNNERS_UP))
    };
    let (posterior, no_posterior) = match by_layers_until(lengths, constraints, limits, halt) {
        Ok(Some(posterior)) => (Some(posterior), None),
        Ok(None) => (None, Some("the run was stopped before all graphs were weighed".to_string())),
        Err(error) => (None, Some(error.to_string())),
    };
    let found = SearchReport { is_proven: true, n_graphs: None, n_visited: None };
    let answer = Answer { dag, code_length, evidence, ranking, found, posterior, no_posterior };
    Ok(Found { answer, runners_up, visited: None })
}

fn dags<'a>(graphs: impl Iterator<Item = &'a (Dag, Nats)>) -> Vec<Dag> {
    graphs.map(|(dag, _)| dag.clone()).collect()
}

fn length_of(lengths: &dyn FamilyLengths, dag: &Dag) -> Nats {
    dag_length(lengths, dag).unwrap_or_else(|| panic!("the best graph has scored families"))
}

/// The answer of a search that cannot prove it; probabilities and runners-up are those of the graphs it looked at.
fn find_without_proof(lengths: &dyn FamilyLengths, aim: Aim, visited: Visited) -> Result<Found> {
    let mut ranking = visited.best(aim.settings.top);
    for (dag, length) in &mut ranking {
        *length = length_of(lengths, dag);
    }
    let (dag, code_length) = ranking[0].clone();
    request_neighbours(lengths, aim, &dag)?;
    let best_with = |edges: &[(usize, usize)]| {
        let best = |&(from, to): &(usize, usize)| {
            let turned = turned_round(lengths, aim, &dag, (to, from));
            [turned, visited.best_with_edge(from, to)]
                .into_iter()
                .flatten()
                .min_by(|a, b| a.0.total_cmp(&b.0))
        };
        edges.iter().map(best).collect()
    };
    let answer = Answer {
        evidence: evidence(&dag, code_length, lengths, aim.constraints, best_with),
        posterior: Some(by_visited(&visited.all())),
        no_posterior: None,
        found: SearchReport { is_proven: false, n_graphs: None, n_visited: Some(visited.n_visited()) },
        ranking,
        dag,
        code_length,
    };
    let runners_up = dags(visited.best(1 + N_RUNNERS_UP).iter().skip(1));
    Ok(Found { answer, runners_up, visited: Some(visited) })
}

/// Scores what removing or turning round each edge takes.
fn request_neighbours(lengths: &dyn FamilyLengths, aim: Aim, dag: &Dag) -> Result<()> {
    let changed = dag.edges().into_iter().flat_map(|(from, to)| {
        [Family::new(to, dag.parents(to).without(from)), Family::new(from, dag.parents(from).with(to))]
    });
    lengths.request(&changed.filter(|family| aim.constraints.allows(family)).collect::<Vec<_>>())
}

/// The code length of `dag` with one of its edges turned round and the rest as it is, if that is a graph that may be.
fn turned_round(
    lengths: &dyn FamilyLengths,
    aim: Aim,
    dag: &Dag,
    (from, to): (usize, usize),
) -> Option<Nats> {
    let turned = dag.without_edge(from, to).with_edge(to, from).ok()?;
    aim.constraints.allow(&turned).then(|| dag_length(lengths, &turned)).flatten()
}

/// What each network alone, with the other experts, or each row order makes of the same families.
pub(crate) struct ByRepeat {
    /// Its best graph.
    pub(crate) dag: Dag,
    /// For each edge of the answer: what turning it round costs, in the best way.
    reversals: Vec<Option<f64>>,
}

/// The search once more for every repeat alone, where there are several that can differ and searching again is cheap.
pub(crate) fn find_by_repeat(scores: &Scores, plan: &Plan, answer: &Dag) -> Result<Vec<ByRepeat>> {
    let n_vars = plan.constraints.n_vars();
    if scores.by_repeat.len() < 2 || !plan.settings.repeats_differ() {
        return Ok(Vec::new());
    }
    let reversed: Vec<(usize, usize)> = answer.edges().iter().map(|&(from, to)| (to, from)).collect();
    let one = |repeat: usize| {
        let alone = Listed::of_repeat(scores, repeat, n_vars);
        let over_answer = |best: Vec<Option<Nats>>| {
            let answer = length_of(&alone, answer);
            best.into_iter().map(|best| best.map(|best| (best - answer).0)).collect()
        };
        match plan.settings.search {
            Search::Exhaustive => {
                let graphs = exhaustive(&alone, &plan.constraints)?;
                let reversals = over_answer(best_of_ranked(&graphs, &reversed));
                Ok(Some(ByRepeat { dag: graphs.dag(0), reversals }))
            }
            Search::Exact | Search::Auto if n_vars <= MAX_K_BEST => {
                let search = OrderGraph::new(&alone, &plan.constraints, &plan.settings.limits)?;
                let reversals = over_answer(search.best_with_edges(&reversed));
                Ok(Some(ByRepeat { dag: exactly_best(&search), reversals }))
            }
            Search::Exact | Search::Auto => Ok(None),
            Search::HillClimb | Search::Order => {
                let climb =
                    ClimbSettings { start: Some(answer.clone()), restarts: 0, ..plan.settings.climb() };
                let visited = hill_climb(&alone, &plan.constraints, &climb)?;
                let turned =
                    |&(to, from): &(usize, usize)| turned_round(&alone, plan.aim(), answer, (from, to));
                let reversals = over_answer(reversed.iter().map(turned).collect());
                Ok(visited.best(1).pop().map(|(dag, _)| ByRepeat { dag, reversals }))
            }
        }
    };
    let all: Vec<Option<ByRepeat>> = (0..scores.by_repeat.len()).map(one).collect::<Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// Probabilities that allow for the spread of gaps over repeats, where there are several that can differ.
pub(crate) fn temper(
    scores: &Scores,
    plan: &Plan,
    found: &Found,
    observer: &dyn Observer,
) -> Result<Option<TemperedView>> {
    if !plan.settings.repeats_differ() || found.answer.posterior.is_none() {
        return Ok(None);
    }
    let n_vars = plan.constraints.n_vars();
    let of_repeat = |repeat| Listed::of_repeat(scores, repeat, n_vars);
    let repeats: Vec<Listed> = (0..scores.by_repeat.len()).map(of_repeat).collect();
    let lengths = Listed::together(scores, n_vars);
    let Some(spread) = spread_of_gaps(&found.answer.dag, &found.runners_up, &repeats) else {
        return Ok(None);
    };
    let temperature = temperature(spread);
    let tempered = Tempered { lengths: &lengths, temperature };
    let posterior = match &found.visited {
        Some(visited) => {
            let divided = |(dag, length): (Dag, Nats)| (dag, Nats(length.0 / temperature));
            by_visited(&visited.all().into_iter().map(divided).collect::<Vec<_>>())
        }
        None if plan.settings.search == Search::Exhaustive => {
            by_enumeration(&exhaustive(&tempered, &plan.constraints)?)
        }
        None => {
            let later = Later::new(observer, GRACE);
            let limits = &plan.settings.limits;
            match by_layers_until(&tempered, &plan.constraints, limits, Halt::when(&later)) {
                Ok(Some(posterior)) => posterior,
                // Smaller gaps leave less to prune: what could be summed raw may be too much now.
                Ok(None) | Err(_) => return Ok(None),
            }
        }
    };
    Ok(Some(TemperedView { spread, temperature, posterior }))
}

/// Enters how far networks or row orders lie apart in what removing and reversing each edge costs.
pub(crate) fn add_spreads(evidence: &mut [EdgeEvidence], scores: &Scores, dag: &Dag, by_repeat: &[ByRepeat]) {
    for (i, edge) in evidence.iter_mut().enumerate() {
        let with = scores.place(&Family::new(edge.to, dag.parents(edge.to).clone()));
        let without = scores.place(&Family::new(edge.to, dag.parents(edge.to).without(edge.from)));
        edge.removal_spread =
            with.zip(without).filter(|_| scores.by_repeat.len() > 1).map(|(with, without)| {
                Moments::of(scores.by_repeat.iter().map(|lengths| lengths[without] - lengths[with])).sd
            });
        let reversals: Option<Vec<f64>> = by_repeat.iter().map(|repeat| repeat.reversals[i]).collect();
        edge.reversal_spread =
            reversals.filter(|all| all.len() > 1).map(|all| Moments::of(all.into_iter()).sd);
    }
}

/// Code lengths of the scored families: of all repeats together, or of one alone.
struct Listed<'a> {
    scores: &'a Scores,
    /// In the order of the families.
    lengths: Cow<'a, [f64]>,
    n_vars: usize,
}

impl<'a> Listed<'a> {
    fn together(scores: &'a Scores, n_vars: usize) -> Listed<'a> {
        Listed { scores, lengths: scores.moments.iter().map(|moments| moments.mean).collect(), n_vars }
    }

    fn of_repeat(scores: &'a Scores, repeat: usize, n_vars: usize) -> Listed<'a> {
        Listed { scores, lengths: Cow::Borrowed(&scores.by_repeat[repeat]), n_vars }
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
