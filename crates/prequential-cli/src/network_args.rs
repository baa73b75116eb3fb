//! The options of neural networks.

use clap::{Args, ValueEnum};
use prequential::tuning::{BlockwiseSettings, OptimiserKind, ReplaySettings};
use prequential::{Error, Estimator, Mix, Result, Schedule};

/// Heading of the options that only `--schedule blockwise` has.
const FROM_SCRATCH: &str = "Networks trained from scratch (--schedule blockwise)";

/// How networks learn; what is not given has a default that depends on the schedule.
#[derive(Debug, Args)]
pub(crate) struct NetworkArgs {
    /// Networks a family, whose predictions are averaged (default: 1); several give spreads, 0 means none
    #[arg(help_heading = "Networks", long, value_name = "R")]
    networks: Option<usize>,
    /// Train networks for all families, not only where they can change the answer: for checking, at many times the cost
    #[arg(help_heading = "Networks", long)]
    networks_everywhere: bool,
    /// When networks learn: continually from all rows seen, or from scratch at split points as in the paper
    #[arg(help_heading = "Networks", long, value_enum)]
    schedule: Option<ScheduleName>,
    /// Units of each hidden layer, such as 32,32
    #[arg(help_heading = "Networks", long, value_name = "N,N,..", value_delimiter = ',')]
    hidden: Option<Vec<usize>>,
    /// How derivatives move the weights
    #[arg(help_heading = "Networks", long, value_enum)]
    optimiser: Option<OptimiserName>,
    /// Learning rate; with `--schedule blockwise` several, of which each split takes the best
    #[arg(
        help_heading = "Networks",
        long,
        value_name = "X,..",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    learning_rate: Option<Vec<f64>>,
    /// Gradient steps: after each chunk (replay), or at most after each split (blockwise)
    #[arg(help_heading = "Networks", long, value_name = "N")]
    steps: Option<usize>,
    /// Rows per gradient step
    #[arg(help_heading = "Networks", long, value_name = "N")]
    batch: Option<usize>,
    /// Predictions as the networks make them, without fitting their temperature
    #[arg(help_heading = "Networks", long)]
    no_calibration: bool,
    #[command(flatten)]
    blockwise: BlockwiseArgs,
}

