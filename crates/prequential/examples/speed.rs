//! Times the numeric estimators on two tables: all families of 5 variables, and those of 11 with at most 4 parents.
//!
//! `cargo run --release --example speed -- [threads] [small|large]` prints a Markdown table; 2 threads and both tables unless
//! said otherwise. Seconds are those of scoring, without the drawing of the table.

use std::time::Instant;

use prequential::{
    Estimator, FamilySelection, Fourier, Mix, Neural, Plan, Settings, Table, Values, Variable,
};
use prequential_simulate::Experiment;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let threads: usize = arguments.first().map_or(Ok(2), |text| text.parse())?;
    let wanted = |size: &str| arguments.get(1).is_none_or(|only| only == size);

    println!("{threads} threads\n");
    println!("| variables | rows | families | estimator | nets | seconds | ms per family |");
    println!("|---:|---:|---:|---|---:|---:|---:|");
    if wanted("small") {
        let table = Experiment::Mechanisms { set: 7 }.simulate(5_000, 1)?.table;
        let estimators: [Estimator; 4] = [
            Fourier::default().into(),
            Estimator::from(Neural::default()).with_networks(1),
            Estimator::from(Mix::default()).with_networks(1),
            Mix::default().into(),
        ];
        for estimator in estimators {
            println!("{}", time(&table, 4, threads, estimator)?);
        }
    }
    if wanted("large") {
        let table = random_sines(11, 7_466)?;
        for estimator in [Fourier::default().into(), Estimator::default()] {
            println!("{}", time(&table, 4, threads, estimator)?);
        }
    }
    Ok(())
}

/// A row of the report.
fn time(
    table: &Table,
    max_parents: usize,
    threads: usize,
    estimator: Estimator,
) -> prequential::Result<String> {
    let settings =
        Settings { estimator, max_parents: Some(max_parents), threads: Some(threads), ..Settings::default() };
    let scoring = Instant::now();
    let scored = Plan::new(table, &settings)?.score(FamilySelection::All, &())?;
    let seconds = scoring.elapsed().as_secs_f64();

    let n_families = scored.scores.families.len();
    let (n_vars, n_rows) = (table.n_vars(), table.n_rows());
    let (estimator, n_nets) = (scored.plan.estimator(), scored.plan.n_networks());
    let each = 1e3 * seconds / n_families as f64;
    Ok(format!("| {n_vars} | {n_rows} | {n_families} | {estimator} | {n_nets} | {seconds:.2} | {each:.2} |"))
}

/// Variables that are each a sine of a random mixture of up to three before, plus noise.
fn random_sines(n_vars: usize, n_rows: usize) -> prequential::Result<Table> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for _ in 0..n_vars {
        let first = columns.len().saturating_sub(3);
        let weights: Vec<f64> = columns[first..].iter().map(|_| rng.random_range(-3.0..3.0)).collect();
        let mut cell = |row: usize| {
            let phase: f64 = weights.iter().zip(&columns[first..]).map(|(w, column)| w * column[row]).sum();
            phase.sin() + rng.random_range(-1.0..1.0)
        };
        columns.push((0..n_rows).map(&mut cell).collect());
    }
    let variable = |(i, numbers): (usize, Vec<f64>)| Variable {
        name: format!("x{i}"),
        values: Values::Numbers(numbers),
        intervened: None,
    };
    Table::new(columns.into_iter().enumerate().map(variable).collect())
}
