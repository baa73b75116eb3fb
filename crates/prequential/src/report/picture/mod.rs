//! The picture of a graph as one self-contained SVG file: no script, no font, nothing to fetch.

mod axis;
mod layout;
mod legend;
mod shape_chart;
mod shape_grid;
mod svg;
mod text;

use std::collections::HashMap;

use super::document::{GraphView, ResultDocument};
pub(super) use axis::{padded, round_ticks};
use layout::{Layout, Point, layout};
pub(super) use layout::{shorten, text_width};
use legend::Legend;
pub(super) use legend::line_width;
pub(super) use shape_chart::{HEIGHT, WIDTH, shape_marks, spread_out};
pub(super) use shape_grid::{by_strength, effect_in_words};
pub(super) use text::escape;
use text::printable;

impl ResultDocument {
    /// The picture of the best graph as one self-contained SVG file, causes above effects.
    ///
    /// Thick edges have much evidence, dashed ones could as well point the other way; a legend says so.
    /// Names, evidence and probabilities appear when the pointer rests on a box or an edge, and the
    /// description lists all edges for screen readers. Equal results give equal texts.
    pub fn to_svg(&self) -> String {
        Drawing::new(&self.graph()).svg(Place::File)
    }
}

const FONT_SIZE: f64 = 13.0;
const BOX_HEIGHT: f64 = 30.0;
const BOX_PADDING: f64 = 13.0;
const MIN_BOX_WIDTH: f64 = 46.0;
const MAX_NAME_WIDTH: f64 = 170.0;
/// A box is at least this wide per edge that enters or leaves it, so that these do not cover each other.
const WIDTH_PER_HEAD: f64 = 13.0;
const WIDTH_PER_TAIL: f64 = 9.0;
const MAX_WIDTH_FOR_EDGES: f64 = 220.0;
const MARGIN: f64 = 14.0;
/// The legend may be this wide even under a narrower graph.
const MIN_LEGEND_WIDTH: f64 = 240.0;

/// What a picture is drawn into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A file of its own, which brings its style along.
    File,
    /// A page that has a style for it, and leaves room at the sides for edges that a reader adds.
    Page,
}

impl Place {
    /// Free space to the left and right of the graph.
    fn side(self) -> f64 {
        match self {
            Place::File => MARGIN,
            Place::Page => 4.0 * MARGIN,
        }
    }
}

/// A picture with a place for everything.
pub(super) struct Drawing<'a> {
    graph: &'a GraphView<'a>,
    pub(super) labels: Vec<String>,
    pub(super) sizes: Vec<(f64, f64)>,
    pub(super) at: Layout,
    /// The numbers of the edges in the layout.
    curves: HashMap<(usize, usize), usize>,
    legend: Legend,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(graph: &'a GraphView<'a>) -> Drawing<'a> {
        let (names, dag) = (&graph.names, &graph.dag);
        let labels: Vec<String> =
            names.iter().map(|name| shorten(&printable(name), MAX_NAME_WIDTH, FONT_SIZE)).collect();
        let size = |node: usize| {
            (box_width(&labels[node], dag.parents(node).len(), dag.children(node).len()), BOX_HEIGHT)
        };
        let sizes: Vec<(f64, f64)> = (0..names.len()).map(size).collect();
        let at = layout(dag, &sizes);
        let legend = Legend::new(graph.edges, at.width.max(MIN_LEGEND_WIDTH));
        let curves = dag.edges().into_iter().zip(0..).collect();
        Drawing { graph, labels, sizes, at, curves, legend }
    }

    /// The curve of an edge; see [`Layout::curves`].
    pub(super) fn curve(&self, from: usize, to: usize) -> Option<&[Point]> {
        self.curves.get(&(from, to)).map(|&edge| self.at.curves[edge].as_slice())
    }

    /// The corners of what may be drawn on, top left and bottom right, when the graph starts at (0, 0).
    pub(super) fn frame(&self, place: Place) -> [Point; 2] {
        let side = (self.width(place) - self.at.width) / 2.0;
        let margin = MARGIN - 2.0;
        [
            Point { x: 2.0 - side, y: -margin },
            Point { x: self.at.width + side - 2.0, y: self.at.height + margin },
        ]
    }

    fn width(&self, place: Place) -> f64 {
        self.at.width.max(self.legend.width).ceil() + 2.0 * place.side()
    }
}

