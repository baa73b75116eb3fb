//! What several views say in the same words: how a search ended, what was not scored, what is assumed, what a plan will do.

use serde_json::Value;

use super::document::{ResultDocument, SearchSection};
use crate::base::format::{bytes, count, nats, plural};
use crate::base::nats::Nats;
use crate::base::stop::StopReason;
use crate::posterior::PosteriorBasis;
use crate::run::{Partial, Plan, ResolvedSettings};

/// What nothing in a table can confirm.
pub(super) const ASSUMPTIONS: &str = "no hidden confounders, no cycles, no selection bias, independent rows";

/// How a search ended, from what it knows; a search has no words of its own. `is_whole` if all allowed families were scored.
pub(super) fn search_in_words(search: &SearchSection, is_whole: bool, is_stopped: bool) -> String {
    let of_scored = if is_whole { "" } else { " of scored families" };
    let stopped = if is_stopped { "stopped early, " } else { "" };
    let outcome = match (search.graphs, search.lower_bound_nats, search.visited) {
        (Some(n_graphs), ..) => format!("all {} allowed graphs{of_scored} were ranked", count(n_graphs)),
        (_, Some(bound), _) if !search.proven => format!(
            "{stopped}not proven; no allowed graph{of_scored} has a code shorter than {} nats, a gap of {}",
            nats(Nats(bound)),
            nats(Nats(search.gap_nats.unwrap_or_default()))
        ),
        (_, _, Some(n_visited)) if !search.proven => {
            format!("{stopped}not proven; the best of {} graphs visited", count(n_visited))
        }
        _ => format!("no allowed graph{of_scored} has a shorter code"),
    };
    format!("{}: {outcome}", search.method)
}

impl ResultDocument {
    /// How the search ended.
    pub(super) fn search_in_words(&self) -> String {
        let is_whole = self.partial.is_none() && self.shortcuts.growth.is_none();
        search_in_words(&self.search, is_whole, self.partial.is_some())
    }
}

/// Why not everything was scored, without a full stop.
pub(super) fn partial_in_words(partial: &Partial) -> String {
    let reason = match partial.reason {
        StopReason::TimeLimit => "Stopped by the time limit",
        StopReason::Interrupted => "Interrupted",
        StopReason::MemoryLimit => "Stopped by the memory limit",
    };
    let planned = partial.n_planned.map(|n| format!(" of {}", count(n))).unwrap_or_default();
    format!("{reason}: a partial answer, from {}{planned} families", count(partial.n_scored))
}

/// What numbers beside edges are where they are no probabilities; all have a question mark.
pub(super) fn basis_in_words(basis: PosteriorBasis) -> Option<&'static str> {
    match basis {
        PosteriorBasis::AllGraphs => None,
        PosteriorBasis::GraphsLookedAt => Some(
            "shares of the graphs that the search visited, not probabilities; a search without proof may have missed better ones",
        ),
        PosteriorBasis::StoppedRun => {
            Some("from what was scored and searched before the run was stopped, not probabilities")
        }
    }
}

/// What predicts the families: the estimator and how many row orders there are.
pub(super) fn estimator_in_words(estimator: &str, settings: &ResolvedSettings) -> String {
    let estimator = if estimator.is_empty() { &settings.estimator.name } else { estimator };
    let what = if is_shuffled(settings) { "row orders" } else { "repeats in the same row order" };
    let n_orders = settings.row_orders;
    if n_orders > 1 { format!("{estimator}, {n_orders} {what}") } else { estimator.to_string() }
}

fn is_shuffled(settings: &ResolvedSettings) -> bool {
    settings.row_order != "given"
}

/// How large the scored families are: `2 parents`, or ` and 8 combinations of their values` besides.
pub(super) fn family_size_in_words(settings: &ResolvedSettings) -> String {
    let limit = settings.estimator.settings.get("max_configurations").and_then(Value::as_u64);
    let limit = limit
        .map(|limit| format!(" and {} of their values", plural(limit as usize, "combination")))
        .unwrap_or_default();
    plural(settings.max_parents, "parent") + &limit
}

/// In which order rows are coded.
pub(super) fn row_order_in_words(settings: &ResolvedSettings) -> String {
    if is_shuffled(settings) {
        format!("row order drawn from seed {}", settings.seed)
    } else {
        "rows in the order of the file".to_string()
    }
}

/// How numbers are coded.
pub(super) fn numbers_in_words(settings: &ResolvedSettings) -> &'static str {
    match settings.quantisation.as_ref().map(|quantisation| quantisation.inputs.as_str()) {
        None => "numbers are coded at the resolution at which they were written down",
        Some("raw") => "numbers are coded by their bins, and seen as they are by their children",
        Some(_) => "numbers are coded by their bins: all code lengths hold for the binned table",
    }
}

/// From so many variables on, exact search and edge probabilities take time and memory worth mentioning.
const LONG_SEARCH: usize = 15;

/// What the search of so many variables will take besides scoring, if that is much.
pub(super) fn long_search_in_words(plan: &Plan) -> Option<String> {
    let n_vars = plan.data.n_vars();
    let limit = bytes(plan.limits.memory as f64);
    (plan.families.knows_all() && n_vars >= LONG_SEARCH).then(|| {
        format!(
            "search and edge probabilities of {n_vars} variables come on top: seconds to minutes, and up to {limit}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_a_search_has_its_words() {
        let search = SearchSection {
            method: "any".into(),
            proven: false,
            graphs: None,
            visited: None,
            lower_bound_nats: None,
            gap_nats: None,
        };
        let words = |search: SearchSection| search_in_words(&search, true, false);
        let proven = SearchSection { proven: true, ..search.clone() };
        assert_eq!(words(proven.clone()), "any: no allowed graph has a shorter code");
        assert_eq!(
            search_in_words(&proven, false, false),
            "any: no allowed graph of scored families has a shorter code"
        );
        let ranked = SearchSection { graphs: Some(29_281), ..proven.clone() };
        assert_eq!(words(ranked), "any: all 29,281 allowed graphs were ranked");
        let visited = SearchSection { visited: Some(1_500), ..search.clone() };
        assert_eq!(words(visited.clone()), "any: not proven; the best of 1,500 graphs visited");
        assert_eq!(
            search_in_words(&visited, false, true),
            "any: stopped early, not proven; the best of 1,500 graphs visited"
        );
        let bound = SearchSection { lower_bound_nats: Some(90.0), gap_nats: Some(2.5), ..search };
        let expected = "any: not proven; no allowed graph has a code shorter than 90.00 nats, a gap of 2.50";
        assert_eq!(words(bound), expected);
        let met = SearchSection { lower_bound_nats: Some(90.0), gap_nats: Some(0.0), ..proven };
        assert_eq!(words(met), "any: no allowed graph has a shorter code");
    }
}
