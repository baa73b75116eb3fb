//! Scoring all families with at most two parents: threads, growth with rows and variables, and a naive version beside it.

use std::collections::HashMap;

use divan::{Bencher, black_box};
use prequential::internals::{FamilyLengths, Quantised};
use prequential::{Estimator, Family, FamilySelection, Plan, Prior, Settings, Table, Values};
use prequential_simulate::Experiment;

fn main() {
    divan::main();
}

fn table(n_vars: usize, n_rows: usize) -> Table {
    let simulated = Experiment::RandomCategorical { n_vars }.simulate(n_rows, 1);
    simulated.unwrap_or_else(|error| panic!("{error}")).table
}

fn settings(threads: usize) -> Settings {
    Settings {
        estimator: Estimator::default().with_prior(Prior::Alpha(1.0)),
        max_parents: Some(2),
        threads: Some(threads),
        ..Settings::default()
    }
}

/// Code lengths in nats of all families, summed: the whole is needed only to compare and not to be optimised away.
fn total(table: &Table, settings: &Settings) -> f64 {
    let scores = Plan::new(table, settings)
        .unwrap_or_else(|error| panic!("{error}"))
        .score(FamilySelection::All, &())
        .unwrap_or_else(|error| panic!("{error}"));
    scores.scores.moments.iter().map(|moments| moments.mean).sum()
}

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn vars_37_rows_10_000_by_threads(bencher: Bencher, threads: usize) {
    let (table, settings) = (table(37, 10_000), settings(threads));
    bencher.bench(|| total(black_box(&table), &settings));
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3, sample_size = 1)]
fn vars_37_by_rows(bencher: Bencher, n_rows: usize) {
    let (table, settings) = (table(37, n_rows), settings(1));
    bencher.bench(|| total(black_box(&table), &settings));
}

#[divan::bench(args = [10, 20, 37, 74], sample_count = 3, sample_size = 1)]
fn rows_10_000_by_vars(bencher: Bencher, n_vars: usize) {
    let (table, settings) = (table(n_vars, 10_000), settings(1));
    bencher.bench(|| total(black_box(&table), &settings));
}

/// The naive version below, on as many families as ours above with 37 variables; it needs seconds, so it runs once.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn naive_vars_37_rows_10_000_threads_1(bencher: Bencher) {
    let table = table(37, 10_000);
    let (data, families) = quantised(&table);
    bencher.bench_local(|| families.iter().map(|family| naive(black_box(&data), family)).sum::<f64>());
}

/// 37 variables, 1,000 rows: the two versions side by side, their answers compared.
#[divan::bench_group(sample_count = 3, sample_size = 1)]
mod ratio_vars_37_rows_1_000 {
    use super::*;

    #[divan::bench]
    fn ours(bencher: Bencher) {
        let (table, settings) = (table(37, 1_000), settings(1));
        bencher.bench(|| total(black_box(&table), &settings));
    }

    #[divan::bench]
    fn naive(bencher: Bencher) {
        let table = table(37, 1_000);
        assert_same_answers(&table);
        let (data, families) = quantised(&table);
        bencher.bench(|| families.iter().map(|family| super::naive(black_box(&data), family)).sum::<f64>());
    }
}

fn quantised(table: &Table) -> (Quantised, Vec<Family>) {
    assert!(table.variables().iter().all(|variable| matches!(variable.values, Values::Labels { .. })));
    let plan = Plan::new(table, &settings(1)).unwrap_or_else(|error| panic!("{error}"));
    (Quantised::new(table, 8), plan.families())
}

/// What one would write first: counts in a map from parent values, every logarithm computed.
fn naive(data: &Quantised, family: &Family) -> f64 {
    let child = data.column(family.child);
    let parents: Vec<_> = family.parents.iter().map(|parent| data.column(parent)).collect();
    let mut counts: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
    let mut code_length = 0.0;
    for row in 0..data.n_rows() {
        let configuration: Vec<u32> = parents.iter().map(|parent| parent.codes[row]).collect();
        let of_value = counts.entry(configuration).or_insert_with(|| vec![0; child.n_levels]);
        let n_rows: u32 = of_value.iter().sum();
        let n_same = &mut of_value[child.codes[row] as usize];
        code_length += ((f64::from(n_rows) + child.n_levels as f64) / (f64::from(*n_same) + 1.0)).ln();
        *n_same += 1;
    }
    code_length
}

fn assert_same_answers(table: &Table) {
    let scores = Plan::new(table, &settings(1))
        .unwrap_or_else(|error| panic!("{error}"))
        .score(FamilySelection::All, &())
        .unwrap_or_else(|error| panic!("{error}"));
    let (data, families) = quantised(table);
    assert_eq!(families.len(), 24_679);
    let lengths = scores.scores.lengths(table.n_vars());
    for family in &families {
        let ours = lengths.code_length(family).map_or(f64::NAN, |length| length.0);
        // The rows are in another order: the sums differ by rounding.
        assert!((ours - naive(&data, family)).abs() < 1e-9 * ours, "{family:?}");
    }
}
