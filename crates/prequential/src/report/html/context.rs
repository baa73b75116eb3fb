//! The part of the page that says on which variables contexts act.

use super::super::document::{ContextEntry, ContextSection};
use super::markup::{Element, Heading, cell, name, number_cell, numbers, paragraph, table, words};
use super::sections::{section, signed};

pub(super) fn context(context: &ContextSection) -> Element {
    let columns: Vec<&str> = context.columns.iter().map(|column| column.name.as_str()).collect();
    let lead = Element::new("p").text("Known of each row besides the variables: ");
    let lead = columns.iter().enumerate().fold(lead, |lead, (i, column)| {
        let lead = if i > 0 { lead.text(", ") } else { lead };
        lead.child(name(column))
    });
    let lead = lead.text(". It may cause anything and is never an effect, so it is no part of the graph.");
    let section = section("context", "Context").child(lead);
    let acting: Vec<&ContextEntry> = context.variables.iter().filter(|effect| effect.acts).collect();
    if acting.is_empty() {
        return section.child(paragraph("It acts on no variable: no code gets shorter by knowing it."));
    }
    let is_shared = columns.len() > 1 && acting.iter().any(|effect| !effect.columns.is_empty());
    let mut headings: Vec<Heading> = vec![words("acts on"), numbers("nats saved")];
    headings.extend(is_shared.then(|| words("beside the others")));
    let rows = acting.iter().map(|effect| row(effect, is_shared)).collect();
    let note = "Nats saved: how much shorter the code of the variable is if the context is known besides its causes in the graph.";
    section.child(table("What the context acts on", &headings, rows)).child(paragraph(note).class("note"))
}

fn row(effect: &ContextEntry, is_shared: bool) -> Element {
    let row = Element::new("tr").child(cell(name(&effect.variable)));
    let row = row.child(number_cell(Some(signed(effect.saved_nats))));
    let shares: Vec<String> =
        effect.columns.iter().map(|share| format!("{} {}", share.column, signed(share.saved_nats))).collect();
    row.children(is_shared.then(|| cell(Element::new("span").text(&shares.join(", ")))))
}
