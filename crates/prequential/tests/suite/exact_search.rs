//! Exact search against dynamic programming without pruning, and the memory it needs.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::random_tables::random_constraints;
use prequential::internals::{CodeLengths, FamilyLengths, OrderGraph, dag_length, exhaustive, k_best};
use prequential::{Constraints, Dag, Family, Limits, Nats, NodeSet};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A code length for all but a `missing` part of the families with at most `max_parents` parents.
fn random_lengths(n_vars: usize, max_parents: usize, missing: f64, rng: &mut ChaCha8Rng) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, max_parents);
    for family in Constraints::none(n_vars).with_max_parents(max_parents).families() {
        if !rng.random_bool(missing) {
            lengths.set(&family, Nats(rng.random::<f64>() * 100.0 - 50.0));
        }
    }
    lengths
}

/// The shortest code of any allowed DAG, every family of every order of the variables considered.
fn shortest_by_sets(lengths: &CodeLengths, constraints: &Constraints, edge: Option<(usize, usize)>) -> f64 {
    let n_vars = lengths.n_vars();
    let mut families: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n_vars];
    for child in 0..n_vars {
        lengths.for_each(child, &mut |parents, length| {
            let has_edge = edge.is_none_or(|(from, to)| to != child || parents.contains(from));
            if has_edge && constraints.allows(&Family::new(child, parents.clone())) {
                families[child].push((parents.to_bits().unwrap() as usize, length.0));
            }
        });
    }
    let mut shortest = vec![f64::INFINITY; 1 << n_vars];
    shortest[0] = 0.0;
    for set in 1..1usize << n_vars {
        for child in (0..n_vars).filter(|child| set >> child & 1 == 1) {
            let before = set & !(1 << child);
            for &(_, length) in families[child].iter().filter(|(parents, _)| parents & !before == 0) {
                shortest[set] = shortest[set].min(shortest[before] + length);
            }
        }
    }
    shortest[(1 << n_vars) - 1]
}

fn is_same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

/// What exact search finds is allowed and as short as anything.
fn check(lengths: &CodeLengths, constraints: &Constraints) {
    let search = OrderGraph::new(lengths, constraints, &Limits::default()).unwrap();
    let shortest = shortest_by_sets(lengths, constraints, None);
    match search.best_dag() {
        Some(dag) => {
            assert!(constraints.allow(&dag));
            assert!(is_same(dag_length(lengths, &dag).unwrap().0, shortest));
        }
        None => assert!(shortest.is_infinite()),
    }
    let last = lengths.n_vars() - 1;
    let edges = [(0, last), (last, 0), (1, 2), (last - 1, 1)];
    for (edge, found) in edges.into_iter().zip(search.best_with_edges(&edges)) {
        let expected = shortest_by_sets(lengths, constraints, Some(edge));
        assert!(is_same(found.map_or(f64::INFINITY, |length| length.0), expected), "{edge:?}");
    }
}

#[test]
fn exact_equals_a_search_without_pruning_under_every_kind_of_constraint() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (n_vars, n_tables) in [(8, 12), (9, 6), (10, 3)] {
        for table in 0..n_tables {
            let missing = [0.0, 0.3, 0.9][table % 3];
            let max_parents = rng.random_range(2..n_vars);
            let lengths = random_lengths(n_vars, max_parents, missing, &mut rng);
            check(&lengths, &Constraints::none(n_vars));
            check(&lengths, &random_constraints(n_vars, &mut rng));
        }
    }
}

/// From 11 variables the sets lie in several blocks.
#[test]
fn exact_equals_a_search_without_pruning_over_several_blocks_of_sets() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (n_vars, max_parents) in [(11, 3), (12, 2), (13, 2)] {
        let lengths = random_lengths(n_vars, max_parents, 0.1, &mut rng);
        check(&lengths, &Constraints::none(n_vars));
        check(&lengths, &random_constraints(n_vars, &mut rng));
    }
}

/// Every parent set is better than all its subsets: nothing can be dropped.
#[test]
fn exact_finds_the_best_order_where_nothing_can_be_pruned() {
    let n_vars = 12;
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for family in Constraints::none(n_vars).families() {
        let gain: usize = family.parents.iter().map(|parent| 1 + (7 * parent + 3 * family.child) % 11).sum();
        lengths.set(&family, Nats(1000.0 - gain as f64));
    }
    check(&lengths, &Constraints::none(n_vars));
}

