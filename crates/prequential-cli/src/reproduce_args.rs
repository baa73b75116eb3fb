//! The options of `prequential reproduce`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use prequential::{Result, Settings};
use prequential_paper::{ReproduceOptions, Reproducible};

use crate::choices::{EstimatorName, PresetName};
use crate::network_args::NetworkArgs;

/// Which experiments, how many data sets of each, and how they are learnt.
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// Which experiments
    #[arg(value_parser = experiments(), required = true)]
    pub(crate) experiments: Vec<Reproducible>,
    /// How many rows (default: as in the paper's figure, or 5,000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(200..=10_000_000))]
    pub(crate) rows: Option<u32>,
    /// What predicts a variable of numbers from its parents (`tabular-chain` and `cancer` are always counted)
    #[arg(long, value_enum, default_value_t = EstimatorName::Auto)]
    pub(crate) estimator: EstimatorName,
    /// The settings that the other options start from
    #[arg(long, value_enum, default_value_t = PresetName::Default)]
    pub(crate) preset: PresetName,
    #[command(flatten)]
    pub(crate) networks: NetworkArgs,
    /// Networks a family or, without networks, row orders (default: as in the paper's figure for `tabular-chain` and `cancer`, otherwise the preset's)
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeats: Option<u32>,
    /// The first data seed; plots show this one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many data sets, with seeds counting up
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) seeds: u32,
    /// Worker threads (default: one per core); the answer does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
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
        let preset = self.preset.settings();
        let mut settings = Settings {
            estimator: self.estimator.or(preset.estimator),
            threads: self.threads.map(usize::from),
            ..preset
        };
        self.networks.apply(&mut settings)?;
        Ok(ReproduceOptions {
            rows: self.rows.map(|rows| rows as usize),
            seed: self.seed,
            n_seeds: self.seeds as usize,
            repeats: self.repeats.map(|repeats| repeats as usize),
            settings,
            data: None,
            more: self.models_as_typed(),
        })
    }

    /// The preset and the options of its networks, as typed: they belong to the command that repeats a run.
    fn models_as_typed(&self) -> Vec<String> {
        let preset = match self.preset {
            PresetName::Default => None,
            PresetName::Paper => Some(("--preset", "paper".to_string())),
        };
        let given = preset.into_iter().chain(self.networks.given());
        given.flat_map(|(name, value)| [name.to_string(), value]).filter(|word| !word.is_empty()).collect()
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

/// What the experiment is, and where its data come from if they do not come with it.
fn about(experiment: Reproducible) -> String {
    match experiment.needs_data() {
        false => experiment.about().to_string(),
        true => {
            format!("{}, fetched from PyPI (package cdt) unless `--data` names the table", experiment.about())
        }
    }
}
