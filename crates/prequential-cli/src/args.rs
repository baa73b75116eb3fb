//! The options, and how they become settings of the library.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use prequential::compression::CompressSettings;
use prequential::options::{parse_bytes, parse_duration};
use prequential::tables::InterventionMask;
use prequential::wording::{Message, OptionName};
use prequential::workers::Shard;
use prequential::{Error, Estimator, Limits, Prior, ReadOptions, Resolution, Result, Settings, Table};
use prequential_simulate::{Experiment, MechanismKind, YuKind};

use crate::choices::{BinningName, ExperimentName, InputsName, RowOrderName};
use crate::estimator_args::EstimatorArgs;
use crate::knowledge_args::KnowledgeArgs;
use crate::names::{Names, ordered_labels};
use crate::reproduce_args::ReproduceArgs;
use crate::search_args::SearchArgs;
use crate::store_args::{SearchScoresArgs, StoreArgs};
use crate::wording::CommandLine;

/// Learn the causal graph behind a table: the graph under which the data are cheapest to predict, row after row.
#[derive(Debug, Parser)]
#[command(name = "prequential", version, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the best graph for a table, with the evidence for each edge
    Learn(LearnArgs),
    /// Code lengths without a search: of one graph, or of all families
    Score(ScoreArgs),
    /// Search given code lengths of families, without a table: a .jkl file or a store
    Search(SearchScoresArgs),
    /// Describe, join and export files of code lengths
    Store(StoreArgs),
    /// Code a table by its predictions under a graph: a file as long as its score says
    Compress(CompressArgs),
    /// Give back the table that `compress` made a file of, byte for byte
    Decompress(DecompressArgs),
    /// Compare two graph files
    Compare(CompareArgs),
    /// Make the page report.html from a result file
    Report(ReportArgs),
    /// Draw a table from a known graph
    Simulate(SimulateArgs),
    /// Repeat the paper's experiments: numbers, plots and a summary
    Reproduce(ReproduceArgs),
}

#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) scoring: ScoringArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// A graph file to compare the answer with (JSON, DOT, GraphML or CSV)
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// List the code length of every scored family in the JSON result
    #[arg(long)]
    pub(crate) families: bool,
    /// Write result.json, report.html, graph.svg, shapes.svg and graph.dot into this directory, and keep the code lengths there, unless --store names a file
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Keep no code lengths in the directory of --out
    #[arg(long, requires = "out", conflicts_with = "store")]
    pub(crate) no_store: bool,
    /// Write the best graph to this file, in the format of its ending: .json, .dot, .graphml or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Write every two variables to this CSV file: how likely they are linked and which way, what removing and reversing costs
    #[arg(long, value_name = "FILE")]
    pub(crate) edges: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) scoring: ScoringArgs,
    /// Score the families of this graph (JSON, DOT, GraphML or CSV) instead of all
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Write how each family's loss grows with the rows to this JSON file, averaged over networks or row orders
    #[arg(long, value_name = "FILE")]
    pub(crate) curves: Option<PathBuf>,
    /// Score only part I of N of all families, for work that is spread over processes or machines
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "store", conflicts_with = "graph")]
    pub(crate) shard: Option<Shard>,
    /// How many parent sets of each variable the text lists, best first
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompressArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// The graph by which the columns are predicted (JSON, DOT, GraphML or CSV)
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// What predicts a variable from its parents; `auto` is what a score takes for the table, without networks
    #[arg(long, value_parser = ["auto", "counts", "linear", "fourier", "mix"], default_value = "auto")]
    estimator: String,
    #[command(flatten)]
    prior: PriorArgs,
    /// Draws the order of rows
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How to show what it took
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// No warnings on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DecompressArgs {
    /// What `compress` wrote
    pub(crate) file: PathBuf,
    /// The table to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// A graph file: JSON, DOT, GraphML or CSV
    pub(crate) graph: PathBuf,
    /// The graph it is compared with
    pub(crate) truth: PathBuf,
    /// How to show the comparison
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The result.json of `learn --out`, or what `learn --format json --families` printed
    pub(crate) result: PathBuf,
    /// The page to write (default: report.html beside the result)
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateArgs {
    /// What to draw
    #[arg(value_enum)]
    pub(crate) experiment: ExperimentName,
    /// How many rows (default: as in the paper, or 5,000 to 10,000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub(crate) rows: Option<u32>,
    /// How many variables, for `random-categorical` (default: 37), the other `random-...` (default: 10), `shifts` and `shifts-categorical`
    /// (default: 8, the environment not counted)
    #[arg(long, value_name = "N")]
    pub(crate) variables: Option<usize>,
    /// Which data set: 1 to 5 of `yu-a` and `yu-b`, 1 to 20 of `mechanisms` (default: 1)
    #[arg(long, value_name = "I")]
    pub(crate) set: Option<usize>,
    /// Draws the data
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the table here, as CSV, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the graph that made it here: .json, .dot, .graphml or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
}