fn box_width(label: &str, n_parents: usize, n_children: usize) -> f64 {
    let for_edges = (n_parents as f64 * WIDTH_PER_HEAD).max(n_children as f64 * WIDTH_PER_TAIL) + 12.0;
    let for_label = text_width(label, FONT_SIZE) + 2.0 * BOX_PADDING;
    for_label.max(for_edges.min(MAX_WIDTH_FOR_EDGES)).max(MIN_BOX_WIDTH).ceil()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::document::LearnedEdge;
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// The picture of edges with their evidence, open or not.
    fn picture(names: &[String], edges: &[(usize, usize, Option<f64>, bool)]) -> String {
        let edge = |&(from, to, evidence, is_open): &(usize, usize, Option<f64>, bool)| {
            let probability = evidence.map(|_| if is_open { 0.5 } else { 0.98 });
            let reversal = evidence.map_or(if is_open { 1.0 } else { 9.0 }, |_| 0.0);
            serde_json::from_value(json!({
                "from": names[from], "to": names[to], "removal_nats": evidence, "reversal_nats": reversal,
                "probability": probability, "linked": probability.map(|_| 1.0), "basis": probability.map(|_| "all-graphs"),
            }))
            .unwrap()
        };
        let edges: Vec<LearnedEdge> = edges.iter().map(edge).collect();
        Drawing::new(&GraphView::new(names.iter(), &edges, &[], None)).svg(Place::File)
    }

    fn texts(svg: &str, parent: &str, tag: &str) -> Vec<String> {
        let xml = roxmltree::Document::parse(svg).unwrap();
        let inside = xml.descendants().filter(|node| node.attribute("class") == Some(parent));
        let texts = inside.flat_map(|node| node.children()).filter(|node| node.has_tag_name(tag));
        texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn the_picture_of_a_small_graph() {
        let names = names(&["smoker", "pollution", "cancer", "shoe size"]);
        insta::assert_snapshot!(picture(&names, &[(0, 2, Some(123.4), false), (1, 2, Some(0.4), true)]));
    }

    #[test]
    fn names_stay_text() {
        let names = names(&["<script>alert(1)</script>", "a & \"b\" 'c'", "bell\u{7}, line\nbreak", ""]);
        let svg = picture(&names, &[(0, 1, Some(2.0), false), (1, 2, None, true), (2, 3, None, false)]);
        assert!(!svg.contains("<script"));
        let shown = ["<script>alert(1)</script>", "a & \"b\" 'c'", "bell\u{fffd}, line break", ""];
        assert_eq!(texts(&svg, "node", "text"), shown);
        assert_eq!(texts(&svg, "node", "title"), shown);
    }

    #[test]
    fn edges_tell_their_evidence() {
        let names = names(&["A", "B", "C"]);
        let svg = picture(&names, &[(0, 1, Some(123.44), false), (1, 2, None, false)]);
        let titles = texts(&svg, "edge", "title");
        assert_eq!(titles, ["A -> B: removing it costs 123.4 nats, probability 0.98", "B -> C"]);
    }

    #[test]
    fn lines_grow_with_evidence_within_limits() {
        let widths =
            [f64::NEG_INFINITY, -5.0, 1.0, 10.0, 1e3, 1e9, f64::INFINITY].map(|nats| line_width(Some(nats)));
        assert!(widths.is_sorted() && widths[0] == 1.0 && widths[2] < widths[3] && widths[6] == widths[4]);
        assert_eq!(line_width(Some(f64::NAN)), 1.0);
    }

    #[test]
    fn graphs_without_edges_or_nodes_are_drawn() {
        for n_nodes in [0, 1, 7] {
            let names: Vec<String> = (0..n_nodes).map(|node| format!("V{node}")).collect();
            let svg = picture(&names, &[]);
            assert_eq!(texts(&svg, "node", "text"), names);
            assert!(!svg.contains("class=\"legend\"") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
