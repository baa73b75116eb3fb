//! The paper's experiments: data, scores, plots, tables, with the paper's statements beside ours.

mod cancer;
mod tabular_chain;

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::graph::Dag;
use crate::learn::in_pool;
use crate::nats::Nats;
use crate::report::{Chart, Series};
use crate::score::{CodeLengths, Curves, Moments};
use crate::simulate::Experiment;

/// How an experiment is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReproduceOptions {
    /// Rows of each data set; `None` for as many as in the paper's figure.
    pub rows: Option<usize>,
    /// The first data seed; the plots show this one.
    pub seed: u64,
    /// How many data sets, with seeds counting up.
    pub n_seeds: usize,
    /// Row orders per data set; `None` for as many as in the paper's figure.
    pub repeats: Option<usize>,
    /// Worker threads; `None` for one per core.
    pub threads: Option<usize>,
}

/// What an experiment gave.
#[derive(Debug)]
pub struct Reproduction {
    /// All numbers.
    pub json: Value,
    /// A short account.
    pub markdown: String,
    /// Plots: file name and SVG.
    pub plots: Vec<(String, String)>,
}

/// The experiments that can be reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reproducible {
    /// The paper's Figure 1.
    TabularChain,
    /// The figure of the appendix on interventions.
    Cancer,
}

impl Reproducible {
    /// Runs the experiment.
    pub fn reproduce(self, options: &ReproduceOptions) -> Result<Reproduction> {
        in_pool(options.threads, || match self {
            Reproducible::TabularChain => reproduce::<tabular_chain::Run>(options),
            Reproducible::Cancer => reproduce::<cancer::Run>(options),
        })
    }
}

/// One data set of an experiment, coded and ranked.
trait ExperimentRun: Sized {
    const NAME: &'static str;
    const DATA: Experiment;
    /// Row orders in the paper's figure.
    const REPEATS: usize;

    /// Draws and codes the data set of one seed.
    fn new(rows: usize, seed: u64, repeats: usize) -> Result<Self>;

    /// What is worth knowing about it.
    fn summary_json(&self) -> Value;

    /// Next-step losses, for a table of this many rows.
    fn next_step_chart(&self, rows: usize) -> Chart<'static>;

    /// Excess code lengths.
    fn excess_chart(&self, rows: usize) -> Chart<'static>;

    /// The account of all data sets.
    fn markdown(runs: &[Self], rows: usize, repeats: usize, command: &str) -> String;
}

fn reproduce<R: ExperimentRun>(options: &ReproduceOptions) -> Result<Reproduction> {
    let rows = options.rows.unwrap_or(R::DATA.default_rows());
    let repeats = options.repeats.unwrap_or(R::REPEATS);
    if options.n_seeds == 0 || repeats == 0 || rows < MIN_ROWS {
        return Err(Error::Setting {
            what: format!("an experiment needs a seed, a row order and {MIN_ROWS} rows"),
            hint: format!("use `--seeds 1`, `--repeats 1` and `--rows {MIN_ROWS}` or more"),
        });
    }
    let seeds = (0..options.n_seeds as u64).map(|i| options.seed.wrapping_add(i));
    let runs = seeds.map(|seed| R::new(rows, seed, repeats)).collect::<Result<Vec<R>>>()?;
    let (next_step, excess) = (runs[0].next_step_chart(rows), runs[0].excess_chart(rows));
    let json = json!({
        "experiment": R::NAME, "rows": rows, "repeats": repeats, "alpha": 0.5,
        "runs": runs.iter().map(R::summary_json).collect::<Vec<_>>(),
        "next_step_loss": series_json(&next_step.series),
        "excess_code_length": series_json(&excess.series),
    });
    let command = format!(
        "prequential reproduce {} --rows {rows} --repeats {repeats} --seed {} --seeds {}",
        R::NAME,
        options.seed,
        options.n_seeds
    );
    Ok(Reproduction {
        json,
        markdown: R::markdown(&runs, rows, repeats, &command),
        plots: vec![
            ("next-step-loss.svg".to_string(), next_step.svg()),
            ("excess-code-length.svg".to_string(), excess.svg()),
        ],
    })
}

/// With fewer rows the plots have nothing to show.
const MIN_ROWS: usize = 200;

/// A number of standard form for tables: one digit after the point, with its sign.
fn signed(value: f64) -> String {
    format!("{value:+.1}")
}

/// Code lengths of all families at checkpoint number `i`, as means over row orders.
fn lengths_at(curves: &Curves, n_vars: usize, i: usize) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for (number, family) in curves.families().iter().enumerate() {
        lengths.set(family, Nats(curves.cumulative(number)[i].mean));
    }
    lengths
}

/// A graph in one line: `A -> B, B -> C`; `no edges` for the empty one.
fn one_line(dag: &Dag, names: &[&str]) -> String {
    let edges: Vec<String> =
        dag.edges().iter().map(|&(from, to)| format!("{} -> {}", names[from], names[to])).collect();
    if edges.is_empty() { "no edges".to_string() } else { edges.join(", ") }
}

/// Points of a curve at its checkpoints.
fn points(curves: &Curves, values: Vec<Moments>) -> Vec<(f64, Moments)> {
    curves.checkpoints().iter().map(|&rows| rows as f64).zip(values).collect()
}

/// The curves as JSON: per series its label, and rows, mean, sd.
fn series_json(series: &[Series]) -> Value {
    let one = |series: &Series| {
        let (rows, moments): (Vec<f64>, Vec<Moments>) = series.points.iter().copied().unzip();
        json!({
            "name": series.name,
            "rows": rows,
            "mean": moments.iter().map(|m| m.mean).collect::<Vec<_>>(),
            "sd": moments.iter().map(|m| m.sd).collect::<Vec<_>>(),
        })
    };
    series.iter().map(one).collect()
}
