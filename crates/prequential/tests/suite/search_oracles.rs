//! Exact search against brute force on random code lengths.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::random_tables::{random_constraints, random_lengths};
use prequential::internals::{
    CodeLengths, FamilyLengths, OrderGraph, RankedDags, dag_length, evidence, exhaustive, k_best,
};
use prequential::{Constraints, Dag, Family, Limits, Nats, NodeSet};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn same(a: Nats, b: Nats) -> bool {
    (a - b).0.abs() <= 1e-9 * (1.0 + a.0.abs())
}

/// What `exact` says must be what the full ranking says.
fn check_exact(lengths: &CodeLengths, constraints: &Constraints, ranking: &RankedDags) {
    let search = OrderGraph::new(lengths, constraints, &Limits::default()).unwrap();
    let best = search.best_dag().unwrap();
    assert_eq!(best, ranking.dag(0));
    assert!(same(dag_length(lengths, &best).unwrap(), ranking.code_length(0)));
    assert!(constraints.allow(&best));
    let n_vars = best.n_nodes();
    let pairs: Vec<(usize, usize)> =
        (0..n_vars * n_vars).map(|i| (i / n_vars, i % n_vars)).filter(|(a, b)| a != b).collect();
    for (&(from, to), found) in pairs.iter().zip(search.best_with_edges(&pairs)) {
        match (found, ranking.best_with_edge(from, to)) {
            (Some(a), Some(b)) => assert!(same(a, b), "{from} -> {to}: {a} {b}"),
            (a, b) => assert_eq!(a, b),
        }
    }
}

#[test]
fn all_dags_are_enumerated_once() {
    for (n_vars, n_dags) in [(1, 1), (2, 3), (3, 25), (4, 543), (5, 29_281)] {
        let lengths = random_lengths(n_vars, 1.0, &mut ChaCha8Rng::seed_from_u64(1));
        let ranking = exhaustive(&lengths, &Constraints::none(n_vars)).unwrap();
        assert_eq!(ranking.len(), n_dags);
        let distinct: std::collections::HashSet<Dag> =
            (0..ranking.len()).map(|rank| ranking.dag(rank)).collect();
        assert_eq!(distinct.len(), n_dags);
        assert!((1..n_dags).all(|rank| ranking.code_length(rank - 1) <= ranking.code_length(rank)));
    }
}

#[test]
fn exact_equals_exhaustive_without_constraints() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (n_vars, n_tables) in [(3, 200), (4, 100), (5, 40)] {
        for _ in 0..n_tables {
            let lengths = random_lengths(n_vars, 10.0, &mut rng);
            let constraints = Constraints::none(n_vars);
            check_exact(&lengths, &constraints, &exhaustive(&lengths, &constraints).unwrap());
        }
    }
}

#[test]
fn exact_equals_exhaustive_under_every_kind_of_constraint() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (n_vars, n_tables) in [(3, 200), (4, 200), (5, 100)] {
        for _ in 0..n_tables {
            let lengths = random_lengths(n_vars, 10.0, &mut rng);
            let constraints = random_constraints(n_vars, &mut rng);
            let ranking = exhaustive(&lengths, &constraints).unwrap();
            let all = exhaustive(&lengths, &Constraints::none(n_vars)).unwrap();
            let n_allowed = (0..all.len()).filter(|&rank| constraints.allow(&all.dag(rank))).count();
            assert_eq!(ranking.len(), n_allowed);
            check_exact(&lengths, &constraints, &ranking);
        }
    }
}

#[test]
fn k_best_equals_the_head_of_the_full_ranking() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for n_vars in [2, 3, 4, 5] {
        for _ in 0..20 {
            let lengths = random_lengths(n_vars, 10.0, &mut rng);
            let constraints = random_constraints(n_vars, &mut rng);
            let ranking = exhaustive(&lengths, &constraints).unwrap();
            let head = k_best(&lengths, &constraints, &Limits::default(), 30).unwrap();
            assert_eq!(head.len(), ranking.len().min(30));
            for (rank, (dag, code_length)) in head.into_iter().enumerate() {
                assert_eq!((dag, code_length), (ranking.dag(rank), ranking.code_length(rank)));
            }
        }
    }
}

