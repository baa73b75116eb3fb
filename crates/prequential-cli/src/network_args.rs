//! The options of neural networks.

use clap::{Args, ValueEnum};
use prequential::options::{NetworkOptions, OptimiserName, ScheduleName};

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
    schedule: Option<ScheduleChoice>,
    /// Units of each hidden layer, such as 32,32
    #[arg(help_heading = "Networks", long, value_name = "N,N,..", value_delimiter = ',')]
    hidden: Option<Vec<usize>>,
    /// How derivatives move the weights
    #[arg(help_heading = "Networks", long, value_enum)]
    optimiser: Option<OptimiserChoice>,
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
    /// Start every network from the weights of the one at the split before, not from scratch
    #[arg(help_heading = FROM_SCRATCH, long)]
    warm_start: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ScheduleChoice {
    Replay,
    Blockwise,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum OptimiserChoice {
    Adam,
    Rmsprop,
    Momentum,
}

impl ScheduleChoice {
    fn name(self) -> ScheduleName {
        match self {
            ScheduleChoice::Replay => ScheduleName::Replay,
            ScheduleChoice::Blockwise => ScheduleName::Blockwise,
        }
    }
}

impl OptimiserChoice {
    fn name(self) -> OptimiserName {
        match self {
            OptimiserChoice::Adam => OptimiserName::Adam,
            OptimiserChoice::Rmsprop => OptimiserName::Rmsprop,
            OptimiserChoice::Momentum => OptimiserName::Momentum,
        }
    }
}

impl NetworkArgs {
    /// What was given.
    pub(crate) fn options(&self) -> NetworkOptions {
        let of_blockwise = &self.blockwise;
        NetworkOptions {
            networks: self.networks,
            networks_everywhere: self.networks_everywhere,
            schedule: self.schedule.map(ScheduleChoice::name),
            hidden: self.hidden.clone(),
            optimiser: self.optimiser.map(OptimiserChoice::name),
            learning_rate: self.learning_rate.clone(),
            steps: self.steps,
            batch: self.batch,
            no_calibration: self.no_calibration,
            splits: of_blockwise.splits,
            first_split: of_blockwise.first_split,
            calibration_rate: of_blockwise.calibration_rate,
            dropout: of_blockwise.dropout,
            frequencies: of_blockwise.frequencies,
            frequency_scale: of_blockwise.frequency_scale,
            patience: of_blockwise.patience,
            evaluation_interval: of_blockwise.evaluation_interval,
            validation_share: of_blockwise.validation_share,
            warm_start: of_blockwise.warm_start,
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
            ("--warm-start", self.warm_start.then(String::new)),
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
