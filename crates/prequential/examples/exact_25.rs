//! Exact search over 25 variables from random code lengths: seconds on the clock and peak memory.
//!
//! `cargo run --release --example exact_25 -- [max_parents] [n_vars]` scores all families with at most `max_parents` parents:
//! 3 unless said otherwise; 24 for all 2^24 parent sets of each of the 25 variables.

use std::time::Instant;

use prequential::{CodeLengths, Constraints, Family, Limits, Nats, NodeSet, OrderGraph, dag_length};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let (max_parents, n_vars) = (number(0, 3)?, number(1, 25)?);

    let lengths = random_lengths(n_vars, max_parents);
    println!("{n_vars} variables, {} families", lengths.len());
    println!("code lengths: {}", peak_memory());

    let constraints = Constraints::none(n_vars);
    let searching = Instant::now();
    let search = OrderGraph::new(&lengths, &constraints, &Limits::default())?;
    let dag = search.best_dag().ok_or("no graph")?;
    let seconds = searching.elapsed().as_secs_f64();
    println!("best graph: {seconds:.1} s, {}", peak_memory());

    let searching = Instant::now();
    let mut edges = dag.edges();
    edges.truncate(10);
    let best_with_edges = search.best_with_edges(&edges);
    let seconds = searching.elapsed().as_secs_f64();
    println!(
        "evidence for {} of its {} edges: {seconds:.1} s, {}",
        edges.len(),
        dag.n_edges(),
        peak_memory()
    );

    let shortest = dag_length(&lengths, &dag).ok_or("the graph has a family that was not scored")?;
    for length in best_with_edges.into_iter().flatten() {
        assert!((length.0 - shortest.0).abs() < 1e-9 * shortest.0, "the best graph has each of these edges");
    }
    println!("shortest code: {:.6} nats", shortest.0);
    Ok(())
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

/// The most memory this process has had so far, as Linux tells it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    let kibibytes = kibibytes.and_then(|number| number.parse::<f64>().ok());
    kibibytes
        .map_or("peak memory unknown".to_string(), |size| format!("peak {:.2} GiB", size / (1 << 20) as f64))
}
