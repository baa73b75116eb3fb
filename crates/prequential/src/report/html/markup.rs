//! HTML in which text stays text: what is not an element of ours is escaped.

use std::fmt::Write;

use super::super::document::{Direction, LearnedEdge};
use super::super::picture::escape;

/// An element with all that is in it.
pub(super) struct Element {
    name: &'static str,
    attributes: String,
    inner: String,
}

impl Element {
    pub(super) fn new(name: &'static str) -> Element {
        Element { name, attributes: String::new(), inner: String::new() }
    }

    /// An element around markup that our own code made, such as a picture.
    pub(super) fn drawn(name: &'static str, markup: String) -> Element {
        Element { name, attributes: String::new(), inner: markup }
    }

    pub(super) fn attribute(mut self, name: &'static str, value: &str) -> Element {
        // Writing to a string cannot fail.
        let _ = write!(self.attributes, " {name}=\"{}\"", escape(value));
        self
    }

    pub(super) fn class(self, class: &'static str) -> Element {
        self.attribute("class", class)
    }

    pub(super) fn id(self, id: &'static str) -> Element {
        self.attribute("id", id)
    }

    pub(super) fn text(mut self, text: &str) -> Element {
        self.inner.push_str(&escape(text));
        self
    }

    pub(super) fn child(mut self, child: Element) -> Element {
        child.write(&mut self.inner);
        self
    }

    pub(super) fn children(self, children: impl IntoIterator<Item = Element>) -> Element {
        children.into_iter().fold(self, Element::child)
    }

    pub(super) fn write(&self, out: &mut String) {
        let Element { name, attributes, inner } = self;
        // A line break between blocks keeps the page readable as text; between words it would show.
        let end = if matches!(*name, "bdi" | "b" | "code" | "span" | "a") { "" } else { "\n" };
        let close = if *name == "meta" { String::new() } else { format!("</{name}>") };
        let _ = write!(out, "<{name}{attributes}>{inner}{close}{end}");
    }
}

/// A variable's name; its writing direction does not reach the words around it.
pub(super) fn name(name: &str) -> Element {
    Element::new("bdi").class("name").text(name)
}

/// `A → B`.
pub(super) fn edge(from: &str, to: &str) -> Element {
    Element::new("span").class("edge-name").child(name(from)).text(" → ").child(name(to))
}

/// An edge as it points in the graph, or without a head where its direction is open.
pub(super) fn link(at: &LearnedEdge) -> Element {
    let shown = if at.direction() == Direction::Open { open_link } else { edge };
    shown(&at.from, &at.to)
}

/// Two variables of which nobody can tell the cause.
pub(super) fn open_link(one: &str, other: &str) -> Element {
    Element::new("span").class("edge-name").child(name(one)).text(" — ").child(name(other))
}

pub(super) fn paragraph(text: &str) -> Element {
    Element::new("p").text(text)
}

/// A cell with a number, or a dash where there is none.
pub(super) fn number_cell(text: Option<String>) -> Element {
    Element::new("td").class("number").text(text.as_deref().unwrap_or("–"))
}

pub(super) fn cell(content: Element) -> Element {
    Element::new("td").child(content)
}

/// A column's heading; those of numbers stand on the right.
pub(super) struct Heading {
    pub(super) text: &'static str,
    pub(super) number: bool,
}

pub(super) fn words(text: &'static str) -> Heading {
    Heading { text, number: false }
}

pub(super) fn numbers(text: &'static str) -> Heading {
    Heading { text, number: true }
}

/// A table that scrolls sideways by itself on narrow screens.
pub(super) fn table(label: &str, headings: &[Heading], rows: Vec<Element>) -> Element {
    let heading = |heading: &Heading| {
        let cell = Element::new("th").attribute("scope", "col").text(heading.text);
        if heading.number { cell.class("number") } else { cell }
    };
    let head = Element::new("thead").child(Element::new("tr").children(headings.iter().map(heading)));
    let table = Element::new("table").child(head).child(Element::new("tbody").children(rows));
    let region = Element::new("div").class("scroll").attribute("role", "region").attribute("tabindex", "0");
    region.attribute("aria-label", label).child(table)
}

/// A list of words and what they mean.
pub(super) fn definitions(items: Vec<(String, Element)>) -> Element {
    let pair = |(term, meaning): (String, Element)| {
        let meaning = Element::new("dd").child(meaning);
        Element::new("div").child(Element::new("dt").text(&term)).child(meaning)
    };
    Element::new("dl").children(items.into_iter().map(pair))
}
