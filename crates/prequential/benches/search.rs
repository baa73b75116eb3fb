//! Exact search, the best graphs and the posterior from random code lengths.

use divan::{Bencher, black_box};
use prequential::internals::{
    CodeLengths, FamilyLengths, OrderGraph, TemperedLengths, by_layers, dag_length, k_best,
};
use prequential::{Constraints, Dag, Family, Limits, Nats, NodeSet};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

/// A code length for every family, uniform between 0 and 100 nats.
fn random_lengths(n_vars: usize) -> CodeLengths {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for child in 0..n_vars {
        for bits in (0..1u64 << n_vars).filter(|bits| bits >> child & 1 == 0) {
            let family = Family::new(child, NodeSet::from_bits(bits));
            lengths.set(&family, Nats(100.0 * rng.random::<f64>()));
        }
    }
    lengths
}

fn best_dag(lengths: &CodeLengths, constraints: &Constraints) -> Option<Dag> {
    let search = OrderGraph::new(lengths, constraints, &Limits::default());
    search.unwrap_or_else(|error| panic!("{error}")).best_dag()
}

/// From 10 to 12 variables the time should grow five- to sixfold.
#[divan::bench(args = [10, 12, 16, 20], sample_count = 3, sample_size = 1)]
fn exact_all_parent_sets_by_vars(bencher: Bencher, n_vars: usize) {
    let (lengths, constraints) = (random_lengths(n_vars), Constraints::none(n_vars));
    let first = best_dag(&lengths, &constraints);
    assert!(first.as_ref().and_then(|dag| dag_length(&lengths, dag)).is_some());
    bencher.bench(|| assert_eq!(best_dag(black_box(&lengths), &constraints), first));
}

#[divan::bench(args = [1, 10], sample_count = 5, sample_size = 1)]
fn k_best_vars_8_by_k(bencher: Bencher, k: usize) {
    find_best(bencher, 8, k);
}

/// From 12 to 15 variables the time should grow ten- to thirteenfold.
#[divan::bench(args = [12, 15, 18], sample_count = 3, sample_size = 1)]
fn k_best_10_by_vars(bencher: Bencher, n_vars: usize) {
    find_best(bencher, n_vars, 10);
}

fn find_best(bencher: Bencher, n_vars: usize, k: usize) {
    let (lengths, constraints) = (random_lengths(n_vars), Constraints::none(n_vars));
    bencher.bench(|| {
        let best = k_best(black_box(&lengths), &constraints, &Limits::default(), k);
        let best = best.unwrap_or_else(|error| panic!("{error}"));
        assert!(best.len() == k && best.is_sorted_by(|(_, shorter), (_, longer)| shorter.0 <= longer.0));
    });
}

/// Gaps so small that every graph counts: 4ⁿ steps.
#[divan::bench(args = [8, 12, 15], sample_count = 3, sample_size = 1)]
fn posterior_all_graphs_count_by_vars(bencher: Bencher, n_vars: usize) {
    let lengths = random_lengths(n_vars);
    let constraints = &Constraints::none(n_vars);
    bench_posterior(
        bencher,
        &TemperedLengths { lengths: &lengths, constraints, edge_prior_nats: 0.0, temperature: 100.0 },
    );
}

/// Every node needs all before it, or pays 100 nats for each: almost all sets are left out.
#[divan::bench(args = [8, 12, 15], sample_count = 3, sample_size = 1)]
fn posterior_large_gaps_by_vars(bencher: Bencher, n_vars: usize) {
    let mut lengths = random_lengths(n_vars);
    for family in Constraints::none(n_vars).families() {
        let missing = (0..family.child).filter(|&node| !family.parents.contains(node)).count();
        lengths.set(&family, Nats(100.0 * missing as f64));
    }
    bench_posterior(bencher, &lengths);
}

fn bench_posterior(bencher: Bencher, lengths: &dyn FamilyLengths) {
    let constraints = Constraints::none(lengths.n_vars());
    bencher.bench(|| {
        let posterior = by_layers(black_box(lengths), &constraints, &Limits::default());
        let n_links = posterior.unwrap_or_else(|error| panic!("{error}")).expected_links();
        assert!(n_links > 0.0 && n_links <= (lengths.n_vars() * (lengths.n_vars() - 1) / 2) as f64 + 1e-6);
    });
}
