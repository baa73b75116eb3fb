//! The options of the commands `store` and `search`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use prequential::options::{parse_bytes, parse_duration};
use prequential::{Limits, Result, Settings};

use crate::args::Format;
use crate::knowledge_args::KnowledgeArgs;
use crate::search_args::SearchArgs;

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// What a store holds
    Info {
        /// The store
        store: PathBuf,
        /// How to show it
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Add what stores of the same table hold to one of them, or to a new one
    Merge {
        /// The store that is added to; made if it is missing
        out: PathBuf,
        /// The stores that are added; they are left as they are
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
    /// What to write; scores in .jkl are minus the code length, in nats, so that larger is better
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
    /// Write the best graph to this file, in the format of its ending: .json, .dot, .graphml or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Stop searching after this time, such as 90s, 10m or 2h, and answer with the best so far (Ctrl-C does the same)
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    search: SearchArgs,
    /// The most parents of a variable (default: as many as there are scores for)
    #[arg(long, value_name = "K", help_heading = "Search")]
    max_parents: Option<usize>,
    /// Draws the restarts of `hill-climb` and `order`
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    seed: u64,
    /// Worker threads (default: one per core); the answer does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Search")]
    threads: Option<u16>,
    /// Memory that the search may use, such as 8GiB or 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "8GiB", help_heading = "Search")]
    memory_limit: u64,
    #[command(flatten)]
    knowledge: KnowledgeArgs,
}

impl SearchScoresArgs {
    pub(crate) fn settings(&self, names: &[String]) -> Result<Settings> {
        let mut settings = Settings {
            knowledge: self.knowledge.knowledge()?,
            max_parents: self.max_parents,
            seed: self.seed,
            threads: self.threads.map(usize::from),
            limits: Limits { memory: self.memory_limit },
            ..Settings::default()
        };
        self.search.apply(&mut settings, names)?;
        Ok(settings)
    }
}
