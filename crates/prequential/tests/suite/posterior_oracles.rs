//! Edge probabilities against enumeration and against a naive recursion in logarithms, on random code lengths.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::random_tables::{lengths_by, random_constraints, random_lengths};
use prequential::internals::{
    CodeLengths, FamilyLengths, TemperedLengths, by_enumeration, by_layers, exhaustive,
};
use prequential::results::{EdgeProbabilities, PosteriorMethod};
use prequential::{Constraints, Dag, Family, Limits, Nats, NodeSet};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const GAPS: [f64; 6] = [0.1, 1.0, 10.0, 100.0, 1_000.0, 10_000.0];

fn layered(lengths: &dyn FamilyLengths, constraints: &Constraints) -> EdgeProbabilities {
    by_layers(lengths, constraints, &Limits::default()).unwrap()
}

fn pairs(n_vars: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n_vars).flat_map(move |a| (0..n_vars).map(move |b| (a, b)))
}

/// Both must give the same to 1e-9, and probabilities.
fn check(lengths: &dyn FamilyLengths, constraints: &Constraints, expected: impl Fn(usize, usize) -> f64) {
    let n_vars = lengths.n_vars();
    let found = layered(lengths, constraints);
    assert_eq!((found.method, found.n_vars()), (PosteriorMethod::Layers, n_vars));
    for (from, to) in pairs(n_vars) {
        let (a, b) = (expected(from, to), found.edge_probability(from, to));
        assert!((a - b).abs() < 1e-9, "{from} -> {to} has {a} and {b}");
        assert!((0.0..=1.0).contains(&b), "{from} -> {to} has {b}");
        assert!(b + found.edge_probability(to, from) < 1.0 + 1e-9);
    }
}

fn check_by_enumeration(lengths: &dyn FamilyLengths, constraints: &Constraints) {
    let enumerated = by_enumeration(&exhaustive(lengths, constraints).unwrap());
    check(lengths, constraints, |from, to| enumerated.edge_probability(from, to));
}

#[test]
fn layers_equal_enumeration_at_every_size_of_gap() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for gap in GAPS {
        for (n_vars, n_tables) in [(1, 1), (2, 5), (3, 10), (4, 10), (5, 5)] {
            for _ in 0..n_tables {
                let lengths = random_lengths(n_vars, gap, &mut rng);
                check_by_enumeration(&lengths, &Constraints::none(n_vars));
            }
        }
    }
    for gap in [1.0, 1_000.0] {
        check_by_enumeration(&random_lengths(6, gap, &mut rng), &Constraints::none(6));
    }
}

#[test]
fn layers_equal_enumeration_under_every_kind_of_constraint() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for gap in GAPS {
        for (n_vars, n_tables) in [(2, 5), (3, 20), (4, 20), (5, 10)] {
            for _ in 0..n_tables {
                let lengths = random_lengths(n_vars, gap, &mut rng);
                let mut constraints = random_constraints(n_vars, &mut rng);
                if rng.random_bool(0.2) {
                    constraints = constraints.with_isolated(rng.random_range(0..n_vars));
                }
                check_by_enumeration(&lengths, &constraints);
            }
        }
    }
}

#[test]
fn layers_equal_enumeration_where_families_are_not_scored() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for gap in GAPS {
        for _ in 0..10 {
            let all = random_lengths(5, gap, &mut rng);
            let mut some = CodeLengths::new(5, 4);
            for family in Constraints::none(5).families() {
                // Families without parents make sure that there is a graph.
                if family.parents.is_empty() || rng.random_bool(0.3) {
                    some.set(&family, all.code_length(&family).unwrap());
                }
            }
            check_by_enumeration(&some, &Constraints::none(5));
        }
    }
    let mut only = CodeLengths::new(3, 2);
    only.set(&Family::new(2, NodeSet::new()), Nats(-5.0));
    only.set(&Family::new(1, NodeSet::single(2)), Nats(3.0));
    only.set(&Family::new(0, [1, 2].into_iter().collect()), Nats(1e6));
    check(&only, &Constraints::none(3), |from, to| f64::from(u8::from(from > to)));
}

#[test]
fn layers_equal_enumeration_where_gaps_differ_between_children() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..20 {
        let gaps: Vec<f64> = (0..5).map(|_| GAPS[rng.random_range(0..GAPS.len())]).collect();
        let starts: Vec<f64> = (0..5).map(|_| rng.random_range(-1e5..1e5)).collect();
        let lengths = lengths_by(5, |family| starts[family.child] + gaps[family.child] * rng.random::<f64>());
        check_by_enumeration(&lengths, &Constraints::none(5));
    }
}

