//! Options of networks, by name.

use serde::Deserialize;

use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::estimator::{BlockwiseSettings, Estimator, Mix, OptimiserKind, ReplaySettings, Schedule};

/// How networks learn; what is not given has a default that depends on the schedule.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct NetworkOptions {
    /// Networks a family, whose predictions are averaged; 0 means none.
    pub networks: Option<usize>,
    /// Whether they are trained for all families, not only where they can change the answer.
    pub networks_everywhere: bool,
    /// When they learn.
    pub schedule: Option<ScheduleName>,
    /// Units of each hidden layer.
    pub hidden: Option<Vec<usize>>,
    /// How derivatives move the weights.
    pub optimiser: Option<OptimiserName>,
    /// One, or with `blockwise` several, of which each split takes the best.
    pub learning_rate: Option<Vec<f64>>,
    /// Gradient steps: after each chunk (replay), or at most after each split (blockwise).
    pub steps: Option<usize>,
    /// Rows per gradient step.
    pub batch: Option<usize>,
    /// Predictions as the networks make them, without fitting their temperature.
    pub no_calibration: bool,
    /// Split points, log-spaced. This and what follows is for `blockwise` alone.
    pub splits: Option<usize>,
    /// The first split point.
    pub first_split: Option<usize>,
    /// Learning rate of the temperature.
    pub calibration_rate: Option<f64>,
    /// Share of hidden units left out at random while training.
    pub dropout: Option<f64>,
    /// Random Fourier frequencies of the parents; 0 for the parents as they are.
    pub frequencies: Option<usize>,
    /// Standard deviation of the frequencies.
    pub frequency_scale: Option<f64>,
    /// Evaluations without improvement after which training stops.
    pub patience: Option<usize>,
    /// Gradient steps between evaluations.
    pub evaluation_interval: Option<usize>,
    /// Share of the rows seen that is held back for validation.
    pub validation_share: Option<f64>,
    /// Networks start from the weights of the one before, not from scratch.
    pub warm_start: bool,
}

/// When networks learn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleName {
    /// Continually, from all rows seen.
    Replay,
    /// From scratch at split points, as in the paper.
    Blockwise,
}

/// How derivatives move the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptimiserName {
    /// Adam.
    Adam,
    /// RMSprop.
    Rmsprop,
    /// Momentum.
    Momentum,
}

impl NetworkOptions {
    /// Enters what was given; refuses what the estimator has no use for.
    pub fn apply(&self, estimator: &mut Estimator) -> Result<()> {
        match estimator {
            Estimator::Auto(auto) => self.apply_to_mix(&mut auto.mix),
            Estimator::Mix(mix) => self.apply_to_mix(mix),
            Estimator::Neural(neural) => {
                set(&mut neural.networks, self.networks);
                // Networks alone are everywhere.
                self.apply_to_schedule(&mut neural.schedule)
            }
            other => match self.given().next() {
                None => Ok(()),
                Some(option) => Err(idle(option, other.name())),
            },
        }
    }

    fn apply_to_mix(&self, mix: &mut Mix) -> Result<()> {
        if self.schedule == Some(ScheduleName::Blockwise) {
            // Its first rows cost the same for every parent set, none included, only if networks code all of them.
            return Err(Error::Setting {
                what: message![OptionName::Schedule.set("blockwise"), " does not mix with other estimators"],
                hint: message!["add ", OptionName::Estimator.set("neural")],
            });
        }
        set(&mut mix.networks, self.networks);
        mix.networks_everywhere |= self.networks_everywhere;
        self.apply_to_replay(&mut mix.replay)
    }

    fn apply_to_schedule(&self, schedule: &mut Schedule) -> Result<()> {
        match (self.schedule, &schedule) {
            (Some(ScheduleName::Replay), Schedule::Blockwise(_)) => {
                *schedule = Schedule::Replay(ReplaySettings::default());
            }
            (Some(ScheduleName::Blockwise), Schedule::Replay(_)) => {
                *schedule = Schedule::Blockwise(BlockwiseSettings::default());
            }
            _ => {}
        }
        match schedule {
            Schedule::Replay(replay) => self.apply_to_replay(replay),
            Schedule::Blockwise(blockwise) => {
                self.apply_to_blockwise(blockwise);
                Ok(())
            }
        }
    }

    fn apply_to_replay(&self, replay: &mut ReplaySettings) -> Result<()> {
        if let Some(option) = self.given_to_blockwise().next() {
            return Err(only_blockwise(option));
        }
        match self.learning_rate.as_deref() {
            None => {}
            Some([rate]) => replay.learning_rate = *rate,
            Some(rates) => return Err(several_rates(rates.len())),
        }
        set(&mut replay.hidden, self.hidden.clone());
        set(&mut replay.optimiser, self.optimiser.map(OptimiserName::kind));
        set(&mut replay.n_steps, self.steps);
        set(&mut replay.batch, self.batch);
        replay.calibrate &= !self.no_calibration;
        Ok(())
    }

