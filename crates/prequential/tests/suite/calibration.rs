//! Probabilities are calibrated on a few tables of each kind; `make calibration` uses many.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::{Dag, Mix, Settings, Table, Values, Variable, learn};
use prequential_simulate::{Experiment, Simulated};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is claimed of the pairs of some tables with more than 0.95.
#[derive(Debug, Default)]
struct Claims {
    links: usize,
    wrong_links: usize,
    directions: usize,
    wrong_directions: usize,
}

impl Claims {
    fn of(tables: impl Iterator<Item = (Table, Dag)>) -> Claims {
        let mut claims = Claims::default();
        for (table, truth) in tables {
            let estimator = Mix { networks: 0, ..Mix::default() }.into();
            let learned =
                learn(&table, &Settings { estimator, max_parents: Some(3), ..Settings::default() }).unwrap();
            for pair in learned.probabilities().unwrap().pairs() {
                let is_linked = truth.has_edge(pair.a, pair.b) || truth.has_edge(pair.b, pair.a);
                claims.links += usize::from(pair.linked > 0.95);
                claims.wrong_links += usize::from(pair.linked > 0.95 && !is_linked);
                for (from, to, probability) in [(pair.a, pair.b, pair.a_to_b), (pair.b, pair.a, pair.b_to_a)]
                {
                    claims.directions += usize::from(probability > 0.95);
                    claims.wrong_directions += usize::from(probability > 0.95 && !truth.has_edge(from, to));
                }
            }
        }
        claims
    }
}

/// Five normal columns, each the sum of up to two before it and of normal noise: no direction can be told but where causes meet.
fn linear_normal(seed: u64) -> (Table, Dag) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || {
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
    };
    let edges = [(0, 1), (1, 2), (0, 3), (2, 4), (3, 4)];
    let truth = Dag::from_edges(5, edges).unwrap();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for node in 0..5 {
        let value = |row: usize| {
            truth.parents(node).iter().map(|parent: usize| 0.8 * columns[parent][row]).sum::<f64>()
        };
        let column: Vec<f64> = (0..300).map(|row| value(row) + normal()).collect();
        columns.push(column);
    }
    let variable = |(i, numbers): (usize, Vec<f64>)| Variable {
        name: format!("v{i}"),
        values: Values::Numbers(numbers),
        intervened: None,
    };
    let table = Table::new(columns.into_iter().enumerate().map(variable).collect()).unwrap();
    (table, truth)
}

#[test]
fn claims_above_95_percent_are_rarely_wrong() {
    let simulated = |experiment: Experiment, seed: u64| {
        let Simulated { table, truth, .. } = experiment.simulate(300, 900 + seed).unwrap();
        (table, truth)
    };
    let functions = Experiment::RandomFunctions { n_vars: 5, is_additive: true };
    let labels = Experiment::RandomCategorical { n_vars: 5 };
    let kinds = [
        Claims::of((0..6).map(|seed| simulated(functions, seed))),
        Claims::of((0..30).map(|seed| simulated(labels, seed))),
        Claims::of((0..6).map(|seed| linear_normal(900 + seed))),
    ];
    for claims in &kinds {
        assert!(claims.links >= 15, "{claims:?}");
        assert!(8 * claims.wrong_links <= claims.links, "{claims:?}");
        assert!(claims.wrong_directions <= 1 + claims.directions / 8, "{claims:?}");
    }
    // Where functions bend, directions are told; where everything is linear and normal, hardly any.
    assert!(kinds[0].directions >= 10 && kinds[2].directions <= 6, "{kinds:?}");
}
