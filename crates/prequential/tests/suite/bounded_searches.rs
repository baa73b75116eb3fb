//! Integer programming against exact search, and its bound.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::random_tables::{random_constraints, random_lengths};
use prequential::internals::{CodeLengths, OrderGraph, dag_length, ilp, in_pool};
use prequential::scores::{LocalScores, search_scores};
use prequential::{
    Constraints, FamilySelection, Ilp, Limits, Nats, Observer, Plan, Search, Settings, StopReason, StopToken,
};
use prequential_simulate::Experiment;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn same(a: Nats, b: Nats) -> bool {
    (a - b).0.abs() <= 1e-9 * (1.0 + a.0.abs())
}

/// It finds a graph as short as the shortest of all, which obeys the constraints, and proves it.
fn check(lengths: &CodeLengths, constraints: &Constraints) {
    let limits = Limits::default();
    let exact = OrderGraph::new(lengths, constraints, &limits).unwrap().best_dag().unwrap();
    let shortest = dag_length(lengths, &exact).unwrap();
    let (dag, bound) = ilp(lengths, constraints, &limits, &StopToken::new());
    let length = dag_length(lengths, &dag).unwrap();
    assert!(constraints.allow(&dag), "{dag:?}");
    assert!(same(length, shortest), "{length} is found, not {shortest}");
    assert!(bound <= length && same(bound, shortest), "{bound} is proven, not {shortest}");
}

#[test]
fn it_equals_exact_search_on_random_lengths_under_every_kind_of_constraint() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    for (n_vars, n_tables) in [(2, 20), (3, 60), (4, 80), (5, 80), (6, 60), (7, 20)] {
        for table in 0..n_tables {
            let lengths = random_lengths(n_vars, 10.0, &mut rng);
            let constraints = match table % 4 {
                0 => Constraints::none(n_vars).with_max_parents(rng.random_range(1..n_vars)),
                _ => random_constraints(n_vars, &mut rng),
            };
            check(&lengths, &constraints);
        }
    }
}

/// What counts make of rows of a random network.
fn counted(n_vars: usize, n_rows: usize, max_parents: usize, seed: u64) -> CodeLengths {
    let table = Experiment::RandomCategorical { n_vars }.simulate(n_rows, seed).unwrap().table;
    let settings = Settings { max_parents: Some(max_parents), ..Settings::default() };
    let plan = Plan::new(&table, &settings).unwrap();
    plan.score(FamilySelection::All, &()).unwrap().scores.lengths(n_vars)
}

#[test]
fn it_equals_exact_search_on_tables_of_labels() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    for seed in 0..100 {
        let lengths = counted(8, 300, 3, seed);
        let constraints = match seed % 2 {
            0 => Constraints::none(8).with_max_parents(3),
            // Of required parents that are too many, or constant, no family is scored.
            _ => std::iter::repeat_with(|| random_constraints(8, &mut rng))
                .find(|constraints| dag_length(&lengths, &constraints.smallest_dag()).is_some())
                .unwrap(),
        };
        check(&lengths, &constraints);
    }
    check(&counted(14, 1_000, 3, 1), &Constraints::none(14).with_max_parents(3));
}

/// Every set of one size costs the same: ties everywhere.
#[test]
fn ties_are_no_trouble() {
    for (n_vars, max_parents) in [(4, 3), (6, 2), (7, 1)] {
        let mut lengths = CodeLengths::new(n_vars, max_parents);
        for family in Constraints::none(n_vars).with_max_parents(max_parents).families() {
            lengths.set(&family, Nats(10.0 - family.parents.len() as f64));
        }
        check(&lengths, &Constraints::none(n_vars).with_max_parents(max_parents));
    }
}