/// What to read and how.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// The table: CSV (also .gz, and - for standard input), Parquet or Arrow
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Keep only these columns
    #[arg(long, value_name = "A,B,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Table")]
    columns: Vec<Names>,
    /// Leave out these columns
    #[arg(long, value_name = "A,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Table")]
    ignore: Vec<Names>,
    /// Read these columns as categories, even if they hold numbers
    #[arg(long, value_name = "A,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Table")]
    labels: Vec<Names>,
    /// Read these columns as numbers, even if few differ
    #[arg(long, value_name = "A,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Table")]
    numbers: Vec<Names>,
    /// Read these columns of ordered labels as 1, 2, 3..; say an order that no numbers and no usual words tell, lowest first
    #[arg(long, value_name = "A,B=LOW<HIGH,..", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Table")]
    ordered: Vec<Names>,
    /// Further cells that stand for no value, besides "", NA, NaN and ?
    #[arg(long, value_name = "TOKENS", value_parser = Names::parse, allow_hyphen_values = true, help_heading = "Table")]
    missing: Vec<Names>,
    /// The column that names the variables set in a row, separated by `;` (default: `intervention`, or `INT` with numbers)
    #[arg(long, value_name = "COLUMN", help_heading = "Table")]
    interventions: Option<String>,
    /// A CSV file of 0 and 1 that says which cells were set by intervention
    #[arg(long, value_name = "FILE", help_heading = "Table")]
    intervention_mask: Option<PathBuf>,
}

/// How families are scored, and which.
#[derive(Debug, Args)]
pub(crate) struct ScoringArgs {
    #[command(flatten)]
    estimator: EstimatorArgs,
    #[command(flatten)]
    prior: PriorArgs,
    /// Bins of a column of numbers (default: 8 with counts, 128 with `--preset paper`); other estimators have none
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    bins: Option<usize>,
    /// Where the bins lie: equally full if the column were normal, or equally wide bins of tanh as in the paper, of numbers as they are or standardised
    #[arg(long, value_enum, help_heading = "Scoring")]
    binning: Option<BinningName>,
    /// What children see of a parent's number: its bin, or the number itself as in the paper
    #[arg(long, value_enum, help_heading = "Scoring")]
    inputs: Option<InputsName>,
    /// The most parents of a variable (default: as many as 5,000 families allow; 20,000 with regressions, 100,000 with counts)
    #[arg(long, value_name = "K", help_heading = "Scoring")]
    max_parents: Option<usize>,
    /// With counts, leave out parent sets with more combinations of values than this (default: the number of rows)
    #[arg(long, value_name = "N", help_heading = "Scoring")]
    max_configurations: Option<usize>,
    /// Draws the order of rows, and all random numbers of the estimators
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Scoring")]
    seed: u64,
    /// Row orders, whose code lengths are averaged; several give spreads
    #[arg(long, value_name = "R", default_value_t = 1, help_heading = "Scoring")]
    row_orders: usize,
    #[command(flatten)]
    repeats: RepeatsArgs,
    /// Whether rows are coded in an order drawn from the seed, or as given
    #[arg(long, value_enum, default_value_t = RowOrderName::Shuffled, help_heading = "Scoring")]
    row_order: RowOrderName,
    /// Worker threads (default: one per core); the answer does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Scoring")]
    threads: Option<u16>,
    /// Memory that scoring and search may use, such as 8GiB or 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "8GiB", help_heading = "Scoring")]
    memory_limit: u64,
    /// Keep the code lengths of families in this file, and score none again that it has
    #[arg(long, value_name = "FILE", help_heading = "Scoring")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    knowledge: KnowledgeArgs,
}

