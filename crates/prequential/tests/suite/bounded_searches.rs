//! Integer programming and branch and bound against exact search, and their bounds.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::random_tables::{random_constraints, random_lengths};
use prequential::internals::{
    CodeLengths, FamilyLengths, OrderGraph, branch_and_bound, dag_length, ilp, in_pool,
};
use prequential::{
    BranchAndBound, Constraints, Dag, Experiment, FamilySelection, Ilp, Limits, LocalScores, Nats, Plan,
    Search, Settings, StopReason, StopToken, search_scores,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type BestWithBound = fn(&dyn FamilyLengths, &Constraints, &Limits, &StopToken) -> (Dag, Nats);

const BOTH: [(&str, BestWithBound); 2] = [("ilp", ilp), ("branch-and-bound", branch_and_bound)];

fn same(a: Nats, b: Nats) -> bool {
    (a - b).0.abs() <= 1e-9 * (1.0 + a.0.abs())
}

/// Both find a graph as short as the shortest of all, which obeys the constraints, and prove it.
fn check(lengths: &CodeLengths, constraints: &Constraints) {
    let limits = Limits::default();
    let exact = OrderGraph::new(lengths, constraints, &limits).unwrap().best_dag().unwrap();
    let shortest = dag_length(lengths, &exact).unwrap();
    for (name, best_with_bound) in BOTH {
        let (dag, bound) = best_with_bound(lengths, constraints, &limits, &StopToken::new());
        let length = dag_length(lengths, &dag).unwrap();
        assert!(constraints.allow(&dag), "{name}: {dag:?}");
        assert!(same(length, shortest), "{name} finds {length}, not {shortest}");
        assert!(bound <= length && same(bound, shortest), "{name} proves {bound}, not {shortest}");
    }
}

#[test]
fn they_equal_exact_search_on_random_lengths_under_every_kind_of_constraint() {
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
fn they_equal_exact_search_on_tables_of_labels() {
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
    for (name, best_with_bound) in BOTH {
        let best = || Ok(best_with_bound(&lengths, &constraints, &Limits::default(), &StopToken::new()));
        let (dag, bound) = in_pool(Some(1), best).unwrap();
        assert!(same(dag_length(&lengths, &dag).unwrap(), bound), "{name}");
        assert_eq!(in_pool(Some(3), best).unwrap(), (dag, bound), "{name}");
    }
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
    for (name, best_with_bound) in BOTH {
        let stop = StopToken::new();
        stop.stop(StopReason::Interrupted);
        let (dag, bound) = best_with_bound(&lengths, &constraints, &limits, &stop);
        let length = dag_length(&lengths, &dag).unwrap();
        assert!(
            constraints.allow(&dag) && bound < shortest && shortest <= length,
            "{name}: {bound} {length}"
        );
    }
}

#[test]
fn little_memory_ends_branch_and_bound_with_a_gap_and_without_a_claim() {
    let limits = Limits { memory: 300_000 };
    let settings = Settings { search: BranchAndBound.into(), limits, ..Settings::default() };
    let searched = search_scores(&structureless(40, 2), &settings, &()).unwrap();
    let (answer, found) = (&searched.answer, searched.answer.found);
    assert!(!found.is_proven && !found.is_stopped && searched.partial.is_none());
    let (bound, gap) = (found.lower_bound.unwrap(), answer.gap().unwrap());
    assert!(gap.0 > 0.0 && same(gap, answer.code_length - bound));
    let text = searched.to_text();
    assert!(text.contains("Search: gave up, not proven") && text.contains(", a gap of "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&searched.to_json()).unwrap();
    assert_eq!(json["search"]["proven"], false);
    assert_eq!(json["search"]["lower_bound_nats"], bound.0);
    assert_eq!(json["search"]["gap_nats"], gap.0);
}

#[test]
fn a_proof_leaves_no_gap() {
    let table = Experiment::Asia.simulate(500, 1).unwrap().table;
    let exact = Plan::new(&table, &Settings::default()).unwrap().learn(&()).unwrap();
    for search in [Search::from(Ilp), BranchAndBound.into()] {
        let settings = Settings { search, ..Settings::default() };
        let learned = Plan::new(&table, &settings).unwrap().learn(&()).unwrap();
        assert_eq!(learned.answer.dag, exact.answer.dag);
        assert_eq!(learned.answer.ranking, exact.answer.ranking);
        assert_eq!((learned.answer.found.is_proven, learned.answer.gap()), (true, Some(Nats(0.0))));
    }
}