/// Code lengths of a few whole numbers: most choices are ties.
#[test]
fn among_many_ties_exact_is_as_good_as_the_full_ranking_and_has_no_needless_parent() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for n_vars in [3, 4, 5] {
        for _ in 0..40 {
            let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
            for family in Constraints::none(n_vars).families() {
                lengths.set(&family, Nats(f64::from(rng.random_range(0..3u8))));
            }
            let constraints = random_constraints(n_vars, &mut rng);
            let ranking = exhaustive(&lengths, &constraints).unwrap();
            let dag =
                OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap().best_dag().unwrap();
            assert_eq!(dag_length(&lengths, &dag), Some(ranking.code_length(0)));
            for (from, to) in dag.edges() {
                let without = dag.without_edge(from, to);
                assert!(
                    !constraints.allow(&without)
                        || dag_length(&lengths, &without) > dag_length(&lengths, &dag)
                );
            }
            let head: Vec<Nats> = k_best(&lengths, &constraints, &Limits::default(), 12)
                .unwrap()
                .into_iter()
                .map(|(_, length)| length)
                .collect();
            let expected: Vec<Nats> =
                (0..ranking.len().min(12)).map(|rank| ranking.code_length(rank)).collect();
            assert_eq!(head, expected);
        }
    }
}

/// Lengths that differ by rounding alone: the smaller set is chosen although its code is a hair longer.
#[test]
fn ties_by_rounding_go_to_the_smaller_parent_set() {
    let mut lengths = CodeLengths::new(3, 2);
    for family in Constraints::none(3).families() {
        lengths.set(&family, Nats(1000.0 - 1e-9 * family.parents.len() as f64));
    }
    let constraints = Constraints::none(3);
    let search = OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap();
    assert_eq!(search.best_dag(), Some(Dag::empty(3)));
}

#[test]
fn a_limit_of_what_is_needed_is_enough_and_one_byte_less_is_not() {
    let constraints = Constraints::none(12);
    let lengths = random_lengths(12, 2, 0.0, &mut ChaCha8Rng::seed_from_u64(4));
    let needed = OrderGraph::new(&lengths, &constraints, &Limits::default()).unwrap().memory_needed();
    assert!(needed > OrderGraph::memory(12));
    let with = |memory| OrderGraph::new(&lengths, &constraints, &Limits { memory });
    assert!(with(needed.ceil() as u64).unwrap().best_dag().is_some());
    let error = with(needed.ceil() as u64 - 1).err().unwrap();
    assert_eq!(
        error.to_string(),
        "exact search over 12 variables needs a little more than 73 KiB (2 x 2^12 code lengths and the parent sets of 12 \
         variables), above the limit of 73 KiB"
    );
}

#[test]
fn what_no_choice_of_parents_can_mend_is_refused_at_once() {
    let too_large = |n_vars, memory| {
        let error = OrderGraph::check(n_vars, &Limits { memory }).unwrap_err();
        format!("{error}\n{}", error.hint())
    };
    insta::assert_snapshot!(too_large(27, 1 << 30), @r"
    exact search over 27 variables needs at least 2 GiB (2 x 2^27 code lengths), above the limit of 1 GiB
    use `search: order`, keep at most 25 columns with `columns`, or raise `memory_limit`
    ");
    insta::assert_snapshot!(too_large(29, 8 << 30), @r"
    exact search over 29 variables needs at least 8.1 GiB (2 x 2^29 code lengths), above the limit of 8 GiB
    use `search: order`, keep at most 28 columns with `columns`, or raise `memory_limit`
    ");
    insta::assert_snapshot!(too_large(60, 8 << 30), @r"
    exact search over 60 variables needs more than 2^59 code lengths, above the limit of 8 GiB
    use `search: order`, or keep at most 28 columns with `columns`
    ");
}

/// One variable with so many undominated parent sets that it needs a table of all.
#[test]
fn long_lists_of_parent_sets_are_refused_where_they_do_not_fit() {
    let n_vars = 14;
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for family in Constraints::none(n_vars).families() {
        lengths.set(&family, Nats(100.0 - family.parents.len() as f64));
    }
    let constraints = Constraints::none(n_vars);
    assert!(OrderGraph::check(n_vars, &Limits { memory: 1 << 19 }).is_ok());
    let error = OrderGraph::new(&lengths, &constraints, &Limits { memory: 1 << 19 }).err().unwrap();
    insta::assert_snapshot!(format!("{error}\n{}", error.hint()), @r"
    exact search over 14 variables needs at least 667 KiB (2 x 2^14 code lengths and the parent sets of 5 variables), above the limit of 512 KiB
    use `search: order`, lower `max_parents`, keep fewer columns with `columns`, or raise `memory_limit`
    ");
    let all =
        OrderGraph::new(&lengths, &constraints, &Limits { memory: 1 << 21 }).unwrap().best_dag().unwrap();
    assert_eq!(all.n_edges(), n_vars * (n_vars - 1) / 2);
    assert_eq!(all.parents(0).len(), n_vars - 1);
    assert_eq!(all.parents(n_vars - 1), &NodeSet::new());
}