#[test]
fn evidence_is_what_removing_and_reversing_cost() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..50 {
        let lengths = random_lengths(4, 10.0, &mut rng);
        let constraints = random_constraints(4, &mut rng);
        let ranking = exhaustive(&lengths, &constraints).unwrap();
        let (best, code_length) = (ranking.dag(0), ranking.code_length(0));
        let search = OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap();
        let reversed: Vec<(usize, usize)> = best.edges().iter().map(|&(from, to)| (to, from)).collect();
        let found = evidence(&best, code_length, &lengths, &constraints, search.best_with_edges(&reversed));
        assert_eq!(found.len(), best.n_edges());
        for edge in found {
            let without = best.without_edge(edge.from, edge.to);
            match edge.removal {
                Some(removal) => {
                    assert!(same(dag_length(&lengths, &without).unwrap() - code_length, removal))
                }
                None => assert!(!constraints.allow(&without)),
            }
            let reversed = (0..ranking.len()).find(|&rank| ranking.dag(rank).has_edge(edge.to, edge.from));
            match (edge.reversal, reversed) {
                (Some(reversal), Some(rank)) => {
                    assert!(same(ranking.code_length(rank) - code_length, reversal))
                }
                (a, b) => assert!(a.is_none() && b.is_none()),
            }
        }
    }
}

#[test]
fn thread_count_changes_no_bit_of_exact_search() {
    let lengths = random_lengths(10, 100.0, &mut ChaCha8Rng::seed_from_u64(8));
    let constraints = Constraints::none(10);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let search = OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap();
            let best = search.best_dag().unwrap();
            let reversals = search.best_with_edges(&best.edges());
            (best, reversals)
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn ties_go_to_the_smaller_parent_set() {
    let mut lengths = CodeLengths::new(4, 3);
    Constraints::none(4).families().for_each(|family| lengths.set(&family, Nats(1.0)));
    let constraints = Constraints::none(4);
    let search = OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap();
    assert_eq!(search.best_dag().unwrap(), Dag::empty(4));
    assert_eq!(exhaustive(&lengths, &constraints).unwrap().dag(0), Dag::empty(4));
}

#[test]
fn families_that_were_not_scored_are_never_chosen() {
    let mut lengths = CodeLengths::new(3, 2);
    lengths.set(&Family::new(0, NodeSet::new()), Nats(1.0));
    lengths.set(&Family::new(1, NodeSet::single(0)), Nats(1.0));
    lengths.set(&Family::new(2, [0, 1].into_iter().collect()), Nats(1.0));
    let constraints = Constraints::none(3);
    let only = Dag::from_edges(3, [(0, 1), (0, 2), (1, 2)]).unwrap();
    assert_eq!(OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap().best_dag(), Some(only));
    lengths = CodeLengths::new(3, 2);
    assert_eq!(OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap().best_dag(), None);
    assert_eq!(lengths.code_length(&Family::new(0, NodeSet::new())), None);
}

#[test]
fn a_search_that_is_too_large_is_refused_before_it_allocates() {
    let lengths = CodeLengths::new(30, 1);
    let error = OrderGraph::new(&lengths, &Constraints::none(30), &Limits::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "exact search over 30 variables needs at least 16 GiB (2 x 2^30 code lengths), above the limit of 8 GiB"
    );
    assert_eq!(
        error.hint().to_string(),
        "use `search: order`, keep at most 28 columns with `columns`, or raise `memory_limit`"
    );
    let error = exhaustive(&CodeLengths::new(7, 1), &Constraints::none(7)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "exhaustive search over 7 variables needs over a billion graphs, above the limit of 6 variables (3,781,503 graphs)"
    );
}

#[test]
fn families_of_a_thousand_variables_are_listed_without_building_larger_ones() {
    let constraints = Constraints::none(1000).with_max_parents(1);
    assert_eq!(constraints.families().count(), 1000 * 1000);
    assert_eq!(constraints.n_families(1), 1e6);
}
