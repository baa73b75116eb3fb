//! The default search: one that proves its answer, if that is feasible.

use super::constraints::Constraints;
use super::exact::Exact;
use super::exhaustive::Exhaustive;
use super::limits::Limits;
use super::method::SearchMethod;
use super::order_search::Order;
use crate::base::error::{Error, Result};
use crate::base::message::{Message, OptionName, message};

/// The most variables that are enumerated by default.
const MAX_ENUMERATED: usize = 5;

/// If proof would limit families to fewer parents than this, a search without proof is chosen.
const MIN_PARENTS: usize = 3;

/// The limits of what is feasible.
pub(crate) struct Budget<'a> {
    pub(crate) constraints: &'a Constraints,
    /// The most parents with which all families can be scored.
    pub(crate) max_parents: usize,
    /// The requested limit on parents, if any.
    pub(crate) requested_max_parents: Option<usize>,
    pub(crate) limits: &'a Limits,
}

/// The search that proves its answer, if that is feasible, or else `order`.
pub(super) fn choose(budget: &Budget, order: &Order) -> Result<Box<dyn SearchMethod>> {
    let constraints = budget.constraints;
    let wanted = budget.requested_max_parents.unwrap_or(MIN_PARENTS).min(constraints.max_parents());
    let proving: Option<Box<dyn SearchMethod>> = if constraints.n_vars() <= MAX_ENUMERATED {
        Some(Box::new(Exhaustive))
    } else if budget.max_parents >= wanted && Exact.check(constraints, budget.limits).is_ok() {
        Some(Box::new(Exact))
    } else {
        None
    };
    match proving {
        Some(_) if order.start.is_some() => Err(no_start()),
        Some(proving) => Ok(proving),
        None => Ok(Box::new(order.clone())),
    }
}

/// A search over all graphs has no starting graph.
pub(crate) fn no_start() -> Error {
    Error::Setting {
        what: message![
            OptionName::Start,
            " gives the graph at which a search starts, but this search looks at all graphs"
        ],
        hint: Message::from("leave it out, or add ")
            + OptionName::Search.set("hill-climb")
            + " or "
            + OptionName::Search.set("order"),
    }
}
