//! Integer programming over parent sets, with cycles cut off by cluster constraints.

mod branch_and_cut;
mod components;

use super::choices::{Choice, Choices, Incumbent};
use super::climb::ClimbSettings;
use super::constraints::Constraints;
use super::exact::{Exact, MAX_K_BEST, ranking, reversed};
use super::heuristic::best_visited;
use super::limits::Limits;
use super::method::{
    PosteriorSupport, Problem, RerunResult, SearchDescription, SearchMethod, SearchReport, SearchResult,
};
use super::order_search::order_search_until;
use super::orders::improved;
use super::parent_sets::ParentSetQuery;
use super::subset_dp::{MAX_EXACT, OrderGraph};
use super::visited::Visited;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::{Stop, StopToken};
use crate::graph::{Dag, NodeSet};
use crate::score::{CodeLengths, FamilyLengths};

use branch_and_cut::Bounded;
use components::solve;

/// If the bound is this close to the length, relative to it, they differ only by rounding.
const ROUNDING: f64 = 1e-9;

/// The number of restarts of the search around the best graph.
const RESTARTS: usize = 3;

/// Branch and cut: a proven optimum, or a bound on the distance to it.
///
/// One 0/1 variable for each parent set of each node, of which one is chosen. Acyclicity is enforced by
/// cluster constraints, added as solutions of the linear program violate them (Jaakkola, Sontag, Globerson
/// and Meila 2010; Cussens 2011); the search branches on fractional edges. Every bound is computed from the
/// weights of clusters, so that rounding inside the solver cannot invalidate it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ilp;

impl SearchMethod for Ilp {
    fn description(&self) -> SearchDescription {
        SearchDescription {
            name: "ilp",
            summary: "The proven optimum or a bound on it, by integer programming: about a hundred variables with few parents",
            scores_on_demand: false,
        }
    }

    fn check(&self, _constraints: &Constraints, _limits: &Limits) -> Result<()> {
        Ok(())
    }

    fn memory(&self, n_vars: usize) -> f64 {
        Visited::bytes(n_vars)
    }

    fn find(&self, problem: &Problem) -> Result<SearchResult> {
        let lengths = CodeLengths::of(problem.lengths, problem.constraints.max_parents());
        let problem = &Problem { lengths: &lengths, ..*problem };
        let choices = Choices::new(&lengths, problem.constraints);
        let solved = best(problem, &choices, &problem.constraints.smallest_dag());
        let is_proven = is_proven(&solved);
        let report = SearchReport {
            is_proven,
            is_stopped: !is_proven && problem.stop.now(),
            n_graphs: None,
            n_visited: None,
            lower_bound: Some(Nats(solved.bound)),
        };
        let dag = choices.dag_along(&solved.incumbent.order);
        let found = if is_proven && problem.constraints.n_vars() <= MAX_K_BEST {
            among_all(problem, &lengths)?
        } else {
            None
        };
        let mut found = found.map_or_else(|| around(problem, &choices, &lengths, dag), Ok)?;
        found.report =
            SearchReport { lower_bound: Some(Nats(solved.bound.min(found.code_length.0))), ..report };
        if problem.constraints.n_vars() <= MAX_EXACT {
            found.support = PosteriorSupport::Families(lengths);
        }
        Ok(found)
    }

    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>> {
        let choices = Choices::new(problem.lengths, problem.constraints);
        let solved = best(problem, &choices, from);
        Ok(is_proven(&solved).then(|| choices.dag_along(&solved.incumbent.order)))
    }

    fn rerun(&self, problem: &Problem, answer: &Dag) -> Result<Option<RerunResult>> {
        if problem.constraints.n_vars() <= MAX_K_BEST { Exact.rerun(problem, answer) } else { Ok(None) }
    }
}

/// The best graph that [`Ilp`] finds, and a lower bound on the code length of any graph: its own code length
/// if it is proven to be the best. Stops when `stop` is set.
pub fn ilp(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    stop: &StopToken,
) -> (Dag, Nats) {
    let (stop, candidates, start) = (Stop::when(stop, &()), None, None);
    let problem =
        &Problem { lengths, constraints, limits, top: 1, n_near: 0, candidates, start, seed: 0, stop };
    let choices = Choices::new(lengths, constraints);
    let solved = best(problem, &choices, &constraints.smallest_dag());
    let dag = choices.dag_along(&solved.incumbent.order);
    // Summed in another order, the same lengths may differ in the last digit.
    let bound = Nats(solved.bound.min(problem.length_of(&dag).0));
    (dag, bound)
}

