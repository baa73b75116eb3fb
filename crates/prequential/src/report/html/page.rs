//! The whole page: what may run in it, what it shows, and in which order.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::super::picture::{Drawing, Place};
use super::embedded::{MAX_FAMILIES, embedded_json};
use super::markup::{Element, paragraph};
use super::view::{Page, file_name};
use super::{context, curves, details, sections, shapes};
use crate::base::format::count;
use crate::base::message::{Call, OptionName, message};

const STYLE: &str = include_str!("page/report.css");
/// In one scope of its own, so that nothing of it is global.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("page/model.js"),
    include_str!("page/geometry.js"),
    include_str!("page/picture.js"),
    include_str!("page/what_if.js"),
    include_str!("page/shapes.js"),
    include_str!("page/start.js"),
    "})();\n"
);

pub(super) fn page(page: &Page) -> String {
    let drawing = Drawing::new(&page.graph);
    let title = format!("{}: causal graph", file_name(page));
    let head = Element::new("head")
        .child(meta("charset", "utf-8"))
        .child(named_meta("viewport", "width=device-width, initial-scale=1"))
        .child(meta("http-equiv", "Content-Security-Policy").attribute("content", &POLICY))
        .child(named_meta("generator", &format!("prequential {}", env!("CARGO_PKG_VERSION"))))
        .child(named_meta("description", &sections::summary(page)))
        .child(Element::new("title").text(&title))
        .child(Element::drawn("style", STYLE.to_string()));
    let data = Element::drawn("script", embedded_json(page, &drawing));
    let body = Element::new("body")
        .child(main(page, &drawing))
        .child(data.id("report-data").attribute("type", "application/json"))
        .child(Element::drawn("script", SCRIPT.to_string()));
    let mut html = "<!DOCTYPE html>\n".to_string();
    Element::new("html").attribute("lang", "en").child(head).child(body).write(&mut html);
    html
}

fn meta(name: &'static str, value: &str) -> Element {
    Element::new("meta").attribute(name, value)
}

fn named_meta(name: &str, content: &str) -> Element {
    meta("name", name).attribute("content", content)
}

/// Nothing is fetched, and nothing runs but the one script.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        fingerprint(SCRIPT),
        fingerprint(STYLE)
    )
});

fn fingerprint(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize];
            text.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

fn main(page: &Page, drawing: &Drawing) -> Element {
    let result = &page.result;
    Element::new("main")
        .children(result.partial.as_ref().map(sections::banner))
        .child(sections::headline(page))
        .child(graph(page, drawing))
        .child(sections::evidence(page))
        .children(shapes::shapes(page))
        .children(result.context.as_ref().map(context::context))
        .child(sections::runners_up(page))
        .children(result.truth.as_ref().map(sections::truth))
        .child(details::data(page))
        .child(for_experts(page))
}

/// What few readers ask for, folded away.
fn for_experts(page: &Page) -> Element {
    let curves = page.result.curves.as_ref();
    let excess = curves.and_then(curves::excess_chart);
    let next_step = curves.and_then(|all| curves::next_step_charts(page, all));
    let summary = Element::new("summary").text("For experts: equivalence class, curves, settings, cost");
    Element::new("details")
        .id("experts")
        .child(summary)
        .child(sections::class(page))
        .children(excess.map(|chart| sections::section("excess", "Excess as rows come in").child(chart)))
        .children(next_step.map(|charts| sections::section("next-step", "Next-step loss").child(charts)))
        .child(details::settings(page))
        .child(details::cost(page))
}

/// The picture, and room for what the reader tries.
fn graph(page: &Page, drawing: &Drawing) -> Element {
    let scroll = Element::drawn("div", drawing.svg(Place::Page)).class("scroll graph-scroll");
    let figure = Element::new("figure").class("graph").child(scroll);
    let panel = Element::new("div").id("what-if").attribute("hidden", "");
    let bench = Element::new("div").class("bench").child(figure).child(panel);
    sections::section("graph", "The graph").child(bench).children(families_note(page))
}

/// Why changes may have no number.
fn families_note(page: &Page) -> Option<Element> {
    let text = match &page.result.families {
        None => message![
            "This result holds no code lengths of families, so changes to the graph cannot be weighed. ",
            Call::Learn,
            " keeps them with ",
            OptionName::Families,
            "."
        ]
        .to_string(),
        Some(families) if families.len() > MAX_FAMILIES => format!(
            "Of the {} scored families, this page holds those with the shortest codes, {} for each variable.",
            count(families.len()),
            count(MAX_FAMILIES / page.graph.names.len().max(1))
        ),
        Some(_) => return None,
    };
    Some(paragraph(&text).class("note"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let words = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|word| base64(word.as_bytes()));
        assert_eq!(words, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn style_and_script_may_stand_in_a_page() {
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</") && !SCRIPT.contains("<!--"));
        assert!(!SCRIPT.contains("innerHTML"));
    }
}
