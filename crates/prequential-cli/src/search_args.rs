//! The options of searches.

use std::path::PathBuf;

use clap::Args;
use prequential::{Result, Settings, read_graph};

use crate::choices::SearchName;

/// How the best graph is found.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// How the best graph is found
    #[arg(long, value_enum, default_value_t = SearchName::Auto, help_heading = "Search")]
    search: SearchName,
    /// How often `hill-climb` and `order` start again
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=1_000_000), help_heading = "Search")]
    restarts: u32,
    /// How many steps `hill-climb` goes on without finding a shorter code, before it starts again
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(0..=1_000_000), help_heading = "Search")]
    tabu: u32,
    /// A graph file where `hill-climb` or `order` begins (default: no edges but the required ones)
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    start: Option<PathBuf>,
    /// How many graphs the ranking lists (by `exact`, beyond 18 variables only the best is known)
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Search")]
    top: u16,
}

impl SearchArgs {
    /// Enters the options into `settings` of a table with these columns.
    pub(crate) fn apply(&self, settings: &mut Settings, names: &[String]) -> Result<()> {
        settings.search = self.search.search();
        settings.restarts = self.restarts as usize;
        settings.tabu = self.tabu as usize;
        settings.top = usize::from(self.top);
        if let Some(path) = &self.start {
            settings.start = Some(read_graph(path)?.onto(names, &path.display().to_string())?);
        }
        Ok(())
    }
}
