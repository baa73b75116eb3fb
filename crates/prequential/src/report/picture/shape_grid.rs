//! The shapes of all edges in one self-contained SVG file.

use std::cmp::Ordering;
use std::fmt::Write;

use super::super::document::{LearnedEdge, ResultDocument};
use super::shape_chart::{HEIGHT, WIDTH, shape_marks};
use super::{escape, shorten};
use crate::base::format::visible;
use crate::shape::{EdgeShape, Sign};

/// Charts beside each other.
const N_COLUMNS: usize = 3;
const GAP: f64 = 24.0;
const TITLE_HEIGHT: f64 = 38.0;
const MARGIN: f64 = 16.0;

const STYLE: &str = "
.shapes text { font: 11px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #55616e; }
.shapes .page { fill: #ffffff; }
.shapes .title { font-size: 13px; font-weight: 600; fill: #1b2430; }
.shapes .tick.y { text-anchor: end; }
.shapes .tick.x, .shapes .axis-name { text-anchor: middle; }
.shapes path { fill: none; }
.shapes .grid { stroke: #dce2e8; }
.shapes .mark { stroke: #8a97a5; }
.shapes .dot { fill: #55616e; fill-opacity: 0.35; }
.shapes .curve { stroke-width: 2.2; stroke-linejoin: round; }
.shapes .range { stroke: #0b5fa5; stroke-width: 9; stroke-opacity: 0.22; }
.shapes .band { fill-opacity: 0.16; }
.shapes .seen { fill-opacity: 0.45; }
.shapes .curve.c0 { stroke: #0b5fa5; } .shapes .c0:not(.curve) { fill: #0b5fa5; }
.shapes .curve.c1 { stroke: #b34700; } .shapes .c1:not(.curve) { fill: #b34700; }
.shapes .curve.c2 { stroke: #00704f; } .shapes .c2:not(.curve) { fill: #00704f; }
.shapes .curve.c3 { stroke: #a3357a; } .shapes .c3:not(.curve) { fill: #a3357a; }
.shapes .curve.c4 { stroke: #805600; } .shapes .c4:not(.curve) { fill: #805600; }
.shapes .curve.c5 { stroke: #5b4bc4; } .shapes .c5:not(.curve) { fill: #5b4bc4; }
.shapes .curve.c6 { stroke: #23697a; } .shapes .c6:not(.curve) { fill: #23697a; }
";

impl ResultDocument {
    /// How the child of every edge changes with its parent, the strongest first, as one self-contained SVG file.
    ///
    /// Lines are medians, bands hold 80 % of what is predicted, averaged over the other parents (partial dependence); dots are rows of
    /// the table, if the document has them ([`DocumentOptions::families`](crate::DocumentOptions::families)). Labels have bars or lines
    /// of shares, with what is seen beside them.
    pub fn shapes_to_svg(&self) -> String {
        let effect = |edge: &LearnedEdge| effect_in_words(edge.sign, edge.explains);
        let charts: Vec<(&EdgeShape, String)> =
            self.strongest_shapes().into_iter().map(|(shape, edge)| (shape, effect(edge))).collect();
        shapes_svg(&charts)
    }

    /// The shapes with their edges, the strongest first.
    pub(in crate::report) fn strongest_shapes(&self) -> Vec<(&EdgeShape, &LearnedEdge)> {
        let edge_of = |shape: &EdgeShape| {
            self.dag.edges.iter().find(|edge| edge.from == shape.from && edge.to == shape.to)
        };
        let mut found: Vec<_> =
            self.shapes.iter().filter_map(|shape| Some((shape, edge_of(shape)?))).collect();
        found.sort_by(|(_, a), (_, b)| by_strength(a, b));
        found
    }
}

/// The strongest first; those of unknown strength last.
pub(in crate::report) fn by_strength(a: &LearnedEdge, b: &LearnedEdge) -> Ordering {
    let strength = |edge: &LearnedEdge| edge.strength.unwrap_or(f64::NEG_INFINITY);
    strength(b).total_cmp(&strength(a))
}

/// What an edge does, in half a sentence; empty if nothing is known.
pub(in crate::report) fn effect_in_words(sign: Option<Sign>, explains: Option<f64>) -> String {
    let sign = sign.map(|sign| match sign {
        Sign::Rising => "rises",
        Sign::Falling => "falls",
        Sign::NotMonotone => "rises and falls",
        Sign::Unclear => "no clear rise or fall",
    });
    let explains = explains.map(|share| match share {
        small if small < 0.005 => "explains less than 1 %".to_string(),
        share => format!("explains {:.0} %", 100.0 * share),
    });
    sign.map(str::to_string).into_iter().chain(explains).collect::<Vec<_>>().join(", ")
}

/// Charts with what is said of them.
fn shapes_svg(charts: &[(&EdgeShape, String)]) -> String {
    let n_columns = charts.len().clamp(1, N_COLUMNS);
    let n_rows = charts.len().div_ceil(n_columns);
    let (across, down) = (WIDTH + GAP, HEIGHT + TITLE_HEIGHT + GAP);
    let width = 2.0 * MARGIN + n_columns as f64 * across - GAP;
    let height = (2.0 * MARGIN + n_rows as f64 * down - GAP).max(2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"shapes\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>Shapes of the edges</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    for (place, (shape, effect)) in charts.iter().enumerate() {
        let x = MARGIN + (place % n_columns) as f64 * across;
        let y = MARGIN + (place / n_columns) as f64 * down;
        let title = shorten(&format!("{} -> {}", visible(&shape.from), visible(&shape.to)), WIDTH, 13.0);
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<g transform=\"translate({x} {y})\">\n<text class=\"title\" x=\"0\" y=\"13\">{}</text>\n\
             <text x=\"0\" y=\"28\">{}</text>\n<g transform=\"translate(0 {TITLE_HEIGHT})\">\n{}</g>\n</g>\n",
            escape(&title),
            escape(effect),
            shape_marks(shape)
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::test_tables;
    use crate::{Settings, learn};

    #[test]
    fn every_edge_has_a_chart() {
        let table = test_tables::labels(300);
        let learned = learn(&table, &Settings::default()).unwrap();
        let svg = learned.shapes_to_svg();
        let xml = roxmltree::Document::parse(&svg).unwrap();
        let titles = xml.descendants().filter(|node| node.attribute("class") == Some("title")).count();
        assert_eq!(titles, learned.answer.dag.n_edges());
        assert!(titles > 0);
    }

    #[test]
    fn without_edges_there_is_an_empty_picture() {
        assert!(roxmltree::Document::parse(&shapes_svg(&[])).is_ok());
    }

    #[test]
    fn effects_are_said_in_words() {
        assert_eq!(effect_in_words(Some(Sign::Rising), Some(0.427)), "rises, explains 43 %");
        assert_eq!(effect_in_words(None, Some(0.001)), "explains less than 1 %");
        assert_eq!(effect_in_words(Some(Sign::Unclear), None), "no clear rise or fall");
        assert_eq!(effect_in_words(None, None), "");
    }
}
