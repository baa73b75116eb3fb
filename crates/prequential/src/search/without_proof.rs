//! The answer of a search that cannot prove it: the best of the graphs that it looked at.

use super::constraints::Constraints;
use super::hill_climb::climb;
use super::method::{Found, FoundAgain, Problem, Reach, SearchReport, dags, reversed_edges};
use super::visited::Visited;
use super::{ClimbSettings, hill_climb};
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, Family};
use crate::score::{CodeLengths, FamilyLengths, dag_length};

/// The best of the visited graphs; runners-up are those it looked at.
pub(super) fn best_visited(problem: &Problem, visited: Visited) -> Result<Found> {
    let mut ranking = visited.best(problem.top);
    for (dag, length) in &mut ranking {
        *length = problem.length_of(dag);
    }
    let (dag, code_length) = ranking[0].clone();
    request_neighbours(problem, &dag)?;
    let reversed = |&(from, to): &(usize, usize)| {
        let turned = turned_round(problem.lengths, problem.constraints, &dag, (to, from));
        [turned, visited.best_with_edge(from, to)].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
    };
    Ok(Found {
        reversed: reversed_edges(&dag).iter().map(reversed).collect(),
        near: dags(visited.best(1 + problem.n_near).iter().skip(1)),
        report: SearchReport {
            is_proven: false,
            is_stopped: problem.stop.now(),
            n_graphs: None,
            n_visited: Some(visited.n_visited()),
        },
        reach: Reach::Visited(visited),
        ranking,
        dag,
        code_length,
    })
}

/// The best that can be had soon, where a search that would have proven its answer was stopped: one climb.
pub(super) fn best_at_hand(problem: &Problem, lengths: &CodeLengths) -> Result<Found> {
    let mut visited = Visited::default();
    let start = problem.constraints.smallest_dag();
    let soon = Problem { lengths, ..*problem };
    climb(lengths, problem.constraints, start, 0, &mut visited, Stop::never())?;
    best_visited(&soon, visited)
}

/// A second look, from the first answer on.
pub(super) fn look_again(
    problem: &Problem,
    answer: &Dag,
    climb: ClimbSettings,
) -> Result<Option<FoundAgain>> {
    let climb = ClimbSettings { start: Some(answer.clone()), restarts: 0, ..climb };
    let visited = hill_climb(problem.lengths, problem.constraints, &climb)?;
    let turned = |edge: (usize, usize)| turned_round(problem.lengths, problem.constraints, answer, edge);
    let reversed = answer.edges().into_iter().map(turned).collect();
    Ok(visited.best(1).pop().map(|(dag, _)| FoundAgain { dag, reversed }))
}

/// The code length of `dag` with one of its edges turned round and the rest as it is, if that is a graph that may be.
pub(super) fn turned_round(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    dag: &Dag,
    (from, to): (usize, usize),
) -> Option<Nats> {
    let turned = dag.without_edge(from, to).with_edge(to, from).ok()?;
    constraints.allow(&turned).then(|| dag_length(lengths, &turned)).flatten()
}

/// Scores what removing or turning round each edge takes.
fn request_neighbours(problem: &Problem, dag: &Dag) -> Result<()> {
    let changed = dag.edges().into_iter().flat_map(|(from, to)| {
        [Family::new(to, dag.parents(to).without(from)), Family::new(from, dag.parents(from).with(to))]
    });
    let allowed = changed.filter(|family| problem.constraints.allows(family));
    problem.lengths.request(&allowed.collect::<Vec<_>>())
}
