//! A run from settings to result: what was asked, what is resolved, what was found.

pub(crate) mod checks;
pub(crate) mod estimate;
pub(crate) mod find;
pub(crate) mod learn;
pub(crate) mod plan;
pub(crate) mod result;
pub(crate) mod search_scores;
pub(crate) mod selection;
pub(crate) mod settings;
pub(crate) mod shard;
