//! The options of `prequential reproduce`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use prequential::Result;
use prequential_paper::{ReproduceOptions, Reproducible};

use crate::flags::{ForReproducing, OptionFlags};

/// The experiments, the number of data sets of each, and how they are learned.
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// Which experiments
    #[arg(value_parser = experiments(), required = true)]
    pub(crate) experiments: Vec<Reproducible>,
    /// Number of rows (default: as in the paper's figure, or 5,000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(200..=10_000_000))]
    pub(crate) rows: Option<u32>,
    #[command(flatten)]
    pub(crate) options: OptionFlags<ForReproducing>,
    /// Number of row orders (default: as in the paper's figure for `tabular-chain` and `cancer`, which are always counted; otherwise 1)
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) permutations: Option<u32>,
    /// The first data seed, which the plots show
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of data sets, with seeds counting up
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) seeds: u32,
    /// The table of `sachs`, if it is not to be fetched: columns raf to jnk and `intervention`
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    /// Where plots, numbers and summary go, in a directory per experiment
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub(crate) out: PathBuf,
    /// No line per data set on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl ReproduceArgs {
    pub(crate) fn options(&self) -> Result<ReproduceOptions> {
        Ok(ReproduceOptions {
            rows: self.rows.map(|rows| rows as usize),
            seed: self.seed,
            n_seeds: self.seeds as usize,
            permutations: self.permutations.map(|permutations| permutations as usize),
            settings: self.options.settings(&[])?,
            data: None,
            more: self.options.typed().to_vec(),
        })
    }
}

/// Reads the name of an experiment.
fn experiments() -> impl TypedValueParser<Value = Reproducible> {
    let value = |experiment: &Reproducible| PossibleValue::new(experiment.name()).help(about(*experiment));
    let names = PossibleValuesParser::new(Reproducible::ALL.iter().map(value).collect::<Vec<_>>());
    names.map(|name| {
        Reproducible::named(&name).unwrap_or_else(|| panic!("`{name}` is not one of the experiments listed"))
    })
}

/// A description of the experiment, and the source of its data if they are not bundled.
fn about(experiment: Reproducible) -> String {
    match experiment.needs_data() {
        false => experiment.about().to_string(),
        true => {
            format!("{}, fetched from PyPI (package cdt) unless `--data` names the table", experiment.about())
        }
    }
}
