//! Forecasts how many families a run will request: ranges, fitted to random numeric tables.
//!
//! The factors are those of tables of `simulate random-additive` and `random-functions`; `scripts/growth.py
//! --series estimates` compares them with actual runs.

use super::plan::Plan;
use super::trial::Costs;
use crate::base::observer::{Span, Stage, StageEstimate};
use crate::graph::Family;
use crate::score::n_dependent;
use crate::search::ProblemSize;

/// Families with networks: per variable, and per pair of dependent variables.
const TRAINED: Span = Span { least: 2.0, most: 6.0 };
const TRAINED_OF_LINKED: Span = Span { least: 0.3, most: 1.0 };

/// CPU seconds of exact search, and of weighing all graphs, for each set of variables and each variable: the least if gaps are large.
const SEARCH_SECONDS: f64 = 5e-9;
const SUMMING_SECONDS: Span = Span { least: 3e-7, most: 3e-6 };

/// The sizes of the parent sets that a run reaches, and the number of children of each.
const LARGE: usize = 3;
const N_CHILDREN: f64 = 2.0;

/// The forecast of a run before it starts.
pub(super) struct RunForecast<'a> {
    plan: &'a Plan,
    n_vars: f64,
    /// Ordered pairs of dependent variables.
    n_dependent_pairs: f64,
}

impl<'a> RunForecast<'a> {
    pub(super) fn new(plan: &'a Plan) -> RunForecast<'a> {
        let n_dependent_pairs = n_dependent(&plan.data).iter().sum::<usize>() as f64;
        RunForecast { plan, n_vars: plan.data.n_vars() as f64, n_dependent_pairs }
    }

    /// The families that any search needs; `to_score` are the first of them, and `is_new` the share of later
    /// ones that no store has.
    pub(super) fn opening(&self, costs: &Costs, to_score: &[Family], is_new: f64) -> StageEstimate {
        let (families, n_pairs) = (self.plan.families, self.n_dependent_pairs * is_new);
        let first = families.scored_before_search(to_score);
        let more = families.expected_to_follow(&self.plan.constraints, first.len(), n_pairs);
        StageEstimate {
            stage: Stage::InitialScoring,
            n_families: Span::exactly(first.len() as f64) + more,
            cpu_seconds: Span::exactly(costs.total(first)) + more * large_family_seconds(costs),
        }
    }

    /// The families that a search will request, or the cost of a search that knows all families.
    pub(super) fn search(&self, costs: &Costs, is_new: f64) -> StageEstimate {
        let n_rows = self.plan.data.n_rows() as f64;
        let size = ProblemSize { n_vars: self.n_vars, n_rows, n_dependent_pairs: self.n_dependent_pairs };
        let (least, most) = self.plan.search.expected_requests(&size);
        let families = self.plan.families;
        let n_families = families.expected_requests(Span { least, most }, self.n_dependent_pairs) * is_new;
        let itself = if families.knows_all() { SEARCH_SECONDS * self.n_sets() } else { 0.0 };
        StageEstimate {
            stage: Stage::Search,
            n_families,
            cpu_seconds: n_families * large_family_seconds(costs) + Span::exactly(itself),
        }
    }

    /// For how many families networks will be trained; `is_new` is the share without networks yet, and the
    /// total is limited by the allowed families.
    pub(super) fn networks(&self, costs: &Costs, is_new: f64) -> StageEstimate {
        let constraints = &self.plan.constraints;
        let n_allowed = constraints.n_families(constraints.max_parents());
        let Span { least, most } = TRAINED * self.n_vars + TRAINED_OF_LINKED * self.n_dependent_pairs;
        let n_families = Span { least: least.min(n_allowed), most: most.min(n_allowed) } * is_new;
        StageEstimate { stage: Stage::Networks, n_families, cpu_seconds: n_families * costs.with_networks(2) }
    }

    /// The cost of weighing graphs.
    pub(super) fn probabilities(&self) -> StageEstimate {
        let cpu_seconds =
            SUMMING_SECONDS * if self.plan.sums_over_all_graphs() { self.n_sets() } else { 0.0 };
        StageEstimate { stage: Stage::Probabilities, n_families: Span::exactly(0.0), cpu_seconds }
    }

    /// Sets of variables, times variables.
    fn n_sets(&self) -> f64 {
        self.n_vars * self.n_vars.exp2()
    }
}

/// CPU seconds of one family that a run reaches.
fn large_family_seconds(costs: &Costs) -> f64 {
    costs.parent_sets(1.0 / N_CHILDREN, LARGE, N_CHILDREN)
}
