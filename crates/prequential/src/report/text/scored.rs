//! Code lengths of families for a reader.

use std::fmt::Write;

use super::super::settings::repeats;
use super::super::view::ViewOptions;
use super::data::data_text;
use super::learned::partial_text;
use crate::base::format::{count, visible_names};
use crate::graph::Family;
use crate::run::Scored;
use crate::score::MeanSd;
use crate::table::Table;

impl Scored {
    /// The families of the scored graph and their sum, or the best parent sets of every variable; `table` is the one that was scored.
    /// Ends with a line break.
    pub fn to_text(&self, table: &Table, view: &ViewOptions) -> String {
        let names = visible_names(self.plan.names());
        let line = |(family, moments): &(&Family, &MeanSd)| {
            let spread =
                if repeats(&self.plan).1 > 1 { format!("  +- {:.2}", moments.sd) } else { String::new() };
            format!("  {:>14.2}{spread}  {}\n", moments.mean, family.display(&names))
        };
        let all: Vec<(&Family, &MeanSd)> = self.scores.families.iter().zip(&self.scores.moments).collect();
        let mut text = data_text(table, &self.plan, view) + "\n";
        if self.plan.store.is_some() {
            let (n_families, n_reused) = (count(self.cost.n_families), count(self.cost.n_reused));
            let _ = writeln!(text, "{n_families} families, {n_reused} of them from the store");
        }
        text += &self.partial.as_ref().map(partial_text).unwrap_or_default();
        if let Some(total) = self.total {
            text.extend(all.iter().map(line));
            let _ = writeln!(text, "  {:>14.2}  nats in all", total.0);
            return text;
        }
        for (child, name) in names.iter().enumerate() {
            let mut own: Vec<_> = all.iter().filter(|(family, _)| family.child == child).copied().collect();
            own.sort_by(|a, b| a.1.mean.total_cmp(&b.1.mean).then_with(|| a.0.cmp(b.0)));
            let _ = writeln!(
                text,
                "{name}: the best {} of {} parent sets, nats",
                own.len().min(view.top),
                own.len()
            );
            text.extend(own.iter().take(view.top).map(line));
        }
        text
    }
}
