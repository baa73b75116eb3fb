//! The limits of one core of this machine, and the share that the inner loops reach: products of networks, regressions, counts.
//!
//! `cargo run --release --example roofline` prints a Markdown table. The loops are those of the library, compiled from its files; every
//! time is the shortest of many, and each is short enough that another process seldom falls into it.

#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "../src/simd/mod.rs"]
mod simd;

#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "../src/estimator/network/buffer.rs"]
mod buffer;
#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "../src/estimator/regression/lanes.rs"]
mod lanes;
#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "../src/estimator/network/matmul.rs"]
mod matmul;
#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "../src/estimator/regression/ridge.rs"]
mod ridge;

use std::time::Instant;

use buffer::Buffer;
use lanes::{LANES, Lanes};
use matmul::{Matrix, MatrixProduct, Packing, Start};
use prequential::{Counts, FamilySelection, Plan, Settings, Table, Values, Variable};
use ridge::Ridge;
use simd::{Arithmetic, Kernel, vectorised};

/// Regressions of two responses on so many features.
struct Regression {
    ridge: Ridge,
    n_features: usize,
    rows: Vec<Lanes>,
    n_rows: usize,
}

impl Regression {
    /// With rows of numbers that look random.
    fn new(n_features: usize, n_rows: usize) -> Regression {
        let ridge = Ridge::new(n_features, 2, 1.0);
        let n_panels = (ridge.n_padded() + ridge.n_responses()) / LANES;
        let number = |i: usize| (i as f64 * 0.618_034).fract() - 0.5;
        let lanes = |panel: usize| Lanes(std::array::from_fn(|lane| number(LANES * panel + lane)));
        Regression { ridge, n_features, rows: (0..n_rows * n_panels).map(lanes).collect(), n_rows }
    }

    /// Adds all rows; how many operations that takes.
    fn add(&mut self) -> f64 {
        self.ridge.add(&self.rows);
        let (p, r) = (self.ridge.n_padded(), self.ridge.n_responses());
        // Panels of eight rows of a matrix, up to the diagonal.
        (2 * self.n_rows * (p * (p + LANES) / 2 + p * r)) as f64
    }

    /// Factorises; how many operations that takes.
    fn factorise(&mut self) -> f64 {
        self.ridge.factorise();
        let (p, r) = (self.ridge.n_padded() as f64, self.ridge.n_responses() as f64);
        p * p * p / 3.0 + p * p * r
    }

    /// Predicts sixteen rows; how many operations that takes.
    fn predict(&self) -> f64 {
        std::hint::black_box(vectorised(Predict(self)));
        let (n, r) = (self.n_features as f64, self.ridge.n_responses() as f64);
        2.0 * LANES as f64 * (n * n + 2.0 * n + 2.0 * n * r)
    }
}

struct Predict<'a>(&'a Regression);

impl Kernel for Predict<'_> {
    type Output = [Lanes; 2];

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> [Lanes; 2] {
        let ridge = &self.0.ridge;
        let (mut panel, mut means) = ([[Lanes::ZERO; 2]; 256], [[Lanes::ZERO; 2]; LANES]);
        let panel = &mut panel[..ridge.n_padded()];
        panel.iter_mut().zip(&self.0.rows).for_each(|(lanes, row)| *lanes = [*row; 2]);
        ridge.predict::<A, 2>(panel, &mut means)
    }
}

/// Sums that run side by side, more than hide the time that one of them takes.
const N_SUMS: usize = 192;

/// Adds products to [`N_SUMS`] numbers in registers, so many times.
struct Limit32(usize);

/// The kernel for half as many numbers of twice the size.
struct Limit64(usize);

impl Kernel for Limit32 {
    type Output = f32;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f32 {
        let (factor, term) = (std::hint::black_box(0.5), std::hint::black_box(0.25));
        let mut sums = [1.0; N_SUMS];
        for _ in 0..self.0 {
            for i in 0..N_SUMS {
                sums[i] = A::mul_add32(factor, sums[i], term);
            }
        }
        sums.iter().sum()
    }
}

impl Kernel for Limit64 {
    type Output = f64;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f64 {
        let (factor, term) = (std::hint::black_box(0.5), std::hint::black_box(0.25));
        let mut sums = [1.0; N_SUMS / 2];
        for _ in 0..self.0 {
            for i in 0..N_SUMS / 2 {
                sums[i] = A::mul_add64(factor, sums[i], term);
            }
        }
        sums.iter().sum()
    }
}

/// The shortest of several runs, in seconds.
fn shortest(n_runs: usize, mut run: impl FnMut()) -> f64 {
    let one = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..n_runs).map(one).fold(f64::INFINITY, f64::min)
}

