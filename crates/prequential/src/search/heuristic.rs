//! The answer of a heuristic search: the best of the graphs that it visited.

use std::fmt::Debug;

use serde_json::{Map, Value};

use super::climb::{ClimbSettings, climb, hill_climb};
use super::constraints::Constraints;
use super::limits::Limits;
use super::method::{
    Candidates, PosteriorSupport, Problem, ProblemSize, RerunResult, SearchDescription, SearchMethod,
    SearchReport, SearchResult, dags, reversed_edges,
};
use super::visited::Visited;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, Family};
use crate::score::{CodeLengths, FamilyLengths, dag_length};

/// A local search, with families scored as they are needed.
pub(super) trait HeuristicSearch: Debug + Send + Sync {
    fn description(&self) -> SearchDescription;

    /// How many families it requests: about the least and the most for categorical tables with 30 to 200
    /// columns (`make scale`).
    fn n_families(&self, size: &ProblemSize) -> (f64, f64);

    /// Its settings.
    fn climb(&self, seed: u64) -> ClimbSettings;

    /// Visits graphs, fewer if it is stopped.
    fn visit(&self, problem: &Problem) -> Result<Visited>;

    /// Searches among the candidates first, if there are any; then climbs from the best graph to other
    /// parents.
    fn visit_widely(&self, problem: &Problem) -> Result<Visited> {
        let Some(candidates) = problem.candidates else { return self.visit(problem) };
        let constraints = problem.constraints.clone().among(&candidates.parents);
        let mut visited = self.visit(&Problem { constraints: &constraints, ..*problem })?;
        look_beyond_candidates(problem, &mut visited)?;
        Ok(visited)
    }
}

impl<S: HeuristicSearch> SearchMethod for S {
    fn description(&self) -> SearchDescription {
        HeuristicSearch::description(self)
    }

    fn settings(&self, names: &[String]) -> Map<String, Value> {
        self.climb(0).named(names)
    }

    fn check(&self, constraints: &Constraints, _limits: &Limits) -> Result<()> {
        self.climb(0).check_start(constraints)
    }

    fn expected_requests(&self, size: &ProblemSize) -> (f64, f64) {
        self.n_families(size)
    }

    fn memory(&self, n_vars: usize) -> f64 {
        Visited::bytes(n_vars)
    }

    fn find(&self, problem: &Problem) -> Result<SearchResult> {
        let visited = match problem.start {
            Some(start) => climb_widely(problem, start, self.climb(problem.seed).tabu_steps)?,
            None => self.visit_widely(problem)?,
        };
        best_visited(problem, visited)
    }

    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>> {
        let best = climb_from(problem, from, 0)?.best(1).pop().map(|(dag, _)| dag);
        Ok(best.filter(|_| !problem.stop.now()))
    }

    fn rerun(&self, problem: &Problem, answer: &Dag) -> Result<Option<RerunResult>> {
        look_again(problem, answer, self.climb(problem.seed))
    }
}

/// The best of the visited graphs; runners-up are other visited graphs.
pub(super) fn best_visited(problem: &Problem, visited: Visited) -> Result<SearchResult> {
    let mut ranking = visited.best(problem.top);
    for (dag, length) in &mut ranking {
        *length = problem.length_of(dag);
    }
    let (dag, code_length) = ranking[0].clone();
    request_neighbours(problem, &dag)?;
    let reversed = |&(from, to): &(usize, usize)| {
        let turned = length_reversed(problem.lengths, problem.constraints, &dag, (to, from));
        [turned, visited.best_with_edge(from, to)].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
    };
    Ok(SearchResult {
        reversed: reversed_edges(&dag).iter().map(reversed).collect(),
        near: dags(visited.best(1 + problem.n_near).iter().skip(1)),
        report: SearchReport {
            is_proven: false,
            is_stopped: problem.stop.now(),
            n_graphs: None,
            n_visited: Some(visited.n_visited()),
            lower_bound: None,
        },
        support: PosteriorSupport::Visited(visited),
        ranking,
        dag,
        code_length,
    })
}

/// The graphs on one climb from `start`, among the candidates and its own parents if there are candidates.
fn climb_from(problem: &Problem, start: &Dag, tabu_steps: usize) -> Result<Visited> {
    let among = |candidates: &Candidates| {
        let parents =
            candidates.parents.iter().enumerate().map(|(child, them)| them.union(start.parents(child)));
        problem.constraints.clone().among(&parents.collect::<Vec<_>>())
    };
    let constraints = problem.candidates.map(among);
    let constraints = constraints.as_ref().unwrap_or(problem.constraints);
    let mut visited = Visited::default();
    climb(problem.lengths, constraints, start.clone(), tabu_steps, &mut visited, problem.stop)?;
    Ok(visited)
}

/// One climb; then, from the best graph on, also to parents that are not candidates.
fn climb_widely(problem: &Problem, start: &Dag, tabu_steps: usize) -> Result<Visited> {
    let mut visited = climb_from(problem, start, tabu_steps)?;
    if problem.candidates.is_some() {
        look_beyond_candidates(problem, &mut visited)?;
    }
    Ok(visited)
}

/// Continues from the best graph to any parents, as long as the code gets shorter.
fn look_beyond_candidates(problem: &Problem, visited: &mut Visited) -> Result<()> {
    let Some((best, _)) = visited.best(1).pop() else { return Ok(()) };
    climb(problem.lengths, problem.constraints, best, 0, visited, problem.stop)
}

/// A quick answer after a search with proof was stopped: one climb.
pub(super) fn best_so_far(problem: &Problem, lengths: &CodeLengths) -> Result<SearchResult> {
    let soon = Problem { lengths, stop: Stop::never(), ..*problem };
    let visited = climb_from(&soon, &problem.constraints.smallest_dag(), 0)?;
    best_visited(&Problem { stop: problem.stop, ..soon }, visited)
}

/// A second search, from the first answer on.
fn look_again(problem: &Problem, answer: &Dag, climb: ClimbSettings) -> Result<Option<RerunResult>> {
    let climb = ClimbSettings { start: Some(answer.clone()), restarts: 0, ..climb };
    let visited = hill_climb(problem.lengths, problem.constraints, &climb)?;
    let turned = |edge: (usize, usize)| length_reversed(problem.lengths, problem.constraints, answer, edge);
    let reversed = answer.edges().into_iter().map(turned).collect();
    Ok(visited.best(1).pop().map(|(dag, _)| RerunResult { dag, reversed }))
}

/// The code length of `dag` with one of its edges reversed, if that graph is allowed.
pub(super) fn length_reversed(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    dag: &Dag,
    (from, to): (usize, usize),
) -> Option<Nats> {
    let turned = dag.without_edge(from, to).with_edge(to, from).ok()?;
    constraints.allow(&turned).then(|| dag_length(lengths, &turned)).flatten()
}

/// Scores the families needed to remove or reverse each edge.
fn request_neighbours(problem: &Problem, dag: &Dag) -> Result<()> {
    problem.lengths.request(&beside_edges(dag, problem.constraints))
}

/// The allowed families that removing or reversing an edge of `dag` leads to.
fn beside_edges(dag: &Dag, constraints: &Constraints) -> Vec<Family> {
    let changed = dag.edges().into_iter().flat_map(|edge| beside_edge(dag, edge));
    changed.filter(|family| constraints.allows(family)).collect()
}

/// The families of `dag` without one of its edges, and of its cause with the edge reversed.
pub(crate) fn beside_edge(dag: &Dag, (from, to): (usize, usize)) -> [Family; 2] {
    [Family::new(to, dag.parents(to).without(from)), Family::new(from, dag.parents(from).with(to))]
}
