//! Results for a reader at a terminal. One file per result.

mod comparison;
mod compressed;
mod context;
mod data;
mod learned;
mod links;
mod plan;
mod scored;
mod searched;
mod shortcuts;
#[cfg(feature = "store")]
mod store;

pub(super) use shortcuts::{growth_in_words, networks_in_words};
