//! Random code lengths and constraints, for oracles.

use prequential::internals::CodeLengths;
use prequential::{Constraints, Family, Knowledge, Nats, Statement};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A code length for every family, uniform between 0 and `gap`.
pub(crate) fn random_lengths(n_vars: usize, gap: f64, rng: &mut ChaCha8Rng) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for family in Constraints::none(n_vars).families() {
        lengths.set(&family, Nats(rng.random::<f64>() * gap));
    }
    lengths
}

fn names(n_vars: usize) -> Vec<String> {
    (0..n_vars).map(|i| format!("v{i}")).collect()
}

/// Random knowledge of every kind that some DAG obeys: all of it agrees with one random order of the variables.
pub(crate) fn random_constraints(n_vars: usize, rng: &mut ChaCha8Rng) -> Constraints {
    let names = names(n_vars);
    let mut order: Vec<usize> = (0..n_vars).collect();
    (1..n_vars).rev().for_each(|i| order.swap(i, rng.random_range(0..=i)));
    let mut knowledge = Knowledge::default();
    let said = |from: usize, to: usize| Statement {
        value: (names[from].clone(), names[to].clone()),
        place: "here".into(),
    };
    for i in 0..n_vars {
        for j in 0..i {
            match rng.random_range(0..10) {
                0 => knowledge.required.push(said(order[j], order[i])),
                1 => knowledge.forbidden.push(said(order[i], order[j])),
                2 if rng.random_bool(0.5) => knowledge.forbidden.push(said(order[j], order[i])),
                _ => {}
            }
        }
    }
    if rng.random_bool(0.3) {
        let cut = rng.random_range(1..n_vars);
        let tier = |nodes: &[usize]| Statement {
            value: nodes.iter().map(|&node| names[node].clone()).collect(),
            place: "here".into(),
        };
        knowledge.tiers = vec![tier(&order[..cut]), tier(&order[cut..])];
    }
    if rng.random_bool(0.3) {
        knowledge.roots.push(Statement { value: names[order[0]].clone(), place: "here".into() });
    }
    if rng.random_bool(0.3) {
        knowledge.leaves.push(Statement { value: names[order[n_vars - 1]].clone(), place: "here".into() });
    }
    let max_parents = Some(rng.random_range(1..n_vars)).filter(|_| rng.random_bool(0.5));
    match Constraints::new(&knowledge, &names, max_parents) {
        Ok(constraints) => constraints,
        // A required edge may meet the limit on parents: then try again.
        Err(_) => random_constraints(n_vars, rng),
    }
}

/// The code length of every family by a rule.
pub(crate) fn lengths_by(n_vars: usize, mut length: impl FnMut(&Family) -> f64) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for family in Constraints::none(n_vars).families() {
        lengths.set(&family, Nats(length(&family)));
    }
    lengths
}
