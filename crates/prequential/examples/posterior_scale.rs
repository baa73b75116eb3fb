//! Edge probabilities over all graphs from stored code lengths: wall-clock seconds and peak memory.
//!
//! `cargo run --release --example posterior_scale -- [n_vars] [lengths] [max_parents]`, where lengths are `random`, uniform between 0
//! and 1 nat, so that every graph counts; or `planted`, where each edge of a random graph with 1.5 edges a variable saves its child
//! 100 to 500 nats, in the wrong direction 20 to 200 less, and every parent costs 5.

use std::time::Instant;

use prequential::internals::{CodeLengths, by_layers};
use prequential::{Constraints, Dag, Family, Limits, Nats};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let n_vars = number(0, 12)?;
    let max_parents = number(2, n_vars - 1)?;
    let is_planted = arguments.get(1).is_some_and(|lengths| lengths == "planted");
    let lengths =
        if is_planted { planted_lengths(n_vars, max_parents) } else { random_lengths(n_vars, max_parents) };
    println!("{n_vars} variables, {} families; {}", lengths.len(), peak_memory());
    let constraints = Constraints::none(n_vars);
    let weighing = Instant::now();
    let posterior = by_layers(&lengths, &constraints, &Limits::default());
    println!("{:.2} s; {}", weighing.elapsed().as_secs_f64(), peak_memory());
    println!("expected links: {:.6}", posterior?.expected_links());
    Ok(())
}

fn random_lengths(n_vars: usize, max_parents: usize) -> CodeLengths {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    filled(n_vars, max_parents, |_| rng.random())
}

fn planted_lengths(n_vars: usize, max_parents: usize) -> CodeLengths {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let pairs: Vec<(usize, usize)> = (0..n_vars).flat_map(|to| (0..to).map(move |from| (from, to))).collect();
    let edges = (0..3 * n_vars / 2).map(|_| pairs[rng.random_range(0..pairs.len())]);
    let truth = Dag::from_edges(n_vars, edges).unwrap_or_else(|cycle| panic!("{cycle}"));
    let mut saved = vec![vec![0.0; n_vars]; n_vars];
    for (from, to) in truth.edges() {
        let saves = rng.random_range(100.0..500.0);
        saved[from][to] = saves;
        saved[to][from] = f64::max(saves - rng.random_range(20.0..200.0), 0.0);
    }
    filled(n_vars, max_parents, |family| {
        family.parents.iter().map(|parent| 5.0 - saved[parent][family.child]).sum()
    })
}

fn filled(n_vars: usize, max_parents: usize, mut length: impl FnMut(&Family) -> f64) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, max_parents);
    for family in Constraints::none(n_vars).with_max_parents(max_parents).families() {
        lengths.set(&family, Nats(length(&family)));
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
