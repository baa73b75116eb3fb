//! How often `hill-climb` and `order` reach the proven optimum, on random tables of 8 to 12 categorical variables.
//!
//! `cargo run --release --example without_proof -- [n_tables] [n_rows] [restarts] [tabu_steps]` prints a line for every miss and the shares.

use std::time::Instant;

use prequential::internals::{
    ClimbSettings, CodeLengths, FamilyLengths, OrderGraph, Visited, dag_length, hill_climb, order_search,
};
use prequential::{Constraints, FamilySelection, Limits, Plan, Result, Settings};
use prequential_simulate::Experiment;

type Search = fn(&dyn FamilyLengths, &Constraints, &ClimbSettings) -> Result<Visited>;

const SEARCHES: [(&str, Search); 2] = [("hill-climb", hill_climb), ("order", order_search)];

#[allow(clippy::print_stdout)]
fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let (n_tables, n_rows) = (number(0, 200)?, number(1, 1_000)?);
    let default = ClimbSettings::default();
    let climb = ClimbSettings {
        restarts: number(2, default.restarts)?,
        tabu_steps: number(3, default.tabu_steps)?,
        ..default
    };
    let (mut n_reached, mut seconds) = ([0; 2], [0.0; 2]);
    for seed in 1..=n_tables as u64 {
        let n_vars = 8 + (seed % 5) as usize;
        let (lengths, constraints) = scored(n_vars, n_rows, seed)?;
        let best =
            OrderGraph::new(&lengths, &constraints, &Limits::default())?.best_dag().ok_or("no graph")?;
        let shortest = dag_length(&lengths, &best).ok_or("not scored")?;
        for (i, (name, search)) in SEARCHES.into_iter().enumerate() {
            let start = Instant::now();
            let found = search(&lengths, &constraints, &climb)?.best(1).pop().ok_or("no graph")?;
            seconds[i] += start.elapsed().as_secs_f64();
            let excess = (found.1 - shortest).0;
            assert!(excess > -1e-6, "a code shorter than the proven optimum");
            n_reached[i] += usize::from(excess < 1e-6);
            if excess >= 1e-6 {
                println!("seed {seed}, {n_vars} variables: {name} misses by {excess:.3} nats");
            }
        }
    }
    for (i, (name, _)) in SEARCHES.into_iter().enumerate() {
        println!("{name} reaches the optimum in {} of {n_tables}, {:.1} s in all", n_reached[i], seconds[i]);
    }
    Ok(())
}

/// All families of at most 4 parents of a random table.
fn scored(n_vars: usize, n_rows: usize, seed: u64) -> Result<(CodeLengths, Constraints)> {
    let table = Experiment::RandomCategorical { n_vars }.simulate(n_rows, seed)?.table;
    let settings = Settings { max_parents: Some(4), ..Settings::default() };
    let scores = Plan::new(&table, &settings)?.score(FamilySelection::All, &())?.scores;
    Ok((scores.lengths(n_vars), Constraints::none(n_vars).with_max_parents(4)))
}