fn is_proven(solved: &Bounded) -> bool {
    solved.incumbent.length - solved.bound <= ROUNDING * (1.0 + solved.incumbent.length.abs())
}

fn best(problem: &Problem, choices: &Choices, from: &Dag) -> Bounded {
    let start = Incumbent::along(from.topological_order(), choices);
    let start = improved(start, choices, problem.seed, problem.stop);
    problem.lengths.found(Nats(start.length));
    solve(choices, &start.order, problem.stop)
}

/// The further results of exact search for few variables; `None` if it was stopped.
fn among_all(problem: &Problem, lengths: &CodeLengths) -> Result<Option<SearchResult>> {
    let search = OrderGraph::new_until(lengths, problem.constraints, problem.limits, problem.stop)?;
    let Some((dag, search)) = search.and_then(|search| Some((search.best_dag()?, search))) else {
        return Ok(None);
    };
    let code_length = problem.length_of(&dag);
    let reversed = reversed(problem, &search, &dag);
    drop(search);
    let (ranking, near) = ranking(problem, &dag, code_length)?;
    // The caller sets the report and the support.
    let (report, support) = (SearchReport::PROVEN, PosteriorSupport::Visited(Visited::default()));
    Ok(Some(SearchResult { dag, code_length, reversed, ranking, near, report, support }))
}

/// The best graph of many variables with the graphs that a search from it visits; if one of them is shorter,
/// that one.
fn around(problem: &Problem, choices: &Choices, lengths: &CodeLengths, dag: Dag) -> Result<SearchResult> {
    let order = dag.topological_order();
    let settings = ClimbSettings {
        start: Some(dag),
        seed: problem.seed,
        restarts: RESTARTS,
        ..ClimbSettings::default()
    };
    let visited = order_search_until(lengths, problem.constraints, &[], &settings, problem.stop)?;
    let mut found = best_visited(problem, visited)?;
    found.ranking.truncate(1);
    let edges = found.dag.edges();
    for (reversed, edge) in found.reversed.iter_mut().zip(edges) {
        let along = reversed_along(problem, choices, &order, edge);
        *reversed = [*reversed, along].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0));
    }
    Ok(found)
}

/// A short code of a graph in which the edge from `from` to `to` is reversed: along the order with either end
/// moved past the other, or along the one that the required edges demand. It exists whenever such a graph is
/// allowed.
fn reversed_along(
    problem: &Problem,
    choices: &Choices,
    order: &[usize],
    (from, to): (usize, usize),
) -> Option<Nats> {
    let query = ParentSetQuery {
        lengths: problem.lengths,
        constraints: problem.constraints,
        child: from,
        member: Some(to),
    };
    let mut sets = Vec::new();
    query.for_each(&mut |parents, length| sets.push(Choice { parents: parents.clone(), length }));
    let moved = |node: usize, beside: usize, after: usize| {
        let mut order: Vec<usize> = order.iter().copied().filter(|&other| other != node).collect();
        let place = order.iter().position(|&other| other == beside).unwrap_or(0);
        order.insert(place + after, node);
        order
    };
    let required = problem.constraints.smallest_dag().with_edge(to, from).ok();
    let orders = [moved(to, from, 0), moved(from, to, 1)].into_iter();
    let length = |order: Vec<usize>| {
        let before = order.iter().take_while(|&&other| other != from).copied().collect::<NodeSet>();
        let with_edge = sets.iter().filter(|set| set.parents.is_subset(&before));
        let with_edge = with_edge.map(|set| set.length).fold(f64::INFINITY, f64::min);
        let own = choices.best_within(from, &before).map_or(f64::INFINITY, |choice| choice.length);
        choices.length_along(&order) - own + with_edge
    };
    let lengths = orders.chain(required.map(|dag| dag.topological_order())).map(length);
    let shortest = lengths.filter(|length| length.is_finite()).fold(f64::INFINITY, f64::min);
    Some(Nats(shortest)).filter(|length| length.0.is_finite())
}
