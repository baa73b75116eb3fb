//! Hill climbing: greedy search that adds, removes and reverses single edges, with tabu steps and restarts.

use super::climb::{ClimbSettings, hill_climb_until};
use super::heuristic::HeuristicSearch;
use super::method::{Problem, ProblemSize, SearchDescription};
use super::visited::Visited;
use crate::base::error::Result;
use crate::graph::Dag;

/// Single-edge changes, families scored as they are needed: hundreds of variables, no proof.
#[derive(Debug, Clone, PartialEq)]
pub struct HillClimb {
    /// The number of restarts, from the best graph with a few random changes.
    pub restarts: usize,
    /// Tabu steps: how many steps it continues without finding a shorter code, never back to a visited graph.
    pub tabu_steps: usize,
    /// The starting graph; `None` for the graph of the required edges alone.
    pub start: Option<Dag>,
}

impl Default for HillClimb {
    fn default() -> HillClimb {
        let ClimbSettings { restarts, tabu_steps, start, .. } = ClimbSettings::default();
        HillClimb { restarts, tabu_steps, start }
    }
}

impl HeuristicSearch for HillClimb {
    fn description(&self) -> SearchDescription {
        SearchDescription {
            name: "hill-climb",
            summary: "Single-edge changes, families scored as needed: hundreds of variables, no proof",
            scores_on_demand: true,
        }
    }

    /// This many for each pair of variables, in either order.
    fn n_families(&self, size: &ProblemSize) -> (f64, f64) {
        let n_pairs = size.n_vars.powi(2);
        (2.0 * n_pairs, 6.0 * n_pairs)
    }

    fn climb(&self, seed: u64) -> ClimbSettings {
        ClimbSettings {
            restarts: self.restarts,
            tabu_steps: self.tabu_steps,
            start: self.start.clone(),
            seed,
        }
    }

    fn visit(&self, problem: &Problem) -> Result<Visited> {
        hill_climb_until(problem.lengths, problem.constraints, &self.climb(problem.seed), problem.stop)
    }
}
