//! Options of a run by name, as fronts let their users give them: what they mean together, and which have no effect.

mod networks;
mod search;

pub use networks::{NetworkOptions, OptimiserName, ScheduleName};
pub use search::SearchOptions;

use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::estimator::{Estimator, refuse_configurations};
use crate::run::Settings;

/// What predicts a variable from its parents; what is not given has a default.
#[derive(Debug, Clone, Default)]
pub struct EstimatorOptions {
    /// Its name; `None` or `auto` for that of the preset.
    pub name: Option<String>,
    /// How networks learn.
    pub networks: NetworkOptions,
    /// With counts, leave out parent sets with more combinations of values than this.
    pub max_configurations: Option<usize>,
}

impl EstimatorOptions {
    /// The settings of a preset with the estimator that was chosen.
    pub fn settings(&self, preset: Settings) -> Result<Settings> {
        let is_open = |name: &&String| *name == "auto" || *name == preset.estimator.name();
        let mut estimator = match self.name.as_ref().filter(|name| !is_open(name)) {
            None => preset.estimator.clone(),
            Some(name) => Estimator::named(name).ok_or_else(|| unknown_estimator(name))?,
        };
        self.networks.apply(&mut estimator)?;
        if let Some(limit) = self.max_configurations {
            set_max_configurations(&mut estimator, limit)?;
        }
        Ok(Settings { estimator, ..preset })
    }
}

fn unknown_estimator(name: &str) -> Error {
    let known: Vec<&str> = Estimator::all().iter().map(Estimator::name).collect();
    Error::Setting {
        what: message![OptionName::Estimator, format!(" is `{name}`, which is none")],
        hint: format!("the estimators are: {}", known.join(", ")).into(),
    }
}

/// Limits the tables of counts.
fn set_max_configurations(estimator: &mut Estimator, limit: usize) -> Result<()> {
    match estimator {
        Estimator::Auto(auto) => auto.counts.max_configurations = Some(limit),
        Estimator::Counts(counts) => counts.max_configurations = Some(limit),
        other => return Err(refuse_configurations(other.name())),
    }
    Ok(())
}
