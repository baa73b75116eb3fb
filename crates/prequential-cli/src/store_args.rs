//! The options of the commands `store` and `search`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::OutputFormat;
use crate::flags::{ForSearching, OptionFlags};

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Describe the contents of a store
    Info {
        /// The store
        store: PathBuf,
        /// Format of the output
        #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
        format: OutputFormat,
    },
    /// Merge stores of the same table into one of them, or into a new one
    Merge {
        /// The target store; created if missing
        out: PathBuf,
        /// The stores to merge; they are not changed
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
    /// Write the code lengths of all families for other programs
    Export(ExportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The store
    pub(crate) store: PathBuf,
    /// The format; scores in .jkl are minus the code length, in nats, so that larger is better
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    pub(crate) format: ExportFormat,
    /// Write it here instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Which settings, by their number in `store info`; needed if there are several
    #[arg(long, value_name = "N")]
    pub(crate) settings: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Json,
    Csv,
    /// Local scores as GOBNILP and other solvers read them
    Jkl,
}

#[derive(Debug, Args)]
pub(crate) struct SearchScoresArgs {
    /// Code lengths of families: a .jkl file of local scores (logarithms, larger is better; - for standard input), or a store
    pub(crate) scores: PathBuf,
    /// Which settings of a store, by their number in `store info`; needed if there are several
    #[arg(long, value_name = "N")]
    pub(crate) settings: Option<i64>,
    /// Write the best graph to this file, in the format of its extension: .json, .dot, .graphml or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) options: OptionFlags<ForSearching>,
}
