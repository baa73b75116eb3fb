//! The shapes of all edges, strongest first; the script shows them beside the picture too.

use super::super::document::LearnedEdge;
use super::super::picture::{HEIGHT, WIDTH, effect_in_words, shape_marks};
use super::markup::{Element, edge, paragraph};
use super::sections::section;
use super::view::Page;
use crate::base::format::count;
use crate::shape::EdgeShape;

/// The most shapes in a page; beyond, a page is no place to look at them.
const MAX_SHAPES: usize = 120;

/// A grid of charts; nothing where the result has no shapes.
pub(super) fn shapes(page: &Page) -> Option<Element> {
    let found = page.result.strongest_shapes();
    if found.is_empty() {
        return None;
    }
    let left_out = (found.len() > MAX_SHAPES).then(|| {
        let text = format!("The {} strongest of {} edges.", count(MAX_SHAPES), count(found.len()));
        paragraph(&text).class("note")
    });
    let charts = found.iter().take(MAX_SHAPES).map(|(shape, edge)| chart(page, shape, edge));
    let grid = Element::new("div").class("charts").children(charts);
    let note = "How each effect changes with its cause, averaged over the other causes (partial dependence). Line and band: the median, \
                and where 80 % are predicted to lie; dots are rows of the table. For labels: predicted shares, and beside them, paler, what is seen.";
    Some(
        section("shapes", "The shape of each link")
            .child(paragraph(note).class("note"))
            .children(left_out)
            .child(grid),
    )
}

fn chart(page: &Page, shape: &EdgeShape, at: &LearnedEdge) -> Element {
    let id = format!("shape-{}-{}", page.graph.number(&shape.from), page.graph.number(&shape.to));
    let effect = effect_in_words(at.sign, at.explains);
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
