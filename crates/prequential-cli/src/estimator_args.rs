//! The options that choose what predicts a variable from its parents.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use prequential::options::EstimatorOptions;
use prequential::{Estimator, Result, Settings};

use crate::choices::PresetName;
use crate::network_args::NetworkArgs;

/// What predicts a variable from its parents.
#[derive(Debug, Args)]
pub(crate) struct EstimatorArgs {
    /// What predicts a variable from its parents
    #[arg(long, value_parser = names(), default_value = "auto", hide_default_value = false, help_heading = "Scoring")]
    estimator: String,
    /// The settings that the other options start from
    #[arg(long, value_enum, default_value_t = PresetName::Default, help_heading = "Scoring")]
    preset: PresetName,
    #[command(flatten)]
    networks: NetworkArgs,
}

/// The estimators that the library has.
fn names() -> PossibleValuesParser {
    let value = |estimator: Estimator| PossibleValue::new(estimator.name()).help(estimator.summary());
    Estimator::all().into_iter().map(value).collect::<Vec<_>>().into()
}

impl EstimatorArgs {
    /// The settings of the preset with the estimator that was chosen, its tables of counts limited.
    pub(crate) fn settings(&self, max_configurations: Option<usize>) -> Result<Settings> {
        let name = Some(self.estimator.clone());
        let networks = self.networks.options();
        EstimatorOptions { name, networks, max_configurations }.settings(self.preset.settings())
    }

    /// The preset and the options of its networks, as typed: they belong to the command that repeats a run.
    pub(crate) fn models_as_typed(&self) -> Vec<String> {
        let preset = match self.preset {
            PresetName::Default => None,
            PresetName::Paper => Some(("--preset", "paper".to_string())),
        };
        let given = preset.into_iter().chain(self.networks.given());
        given.flat_map(|(name, value)| [name.to_string(), value]).filter(|word| !word.is_empty()).collect()
    }
}