/// Units hang on the best parents within a set. Here children are thousands of nats dearer, or no dearer at all, with the parents that
/// come first than with all others.
#[test]
fn layers_equal_enumeration_where_early_parents_are_far_behind() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for cost in [600.0, 709.0, 745.0, 1_500.0, 40_000.0] {
        // Each node needs all before it: the best graph is complete, and whatever comes first pays.
        let needs_all = lengths_by(5, |family| {
            let missing = (0..family.child).filter(|&node| !family.parents.contains(node)).count();
            missing as f64 * cost + rng.random::<f64>()
        });
        // All want node 4 as a parent, and node 4 wants all of them: one of many must give way.
        let all_want_one = lengths_by(5, |family| {
            let wants =
                if family.child == 4 { family.parents.len() == 4 } else { family.parents.contains(4) };
            f64::from(u8::from(!wants)) * cost + rng.random::<f64>()
        });
        // The same for a ring, in which somebody must give way.
        let ring = lengths_by(5, |family| {
            let wants = family.parents.contains((family.child + 1) % 5);
            f64::from(u8::from(!wants)) * cost + rng.random::<f64>()
        });
        for lengths in [needs_all, all_want_one, ring] {
            check_by_enumeration(&lengths, &Constraints::none(5));
        }
    }
}

#[test]
fn weighed_layers_equal_weighed_enumeration() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for temperature in [1.0, 7.0, 300.0] {
        let lengths = random_lengths(4, 1_000.0, &mut rng);
        let constraints = &Constraints::none(4);
        check_by_enumeration(
            &TemperedLengths { lengths: &lengths, constraints, edge_prior_nats: 0.5, temperature },
            constraints,
        );
    }
}

/// What no enumeration reaches: most sets of nodes are pruned in some of these tables and none in others.
#[test]
fn layers_equal_a_naive_recursion_in_logarithms() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let truth = Dag::from_edges(8, [(0, 2), (1, 2), (2, 3), (3, 4), (1, 5), (5, 6), (4, 6)]).unwrap();
    let planted = lengths_by(8, |family| {
        let saved = |parent: usize| {
            let wrong_way = truth.has_edge(family.child, parent);
            if truth.has_edge(parent, family.child) {
                400.0
            } else if wrong_way {
                310.0
            } else {
                -4.0
            }
        };
        rng.random::<f64>() - family.parents.iter().map(saved).sum::<f64>()
    });
    let mut tables = vec![planted];
    tables.extend([0.1, 30.0, 3_000.0].map(|gap| random_lengths(8, gap, &mut rng)));
    let mixed: Vec<f64> = (0..8).map(|_| GAPS[rng.random_range(0..GAPS.len())]).collect();
    tables.push(lengths_by(8, |family| mixed[family.child] * rng.random::<f64>()));
    for lengths in tables {
        for constraints in [Constraints::none(8), random_constraints(8, &mut rng)] {
            let naive = Naive::new(&lengths, &constraints);
            let total = naive.total();
            check(&lengths, &constraints, |from, to| (naive.with_edge(from, to).total() - total).exp());
        }
    }
}

/// The recursion over layers as its definition says, in logarithms.
#[derive(Clone)]
struct Naive {
    /// `[child][parents]`: logarithms of weights.
    weights: Vec<Vec<f64>>,
    /// `[child][set so far][last layer]`: of the parent sets within the set that touch the layer.
    touching: Vec<Vec<Vec<f64>>>,
}

impl Naive {
    fn new(lengths: &dyn FamilyLengths, constraints: &Constraints) -> Naive {
        let n_vars = lengths.n_vars();
        let length = |child: usize, bits: usize| {
            let parents = Some(NodeSet::from_bits(bits as u64)).filter(|parents| !parents.contains(child));
            let family = parents.map(|parents| Family::new(child, parents));
            family.filter(|family| constraints.allows(family)).and_then(|family| lengths.code_length(&family))
        };
        let weight = |child, bits| length(child, bits).map_or(f64::NEG_INFINITY, |length| -length.0);
        let weights: Vec<Vec<f64>> =
            (0..n_vars).map(|child| (0..1 << n_vars).map(|bits| weight(child, bits)).collect()).collect();
        let touching = weights.iter().map(|weights| touching(weights)).collect();
        Naive { weights, touching }
    }

