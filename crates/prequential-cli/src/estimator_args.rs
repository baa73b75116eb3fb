//! The options that choose what predicts a variable from its parents.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use prequential::wording::{Message, OptionName};
use prequential::{Error, Estimator, Result, Settings};

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
    /// The settings of the preset with the estimator that was chosen.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let preset = self.preset.settings();
        let is_open = self.estimator == "auto" || self.estimator == preset.estimator.name();
        let chosen = Estimator::named(&self.estimator).filter(|_| !is_open);
        let mut estimator = chosen.unwrap_or_else(|| preset.estimator.clone());
        self.networks.apply(&mut estimator)?;
        Ok(Settings { estimator, ..preset })
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

/// Limits the tables of counts.
pub(crate) fn set_max_configurations(estimator: &mut Estimator, limit: usize) -> Result<()> {
    match estimator {
        Estimator::Auto(auto) => auto.counts.max_configurations = Some(limit),
        Estimator::Counts(counts) => counts.max_configurations = Some(limit),
        other => {
            return Err(Error::Setting {
                what: Message::from(OptionName::MaxConfigurations)
                    + format!(" limits tables of counts, but the estimator is `{}`", other.name()),
                hint: Message::from("leave it out, or add ")
                    + OptionName::Estimator.set("counts")
                    + "; "
                    + OptionName::MaxParents
                    + " limits any estimator",
            });
        }
    }
    Ok(())
}
