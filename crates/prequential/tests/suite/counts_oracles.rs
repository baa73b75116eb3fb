//! Code lengths of counts against the Dirichlet-multinomial closed form, and the rules that make them comparable.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use prequential::internals::Quantised;
use prequential::results::Curves;
use prequential::tables::MISSING;
use prequential::{
    Constraints, Counts, Dag, DocumentOptions, Estimator, Family, FamilySelection, Plan, Prior, RowOrder,
    Settings, Table, Values, Variable, learn,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A table of 2 to 5 categorical columns that depend on each other, some with missing cells and interventions.
fn random_table(n_rows: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n_vars = rng.random_range(2..=5);
    let mut columns: Vec<Vec<u32>> = Vec::new();
    for node in 0..n_vars {
        let n_levels = rng.random_range(2..=5);
        let column = (0..n_rows).map(|row| {
            let copied = if node > 0 && rng.random_bool(0.4) {
                columns[node - 1][row]
            } else {
                rng.random_range(0..n_levels)
            };
            copied % n_levels
        });
        let column = column.collect();
        columns.push(column);
    }
    let variables = columns.into_iter().enumerate().map(|(node, mut codes)| {
        let n_levels = 1 + codes.iter().max().copied().unwrap_or(0);
        if rng.random_bool(0.5) {
            codes.iter_mut().filter(|_| rng.random_bool(0.1)).for_each(|code| *code = MISSING);
        }
        let levels = (0..n_levels).map(|level| format!("level {level}")).collect();
        let intervened = rng.random_bool(0.5).then(|| (0..n_rows).map(|_| rng.random_bool(0.15)).collect());
        Variable { name: format!("v{node}"), values: Values::Labels { levels, codes }, intervened }
    });
    Table::new(variables.collect()).unwrap()
}

fn codes(variable: &Variable) -> (&[u32], usize) {
    match &variable.values {
        Values::Labels { levels, codes } => (codes, levels.len()),
        Values::Numbers(_) => panic!("the tests use categories"),
    }
}

/// ln of the Dirichlet-multinomial probability of the child's values in the rows that count, by lgamma, with sign changed.
fn closed_form(table: &Table, family: &Family, prior: Prior) -> f64 {
    let child = &table.variables()[family.child];
    let (values, n_levels) = codes(child);
    let parents: Vec<&[u32]> =
        family.parents.iter().map(|parent| codes(&table.variables()[parent]).0).collect();
    let mut counts: BTreeMap<Vec<u32>, Vec<f64>> = BTreeMap::new();
    for row in 0..table.n_rows() {
        let is_set = child.intervened.as_ref().is_some_and(|intervened| intervened[row]);
        if values[row] != MISSING && !is_set {
            let configuration = parents.iter().map(|codes| codes[row]).collect();
            counts.entry(configuration).or_insert_with(|| vec![0.0; n_levels])[values[row] as usize] += 1.0;
        }
    }
    let parent_levels = |parent: usize| {
        let (codes, n_levels) = codes(&table.variables()[parent]);
        n_levels + usize::from(codes.contains(&MISSING))
    };
    let alpha = match prior {
        Prior::Alpha(alpha) => alpha,
        Prior::SampleSize(size) => {
            let n_configurations: usize = family.parents.iter().map(parent_levels).product();
            size / (n_levels * n_configurations) as f64
        }
        Prior::Mixed => panic!("one prior at a time"),
    };
    let of_configuration = |counts: &Vec<f64>| {
        let total: f64 = counts.iter().sum();
        let all = alpha * n_levels as f64;
        let cells: f64 = counts.iter().map(|n| libm::lgamma(n + alpha) - libm::lgamma(alpha)).sum();
        libm::lgamma(all) - libm::lgamma(all + total) + cells
    };
    -counts.values().map(of_configuration).sum::<f64>()
}

#[test]
fn code_lengths_equal_the_closed_form_in_any_row_order() {
    for seed in 0..60 {
        let table = random_table(200 + 10 * seed as usize, seed);
        for prior in [Prior::Alpha(0.5), Prior::Alpha(1.0), Prior::SampleSize(3.0)] {
            for (row_order, order_seed) in
                [(RowOrder::Given, 0), (RowOrder::Shuffled, 1), (RowOrder::Shuffled, 2)]
            {
                let settings = Settings {
                    estimator: Estimator::default().with_prior(prior),
                    row_order,
                    seed: order_seed,
                    ..Settings::default()
                };
                let scores =
                    Plan::new(&table, &settings).unwrap().score(FamilySelection::All, &()).unwrap().scores;
                for (family, moments) in scores.families.iter().zip(&scores.moments) {
                    let expected = closed_form(&table, family, prior);
                    let error = (moments.mean - expected).abs() / expected.abs().max(1.0);
                    assert!(error < 1e-9, "seed {seed}, {family:?}: {} instead of {expected}", moments.mean);
                }
            }
        }
    }
}

#[test]
fn unless_a_prior_is_chosen_labels_are_coded_by_a_mixture_of_priors_and_edges_are_named() {
    for seed in 0..30 {
        let table = random_table(60 + 20 * seed as usize, seed);
        let n_vars = table.n_vars() as f64;
        let scores =
            Plan::new(&table, &Settings::default()).unwrap().score(FamilySelection::All, &()).unwrap();
        let curves = scores.curves().unwrap();
        for (i, (family, moments)) in scores.scores.families.iter().zip(&scores.scores.moments).enumerate() {
            let of_alpha = |alpha: f64| (-closed_form(&table, family, Prior::Alpha(alpha))).exp();
            // Lengths are some hundred nats: their exponentials are numbers yet.
            let mixed = -([0.5, 2.0, 8.0, 32.0, 1e6].map(of_alpha).iter().sum::<f64>() / 5.0).ln();
            let expected = mixed + family.parents.len() as f64 * (n_vars * (n_vars - 1.0)).ln();
            let is_small = mixed.is_finite() && mixed < 600.0;
            let error = (moments.mean - expected).abs();
            assert!(!is_small || error < 1e-5, "seed {seed}, {family:?}: {} or {expected}", moments.mean);
            let last = curves.cumulative(i).last().unwrap().mean;
            assert!((last - moments.mean).abs() < 1e-6, "{last} or {}", moments.mean);
        }
    }
}

/// Five labels that have nothing to do with each other.
fn five_independent(n_levels: u32, n_rows: usize, seed: u64) -> Table {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut variable = |node: u32| {
        let codes = (0..n_rows).map(|_| rng.random_range(0..n_levels)).collect();
        let levels = (0..n_levels).map(|level| level.to_string()).collect();
        Variable { name: format!("v{node}"), values: Values::Labels { levels, codes }, intervened: None }
    };
    Table::new((0..5).map(&mut variable).collect()).unwrap()
}

#[test]
fn few_rows_of_independent_labels_are_left_without_edges() {
    let plug_in = Settings { estimator: Counts::default().into(), ..Settings::default() };
    for n_levels in [2, 3, 5, 10] {
        let n_edges = |settings: &Settings| -> usize {
            let edges =
                |seed| learn(&five_independent(n_levels, 50, seed), settings).unwrap().answer.dag.n_edges();
            (0..30).map(edges).sum()
        };
        let (by_default, by_plug_in) = (n_edges(&Settings::default()), n_edges(&plug_in));
        assert!(by_default <= 6 && by_plug_in >= 20, "{n_levels} levels: {by_default} and {by_plug_in}");
    }
}

#[test]
fn a_child_with_thousands_of_parent_configurations_needs_no_room_for_their_product() {
    // Eight parents of 50 levels have 3.9e13 configurations, of which at most 500 occur.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let variable = |name: String, rng: &mut ChaCha8Rng| Variable {
        name,
        values: Values::Labels {
            levels: (0..50).map(|level| level.to_string()).collect(),
            codes: (0..500).map(|_| rng.random_range(0..50)).collect(),
        },
        intervened: None,
    };
    let table = Table::new((0..9).map(|i| variable(format!("v{i}"), &mut rng)).collect()).unwrap();
    let dag = Dag::from_edges(9, (1..9).map(|parent| (parent, 0))).unwrap();
    for prior in [Prior::default(), Prior::SampleSize(1.0)] {
        let settings = Settings { estimator: Estimator::default().with_prior(prior), ..Settings::default() };
        let scores =
            Plan::new(&table, &settings).unwrap().score(FamilySelection::Graph(&dag), &()).unwrap().scores;
        let expected = closed_form(&table, &scores.families[0], prior);
        assert!((scores.moments[0].mean - expected).abs() < 1e-9 * expected);
    }
}

