//! Integer programming: parent sets are chosen, cycles are cut off.

mod branch_and_cut;

use super::constraints::Constraints;
use super::limits::Limits;
use super::method::{Found, FoundAgain, Method, Problem, SearchReport};
use super::with_bound;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::StopToken;
use crate::graph::Dag;
use crate::score::FamilyLengths;

use branch_and_cut::BranchAndCut;

/// Branch and cut: a proven optimum, or how far the best graph found may be from it.
///
/// One unknown for each parent set of each variable, of which one is chosen. That there are no cycles is said by cluster constraints, found as
/// solutions of the linear program break them (Jaakkola, Sontag, Globerson and Meila 2010; Cussens 2011); edges that it leaves open are decided one by
/// one. Every bound is worked out from the weights of clusters, so that no rounding inside the solver makes it wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ilp;

impl Method for Ilp {
    fn name(&self) -> &'static str {
        "ilp"
    }

    fn summary(&self) -> &'static str {
        "The shortest code of all allowed graphs by integer programming, or how far it may be: about a hundred variables with few parents"
    }

    fn plan_in_words(&self) -> String {
        "ilp, the shortest code of all allowed graphs or how far it may be".to_string()
    }

    fn report_in_words(&self, report: &SearchReport, of_scored: &str) -> String {
        with_bound::in_words(self.name(), report, of_scored)
    }

    fn check(&self, _constraints: &Constraints, _limits: &Limits) -> Result<()> {
        Ok(())
    }

    fn memory(&self, n_vars: usize) -> f64 {
        with_bound::memory(n_vars)
    }

    fn find(&self, problem: &Problem) -> Result<Found> {
        with_bound::find(problem, &BranchAndCut)
    }

    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>> {
        Ok(with_bound::refine(problem, from, &BranchAndCut))
    }

    fn find_again(&self, problem: &Problem, answer: &Dag) -> Result<Option<FoundAgain>> {
        with_bound::find_again(problem, answer)
    }
}

/// The best graph that [`Ilp`] finds, and a bound that the code of no graph falls short of: its own code length where it is proven to be the
/// best. Stops when `stop` is set.
pub fn ilp(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    stop: &StopToken,
) -> (Dag, Nats) {
    with_bound::best_with_bound(lengths, constraints, limits, stop, &BranchAndCut)
}
