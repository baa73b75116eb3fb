//! Code lengths of families, and of the graph that they make if one was scored, as a document.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::document::{
    CostSection, Document, DocumentKind, PartialSection, ScoredFamily, TableSection, this_version,
};
use super::options::DocumentOptions;
use super::text::table_text;
use super::words::partial_in_words;
use crate::base::format::{count, visible};
use crate::run::{ResolvedSettings, Scored};

/// The result of a run of `score`, by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreDocument {
    version: String,
    data: TableSection,
    settings: ResolvedSettings,
    families: Vec<ScoredFamily>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_length_nats: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<PartialSection>,
    cost: CostSection,
}

impl Document for ScoreDocument {
    const KIND: DocumentKind = DocumentKind::Scored;
}

impl Scored {
    /// Code lengths of families, and of the graph that they make if one was scored, by name.
    pub fn document(&self, options: &DocumentOptions) -> ScoreDocument {
        ScoreDocument {
            version: this_version(),
            data: TableSection::new(&self.plan, options),
            settings: self.plan.resolved(&self.plan.scored),
            families: ScoredFamily::all(&self.scores, &self.plan),
            code_length_nats: self.total.map(|total| total.0),
            partial: PartialSection::new(self.partial, options),
            cost: CostSection::new(&self.cost, options),
        }
    }
}

impl ScoreDocument {
    /// All of it as JSON. Ends with a line break.
    pub fn to_json(&self) -> String {
        self.write()
    }

    /// The families of the scored graph and their sum, or the best parent sets of every variable, `top` of each. Ends with a line
    /// break.
    pub fn to_text(&self, top: usize) -> String {
        let mut text = table_text(&self.data, &self.settings, &[]) + "\n";
        if self.cost.cost.n_reused > 0 {
            let (n_families, n_reused) = (count(self.families.len()), count(self.cost.cost.n_reused));
            let _ = writeln!(text, "{n_families} families, {n_reused} of them from the store");
        }
        if let Some(stopped) = &self.partial {
            let _ = writeln!(text, "{}.", partial_in_words(&stopped.partial));
        }
        if let Some(total) = self.code_length_nats {
            text.extend(self.families.iter().map(family_line));
            let _ = writeln!(text, "  {total:>14.2}  nats in all");
            return text;
        }
        for variable in &self.data.variables {
            let own = self.families.iter().filter(|family| family.child == variable.name);
            let mut own: Vec<&ScoredFamily> = own.collect();
            own.sort_by(|a, b| a.code_length_nats.total_cmp(&b.code_length_nats));
            let (name, n_own) = (visible(&variable.name), own.len());
            let _ = writeln!(text, "{name}: the best {} of {n_own} parent sets, nats", n_own.min(top));
            text.extend(own.into_iter().take(top).map(family_line));
        }
        text
    }
}

fn family_line(family: &ScoredFamily) -> String {
    let spread = family.spread_nats.map(|sd| format!("  +- {sd:.2}")).unwrap_or_default();
    let parents: Vec<_> = family.parents.iter().map(|parent| visible(parent)).collect();
    let given = if parents.is_empty() { String::new() } else { format!(" | {}", parents.join(", ")) };
    format!("  {:>14.2}{spread}  {}{given}\n", family.code_length_nats, visible(&family.child))
}
