//! The options of searches.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use prequential::options::SearchOptions;
use prequential::{Result, Search, Settings};

use crate::commands::graph_of;

/// How the best graph is found.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// How the best graph is found
    #[arg(long, value_parser = names(), default_value = "auto", help_heading = "Search")]
    search: String,
    /// How often `hill-climb` and `order` start again (default: 20)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000), help_heading = "Search")]
    restarts: Option<u32>,
    /// How many steps `hill-climb` goes on without finding a shorter code, before it starts again (default: 15)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000), help_heading = "Search")]
    tabu: Option<u32>,
    /// A graph file where `hill-climb` or `order` begins (default: no edges but the required ones)
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    start: Option<PathBuf>,
    /// How many graphs the ranking lists (by `exact`, beyond 18 variables only the best is known)
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Search")]
    top: u16,
}

/// The searches that the library has, and one that it had: the library says what to use instead.
fn names() -> PossibleValuesParser {
    let value = |search: Search| PossibleValue::new(search.name()).help(search.summary());
    let removed = PossibleValue::new("branch-and-bound").hide(true);
    Search::all().into_iter().map(value).chain([removed]).collect::<Vec<_>>().into()
}

impl SearchArgs {
    /// Enters the options into `settings` of a table with these columns.
    pub(crate) fn apply(&self, settings: &mut Settings, names: &[String]) -> Result<()> {
        let start = self.start.as_ref();
        let start = start.map(|path| graph_of(path, names, &settings.knowledge));
        let chosen = Search::named(&self.search)?;
        let number = |given: Option<u32>| given.map(|given| given as usize);
        let options = SearchOptions {
            restarts: number(self.restarts),
            tabu: number(self.tabu),
            start: start.transpose()?,
        };
        settings.search = options.apply(chosen)?;
        settings.top = usize::from(self.top);
        Ok(())
    }
}
