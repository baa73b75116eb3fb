//! The first words of the page, for readers outside the field: what was found, how sure, what it rests on.

use super::super::document::{Direction, LearnedEdge};
use super::super::picture::by_strength;
use super::super::words::ASSUMPTIONS;
use super::markup::{Element, link, name};
use super::view::{Page, file_name};
use crate::base::format::{count, plural};

/// Links that are named at once.
const N_NAMED: usize = 3;

/// Nats above which the rows speak strongly for a link, and below which weakly.
const STRONG: f64 = 10.0;
const WEAK: f64 = 3.0;

/// Three short paragraphs.
pub(super) fn opening(page: &Page) -> Element {
    let paragraph = |title: &str, text: Element| {
        Element::new("p").child(Element::new("b").text(title)).text(" ").child(text)
    };
    Element::new("div")
        .class("lead opening")
        .child(paragraph("What was found.", found(page).children(contexts(page))))
        .child(paragraph("How sure.", how_sure(page)))
        .child(paragraph("What it rests on.", rests_on(page)))
}

fn found(page: &Page) -> Element {
    let mut edges: Vec<&LearnedEdge> = page.result.dag.edges.iter().collect();
    edges.sort_by(|a, b| by_strength(a, b));
    let n_vars = count(page.graph.names.len());
    if edges.is_empty() {
        let text = format!("No links: none of the {n_vars} variables helps to predict another.");
        return Element::new("span").text(&text);
    }
    let links =
        if edges.len() == 1 { "One link".to_string() } else { format!("{} links", count(edges.len())) };
    let mut text = Element::new("span")
        .text(&format!("{links} among {n_vars} variables; an arrow points from cause to effect."));
    let strongest = edges.iter().filter(|edge| edge.explains.is_some()).take(N_NAMED);
    for (place, at) in strongest.enumerate() {
        let share = 100.0 * at.explains.unwrap_or_default();
        text = text
            .text(if place == 0 { " Strongest: " } else { "; " })
            .child(link(at))
            .text(&format!(" explains {share:.0} % of what is uncertain about "))
            .child(name(&at.to));
    }
    text.text(if edges.iter().any(|edge| edge.explains.is_some()) { "." } else { "" })
}

/// On how many variables acts what is known of each row besides them.
fn contexts(page: &Page) -> Option<Element> {
    let context = page.result.context.as_ref()?;
    let n_acted_on = context.variables.iter().filter(|effect| effect.acts).count();
    let mut text = Element::new("span").text(" Of each row, ");
    for (place, column) in context.columns.iter().enumerate() {
        text = text.text(if place == 0 { "" } else { ", " }).child(name(&column.name));
    }
    let acts = match n_acted_on {
        0 => " is known besides, and acts on none of the variables.".to_string(),
        n => format!(
            " is known besides, and acts on {} of the {}.",
            count(n),
            plural(page.graph.names.len(), "variable")
        ),
    };
    Some(text.text(&acts))
}

fn how_sure(page: &Page) -> Element {
    let (result, edges) = (&page.result, &page.result.dag.edges);
    let mut text = Vec::new();
    if !edges.is_empty() {
        let n_where = |holds: &dyn Fn(f64) -> bool| {
            edges.iter().filter(|edge| edge.removal_nats.is_some_and(holds)).count()
        };
        let (strong, weak) = (n_where(&|nats| nats >= STRONG), n_where(&|nats| nats < WEAK));
        let parts = [(strong, "strongly"), (edges.len() - strong - weak, "moderately"), (weak, "weakly")];
        let parts: Vec<_> = parts.into_iter().filter(|(n, _)| *n > 0).collect();
        text.push(match (&parts[..], edges.len()) {
            ([(_, how)], 1) => format!("The rows speak {how} for the link."),
            ([(_, how)], 2) => format!("The rows speak {how} for both links."),
            ([(_, how)], n) => format!("The rows speak {how} for all {} links.", count(n)),
            (several, n) => {
                let several = several.iter().map(|(n, how)| format!("{how} for {}", count(*n)));
                let several = several.collect::<Vec<_>>().join(", ");
                format!("Of the {} links, the rows speak {several}.", count(n))
            }
        });
        let n_of = |direction| edges.iter().filter(|edge| edge.direction() == direction).count();
        let (open, against) = (n_of(Direction::Open), n_of(Direction::Against));
        text.push(match open {
            0 if against == 0 => "The rows also tell every direction.".to_string(),
            0 => "The probabilities tell every direction.".to_string(),
            n if n == edges.len() => "They do not tell which way any of them points.".to_string(),
            n => format!("The direction of {} is open (dashed): the rows hardly tell it.", count(n)),
        });
        if against > 0 {
            let links = plural(against, "link");
            text.push(format!("For {links} (dashed too) the probabilities favour the other direction."));
        }
    }
    if result.partial.is_some() {
        text.push("The run was stopped early, so all of this may still change.".to_string());
    } else if !result.search.proven {
        text.push("The search proves nothing: a better graph may exist.".to_string());
    }
    if text.is_empty() {
        text.push("Weak links would need more rows to be seen.".to_string());
    }
    Element::new("span").text(&text.join(" "))
}

fn rests_on(page: &Page) -> Element {
    let rows = plural(page.result.data.rows, "row");
    let rows = rows.replacen(&page.result.data.rows.to_string(), &count(page.result.data.rows), 1);
    let text = format!(
        ". A link is drawn if knowing the cause helps to predict the effect in the next row, the other causes known. Arrows are causal \
         under these assumptions: {ASSUMPTIONS}. Evidence against them is listed under warnings."
    );
    Element::new("span").text(&format!("{rows} of ")).child(name(file_name(page))).text(&text)
}
