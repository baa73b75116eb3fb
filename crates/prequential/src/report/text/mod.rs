//! Results for a reader at a terminal. One file per result.

mod comparison;
mod context;
mod data;
mod learned;
mod plan;
mod probabilities;
mod scored;
mod searched;
mod shortcuts;
#[cfg(feature = "store")]
mod store;

pub(super) use probabilities::probabilities_in_words;
pub(super) use shortcuts::{growth_in_words, networks_in_words};
