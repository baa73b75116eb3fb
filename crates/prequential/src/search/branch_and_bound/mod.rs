//! Sets of variables that may come first in the best order, as long as they can lead to a shorter code.

mod layers;
mod patterns;

use super::constraints::Constraints;
use super::limits::Limits;
use super::method::{Found, FoundAgain, Method, Problem, SearchReport};
use super::with_bound;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::StopToken;
use crate::graph::Dag;
use crate::score::FamilyLengths;

use layers::Layers;

/// Breadth-first branch and bound over the order graph: a proven optimum, or how far the best graph found may be from it.
///
/// Families are reduced to those that a best graph can have, and variables to parts that can be causes of each other. Of each part the linear
/// program of [`Ilp`](super::Ilp) gives a first bound and weights for clusters of variables; sets of variables that come first in an order are
/// then extended one by one, and dropped where what is left costs too much: pattern databases over what the weights leave of code
/// lengths say so. Sets that take more memory than there is end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BranchAndBound;

impl Method for BranchAndBound {
    fn name(&self) -> &'static str {
        "branch-and-bound"
    }

    fn summary(&self) -> &'static str {
        "The shortest code of all allowed graphs, or how far it may be: dozens of variables with few parents"
    }

    fn plan_in_words(&self) -> String {
        "branch-and-bound, the shortest code of all allowed graphs or how far it may be".to_string()
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
        with_bound::find(problem, &Layers { memory: problem.limits.memory })
    }

    fn refine(&self, problem: &Problem, from: &Dag) -> Result<Option<Dag>> {
        Ok(with_bound::refine(problem, from, &Layers { memory: problem.limits.memory }))
    }

    fn find_again(&self, problem: &Problem, answer: &Dag) -> Result<Option<FoundAgain>> {
        with_bound::find_again(problem, answer)
    }
}

/// The best graph that [`BranchAndBound`] finds, and a bound that the code of no graph falls short of: its own code length where it is proven to be the
/// best. Stops when `stop` is set.
pub fn branch_and_bound(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    limits: &Limits,
    stop: &StopToken,
) -> (Dag, Nats) {
    with_bound::best_with_bound(lengths, constraints, limits, stop, &Layers { memory: limits.memory })
}