/// Options that only `--schedule blockwise` has.
#[derive(Debug, Args)]
struct BlockwiseArgs {
    /// Split points, log-spaced
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "N")]
    splits: Option<usize>,
    /// The first split point; rows before it are coded with all levels equally likely
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "N")]
    first_split: Option<usize>,
    /// Learning rate of the temperature
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "X", allow_negative_numbers = true)]
    calibration_rate: Option<f64>,
    /// Share of hidden units left out at random while training
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "X", allow_negative_numbers = true)]
    dropout: Option<f64>,
    /// Random Fourier frequencies of the parents; 0 for the parents as they are
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "N")]
    frequencies: Option<usize>,
    /// Standard deviation of the frequencies
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "X", allow_negative_numbers = true)]
    frequency_scale: Option<f64>,
    /// Evaluations without improvement after which training stops
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "N")]
    patience: Option<usize>,
    /// Gradient steps between evaluations
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "N")]
    evaluation_interval: Option<usize>,
    /// Share of the rows seen that is held back for validation
    #[arg(help_heading = FROM_SCRATCH, long, value_name = "X", allow_negative_numbers = true)]
    validation_share: Option<f64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ScheduleName {
    Replay,
    Blockwise,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OptimiserName {
    Adam,
    Rmsprop,
    Momentum,
}

impl NetworkArgs {
    /// Enters what was given.
    pub(crate) fn apply(&self, estimator: &mut Estimator) -> Result<()> {
        match estimator {
            Estimator::Auto(auto) => self.apply_to_mix(&mut auto.mix),
            Estimator::Mix(mix) => self.apply_to_mix(mix),
            Estimator::Neural(neural) => {
                set(&mut neural.networks, self.networks);
                // Networks alone are everywhere.
                self.apply_to_schedule(&mut neural.schedule)
            }
            other => match self.given().first() {
                None => Ok(()),
                Some((option, _)) => Err(Error::Setting {
                    what: format!(
                        "`{option}` is an option of networks, but the estimator is `{}`",
                        other.name()
                    )
                    .into(),
                    hint: format!("leave out `{option}`, or use `--estimator neural` or `--estimator mix`")
                        .into(),
                }),
            },
        }
    }

    fn apply_to_mix(&self, mix: &mut Mix) -> Result<()> {
        if matches!(self.schedule, Some(ScheduleName::Blockwise)) {
            // Its first rows cost the same for every parent set, none included, only if networks code all of them.
            return Err(Error::Setting {
                what: "`--schedule blockwise` does not mix with other estimators".into(),
                hint: "add `--estimator neural`".into(),
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

    /// The options that were given, as they would be typed.
    pub(crate) fn given(&self) -> Vec<Given> {
        let all = [
            ("--networks", number(self.networks)),
            ("--networks-everywhere", self.networks_everywhere.then(String::new)),
            ("--schedule", self.schedule.as_ref().map(typed)),
            ("--hidden", listed(self.hidden.as_deref())),
            ("--optimiser", self.optimiser.as_ref().map(typed)),
            ("--learning-rate", listed(self.learning_rate.as_deref())),
            ("--steps", number(self.steps)),
            ("--batch", number(self.batch)),
            ("--no-calibration", self.no_calibration.then(String::new)),
        ];
        given(all).chain(self.blockwise.given()).collect()
    }

    fn optimiser(&self) -> Option<OptimiserKind> {
        self.optimiser.map(|name| match name {
            OptimiserName::Adam => OptimiserKind::Adam,
            OptimiserName::Rmsprop => OptimiserKind::RmsProp,
            OptimiserName::Momentum => OptimiserKind::Momentum,
        })
    }

    fn apply_to_replay(&self, replay: &mut ReplaySettings) -> Result<()> {
        if let Some((option, _)) = self.blockwise.given().next() {
            return Err(Error::Setting {
                what: format!(
                    "`{option}` is an option of `--schedule blockwise`, but the schedule is `replay`"
                )
                .into(),
                hint: format!("add `--schedule blockwise` or `--preset paper`, or leave out `{option}`")
                    .into(),
            });
        }
        match self.learning_rate.as_deref() {
            None => {}
            Some([rate]) => replay.learning_rate = *rate,
            Some(rates) => {
                return Err(Error::Setting {
                    what: format!(
                        "`--learning-rate` has {} values, but `--schedule replay` takes one",
                        rates.len()
                    )
                    .into(),
                    hint: "give one, or add `--schedule blockwise`, which chooses among several".into(),
                });
            }
        }
        set(&mut replay.hidden, self.hidden.clone());
        set(&mut replay.optimiser, self.optimiser());
        set(&mut replay.n_steps, self.steps);
        set(&mut replay.batch, self.batch);
        replay.calibrate &= !self.no_calibration;
        Ok(())
    }

    fn apply_to_blockwise(&self, blockwise: &mut BlockwiseSettings) {
        let given = &self.blockwise;
        set(&mut blockwise.hidden, self.hidden.clone());
        set(&mut blockwise.optimiser, self.optimiser());
        set(&mut blockwise.learning_rates, self.learning_rate.clone());
        set(&mut blockwise.max_steps, self.steps);
        set(&mut blockwise.batch, self.batch);
        blockwise.calibrate &= !self.no_calibration;
        set(&mut blockwise.n_splits, given.splits);
        set(&mut blockwise.first_split, given.first_split);
        set(&mut blockwise.calibration_rate, given.calibration_rate);
        set(&mut blockwise.dropout, given.dropout);
        set(&mut blockwise.n_frequencies, given.frequencies);
        set(&mut blockwise.frequency_scale, given.frequency_scale);
        set(&mut blockwise.patience, given.patience);
        set(&mut blockwise.evaluation_interval, given.evaluation_interval);
        set(&mut blockwise.validation_share, given.validation_share);
    }
}

impl BlockwiseArgs {
    fn given(&self) -> impl Iterator<Item = Given> {
        let all = [
            ("--splits", number(self.splits)),
            ("--first-split", number(self.first_split)),
            ("--calibration-rate", number(self.calibration_rate)),
            ("--dropout", number(self.dropout)),
            ("--frequencies", number(self.frequencies)),
            ("--frequency-scale", number(self.frequency_scale)),
            ("--patience", number(self.patience)),
            ("--evaluation-interval", number(self.evaluation_interval)),
            ("--validation-share", number(self.validation_share)),
        ];
        given(all)
    }
}

/// An option with its value; an empty one for an option that takes none.
pub(crate) type Given = (&'static str, String);

fn given<const N: usize>(all: [(&'static str, Option<String>); N]) -> impl Iterator<Item = Given> {
    all.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

/// The name of a choice.
fn typed(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

fn number<T: std::fmt::Debug>(value: Option<T>) -> Option<String> {
    value.map(|value| format!("{value:?}"))
}

fn listed<T: std::fmt::Debug>(values: Option<&[T]>) -> Option<String> {
    Some(values?.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(","))
}

fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}
