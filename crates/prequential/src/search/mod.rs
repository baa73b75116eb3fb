//! Searches for the DAG with the shortest code; they see families and their code lengths, and no table.

mod auto;
mod best_parents;
mod choices;
mod climb;
mod constraints;
mod exact;
mod exhaustive;
mod grow_shrink;
mod heuristic;
mod hill_climb;
mod ilp;
mod k_best;
mod knowledge;
mod limits;
mod method;
mod moves;
mod neighbours;
mod order_search;
mod orders;
mod parent_sets;
mod relaxation;
mod subset_bits;
mod subset_dp;
mod sweeps;
mod visited;

use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};

pub(crate) use auto::Budget;
pub(crate) use auto::no_start;
pub use climb::{ClimbSettings, hill_climb};
pub use constraints::Constraints;
pub(crate) use constraints::number;
pub(crate) use exact::MAX_K_BEST;
pub use exhaustive::{MAX_ENUMERATED, RankedDags, exhaustive};
pub(crate) use heuristic::beside_edge;
pub use ilp::ilp;
pub use k_best::k_best;
pub use knowledge::{Knowledge, Statement};
pub use limits::Limits;
pub use method::SearchReport;
pub(crate) use method::{Candidates, PosteriorSupport, Problem, ProblemSize, SearchMethod, SearchResult};
pub use neighbours::one_edge_away;
pub use order_search::order_search;
pub(crate) use subset_bits::members;
pub use subset_dp::{MAX_EXACT, OrderGraph};
pub use visited::Visited;

/// Makes the enumeration of all searches from their list: each is a type with its settings that is a
/// [`SearchMethod`].
macro_rules! searches {
    ($($(#[$doc:meta])* $module:ident::$name:ident),* $(,)?) => {
        $(pub use $module::$name;)*

        /// How the best graph is found, with its settings.
        ///
        /// ```
        /// use prequential::{Exact, Order, Search};
        /// let proven: Search = Exact.into();
        /// let wide = Search::Order(Order { restarts: 5, ..Order::default() });
        /// assert_eq!((proven.name(), wide.name()), ("exact", "order"));
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Search {
            /// `Exhaustive` for up to 5 variables, `Exact` where all families of at most 3 parents can be
            /// scored and the tables fit, this `Order` beyond.
            Auto(Order),
            $($(#[$doc])* $name($name),)*
        }

        impl Search {
            /// All of them, with their default settings.
            pub fn all() -> Vec<Search> {
                vec![Search::default(), $(Search::$name($name::default())),*]
            }

            /// The chosen search; `None` for `auto`.
            fn chosen(&self) -> Option<Box<dyn SearchMethod>> {
                match self {
                    Search::Auto(_) => None,
                    $(Search::$name(chosen) => Some(Box::new(chosen.clone())),)*
                }
            }
        }

        $(impl From<$name> for Search {
            fn from(chosen: $name) -> Search {
                Search::$name(chosen)
            }
        })*
    };
}

// A new search is a file of its own and a line here.
searches! {
    /// All DAGs, ranked: up to 6 variables.
    exhaustive::Exhaustive,
    /// Dynamic programming over sets of variables: a proven optimum for up to about 28 variables.
    exact::Exact,
    /// Integer programming, parent sets chosen and cycles cut off: a proven optimum, or how far from it, of
    /// all families of few parents.
    ilp::Ilp,
    /// Single-edge changes, families scored as they are needed: hundreds of variables, no proof.
    hill_climb::HillClimb,
    /// Moves of variables within a causal order, families scored as they are needed: hundreds of variables,
    /// no proof.
    order_search::Order,
}

impl Default for Search {
    fn default() -> Search {
        Search::Auto(Order::default())
    }
}

impl Search {
    /// The name by which users choose it.
    pub fn name(&self) -> &'static str {
        self.chosen().map_or("auto", |method| method.description().name)
    }

    /// A one-line summary.
    pub fn summary(&self) -> &'static str {
        let auto = "the most reliable of `exhaustive`, `exact` and `order` that is feasible";
        self.chosen().map_or(auto, |method| method.description().summary)
    }

    /// The search of this name, with its default settings.
    pub fn named(name: &str) -> Result<Search> {
        let known = Search::all();
        if let Some(search) = known.iter().find(|search| search.name() == name) {
            return Ok(search.clone());
        }
        if name == "branch-and-bound" {
            let (exact, ilp) = (OptionName::Search.set("exact"), OptionName::Search.set("ilp"));
            return Err(Error::Setting {
                what: "the search `branch-and-bound` is no longer part of this program".into(),
                hint: message!["use ", ilp, ", which proves the same and goes further, or ", exact],
            });
        }
        let names: Vec<&str> = known.iter().map(Search::name).collect();
        Err(Error::Setting {
            what: format!("unknown search `{name}`").into(),
            hint: format!("the searches are: {}", names.join(", ")).into(),
        })
    }

    /// The search that is feasible.
    pub(crate) fn resolve(&self, budget: &Budget) -> Result<Arc<dyn SearchMethod>> {
        let method = match (self, self.chosen()) {
            (Search::Auto(order), _) => auto::choose(budget, order)?,
            (_, Some(chosen)) => chosen,
            (_, None) => unreachable!("only `auto` chooses nothing"),
        };
        Ok(method.into())
    }
}
