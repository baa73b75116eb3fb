//! The options of searches.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use prequential::internals::no_start;
use prequential::wording::{Message, OptionName};
use prequential::{Dag, Error, Order, Result, Search, Settings};

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

/// The searches that the library has.
fn names() -> PossibleValuesParser {
    let value = |search: Search| PossibleValue::new(search.name()).help(search.summary());
    Search::all().into_iter().map(value).collect::<Vec<_>>().into()
}

impl SearchArgs {
    /// Enters the options into `settings` of a table with these columns.
    pub(crate) fn apply(&self, settings: &mut Settings, names: &[String]) -> Result<()> {
        let start = self.start.as_ref();
        let start = start.map(|path| graph_of(path, names, &settings.knowledge));
        let chosen = Search::named(&self.search).unwrap_or_default();
        settings.search = self.with_options(chosen, start.transpose()?)?;
        settings.top = usize::from(self.top);
        Ok(())
    }

    fn with_options(&self, search: Search, start: Option<Dag>) -> Result<Search> {
        let number = |given: Option<u32>, default: usize| given.map_or(default, |given| given as usize);
        let order = |order: Order| Order {
            restarts: number(self.restarts, order.restarts),
            tabu: number(self.tabu, order.tabu),
            start: start.clone(),
        };
        match search {
            Search::Auto(auto) => Ok(Search::Auto(order(auto))),
            Search::Order(chosen) => Ok(Search::Order(order(chosen))),
            Search::HillClimb(mut climb) => {
                climb.restarts = number(self.restarts, climb.restarts);
                climb.tabu = number(self.tabu, climb.tabu);
                climb.start = start;
                Ok(Search::HillClimb(climb))
            }
            _ if start.is_some() => Err(no_start()),
            other => self.refuse_idle(&other).map(|()| other),
        }
    }

    /// Refuses options that a search has no use for.
    fn refuse_idle(&self, search: &Search) -> Result<()> {
        let given = [(OptionName::Restarts, self.restarts), (OptionName::Tabu, self.tabu)];
        match given.into_iter().find(|(_, value)| value.is_some()) {
            None => Ok(()),
            Some((option, _)) => Err(Error::Setting {
                what: Message::from(option)
                    + format!(" is for searches that start again, but the search is `{}`", search.name()),
                hint: Message::from("leave it out, or add ")
                    + OptionName::Search.set("hill-climb")
                    + " or "
                    + OptionName::Search.set("order"),
            }),
        }
    }
}