/// Billions of operations a second.
fn rate(n_runs: usize, mut run: impl FnMut() -> f64) -> f64 {
    let mut n_operations = 0.0;
    let seconds = shortest(n_runs, || n_operations = run());
    n_operations / seconds / 1e9
}

/// A product as networks with 48 rows and two parents have them.
fn product(sizes: (usize, usize, usize), is_left_transposed: bool, is_right_transposed: bool) -> f64 {
    let (n_rows, depth, n_columns) = sizes;
    let (a, b) = (vec![0.5; n_rows * depth], vec![0.25; depth * n_columns]);
    let mut c = Buffer::zeros(n_rows * n_columns);
    let mut packing = Packing::new(n_rows);
    let left = if is_left_transposed { Matrix::transposed(&a, n_rows) } else { Matrix::rows(&a, depth) };
    let right = if is_right_transposed { Matrix::transposed(&b, depth) } else { Matrix::rows(&b, n_columns) };
    rate(200, || {
        for _ in 0..100 {
            let (c, packing) = (&mut *c, &mut packing);
            vectorised(MatrixProduct { sizes, a: left, b: right, start: Start::Zero, c, packing });
        }
        (200 * n_rows * depth * n_columns) as f64
    })
}

/// Gigabytes of labels that all codes of three columns with at most one parent read a second, and that a core reads from memory.
fn counts() -> prequential::Result<(f64, f64)> {
    const N_ROWS: usize = 2_000_000;
    let column = |step: f64| Values::Labels {
        levels: ["a", "b", "c", "d"].map(String::from).to_vec(),
        codes: (0..N_ROWS).map(|row| (4.0 * (row as f64 * step).fract()) as u32).collect(),
    };
    let variable =
        |(name, step): (&str, f64)| Variable { name: name.into(), values: column(step), intervened: None };
    let table = Table::new([("x", 0.618_034), ("y", 0.754_877), ("z", 0.569_84)].map(variable).to_vec())?;
    let settings = Settings {
        estimator: Counts::default().into(),
        max_parents: Some(1),
        threads: Some(1),
        ..Settings::default()
    };
    let plan = Plan::new(&table, &settings)?;
    // Three codes of one column, six of two.
    let n_bytes = (size_of::<u32>() * N_ROWS * (3 + 6 * 2)) as f64;
    let mut failed = None;
    let seconds = shortest(5, || failed = failed.take().or(plan.score(FamilySelection::All, &()).err()));
    let memory = vec![1u64; 1 << 25];
    let limit = rate(20, || {
        std::hint::black_box(memory.iter().fold(0u64, |sum, value| sum ^ value));
        (memory.len() * size_of::<u64>()) as f64
    });
    failed.map_or(Ok((n_bytes / seconds / 1e9, limit)), Err)
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    const ROUNDS: usize = 10_000;
    let row = |name: &str, reached: f64, limit: f64, unit: &str| {
        println!("| {name} | {reached:.1} | {limit:.1} | {unit} | {:.0} % |", 100.0 * reached / limit);
    };
    println!("| inner loop | reached | limit | unit | share |\n|---|---:|---:|---|---:|");
    let limit = rate(200, || {
        std::hint::black_box(vectorised(Limit32(ROUNDS)));
        (2 * ROUNDS * N_SUMS) as f64
    });
    let giga = "GFLOP/s";
    row("networks: from 66 inputs to 32 units", product((48, 66, 32), false, false), limit, giga);
    row("networks: from 32 units to 32", product((48, 32, 32), false, false), limit, giga);
    row("networks: derivatives of 66 x 32 weights", product((66, 48, 32), true, false), limit, giga);
    row("networks: derivatives of 32 units", product((48, 32, 32), false, true), limit, giga);
    let limit = rate(200, || {
        std::hint::black_box(vectorised(Limit64(ROUNDS)));
        (ROUNDS * N_SUMS) as f64
    });
    for n_features in [35, 67] {
        let mut regression = Regression::new(n_features, 64);
        let name = |what: &str| format!("regressions on {n_features} features: {what}");
        row(&name("64 rows added"), rate(2_000, || regression.add()), limit, giga);
        row(&name("factorised"), rate(2_000, || regression.factorise()), limit, giga);
        row(
            &name("16 rows predicted"),
            rate(2_000, || (0..50).map(|_| regression.predict()).sum()),
            limit,
            giga,
        );
    }
    let (reached, limit) = counts()?;
    row("counts of 2,000,000 rows, labels read", reached, limit, "GB/s");
    Ok(())
}
