//! What was not scored, and why, in words.

use crate::base::format::{count, plural};
use crate::run::{NetworkGating, ParentSetPruning};

/// Where networks were trained. Only a search that went to its end and proves its answer can say what they could still change.
pub(in crate::report) fn networks_in_words(networks: &NetworkGating, is_proven: bool) -> String {
    let trained = format!("Networks were trained for {} of them", count(networks.n_families));
    match is_proven {
        true => format!(
            "{trained}; in the others they could gain {} nats at most besides what they gained in their parts, too little to change the graph.",
            networks.margin.0,
        ),
        false => {
            format!("{trained}, where they seemed likeliest to change the graph; in the others they might.")
        }
    }
}

/// Which parent sets were scored.
pub(in crate::report) fn growth_in_words(growth: &ParentSetPruning) -> String {
    format!(
        "Sets of more than {} were scored where smaller ones in them earn their place (within {} nats).",
        plural(growth.all_up_to, "parent"),
        growth.slack.0,
    )
}
