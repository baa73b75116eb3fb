//! Our searches with scores from elsewhere, and our scores outside our searches.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::atomic::{AtomicUsize, Ordering};

use prequential::scores::{LocalScore, search_scores};
use prequential::{
    Counts, Exact, Exhaustive, Family, FamilySelection, Fourier, HillClimb, Ilp, Nats, NodeSet, Observer,
    Order, Plan, Result, Search, Settings, StopReason,
};
use prequential_simulate::Experiment;

#[test]
fn the_score_of_a_plan_has_the_bits_of_its_run() {
    let labels = Experiment::Asia.simulate(300, 1).unwrap().table;
    let numbers = Experiment::Star5.simulate(100, 1).unwrap().table;
    for (table, estimator) in [(labels, Counts::default().into()), (numbers, Fourier::default().into())] {
        let settings = Settings { estimator, permutations: 2, max_parents: Some(2), ..Settings::default() };
        let plan = Plan::new(&table, &settings).unwrap();
        let scored = plan.score(FamilySelection::All, &()).unwrap().scores;
        let score = plan.local_score();
        let lengths = score.code_lengths(&scored.families).unwrap();
        for ((family, moments), length) in scored.families.iter().zip(&scored.moments).zip(lengths) {
            assert_eq!(length.0.to_bits(), moments.mean.to_bits(), "{family:?}");
        }
        let last = scored.families.last().unwrap();
        assert_eq!(score.code_length(last).unwrap().0, scored.moments.last().unwrap().mean);
    }
}

#[test]
fn a_score_of_a_plan_refuses_what_is_no_family() {
    let table = Experiment::Asia.simulate(100, 1).unwrap().table;
    let score = Plan::new(&table, &Settings::default()).unwrap().local_score();
    for family in [Family::new(8, NodeSet::new()), Family::new(0, NodeSet::single(8))] {
        assert!(score.code_length(&family).is_err(), "{family:?}");
    }
}

/// Code lengths by a rule.
struct Rule<F> {
    names: Vec<String>,
    rule: F,
    n_asked: AtomicUsize,
}

fn rule<F: Fn(&Family) -> f64 + Sync>(n_vars: usize, rule: F) -> Rule<F> {
    Rule { names: (0..n_vars).map(|i| format!("v{i}")).collect(), rule, n_asked: AtomicUsize::new(0) }
}

impl<F: Fn(&Family) -> f64 + Sync> LocalScore for Rule<F> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn code_length(&self, family: &Family) -> Result<Nats> {
        self.n_asked.fetch_add(1, Ordering::Relaxed);
        Ok(Nats((self.rule)(family)))
    }
}

fn searches() -> [Search; 5] {
    [Exhaustive.into(), Exact.into(), Ilp.into(), HillClimb::default().into(), Order::default().into()]
}

/// Every variable wants the one before it, and nobody else.
fn chain(family: &Family) -> f64 {
    let before = family.child.checked_sub(1).is_some_and(|before| family.parents.contains(before));
    100.0 - if before { 50.0 } else { 0.0 } + 3.0 * family.parents.len() as f64 + 0.1 * family.child as f64
}

#[test]
fn every_search_finds_the_best_graph_of_any_score_and_asks_for_each_family_once() {
    for search in searches() {
        let score = rule(5, chain);
        let settings = Settings { search: search.clone(), ..Settings::default() };
        let searched = search_scores(&score, &settings, &()).unwrap();
        assert_eq!(searched.answer.dag.edges(), [(0, 1), (1, 2), (2, 3), (3, 4)], "{search:?}");
        assert_eq!(searched.partial, None);
        assert_eq!(score.n_asked.into_inner(), searched.n_families, "{search:?}");
    }
}

#[test]
fn searches_of_a_plan_and_of_its_score_agree() {
    let table = Experiment::Asia.simulate(500, 1).unwrap().table;
    for search in searches().into_iter().skip(1) {
        let settings = Settings { search: search.clone(), max_parents: Some(3), ..Settings::default() };
        let plan = Plan::new(&table, &settings).unwrap();
        let learned = plan.learn(&()).unwrap();
        let searched = search_scores(&plan.local_score(), &settings, &()).unwrap();
        assert_eq!(searched.answer.dag, learned.answer.dag, "{search:?}");
        assert_eq!(searched.answer.code_length, learned.answer.code_length, "{search:?}");
        assert_eq!(searched.answer.found.is_proven, learned.answer.found.is_proven, "{search:?}");
    }
}

#[test]
fn a_family_of_infinite_length_is_in_no_graph() {
    for search in searches() {
        let without_1_to_2 = |family: &Family| {
            if family.child == 2 && family.parents.contains(1) { f64::INFINITY } else { chain(family) }
        };
        let settings = Settings { search: search.clone(), ..Settings::default() };
        let searched = search_scores(&rule(4, without_1_to_2), &settings, &()).unwrap();
        assert_eq!(searched.answer.dag.edges(), [(0, 1), (2, 3)], "{search:?}");
    }
}

#[test]
fn a_score_that_is_not_a_number_or_knows_no_beginning_is_refused() {
    let nan = |family: &Family| if family.parents.len() == 2 { f64::NAN } else { 1.0 };
    let error = search_scores(&rule(4, nan), &Settings::default(), &()).unwrap_err();
    assert!(error.to_string().contains("is NaN"), "{error}");
    let nothing_alone = |family: &Family| if family.parents.is_empty() { f64::INFINITY } else { 1.0 };
    let error = search_scores(&rule(4, nothing_alone), &Settings::default(), &()).unwrap_err();
    assert!(error.to_string().contains("where every search begins"), "{error}");
}

/// Says to stop after some families.
struct StopsAfter(usize, AtomicUsize);

impl Observer for StopsAfter {
    fn scored(&self, n_families: usize) {
        self.1.fetch_add(n_families, Ordering::Relaxed);
    }

    fn stop(&self) -> Option<StopReason> {
        (self.1.load(Ordering::Relaxed) > self.0).then_some(StopReason::TimeLimit)
    }
}

#[test]
fn a_search_of_a_score_that_is_stopped_answers_and_claims_no_proof() {
    for search in searches().into_iter().skip(1) {
        let settings = Settings { search: search.clone(), ..Settings::default() };
        let stops = StopsAfter(9, AtomicUsize::new(0));
        let searched = search_scores(&rule(9, chain), &settings, &stops).unwrap();
        let partial = searched.partial.unwrap_or_else(|| panic!("{search:?} was stopped"));
        assert_eq!(partial.reason, StopReason::TimeLimit);
        assert!(!searched.answer.found.is_proven, "{search:?}");
        assert!(partial.n_planned.is_none_or(|n_planned| partial.n_scored < n_planned), "{search:?}");
    }
}