    /// Over the graphs that have this edge.
    fn with_edge(&self, from: usize, to: usize) -> Naive {
        let mut naive = self.clone();
        let without = |bits: &usize| bits >> from & 1 == 0;
        (0..naive.weights[to].len())
            .filter(without)
            .for_each(|bits| naive.weights[to][bits] = f64::NEG_INFINITY);
        naive.touching[to] = touching(&naive.weights[to]);
        naive
    }

    /// The logarithm of the summed weight of all graphs.
    fn total(&self) -> f64 {
        let full = self.weights[0].len() - 1;
        let mut sums = vec![vec![f64::NEG_INFINITY; full + 1]; full + 1];
        let members = |set: usize| (0..self.weights.len()).filter(move |node| set >> node & 1 == 1);
        for first in 1..=full {
            sums[first][first] = members(first).map(|node| self.weights[node][0]).sum();
        }
        for so_far in 1..full {
            for last in subsets(so_far) {
                for next in subsets(full & !so_far) {
                    let weight: f64 = members(next).map(|node| self.touching[node][so_far][last]).sum();
                    let sum = log_add(sums[so_far | next][next], sums[so_far][last] + weight);
                    sums[so_far | next][next] = sum;
                }
            }
        }
        sums[full].iter().copied().fold(f64::NEG_INFINITY, log_add)
    }
}

fn touching(weights: &[f64]) -> Vec<Vec<f64>> {
    let of = |set: usize, last: usize| {
        let within = subsets(set).filter(|parents| parents & last != 0).map(|parents| weights[parents]);
        if last & !set == 0 { within.fold(f64::NEG_INFINITY, log_add) } else { f64::NEG_INFINITY }
    };
    (0..weights.len()).map(|set| (0..weights.len()).map(|last| of(set, last)).collect()).collect()
}

/// All but the empty one.
fn subsets(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), move |subset| Some((subset.wrapping_sub(1)) & set))
        .take_while(|&subset| subset != 0)
}

fn log_add(a: f64, b: f64) -> f64 {
    let (large, small) = if a >= b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY { large } else { large + (small - large).exp().ln_1p() }
}

#[test]
fn thread_count_changes_no_bit_of_the_posterior() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for gap in [1.0, 500.0] {
        let lengths = random_lengths(9, gap, &mut rng);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| layered(&lengths, &Constraints::none(9)))
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn independent_variables_have_the_probabilities_of_their_graphs() {
    // All graphs weigh the same: of 25 graphs over 3 variables, 8 have a given edge.
    let lengths = lengths_by(3, |_| 100.0);
    check(&lengths, &Constraints::none(3), |from, to| if from == to { 0.0 } else { 8.0 / 25.0 });
}

#[test]
fn a_posterior_that_is_too_large_is_refused_before_the_work() {
    let error = by_layers(&CodeLengths::new(40, 1), &Constraints::none(40), &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "weighing all graphs over 40 variables needs 13 PiB, above the limit of 8 GiB"
    );
    assert_eq!(error.hint().to_string(), "keep fewer columns with `columns`, or raise `memory_limit`");
    let limits = Limits { memory: 1 << 20 };
    let lengths = random_lengths(10, 1.0, &mut ChaCha8Rng::seed_from_u64(13));
    let error = by_layers(&lengths, &Constraints::none(10), &limits).unwrap_err();
    assert!(error.to_string().ends_with("above the limit of 1 MiB"), "{error}");
}

#[test]
fn expected_distance_equals_the_weighted_mean_over_graphs() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let lengths = random_lengths(4, 5.0, &mut rng);
    let ranking = exhaustive(&lengths, &Constraints::none(4)).unwrap();
    let truth = Dag::from_edges(4, [(0, 1), (2, 1), (2, 3)]).unwrap();
    let weight = |rank| (ranking.code_length(0) - ranking.code_length(rank)).0.exp();
    let total: f64 = (0..ranking.len()).map(weight).sum();
    let distance = |rank| prequential::internals::shd(&ranking.dag(rank), &truth) as f64;
    let mean: f64 = (0..ranking.len()).map(|rank| weight(rank) * distance(rank)).sum::<f64>() / total;
    assert!((by_enumeration(&ranking).expected_shd(&truth) - mean).abs() < 1e-9);
}