    fn apply_to_blockwise(&self, blockwise: &mut BlockwiseSettings) {
        set(&mut blockwise.hidden, self.hidden.clone());
        set(&mut blockwise.optimiser, self.optimiser.map(OptimiserName::kind));
        set(&mut blockwise.learning_rates, self.learning_rate.clone());
        set(&mut blockwise.max_steps, self.steps);
        set(&mut blockwise.batch, self.batch);
        blockwise.calibrate &= !self.no_calibration;
        set(&mut blockwise.n_splits, self.splits);
        set(&mut blockwise.first_split, self.first_split);
        set(&mut blockwise.calibration_rate, self.calibration_rate);
        set(&mut blockwise.dropout, self.dropout);
        set(&mut blockwise.n_frequencies, self.frequencies);
        set(&mut blockwise.frequency_scale, self.frequency_scale);
        set(&mut blockwise.patience, self.patience);
        set(&mut blockwise.evaluation_interval, self.evaluation_interval);
        set(&mut blockwise.validation_share, self.validation_share);
        blockwise.warm_start |= self.warm_start;
    }

    /// The options that were given.
    fn given(&self) -> impl Iterator<Item = OptionName> {
        let all = [
            (OptionName::Networks, self.networks.is_some()),
            (OptionName::NetworksEverywhere, self.networks_everywhere),
            (OptionName::Schedule, self.schedule.is_some()),
            (OptionName::Hidden, self.hidden.is_some()),
            (OptionName::Optimiser, self.optimiser.is_some()),
            (OptionName::LearningRate, self.learning_rate.is_some()),
            (OptionName::Steps, self.steps.is_some()),
            (OptionName::Batch, self.batch.is_some()),
            (OptionName::NoCalibration, self.no_calibration),
        ];
        given(all).chain(self.given_to_blockwise())
    }

    fn given_to_blockwise(&self) -> impl Iterator<Item = OptionName> {
        given([
            (OptionName::Splits, self.splits.is_some()),
            (OptionName::FirstSplit, self.first_split.is_some()),
            (OptionName::CalibrationRate, self.calibration_rate.is_some()),
            (OptionName::Dropout, self.dropout.is_some()),
            (OptionName::Frequencies, self.frequencies.is_some()),
            (OptionName::FrequencyScale, self.frequency_scale.is_some()),
            (OptionName::Patience, self.patience.is_some()),
            (OptionName::EvaluationInterval, self.evaluation_interval.is_some()),
            (OptionName::ValidationShare, self.validation_share.is_some()),
            (OptionName::WarmStart, self.warm_start),
        ])
    }
}

impl OptimiserName {
    fn kind(self) -> OptimiserKind {
        match self {
            OptimiserName::Adam => OptimiserKind::Adam,
            OptimiserName::Rmsprop => OptimiserKind::RmsProp,
            OptimiserName::Momentum => OptimiserKind::Momentum,
        }
    }
}

fn given<const N: usize>(all: [(OptionName, bool); N]) -> impl Iterator<Item = OptionName> {
    all.into_iter().filter(|(_, is_given)| *is_given).map(|(option, _)| option)
}

fn idle(option: OptionName, estimator: &str) -> Error {
    let (neural, mix) = (OptionName::Estimator.set("neural"), OptionName::Estimator.set("mix"));
    Error::Setting {
        what: message![option, format!(" is an option of networks, but the estimator is `{estimator}`")],
        hint: message!["leave out ", option, ", or use ", neural, " or ", mix],
    }
}

fn only_blockwise(option: OptionName) -> Error {
    let blockwise = || OptionName::Schedule.set("blockwise");
    Error::Setting {
        what: message![option, " is an option of ", blockwise(), ", but the schedule is `replay`"],
        hint: message![
            "add ",
            blockwise(),
            " or ",
            OptionName::Preset.set("paper"),
            ", or leave out ",
            option
        ],
    }
}

fn several_rates(n_rates: usize) -> Error {
    let replay = OptionName::Schedule.set("replay");
    Error::Setting {
        what: message![
            OptionName::LearningRate,
            format!(" has {n_rates} values, but "),
            replay,
            " takes one"
        ],
        hint: message![
            "give one, or add ",
            OptionName::Schedule.set("blockwise"),
            ", which chooses among several"
        ],
    }
}

fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}