/// Cumulative losses of all families after every row, in file order.
fn losses(table: &Table, prior: Prior) -> Vec<Vec<f64>> {
    let data = Quantised::new(table, 5);
    let families: Vec<Family> = Constraints::none(table.n_vars()).families().collect();
    let every_row: Vec<usize> = (1..=table.n_rows()).collect();
    let order: Vec<u32> = (0..table.n_rows() as u32).collect();
    let curves = Curves::by_counts(&data, prior, &families, &every_row, 1, |_| order.clone()).unwrap();
    (0..families.len())
        .map(|family| curves.cumulative(family).iter().map(|moments| moments.mean).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn losses_up_to_a_row_keep_every_bit_when_later_rows_change(seed in 0u64..1000, cut in 1usize..100) {
        let table = random_table(100, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed + 1);
        let change = |variable: &Variable| {
            let (codes, n_levels) = codes(variable);
            // Numbers of levels and whether cells are missing are side information, the same for every graph: they stay.
            let mut changed = codes.to_vec();
            changed[cut..].iter_mut().filter(|code| **code != MISSING).for_each(|code| *code = rng.random_range(0..n_levels as u32));
            let levels = (0..n_levels).map(|level| level.to_string()).collect();
            Variable { values: Values::Labels { levels, codes: changed }, ..variable.clone() }
        };
        let other = Table::new(table.variables().iter().map(change).collect()).unwrap();
        for prior in [Prior::default(), Prior::SampleSize(2.0)] {
            for (before, after) in losses(&table, prior).iter().zip(&losses(&other, prior)) {
                let bits = |losses: &[f64]| losses[..cut].iter().map(|loss| loss.to_bits()).collect::<Vec<_>>();
                prop_assert_eq!(bits(before), bits(after));
            }
        }
    }
}

#[test]
fn curves_end_at_the_code_length_and_average_over_orders() {
    let table = random_table(300, 5);
    let settings = Settings { permutations: 7, ..Settings::default() };
    let scored = Plan::new(&table, &settings).unwrap().score(FamilySelection::All, &()).unwrap();
    let (curves, scores) = (scored.curves().unwrap(), &scored.scores);
    for (number, moments) in scores.moments.iter().enumerate() {
        let last = *curves.cumulative(number).last().unwrap();
        assert!((last.mean - moments.mean).abs() < 1e-9 * moments.mean);
        // All orders end at the same total, and differ on the way.
        assert!(last.sd < 1e-9 * moments.mean);
    }
    let on_the_way = curves.cumulative(scores.families.len() - 1);
    assert!(on_the_way[curves.checkpoints().len() / 2].sd > 1e-6);
}

#[test]
fn thread_count_changes_no_byte_of_the_result() {
    for seed in 0..10 {
        let table = random_table(300, seed);
        let run = |threads| {
            let settings = Settings { threads: Some(threads), permutations: 2, ..Settings::default() };
            let learned = learn(&table, &settings).unwrap();
            let view = DocumentOptions { families: true, ..DocumentOptions::default() };
            let mut json: serde_json::Value =
                serde_json::from_str(&learned.document(&view).to_json()).unwrap();
            json.as_object_mut().unwrap().remove("cost");
            json.to_string()
        };
        assert_eq!(run(1), run(2));
    }
}

#[test]
fn relabelling_columns_relabels_the_answer() {
    for seed in 0..20 {
        let table = random_table(400, seed);
        let n_vars = table.n_vars();
        let reversed = Table::new(table.variables().iter().rev().cloned().collect()).unwrap();
        let (a, b) =
            (learn(&table, &Settings::default()).unwrap(), learn(&reversed, &Settings::default()).unwrap());
        assert!((a.answer.code_length - b.answer.code_length).0.abs() < 1e-8);
        let renumber = |(from, to): (usize, usize)| (n_vars - 1 - from, n_vars - 1 - to);
        let ranked = |graphs: &[(Dag, prequential::Nats)]| -> Vec<f64> {
            graphs.iter().map(|(_, nats)| nats.0).collect()
        };
        for (x, y) in ranked(&a.answer.ranking).iter().zip(ranked(&b.answer.ranking)) {
            assert!((x - y).abs() < 1e-8);
        }
        // Equal code lengths may come in another order: compare the best graph where it is alone.
        if (a.answer.ranking[1].1 - a.answer.ranking[0].1).0 > 1e-6 {
            let edges: BTreeSet<_> = b.answer.dag.edges().into_iter().map(renumber).collect();
            assert_eq!(a.answer.dag.edges().into_iter().collect::<BTreeSet<_>>(), edges);
        }
    }
}
