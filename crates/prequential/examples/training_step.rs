//! Times a step of the paper's training: a network of 4 inputs on 4,000 rows.
//!
//! `cargo run --release --example training_step` prints CPU time on one thread, one JSON object per round.

use prequential::tuning::BlockwiseSettings;
use prequential::{Dag, FamilySelection, Neural, Plan, Schedule, Settings, Table, Values, Variable};

const N_ROWS: usize = 4_000;
const N_PARENTS: usize = 4;
const N_ROUNDS: usize = 5;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = table()?;
    // All others are parents of the last variable; nobody else needs a network.
    let graph = Dag::from_edges(N_PARENTS + 1, (0..N_PARENTS).map(|parent| (parent, N_PARENTS)))?;
    for _ in 0..N_ROUNDS {
        let scored = Plan::new(&table, &settings())?.score(FamilySelection::Graph(&graph), &())?;
        let ms_per_step = scored.cost.cpu_seconds * 1e3 / scored.cost.n_steps as f64;
        println!("{{\"ms_per_step\": {ms_per_step}, \"steps\": {}}}", scored.cost.n_steps);
    }
    Ok(())
}

fn table() -> prequential::Result<Table> {
    let numbers = |i: usize| (0..N_ROWS).map(|row| ((row * 37 + i * 11) as f64 * 0.618).sin()).collect();
    let variable =
        |i: usize| Variable { name: format!("x{i}"), values: Values::Numbers(numbers(i)), intervened: None };
    Table::new((0..=N_PARENTS).map(variable).collect())
}

/// The paper's, with one training of 100 steps that nothing interrupts.
fn settings() -> Settings {
    let blockwise = BlockwiseSettings {
        n_splits: 1,
        first_split: N_ROWS - 1,
        learning_rates: vec![1e-4],
        max_steps: 100,
        evaluation_interval: 1_000_000,
        calibrate: false,
        validation_share: 0.001,
        min_validation: 1,
        ..BlockwiseSettings::default()
    };
    let neural = Neural { networks: 1, schedule: Schedule::Blockwise(blockwise), ..Neural::default() };
    Settings { estimator: neural.into(), threads: Some(1), ..Settings::default() }
}