#[test]
fn more_variables_than_exact_search_can_index_are_proven_with_any_number_of_threads() {
    let lengths = counted(40, 2_000, 2, 1);
    let constraints = Constraints::none(40).with_max_parents(2);
    let best = || Ok(ilp(&lengths, &constraints, &Limits::default(), &StopToken::new()));
    let (dag, bound) = in_pool(Some(1), best).unwrap();
    assert!(same(dag_length(&lengths, &dag).unwrap(), bound));
    assert_eq!(in_pool(Some(3), best).unwrap(), (dag, bound));
}

/// A code length without any structure for every family of few parents.
fn structureless(n_vars: usize, max_parents: usize) -> LocalScores {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let constraints = Constraints::none(n_vars).with_max_parents(max_parents);
    let lengths = constraints.families().map(|family| (family, Nats(100.0 * rng.random::<f64>())));
    LocalScores { names: (0..n_vars).map(|i| format!("v{i}")).collect(), lengths: lengths.collect() }
}

#[test]
fn a_stopped_search_knows_how_far_it_may_be() {
    let mut lengths = CodeLengths::new(14, 3);
    structureless(14, 3).lengths.iter().for_each(|(family, &length)| lengths.set(family, length));
    let (constraints, limits) = (Constraints::none(14).with_max_parents(3), Limits::default());
    let exact = OrderGraph::new(&lengths, &constraints, &limits).unwrap().best_dag().unwrap();
    let shortest = dag_length(&lengths, &exact).unwrap();
    let stop = StopToken::new();
    stop.stop(StopReason::Interrupted);
    let (dag, bound) = ilp(&lengths, &constraints, &limits, &stop);
    let length = dag_length(&lengths, &dag).unwrap();
    assert!(constraints.allow(&dag) && bound < shortest && shortest <= length, "{bound} {length}");
}

/// Says to stop once the search has begun.
struct StopsSearch(AtomicUsize);

impl Observer for StopsSearch {
    fn stop(&self) -> Option<StopReason> {
        (self.0.fetch_add(1, Ordering::Relaxed) >= 20).then_some(StopReason::TimeLimit)
    }
}

#[test]
fn a_search_without_proof_tells_its_gap_in_every_view() {
    let settings = Settings { search: Ilp.into(), ..Settings::default() };
    let stopped = StopsSearch(AtomicUsize::new(0));
    let searched = search_scores(&structureless(40, 2), &settings, &stopped).unwrap();
    let (answer, found) = (&searched.answer, searched.answer.found);
    assert!(!found.is_proven && found.is_stopped);
    let (bound, gap) = (found.lower_bound.unwrap(), answer.gap().unwrap());
    assert!(gap.0 > 0.0 && same(gap, answer.code_length - bound));
    let text = searched.to_text();
    assert!(
        text.contains("Search ilp: stopped early, not proven; ") && text.contains(", a gap of "),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&searched.to_json()).unwrap();
    assert_eq!(json["search"]["proven"], false);
    assert_eq!(json["search"]["lower_bound_nats"], bound.0);
    assert_eq!(json["search"]["gap_nats"], gap.0);
}

#[test]
fn a_proof_leaves_no_gap() {
    let table = Experiment::Asia.simulate(500, 1).unwrap().table;
    let exact = Plan::new(&table, &Settings::default()).unwrap().learn(&()).unwrap();
    let settings = Settings { search: Ilp.into(), ..Settings::default() };
    let learned = Plan::new(&table, &settings).unwrap().learn(&()).unwrap();
    assert_eq!(learned.answer.dag, exact.answer.dag);
    assert_eq!(learned.answer.ranking, exact.answer.ranking);
    assert_eq!((learned.answer.found.is_proven, learned.answer.gap()), (true, Some(Nats(0.0))));
}

#[test]
fn a_search_that_was_removed_is_refused_with_what_does_as_well() {
    let refused = Search::named("branch-and-bound").unwrap_err();
    assert_eq!(refused.to_string(), "the search `branch-and-bound` is no longer part of this program");
    let hint = refused.hint().to_string();
    assert!(hint.contains("ilp") && hint.contains("exact"), "{hint}");
    assert!(Search::named("foo").is_err());
}