/// What counts start from.
#[derive(Debug, Args)]
pub(crate) struct PriorArgs {
    /// What every count starts from: 0.5 as in the paper, which `--estimator counts` takes, 1 for K2 (default: a mixture of 0.5 and more)
    #[arg(long, value_name = "A", allow_negative_numbers = true, help_heading = "Scoring")]
    alpha: Option<f64>,
    /// Spread this many rows over each family's table instead of --alpha: BDeu with this equivalent sample size
    #[arg(
        long,
        value_name = "S",
        allow_negative_numbers = true,
        conflicts_with = "alpha",
        help_heading = "Scoring"
    )]
    ess: Option<f64>,
}

impl PriorArgs {
    /// The estimator with counts that start so.
    fn apply(&self, estimator: Estimator) -> Estimator {
        match self.ess.map(Prior::SampleSize).or(self.alpha.map(Prior::Alpha)) {
            Some(prior) => estimator.with_prior(prior),
            None => estimator,
        }
    }
}

/// An option of version 0.1.
#[derive(Debug, Args)]
pub(crate) struct RepeatsArgs {
    #[arg(long, hide = true, value_name = "R")]
    repeats: Option<String>,
}

impl RepeatsArgs {
    /// It meant one thing with networks and another without.
    pub(crate) fn refuse(&self) -> Result<()> {
        let Some(repeats) = &self.repeats else { return Ok(()) };
        Err(Error::Setting {
            what: "`--repeats` is no option any more: it meant networks or row orders".into(),
            hint: Message::from("use ")
                + OptionName::Networks.set(repeats)
                + " for networks a family, or "
                + OptionName::RowOrders.set(repeats)
                + " for orders of the rows",
        })
    }
}

/// How results are shown.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// No progress and no warnings on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Stop scoring after this time, such as 90s, 10m or 2h, and answer from what is scored by then (Ctrl-C does the same)
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Say what would be done and how long it would take, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

impl TableArgs {
    pub(crate) fn read(&self) -> Result<Table> {
        Table::read(&self.data, &self.options())
    }

    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: listed(&self.columns),
            ignore: listed(&self.ignore),
            labels: listed(&self.labels),
            numbers: listed(&self.numbers),
            ordered: listed(&self.ordered).iter().map(|item| ordered_labels(item)).collect(),
            missing: listed(&self.missing),
            interventions: self.interventions.clone(),
            intervention_mask: self.intervention_mask.clone().map(InterventionMask::File),
        }
    }
}

impl ScoringArgs {
    fn settings(&self) -> Result<Settings> {
        self.repeats.refuse()?;
        let preset = self.estimator.settings(self.max_configurations)?;
        let estimator = self.prior.apply(preset.estimator);
        let resolution = Resolution {
            n_bins: self.bins.or(preset.resolution.n_bins),
            binning: self.binning.map_or(preset.resolution.binning, BinningName::binning),
            inputs: self.inputs.map_or(preset.resolution.inputs, InputsName::inputs),
        };
        Ok(Settings {
            estimator,
            resolution,
            knowledge: self.knowledge.knowledge()?,
            max_parents: self.max_parents,
            seed: self.seed,
            row_orders: self.row_orders,
            row_order: self.row_order.row_order(),
            threads: self.threads.map(usize::from),
            limits: Limits { memory: self.memory_limit },
            store: self.store.clone(),
            ..preset
        })
    }
}

impl LearnArgs {
    /// All settings but those of the search, which name columns of the table.
    pub(crate) fn settings(&self) -> Result<Settings> {
        self.scoring.settings()
    }
}

impl ScoreArgs {
    pub(crate) fn settings(&self) -> Result<Settings> {
        self.scoring.settings()
    }
}

