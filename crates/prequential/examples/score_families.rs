//! Times the scoring of all families with at most so many parents, without the start of a process or the reading of a file.
//!
//! `cargo run --release --example score_families -- table.csv [max_parents] [threads]` prints JSON: seconds for reading and
//! for scoring, and the K2 code length of every family.

use std::path::Path;
use std::time::Instant;

use prequential::{Prior, ReadOptions, Settings, Table, score};
use serde_json::{Value, json};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: score_families TABLE [MAX_PARENTS] [THREADS]")?;
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let (max_parents, threads) = (number(1, 2)?, number(2, 1)?);

    let reading = Instant::now();
    let table = Table::read(Path::new(path), &ReadOptions::default())?;
    let read_seconds = reading.elapsed().as_secs_f64();

    let settings = Settings {
        prior: Prior::Alpha(1.0),
        max_parents: Some(max_parents),
        threads: Some(threads),
        ..Settings::default()
    };
    let scoring = Instant::now();
    let scores = score(&table, &settings, None, &())?;
    let score_seconds = scoring.elapsed().as_secs_f64();

    let names = table.names();
    let families = scores.scores.families.iter().zip(&scores.scores.moments);
    let families: Vec<Value> = families
        .map(|(family, moments)| {
            let parents: Vec<&str> = family.parents.iter().map(|parent| names[parent].as_str()).collect();
            json!([names[family.child], parents, moments.mean])
        })
        .collect();
    let report = json!({
        "n_rows": table.n_rows(),
        "n_families": families.len(),
        "threads": threads,
        "read_seconds": read_seconds,
        "score_seconds": score_seconds,
        "families": families,
    });
    println!("{report}");
    Ok(())
}
