//! The commands and their arguments.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use prequential::Result;
use prequential::compression::CompressSettings;
use prequential::workers::Shard;
use prequential_simulate::Experiment;

use crate::flags::{ForCompressing, ForLearning, ForScoring, OptionFlags};
use crate::reproduce_args::ReproduceArgs;
use crate::store_args::{SearchScoresArgs, StoreArgs};
use crate::wording::CommandLine;

/// Learn the causal graph behind a table: the graph under which the rows are predicted with the least total
/// log-loss.
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
    /// Compress a table by its predictions under a graph: a file as long as its score says
    Compress(CompressArgs),
    /// Restore the table that `compress` compressed, byte for byte
    Decompress(DecompressArgs),
    /// Compare two graph files
    Compare(CompareArgs),
    /// Build the page report.html from a result file
    Report(ReportArgs),
    /// Draw a table from a known graph
    Simulate(SimulateArgs),
    /// Repeat the paper's experiments, with numbers, plots and a summary
    Reproduce(ReproduceArgs),
}

#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    /// The table: CSV (also .gz, and - for standard input), Parquet or Arrow
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) options: OptionFlags<ForLearning>,
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
    /// Write the best graph to this file, in the format of its extension: .json, .dot, .graphml or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Write all pairs of variables to this CSV file: probabilities of a link and of each direction, costs of
    /// removal and reversal
    #[arg(long, value_name = "FILE")]
    pub(crate) edges: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// The table: CSV (also .gz, and - for standard input), Parquet or Arrow
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) options: OptionFlags<ForScoring>,
    /// Score the families of this graph (JSON, DOT, GraphML or CSV) instead of all
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Write the learning curve of each family to this JSON file, averaged over networks or permutations
    #[arg(long, value_name = "FILE")]
    pub(crate) curves: Option<PathBuf>,
    /// Score only part I of N of all families, to distribute work over processes or machines
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
    /// The table: CSV (also .gz, and - for standard input), Parquet or Arrow
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) options: OptionFlags<ForCompressing>,
    /// The graph by which the columns are predicted (JSON, DOT, GraphML or CSV)
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Format of the sizes
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
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
    /// Format of the comparison
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
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
    #[arg(value_parser = experiments())]
    pub(crate) experiment: String,
    /// Number of rows (default: as in the paper, or 5,000 to 10,000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub(crate) rows: Option<u32>,
    /// Number of variables, for `random-categorical` (default: 37), the other `random-...` (default: 10), `shifts` and `shifts-categorical`
    /// (default: 8, the environment not counted)
    #[arg(long, value_name = "N")]
    pub(crate) variables: Option<usize>,
    /// Which data set: 1 to 5 of `yu-a` and `yu-b`, 1 to 20 of `mechanisms` (default: 1)
    #[arg(long, value_name = "I")]
    pub(crate) set: Option<usize>,
    /// Seed of the data
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the table here, as CSV, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the true graph here: .json, .dot, .graphml or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
}

/// How results are shown.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Format of the result
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
    /// No progress and no warnings on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print what would be done and how long it would take, without doing it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Text,
    Json,
}

impl CompressArgs {
    pub(crate) fn settings(&self) -> Result<CompressSettings> {
        let settings = self.options.settings(&[])?;
        // A compressed file has no networks.
        Ok(CompressSettings { estimator: settings.estimator.with_networks(0), seed: settings.seed })
    }
}

impl SimulateArgs {
    pub(crate) fn experiment(&self) -> Result<Experiment> {
        Experiment::named(&self.experiment, self.variables, self.set)
    }
}

/// All systems that can be simulated.
fn experiments() -> PossibleValuesParser {
    let value = |experiment: Experiment| PossibleValue::new(experiment.name()).help(experiment.summary());
    Experiment::all().into_iter().map(value).collect::<Vec<_>>().into()
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
