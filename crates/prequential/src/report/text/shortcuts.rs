//! What was not scored, and why, in words.

use crate::base::format::{count, plural};
use crate::run::{Growth, NetworksWhere};

/// Where networks were trained.
pub(in crate::report) fn networks_in_words(networks: &NetworksWhere) -> String {
    format!(
        "Networks were trained for {} of them; in the others they could gain {} nats at most besides what they gained in their parts, \
         too little to change the graph.",
        count(networks.n_families),
        networks.margin.0,
    )
}

/// Which parent sets were scored.
pub(in crate::report) fn growth_in_words(growth: &Growth) -> String {
    format!(
        "Sets of more than {} were scored where smaller ones in them earn their place (within {} nats).",
        plural(growth.all_up_to, "parent"),
        growth.slack.0,
    )
}
