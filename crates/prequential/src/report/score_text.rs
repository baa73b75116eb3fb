//! Code lengths of families for a reader.

use std::fmt::Write;

use super::text::{data_text, partial_text};
use crate::base::format::{count, visible_names};
use crate::graph::Family;
use crate::run::result::Scored;
use crate::score::Moments;
use crate::table::Table;

/// The families of the scored graph and their sum, or the `top` best parent sets of every variable.
pub fn score_text(table: &Table, scored: &Scored, top: usize) -> String {
    let names = visible_names(&table.names());
    let line = |(family, moments): &(&Family, &Moments)| {
        let spread = if scored.settings.repeats.unwrap_or(1) > 1 {
            format!("  +- {:.2}", moments.sd)
        } else {
            String::new()
        };
        format!("  {:>14.2}{spread}  {}\n", moments.mean, family.display(&names))
    };
    let all: Vec<(&Family, &Moments)> = scored.scores.families.iter().zip(&scored.scores.moments).collect();
    let mut text = data_text(table, &scored.data, &scored.settings) + "\n";
    if scored.settings.store.is_some() {
        let (n_families, n_reused) = (count(scored.cost.n_families), count(scored.cost.n_reused));
        let _ = writeln!(text, "{n_families} families, {n_reused} of them from the store");
    }
    text += &scored.partial.as_ref().map(partial_text).unwrap_or_default();
    if let Some(total) = scored.total {
        text.extend(all.iter().map(line));
        let _ = writeln!(text, "  {:>14.2}  nats in all", total.0);
        return text;
    }
    for (child, name) in names.iter().enumerate() {
        let mut own: Vec<_> = all.iter().filter(|(family, _)| family.child == child).copied().collect();
        own.sort_by(|a, b| a.1.mean.total_cmp(&b.1.mean).then_with(|| a.0.cmp(b.0)));
        let _ = writeln!(text, "{name}: the best {} of {} parent sets, nats", own.len().min(top), own.len());
        text.extend(own.iter().take(top).map(line));
    }
    text
}
