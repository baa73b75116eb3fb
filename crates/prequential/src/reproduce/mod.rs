//! The paper's experiments: data, scores, plots, tables, with the paper's statements beside ours.

mod benchmark;
mod cancer;
mod case_study;
mod chain5;
mod charts;
mod outcome;
mod robustness;
mod sachs;
mod study;
mod tabular;
mod tabular_chain;

use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::observer::Observer;
use crate::graph::Dag;
use crate::run::learn::in_pool;
use crate::run::settings::Settings;
use crate::table::Table;

use study::Study;

/// How an experiment is run.
#[derive(Debug, Clone)]
pub struct ReproduceOptions {
    /// Rows of each data set; `None` for as many as in the paper's figure, or 5,000 where the paper does not say.
    pub rows: Option<usize>,
    /// The first data seed; the plots show this one.
    pub seed: u64,
    /// How many data sets, with seeds counting up.
    pub n_seeds: usize,
    /// Row orders per data set; `None` for as many as in the paper's figure of categories, for those of `settings` otherwise.
    pub repeats: Option<usize>,
    /// How continuous tables are learnt (categories are always counted), and on how many threads. The row orders are drawn
    /// from the data seed.
    pub settings: Settings,
    /// The table of an experiment whose data do not come with the program: `Sachs`.
    pub data: Option<Table>,
    /// Further options of the command line that made these settings: the summary names them.
    pub more: Vec<String>,
}

impl Default for ReproduceOptions {
    fn default() -> ReproduceOptions {
        ReproduceOptions {
            rows: None,
            seed: 1,
            n_seeds: 1,
            repeats: None,
            settings: Settings::default(),
            data: None,
            more: Vec::new(),
        }
    }
}

impl ReproduceOptions {
    /// The data seeds.
    fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..self.n_seeds as u64).map(move |i| first.wrapping_add(i))
    }
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
    /// The paper's Figure 2.
    Chain3,
    /// The paper's Figure 3.
    Star5,
    /// Both chains of the appendix.
    Chain5,
    /// The paper's Table 1: ten data sets.
    Yu,
    /// The paper's Table 2: 20 data sets.
    Mechanisms,
    /// Settings that should not matter, on the data of Figure 2.
    Robustness,
    /// The paper's protein network; needs the table in [`ReproduceOptions::data`].
    Sachs,
}

impl Reproducible {
    /// Runs the experiment.
    pub fn reproduce(self, options: &ReproduceOptions) -> Result<Reproduction> {
        self.reproduce_observed(options, &())
    }

    /// The same, telling `observer` about every data set that is done.
    pub fn reproduce_observed(
        self,
        options: &ReproduceOptions,
        observer: &dyn Observer,
    ) -> Result<Reproduction> {
        let study = |name| Study::new(name, options, observer);
        match self {
            Reproducible::TabularChain => {
                in_pool(options.settings.threads, || tabular::reproduce::<tabular_chain::Run>(options))
            }
            Reproducible::Cancer => {
                in_pool(options.settings.threads, || tabular::reproduce::<cancer::Run>(options))
            }
            Reproducible::Chain3 => case_study::CHAIN3.reproduce(&study("chain3")?),
            Reproducible::Star5 => case_study::STAR5.reproduce(&study("star5")?),
            Reproducible::Chain5 => chain5::reproduce(&study("chain5")?),
            Reproducible::Yu => benchmark::yu(&study("yu")?),
            Reproducible::Mechanisms => benchmark::mechanisms(&study("mechanisms")?),
            Reproducible::Robustness => robustness::reproduce(&study("robustness")?),
            Reproducible::Sachs => sachs::reproduce(options, observer),
        }
    }
}

/// With fewer rows there is nothing to see.
const MIN_ROWS: usize = 200;

/// Refuses what leaves nothing to do.
fn check(rows: usize, n_seeds: usize, repeats: usize) -> Result<()> {
    if n_seeds > 0 && repeats > 0 && rows >= MIN_ROWS {
        return Ok(());
    }
    Err(Error::Setting {
        what: format!("an experiment needs a seed, a row order and {MIN_ROWS} rows").into(),
        hint: format!("use `--seeds 1`, `--repeats 1` and `--rows {MIN_ROWS}` or more").into(),
    })
}

/// A number of standard form for tables: one digit after the point, with its sign.
fn signed(value: f64) -> String {
    format!("{value:+.1}")
}

/// A graph in one line: `A -> B, B -> C`; `no edges` for the empty one.
fn one_line(dag: &Dag, names: &[&str]) -> String {
    let edges: Vec<String> =
        dag.edges().iter().map(|&(from, to)| format!("{} -> {}", names[from], names[to])).collect();
    if edges.is_empty() { "no edges".to_string() } else { edges.join(", ") }
}

/// The settings as they stand in results.
fn settings_json(settings: &Settings, names: &[&str]) -> Value {
    let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    let json = serde_json::from_str(&settings.to_json(&names));
    json.unwrap_or_else(|error| panic!("settings are written as JSON: {error}"))
}
