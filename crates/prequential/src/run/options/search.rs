//! Options of searches, by name.

use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::graph::Dag;
use crate::search::{Order, Search, no_start};

/// What searches that start again may be told; what is not given has a default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchOptions {
    /// How often they start again.
    pub restarts: Option<usize>,
    /// How many steps `hill-climb` goes on without finding a shorter code, before it starts again.
    pub tabu: Option<usize>,
    /// Where they begin.
    pub start: Option<Dag>,
}

impl SearchOptions {
    /// The search with what was given; refuses what it has no use for.
    pub fn apply(&self, search: Search) -> Result<Search> {
        let order = |order: Order| Order {
            restarts: self.restarts.unwrap_or(order.restarts),
            tabu: self.tabu.unwrap_or(order.tabu),
            start: self.start.clone(),
        };
        match search {
            Search::Auto(auto) => Ok(Search::Auto(order(auto))),
            Search::Order(chosen) => Ok(Search::Order(order(chosen))),
            Search::HillClimb(mut climb) => {
                climb.restarts = self.restarts.unwrap_or(climb.restarts);
                climb.tabu = self.tabu.unwrap_or(climb.tabu);
                climb.start = self.start.clone();
                Ok(Search::HillClimb(climb))
            }
            _ if self.start.is_some() => Err(no_start()),
            other => self.refuse_idle(&other).map(|()| other),
        }
    }

    /// Refuses options that a search has no use for.
    fn refuse_idle(&self, search: &Search) -> Result<()> {
        let given = [(OptionName::Restarts, self.restarts), (OptionName::Tabu, self.tabu)];
        let Some((option, _)) = given.into_iter().find(|(_, value)| value.is_some()) else { return Ok(()) };
        let (climb, order) = (OptionName::Search.set("hill-climb"), OptionName::Search.set("order"));
        Err(Error::Setting {
            what: message![
                option,
                format!(" is for searches that start again, but the search is `{}`", search.name()),
            ],
            hint: message!["leave it out, or add ", climb, " or ", order],
        })
    }
}
