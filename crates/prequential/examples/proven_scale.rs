//! How wide a table may be whose best graph is proven: seconds on the clock (and of all cores) and the gap that is left.
//!
//! `cargo run --package prequential --example proven_scale -- SECONDS KIND MAX_PARENTS N_VARS...` scores all families of 5,000 rows with counts and searches
//! them by `ilp` for so many seconds at most, scoring not counted. KIND is `random` (a random categorical network) or `alarm` (37 variables).

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use prequential::internals::{count, dag_length, ilp};
use prequential::{Constraints, FamilySelection, Limits, Plan, Settings, StopToken};
use prequential_simulate::Experiment;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const ROWS: usize = 5_000;

#[allow(clippy::print_stdout)]
fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, kind, max_parents, sizes @ ..] = arguments.as_slice() else {
        return Err("usage: proven_scale SECONDS KIND MAX_PARENTS N_VARS...".into());
    };
    println!("| network | parents | variables | families | scoring s | search s | nats | gap |");
    println!("|---|---|---|---|---|---|---|---|");
    for n_vars in sizes {
        measure(seconds.parse()?, kind, max_parents.parse()?, n_vars.parse()?)?;
    }
    Ok(())
}

/// One row of the table.
#[allow(clippy::print_stdout)]
fn measure(seconds: u64, kind: &str, max_parents: usize, n_vars: usize) -> Outcome<()> {
    let experiment = match kind {
        "random" => Experiment::RandomCategorical { n_vars },
        "alarm" => Experiment::Alarm,
        _ => return Err("the network is `random` or `alarm`".into()),
    };
    let table = experiment.simulate(ROWS, 1)?.table;
    let settings = Settings { max_parents: Some(max_parents), ..Settings::default() };
    let plan = Plan::new(&table, &settings)?;
    let (scored, scoring) = timed(|| plan.score(FamilySelection::All, &()));
    let scored = scored?.scores;
    let n_families = count(scored.families.len());
    let lengths = scored.lengths(table.n_vars());
    drop(scored);
    let constraints = Constraints::none(table.n_vars()).with_max_parents(max_parents);
    let stop = StopToken::with_time_limit(Duration::from_secs(seconds));
    let ((dag, bound), searching) = timed(|| ilp(&lengths, &constraints, &Limits::default(), &stop));
    let length = dag_length(&lengths, &dag).ok_or("the graph has a family that was not scored")?;
    let gap = (length - bound).0;
    let gap = if gap <= 1e-9 * length.0.abs() { "proven".to_string() } else { format!("{gap:.1}") };
    println!(
        "| {kind} | {max_parents} | {} | {n_families} | {scoring} | {searching} | {:.1} | {gap} |",
        table.n_vars(),
        length.0
    );
    Ok(())
}

/// What `work` makes, and what it took: seconds on the clock and, in brackets, of all cores.
fn timed<T>(work: impl FnOnce() -> T) -> (T, String) {
    let (clock, busy) = (Instant::now(), ProcessTime::now());
    let made = work();
    let seconds = format!("{:.1} ({:.1})", clock.elapsed().as_secs_f64(), busy.elapsed().as_secs_f64());
    (made, seconds)
}
