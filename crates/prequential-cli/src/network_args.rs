//! The options of neural networks.

use clap::{Args, ValueEnum};
use prequential::{Error, OptimiserKind, Result, Schedule, Settings};

/// How networks learn; what is not given has a default that depends on the schedule.
#[derive(Debug, Args)]
#[command(next_help_heading = "Networks")]
pub(crate) struct NetworkArgs {
    /// When networks learn: continually from all rows seen, or from scratch at split points as in the paper
    #[arg(long, value_enum)]
    schedule: Option<ScheduleName>,
    /// Units of each hidden layer, such as 32,32
    #[arg(long, value_name = "N,N,..", value_delimiter = ',')]
    hidden: Option<Vec<usize>>,
    /// How derivatives move the weights
    #[arg(long, value_enum)]
    optimiser: Option<OptimiserName>,
    /// Learning rate; with `--schedule blockwise` several, of which each split takes the best
    #[arg(long, value_name = "X,..", value_delimiter = ',', allow_negative_numbers = true)]
    learning_rate: Option<Vec<f64>>,
    /// Gradient steps: after each chunk (replay), or at most after each split (blockwise)
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Rows per gradient step
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Predictions as the networks make them, without fitting their temperature
    #[arg(long)]
    no_calibration: bool,
    #[command(flatten)]
    blockwise: BlockwiseArgs,
}

/// Options that only `--schedule blockwise` has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Networks trained from scratch (--schedule blockwise)")]
struct BlockwiseArgs {
    /// Split points, log-spaced
    #[arg(long, value_name = "N")]
    splits: Option<usize>,
    /// Share of hidden units left out at random while training
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    dropout: Option<f64>,
    /// Random Fourier frequencies of the parents; 0 for the parents as they are
    #[arg(long, value_name = "N")]
    frequencies: Option<usize>,
    /// Standard deviation of the frequencies
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    frequency_scale: Option<f64>,
    /// Evaluations without improvement after which training stops
    #[arg(long, value_name = "N")]
    patience: Option<usize>,
    /// Gradient steps between evaluations
    #[arg(long, value_name = "N")]
    evaluation_interval: Option<usize>,
    /// Share of the rows seen that is held back for validation
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
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
    pub(crate) fn apply(&self, settings: &mut Settings) -> Result<()> {
        match self.schedule {
            Some(ScheduleName::Replay) => settings.schedule = Schedule::Replay,
            Some(ScheduleName::Blockwise) => settings.schedule = Schedule::Blockwise,
            None => {}
        }
        match settings.schedule {
            Schedule::Replay => self.apply_to_replay(settings),
            Schedule::Blockwise => {
                self.apply_to_blockwise(settings);
                Ok(())
            }
        }
    }

    fn optimiser(&self) -> Option<OptimiserKind> {
        self.optimiser.map(|name| match name {
            OptimiserName::Adam => OptimiserKind::Adam,
            OptimiserName::Rmsprop => OptimiserKind::RmsProp,
            OptimiserName::Momentum => OptimiserKind::Momentum,
        })
    }

    fn apply_to_replay(&self, settings: &mut Settings) -> Result<()> {
        if let Some(option) = self.blockwise.first_given() {
            return Err(Error::Setting {
                what: format!(
                    "`{option}` is an option of `--schedule blockwise`, but the schedule is `replay`"
                ),
                hint: format!("add `--schedule blockwise` or `--preset paper`, or leave out `{option}`"),
            });
        }
        let replay = &mut settings.replay;
        match self.learning_rate.as_deref() {
            None => {}
            Some([rate]) => replay.learning_rate = *rate,
            Some(rates) => {
                return Err(Error::Setting {
                    what: format!(
                        "`--learning-rate` has {} values, but `--schedule replay` takes one",
                        rates.len()
                    ),
                    hint: "give one, or add `--schedule blockwise`, which chooses among several".to_string(),
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

    fn apply_to_blockwise(&self, settings: &mut Settings) {
        let (blockwise, given) = (&mut settings.blockwise, &self.blockwise);
        set(&mut blockwise.hidden, self.hidden.clone());
        set(&mut blockwise.optimiser, self.optimiser());
        set(&mut blockwise.learning_rates, self.learning_rate.clone());
        set(&mut blockwise.max_steps, self.steps);
        set(&mut blockwise.batch, self.batch);
        blockwise.calibrate &= !self.no_calibration;
        set(&mut blockwise.n_splits, given.splits);
        set(&mut blockwise.dropout, given.dropout);
        set(&mut blockwise.n_frequencies, given.frequencies);
        set(&mut blockwise.frequency_scale, given.frequency_scale);
        set(&mut blockwise.patience, given.patience);
        set(&mut blockwise.evaluation_interval, given.evaluation_interval);
        set(&mut blockwise.validation_share, given.validation_share);
    }
}

impl BlockwiseArgs {
    /// The first option that was given.
    fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--splits", self.splits.is_some()),
            ("--dropout", self.dropout.is_some()),
            ("--frequencies", self.frequencies.is_some()),
            ("--frequency-scale", self.frequency_scale.is_some()),
            ("--patience", self.patience.is_some()),
            ("--evaluation-interval", self.evaluation_interval.is_some()),
            ("--validation-share", self.validation_share.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}
