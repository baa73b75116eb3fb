//! A proven optimum by dynamic programming over sets of variables, with runners-up.

use super::constraints::Constraints;
use super::heuristic::{best_so_far, length_reversed};
use super::k_best::k_best_until;
use super::limits::Limits;
use super::method::{
    PosteriorSupport, Problem, RerunResult, SearchDescription, SearchMethod, SearchReport, SearchResult,
    dags, reversed_edges,
};
use super::neighbours::one_edge_away;
use super::subset_dp::OrderGraph;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::graph::Dag;
use crate::score::CodeLengths;

/// Dynamic programming over sets of variables: a proven optimum for up to about 28 variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact;

/// Graphs with their code lengths, best first.
pub(super) type Ranking = Vec<(Dag, Nats)>;

/// The most variables for which exact search finds runners-up: about k n further searches, each of a part.
pub(crate) const MAX_K_BEST: usize = 18;

impl SearchMethod for Exact {
    fn description(&self) -> SearchDescription {
        SearchDescription {
            name: "exact",
            summary: "The proven optimum, by dynamic programming: up to about 28 variables",
            scores_on_demand: false,
        }
    }

    fn check(&self, constraints: &Constraints, limits: &Limits) -> Result<()> {
        OrderGraph::check(constraints.n_vars(), limits)
    }

    fn memory(&self, n_vars: usize) -> f64 {
        OrderGraph::memory(n_vars)
    }

    fn find(&self, problem: &Problem) -> Result<SearchResult> {
        let lengths = CodeLengths::of(problem.lengths, problem.constraints.max_parents());
        let problem = &Problem { lengths: &lengths, ..*problem };
        let search = OrderGraph::new_until(&lengths, problem.constraints, problem.limits, problem.stop)?;
        let Some(search) = search else { return best_so_far(problem, &lengths) };
        let dag = exactly_best(&search);
        let code_length = problem.length_of(&dag);
        let reversed = reversed(problem, &search, &dag);
        drop(search);
        let (ranking, near) = ranking(problem, &dag, code_length)?;
        let (report, support) = (SearchReport::PROVEN, PosteriorSupport::Families(lengths));
        Ok(SearchResult { dag, code_length, reversed, ranking, near, report, support })
    }

    fn refine(&self, problem: &Problem, _from: &Dag) -> Result<Option<Dag>> {
        let (lengths, constraints) = (problem.lengths, problem.constraints);
        let search = OrderGraph::new_until(lengths, constraints, problem.limits, problem.stop)?;
        Ok(search.and_then(|search| search.best_dag()))
    }

    fn rerun(&self, problem: &Problem, answer: &Dag) -> Result<Option<RerunResult>> {
        if problem.constraints.n_vars() > MAX_K_BEST {
            return Ok(None);
        }
        let (lengths, constraints) = (problem.lengths, problem.constraints);
        let search = OrderGraph::new_until(lengths, constraints, problem.limits, problem.stop)?;
        Ok(search.map(|search| RerunResult {
            reversed: reversed(problem, &search, answer),
            dag: exactly_best(&search),
        }))
    }
}

fn exactly_best(search: &OrderGraph) -> Dag {
    search.best_dag().unwrap_or_else(|| panic!("constraints are checked: some graph is allowed"))
}

/// For each edge of `dag`, the shortest code of any graph in which it is reversed; if there is no time left,
/// of `dag` with the edge reversed.
pub(super) fn reversed(problem: &Problem, search: &OrderGraph, dag: &Dag) -> Vec<Option<Nats>> {
    let best = search.best_with_edges_until(&reversed_edges(dag), problem.stop);
    best.unwrap_or_else(|| {
        let turned = |edge| length_reversed(problem.lengths, problem.constraints, dag, edge);
        dag.edges().into_iter().map(turned).collect()
    })
}

/// The ranking, and the graphs next to the best: beyond [`MAX_K_BEST`] variables those one edge away.
pub(super) fn ranking(problem: &Problem, dag: &Dag, code_length: Nats) -> Result<(Ranking, Vec<Dag>)> {
    let (lengths, constraints) = (problem.lengths, problem.constraints);
    let n_vars = constraints.n_vars();
    let best = if n_vars <= MAX_K_BEST {
        let k = problem.top.max(1 + problem.n_near);
        k_best_until(lengths, constraints, problem.limits, k, problem.stop)?
    } else {
        Vec::new()
    };
    if best.is_empty() {
        let near = one_edge_away(dag, lengths, constraints, problem.n_near);
        return Ok((vec![(dag.clone(), code_length)], near));
    }
    let near = dags(best.iter().skip(1).take(problem.n_near));
    Ok((best.into_iter().take(problem.top).collect(), near))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::base::observer::Observer;
    use crate::base::stop::{Stop, StopReason, StopToken};
    use crate::search::{Exhaustive, HillClimb, Ilp, Order};

    /// Stops at this query.
    struct StopAtCall(usize, AtomicUsize);

    impl Observer for StopAtCall {
        fn stop(&self) -> Option<StopReason> {
            (self.1.fetch_add(1, Ordering::Relaxed) == self.0).then_some(StopReason::Interrupted)
        }
    }

    /// Code lengths in which more parents are better for some children only.
    fn lengths(n_vars: usize) -> CodeLengths {
        let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
        for (i, family) in Constraints::none(n_vars).families().enumerate() {
            lengths.set(&family, Nats(((i * i + 7 * i) % 101) as f64 - 3.0 * family.parents.len() as f64));
        }
        lengths
    }

    #[test]
    fn a_search_that_is_stopped_at_any_moment_answers_and_claims_no_proof() {
        let (lengths, constraints, limits) = (lengths(6), Constraints::none(6), Limits::default());
        let methods: [&dyn SearchMethod; 5] =
            [&Exact, &Exhaustive, &HillClimb::default(), &Order::default(), &Ilp];
        for method in methods {
            let find = |at: usize| {
                let (token, observer) = (StopToken::new(), StopAtCall(at, AtomicUsize::new(0)));
                let stop = Stop::when(&token, &observer);
                let (lengths, constraints, limits) = (&lengths, &constraints, &limits);
                let problem = Problem {
                    lengths,
                    constraints,
                    limits,
                    top: 3,
                    n_near: 3,
                    candidates: None,
                    start: None,
                    seed: 1,
                    stop,
                };
                (method.find(&problem).unwrap(), token.reason().is_some())
            };
            let (whole, is_stopped) = find(usize::MAX);
            assert!(!is_stopped && !whole.report.is_stopped);
            for at in [0, 1, 2, 5, 20] {
                let (found, is_stopped) = find(at);
                assert!(is_stopped, "{} asks more often than {at} times", method.description().name);
                assert!(found.code_length >= whole.code_length && !found.ranking.is_empty());
                assert_eq!(found.reversed.len(), found.dag.n_edges());
                let is_unharmed = found.report.is_proven && found.dag == whole.dag;
                assert!(
                    found.report.is_stopped && !found.report.is_proven || is_unharmed,
                    "{}",
                    method.description().name
                );
            }
        }
    }
}
