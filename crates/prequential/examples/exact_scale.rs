//! How exact search scales: wall-clock and CPU seconds and peak memory by the number of variables.
//!
//! `cargo run --release --example exact_scale` runs a series of sizes, each in a process of its own so that its peak memory is
//! its own, and prints a table. `-- LENGTHS MAX_PARENTS N_VARS...` runs others: LENGTHS is `random` (uniform between 0 and
//! 100 nats) or `counts` (5,000 rows of a random categorical network); MAX_PARENTS is a number or `all`.

use std::process::Command;
use std::time::Instant;

use cpu_time::ProcessTime;
use prequential::internals::{CodeLengths, OrderGraph, dag_length};
use prequential::{Constraints, Family, FamilySelection, Limits, Nats, NodeSet, Plan, Settings};
use prequential_simulate::Experiment;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Asks for one row of the table.
const ONE: &str = "one";

const SERIES: [(&str, &str, &[usize]); 3] = [
    ("counts", "3", &[20, 23, 25, 27, 28]),
    ("random", "3", &[20, 23, 25, 27, 28]),
    ("random", "all", &[20, 23, 25]),
];

#[allow(clippy::print_stdout)]
fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, lengths, max_parents, n_vars] = arguments.as_slice()
        && word == ONE
    {
        println!("{}", measure(lengths, max_parents, n_vars.parse()?)?);
        return Ok(());
    }
    println!(
        "| code lengths | parents | variables | families | kept | lengths GiB | search s | evidence s | peak GiB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let sizes: Vec<usize> = arguments.iter().skip(2).map(|size| size.parse()).collect::<Result<_, _>>()?;
    match arguments.as_slice() {
        [] => SERIES.iter().try_for_each(|(lengths, max_parents, sizes)| run(lengths, max_parents, sizes)),
        [lengths, max_parents, _, ..] => run(lengths, max_parents, &sizes),
        _ => Err("usage: exact_scale [LENGTHS MAX_PARENTS N_VARS...]".into()),
    }
}

/// Measures each size in a process of its own.
#[allow(clippy::print_stdout)]
fn run(lengths: &str, max_parents: &str, sizes: &[usize]) -> Outcome<()> {
    for n_vars in sizes {
        let itself = std::env::current_exe()?;
        let output = Command::new(itself).args([ONE, lengths, max_parents, &n_vars.to_string()]).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        print!("{}", String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}

/// One row of the table: the best graph, then the evidence for ten of its edges.
fn measure(kind: &str, max_parents: &str, n_vars: usize) -> Outcome<String> {
    let most = if max_parents == "all" { n_vars - 1 } else { max_parents.parse()? };
    let lengths = match kind {
        "random" => random_lengths(n_vars, most),
        "counts" => counted_lengths(n_vars, most)?,
        _ => return Err("code lengths are `random` or `counts`".into()),
    };
    let constraints = Constraints::none(n_vars);
    let at_first = peak_memory()?;
    let (found, searching) = timed(|| {
        let search = OrderGraph::new(&lengths, &constraints, &Limits::default())?;
        let dag = search.best_dag().ok_or("no graph")?;
        Outcome::Ok((search, dag))
    });
    let (search, dag) = found?;
    let mut edges = dag.edges();
    edges.truncate(10);
    let (best_with_edges, weighing) = timed(|| search.best_with_edges(&edges));

    let shortest = dag_length(&lengths, &dag).ok_or("the graph has a family that was not scored")?;
    for length in best_with_edges.into_iter().flatten() {
        assert!((length.0 - shortest.0).abs() < 1e-9 * shortest.0, "the best graph has each of these edges");
    }
    let (n_families, n_kept) = (lengths.len(), search.n_parent_sets());
    let peak = peak_memory()?;
    Ok(format!(
        "| {kind} | {max_parents} | {n_vars} | {n_families} | {n_kept} | {at_first:.2} | {searching} | {weighing} | {peak:.2} |"
    ))
}

/// What `work` makes, and what it took: seconds on the clock and, in brackets, of all cores.
fn timed<T>(work: impl FnOnce() -> T) -> (T, String) {
    let (clock, busy) = (Instant::now(), ProcessTime::now());
    let made = work();
    let seconds = format!("{:.1} ({:.1})", clock.elapsed().as_secs_f64(), busy.elapsed().as_secs_f64());
    (made, seconds)
}

/// A code length for every family, uniform between 0 and 100 nats.
fn random_lengths(n_vars: usize, max_parents: usize) -> CodeLengths {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut lengths = CodeLengths::new(n_vars, max_parents);
    let is_small = |bits: &u64| bits.count_ones() as usize <= max_parents;
    for child in 0..n_vars {
        for bits in (0..1u64 << n_vars).filter(|bits| bits >> child & 1 == 0).filter(is_small) {
            lengths.set(&Family::new(child, NodeSet::from_bits(bits)), Nats(100.0 * rng.random::<f64>()));
        }
    }
    lengths
}

/// What counts make of 5,000 rows of a random categorical network.
fn counted_lengths(n_vars: usize, max_parents: usize) -> Outcome<CodeLengths> {
    let simulated = Experiment::RandomCategorical { n_vars }.simulate(5_000, 1)?;
    let settings = Settings { max_parents: Some(max_parents), ..Settings::default() };
    let scored = Plan::new(&simulated.table, &settings)?.score(FamilySelection::All, &())?;
    Ok(scored.scores.lengths(n_vars))
}

/// The most memory this process has had so far, in GiB, as Linux tells it.
fn peak_memory() -> Outcome<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    Ok(kibibytes.ok_or("peak memory is not told")?.parse::<f64>()? / (1 << 20) as f64)
}
