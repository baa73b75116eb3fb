//! What contexts have to do with the answer, for a reader.

use std::fmt::Write;

use crate::base::format::{nats, plural, visible_names};
use crate::run::{ContextEffect, Learned};

/// On which variables contexts act, and what that saves; nothing if there are none.
pub(super) fn context_text(learned: &Learned, names: &[String]) -> String {
    let contexts = visible_names(learned.plan.context_names());
    if contexts.is_empty() {
        return String::new();
    }
    let acting: Vec<&ContextEffect> = learned.contexts.iter().filter(|effect| effect.acts()).collect();
    let what = match &contexts[..] {
        [only] => format!("Context {only} acts"),
        several => format!("Contexts {} together act", several.join(", ")),
    };
    if acting.is_empty() {
        return format!("{what} on no variable\n");
    }
    let of = plural(learned.contexts.len(), "variable");
    let mut text = format!("{what} on {} of {of}; nats saved\n", acting.len());
    let width = acting.iter().map(|effect| names[effect.child].chars().count()).max().unwrap_or(0);
    for effect in acting {
        let shares = contexts.iter().zip(&effect.by_column);
        let shares: Vec<String> = shares.map(|(name, saved)| format!("{name} {saved:+}")).collect();
        let shares = if shares.is_empty() {
            String::new()
        } else {
            format!("  (beside the others: {})", shares.join(", "))
        };
        let _ = writeln!(text, "  {:width$}  {:>12}{shares}", names[effect.child], nats(effect.gain));
    }
    text
}