impl CompressArgs {
    pub(crate) fn settings(&self) -> CompressSettings {
        // A file has no networks.
        let estimator = Estimator::named(&self.estimator).unwrap_or_default().with_networks(0);
        CompressSettings { estimator: self.prior.apply(estimator), seed: self.seed }
    }
}

impl SimulateArgs {
    pub(crate) fn experiment(&self) -> Result<Experiment> {
        let set = self.set.unwrap_or(1);
        use ExperimentName::{RandomAdditive, RandomCategorical, RandomFunctions, Shifts, ShiftsCategorical};
        use ExperimentName::{RandomGp, RandomGpAdditive, RandomMechanisms, RandomMlp};
        let is_random = matches!(
            self.experiment,
            RandomAdditive
                | RandomCategorical
                | RandomFunctions
                | RandomGp
                | RandomGpAdditive
                | RandomMechanisms
                | RandomMlp
                | Shifts
                | ShiftsCategorical
        );
        if self.variables.is_some() && !is_random {
            return Err(Error::Setting {
                what: Message::from(OptionName::Variables)
                    + " is for simulations called `random-...`, `shifts` and `shifts-categorical`; the others have a number of their own",
                hint: Message::from("drop ") + OptionName::Variables + ", or simulate one of these",
            });
        }
        let n_numbers = self.variables.unwrap_or(10);
        let drawn = |kind| Experiment::RandomMechanisms { n_vars: n_numbers, kind };
        let experiment = match self.experiment {
            ExperimentName::YuA => return Ok(Experiment::Yu { kind: YuKind::A, set }),
            ExperimentName::YuB => return Ok(Experiment::Yu { kind: YuKind::B, set }),
            ExperimentName::Mechanisms => return Ok(Experiment::Mechanisms { set }),
            ExperimentName::TabularChain => Experiment::TabularChain,
            ExperimentName::Cancer => Experiment::Cancer,
            ExperimentName::Asia => Experiment::Asia,
            ExperimentName::Alarm => Experiment::Alarm,
            RandomCategorical => Experiment::RandomCategorical { n_vars: self.variables.unwrap_or(37) },
            RandomAdditive => Experiment::RandomFunctions { n_vars: n_numbers, is_additive: true },
            RandomFunctions => Experiment::RandomFunctions { n_vars: n_numbers, is_additive: false },
            RandomMechanisms => drawn(MechanismKind::Paper),
            RandomGp => drawn(MechanismKind::GaussianProcess),
            RandomGpAdditive => drawn(MechanismKind::AdditiveGaussianProcess),
            RandomMlp => drawn(MechanismKind::Network),
            Shifts => Experiment::Shifts { n_vars: self.variables.unwrap_or(8), is_categorical: false },
            ShiftsCategorical => {
                Experiment::Shifts { n_vars: self.variables.unwrap_or(8), is_categorical: true }
            }
            ExperimentName::Chain3 => Experiment::Chain3,
            ExperimentName::Star5 => Experiment::Star5,
            ExperimentName::Chain5 => Experiment::Chain5,
            ExperimentName::Chain5Periodic => Experiment::Chain5Periodic,
            ExperimentName::Primes => Experiment::Primes { largest: 1_000 },
        };
        match self.set {
            None => Ok(experiment),
            Some(set) => Err(Error::Setting {
                what: Message::from(OptionName::Set)
                    + format!(" is {set}, but `{}` has only one data set", experiment.name()),
                hint: Message::from("drop ")
                    + OptionName::Set
                    + "; it chooses among those of `yu-a`, `yu-b` and `mechanisms`",
            }),
        }
    }
}

/// All names of an option that may be given several times.
pub(crate) fn listed(names: &[Names]) -> Vec<String> {
    names.iter().flat_map(|names| names.0.clone()).collect()
}

/// A part from `1/4`.
fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let numbers =
        text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
    let (number, n_shards) = numbers.ok_or("expected a part such as 1/4")?;
    Shard::new(number, n_shards).map_err(|error| error.message().worded(&CommandLine))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
