//! Times the scoring of all families with at most a given number of parents, without process start and file reading.
//!
//! `cargo run --release --example score_families -- table.csv [max_parents] [threads] [estimator] [nets]` prints JSON: seconds
//! for reading and for scoring, on the clock and of all cores, what was chosen, and the code length of every family in nats,
//! rows coded in the table's order. The estimator is `auto` unless said otherwise; counts start from K2's prior.

use std::path::Path;
use std::time::Instant;

use cpu_time::ProcessTime;
use prequential::internals::settings_value;
use prequential::{Estimator, FamilySelection, Plan, Prior, ReadOptions, RowOrder, Scored, Settings, Table};
use serde_json::{Value, json};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: score_families TABLE [MAX_PARENTS] [THREADS] [ESTIMATOR] [NETS]";
    let path = arguments.first().ok_or(usage)?;
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let name = arguments.get(3).map_or("auto", String::as_str);
    let estimator = Estimator::named(name).ok_or(format!("no estimator is called `{name}`"))?;
    let estimator = match arguments.get(4) {
        Some(networks) => estimator.with_networks(networks.parse()?),
        None => estimator,
    };
    let settings = Settings {
        estimator: estimator.with_prior(Prior::Alpha(1.0)),
        max_parents: Some(number(1, 2)?),
        threads: Some(number(2, 1)?),
        row_order: RowOrder::Given,
        ..Settings::default()
    };

    let reading = Instant::now();
    let table = Table::read(Path::new(path), &ReadOptions::default())?;
    let read_seconds = reading.elapsed().as_secs_f64();
    let (scoring, busy) = (Instant::now(), ProcessTime::now());
    let scored = Plan::new(&table, &settings)?.score(FamilySelection::All, &())?;
    let (score_seconds, cpu_seconds) = (scoring.elapsed().as_secs_f64(), busy.elapsed().as_secs_f64());

    let families = families(&scored, &table.names());
    let report = json!({
        "n_rows": table.n_rows(),
        "n_families": families.len(),
        "threads": settings.threads,
        "n_nets": scored.plan.n_networks(),
        "settings": settings_value(&scored.plan),
        "read_seconds": read_seconds,
        "score_seconds": score_seconds,
        "score_cpu_seconds": cpu_seconds,
        "families": families,
    });
    println!("{report}");
    Ok(())
}

/// Child, parents and code length of each.
fn families(scored: &Scored, names: &[String]) -> Vec<Value> {
    let families = scored.scores.families.iter().zip(&scored.scores.moments);
    families
        .map(|(family, moments)| {
            let parents: Vec<&str> = family.parents.iter().map(|parent| names[parent].as_str()).collect();
            json!([names[family.child], parents, moments.mean])
        })
        .collect()
}
