//! The shapes of all edges, strongest first; the script shows them beside the picture too.

use super::super::picture::{HEIGHT, WIDTH, effect_in_words, shape_marks};
use super::super::schema::{Edge, EdgeShape};
use super::facts::Facts;
use super::markup::{Element, edge, paragraph};
use super::sections::section;
use crate::base::format::count;

/// The most shapes in a page; beyond, a page is no place to look at them.
const MAX_SHAPES: usize = 120;

/// A grid of charts; nothing where the result has no shapes.
pub(super) fn shapes(facts: &Facts) -> Option<Element> {
    let found = strongest_first(facts);
    if found.is_empty() {
        return None;
    }
    let left_out = (found.len() > MAX_SHAPES).then(|| {
        let text = format!("The {} strongest of {} edges.", count(MAX_SHAPES), count(found.len()));
        paragraph(&text).class("note")
    });
    let charts = found.iter().take(MAX_SHAPES).map(|(shape, edge)| chart(facts, shape, edge));
    let grid = Element::new("div").class("charts").children(charts);
    let note = "How each effect changes with its cause, the effect's other causes as they come. Line and band: the middle, and where 80 % \
                are predicted to lie; dots are rows of the table. For labels: predicted shares, and beside them, paler, what is seen.";
    Some(
        section("shapes", "The shape of each link")
            .child(paragraph(note).class("note"))
            .children(left_out)
            .child(grid),
    )
}

/// The shapes with their edges, the strongest first.
pub(super) fn strongest_first(facts: &Facts) -> Vec<(&EdgeShape, &Edge)> {
    let with_edge = |shape| Some((shape, edge_of(facts, shape)?));
    let mut found: Vec<_> = facts.result.shapes.iter().filter_map(with_edge).collect();
    found.sort_by(|(_, a), (_, b)| by_strength(a, b));
    found
}

/// The strongest first; those of unknown strength last.
pub(super) fn by_strength(a: &Edge, b: &Edge) -> std::cmp::Ordering {
    let strength = |edge: &Edge| edge.strength.unwrap_or(f64::NEG_INFINITY);
    strength(b).total_cmp(&strength(a))
}

fn edge_of<'a>(facts: &'a Facts, shape: &EdgeShape) -> Option<&'a Edge> {
    facts.result.dag.edges.iter().find(|edge| edge.from == shape.from && edge.to == shape.to)
}

fn chart(facts: &Facts, shape: &EdgeShape, at: &Edge) -> Element {
    let id = format!("shape-{}-{}", facts.number(&shape.from), facts.number(&shape.to));
    let effect = effect_in_words(at.sign.as_deref(), at.explains);
    let svg = Element::drawn("svg", shape_marks(shape))
        .class("shape-chart")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        .attribute("role", "img")
        .attribute("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"))
        .attribute("aria-label", &format!("{} against {}: {effect}", shape.to, shape.from));
    let caption = Element::new("figcaption").child(edge(&shape.from, &shape.to));
    let caption = caption.child(Element::new("span").class("effect").text(&effect));
    Element::new("figure").class("chart shape").attribute("id", &id).child(svg).child(caption)
}
