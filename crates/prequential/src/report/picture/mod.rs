//! The picture of a graph as one self-contained SVG file: no script, no font, nothing to fetch.

mod axis;
mod layout;
mod legend;
mod shape_chart;
mod shape_grid;
mod svg;

use std::collections::HashMap;

use super::document::{Direction, GraphView, LearnedEdge, ResultDocument};
use crate::graph::Dag;
use crate::posterior::PosteriorBasis;
pub(super) use axis::{padded, round_ticks};
use layout::{Layout, Point, layout};
pub(super) use layout::{shorten, text_width};
use legend::Legend;
pub(super) use shape_chart::{HEIGHT, WIDTH, shape_marks, spread_out};
pub(super) use shape_grid::{by_strength, effect_in_words};
pub(super) use svg::escape;
use svg::printable;

impl ResultDocument {
    /// The picture of the best graph as one self-contained SVG file, causes above effects.
    ///
    /// Thick edges have much evidence, dashed ones could as well point the other way; a legend says so. Names, evidence and
    /// probabilities appear when the pointer rests on a box or an edge, and the description lists all edges for screen readers.
    /// The same result gives the same text.
    pub fn to_svg(&self) -> String {
        graph_svg(&GraphPicture::new(&self.graph()))
    }
}

/// A graph to draw.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GraphPicture<'a> {
    /// The name of every node; any text is allowed.
    pub(super) names: &'a [String],
    /// The edges, of which none may close a cycle.
    pub(super) edges: Vec<PictureEdge>,
}

/// An edge to draw, with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PictureEdge {
    /// The cause, as a position in [`GraphPicture::names`].
    pub(super) from: usize,
    /// The effect.
    pub(super) to: usize,
    /// Nats lost by removing the edge: the more, the thicker it is drawn.
    pub(super) evidence: Option<f64>,
    /// The probability of the edge, in this direction, and what it was summed over.
    pub(super) probability: Option<(f64, PosteriorBasis)>,
    /// What the data say of the direction: unless they tell it, the edge is dashed.
    pub(super) direction: Direction,
}

impl PictureEdge {
    /// Whether it is dashed.
    fn is_dashed(&self) -> bool {
        self.direction != Direction::Told
    }
}

impl<'a> GraphPicture<'a> {
    /// The best graph of a document.
    pub(super) fn new(graph: &'a GraphView) -> GraphPicture<'a> {
        let edge = |edge: &LearnedEdge| PictureEdge {
            from: graph.number(&edge.from),
            to: graph.number(&edge.to),
            evidence: edge.removal_nats,
            probability: edge.probability.zip(edge.basis),
            direction: edge.direction(),
        };
        GraphPicture { names: &graph.names, edges: graph.edges.iter().map(edge).collect() }
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

/// Draws a graph into a file of its own.
///
/// # Panics
/// If the edges form a cycle or name a node that does not exist.
pub(super) fn graph_svg(picture: &GraphPicture) -> String {
    Drawing::new(picture).svg(Place::File)
}

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
    picture: &'a GraphPicture<'a>,
    pub(super) labels: Vec<String>,
    pub(super) sizes: Vec<(f64, f64)>,
    pub(super) at: Layout,
    /// The numbers of the picture's edges in the layout.
    curves: HashMap<(usize, usize), usize>,
    legend: Legend,
}

impl<'a> Drawing<'a> {
    pub(super) fn new(picture: &'a GraphPicture<'a>) -> Drawing<'a> {
        let n_nodes = picture.names.len();
        let joints = picture.edges.iter().map(|edge| (edge.from, edge.to));
        let dag = match Dag::from_edges(n_nodes, joints) {
            Ok(dag) => dag,
            Err(cycle) => panic!("a picture needs a graph without cycles: {}", cycle.display(picture.names)),
        };
        let labels: Vec<String> =
            picture.names.iter().map(|name| shorten(&printable(name), MAX_NAME_WIDTH, FONT_SIZE)).collect();
        let size = |node: usize| {
            (box_width(&labels[node], dag.parents(node).len(), dag.children(node).len()), BOX_HEIGHT)
        };
        let sizes: Vec<(f64, f64)> = (0..n_nodes).map(size).collect();
        let at = layout(&dag, &sizes);
        let legend = Legend::new(picture, at.width.max(MIN_LEGEND_WIDTH));
        let curves = dag.edges().into_iter().zip(0..).collect();
        Drawing { picture, labels, sizes, at, curves, legend }
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

/// Width of the line for this many nats, on a log scale: 1 nat or less, 10, 100, 1000 or more.
pub(super) fn line_width(evidence: Option<f64>) -> f64 {
    match evidence {
        Some(nats) if nats > 1.0 => 1.0 + 1.15 * nats.log10().min(3.0),
        Some(_) => 1.0,
        None => 1.6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn edge(from: usize, to: usize, evidence: Option<f64>, is_open: bool) -> PictureEdge {
        PictureEdge {
            from,
            to,
            evidence,
            probability: evidence.map(|_| (0.98, PosteriorBasis::AllGraphs)),
            direction: if is_open { Direction::Open } else { Direction::Told },
        }
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
        let edges = vec![edge(0, 2, Some(123.4), false), edge(1, 2, Some(0.4), true)];
        insta::assert_snapshot!(graph_svg(&GraphPicture { names: &names, edges }));
    }

    #[test]
    fn names_stay_text() {
        let names = names(&["<script>alert(1)</script>", "a & \"b\" 'c'", "bell\u{7}, line\nbreak", ""]);
        let edges = vec![edge(0, 1, Some(2.0), false), edge(1, 2, None, true), edge(2, 3, None, false)];
        let svg = graph_svg(&GraphPicture { names: &names, edges });
        assert!(!svg.contains("<script"));
        let shown = ["<script>alert(1)</script>", "a & \"b\" 'c'", "bell\u{fffd}, line break", ""];
        assert_eq!(texts(&svg, "node", "text"), shown);
        assert_eq!(texts(&svg, "node", "title"), shown);
    }

    #[test]
    fn edges_tell_their_evidence() {
        let names = names(&["A", "B", "C"]);
        let edges = vec![edge(0, 1, Some(123.44), false), edge(1, 2, None, false)];
        let svg = graph_svg(&GraphPicture { names: &names, edges });
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
            let svg = graph_svg(&GraphPicture { names: &names, edges: Vec::new() });
            assert_eq!(texts(&svg, "node", "text"), names);
            assert!(!svg.contains("class=\"legend\"") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    #[should_panic(expected = "without cycles: A -> B -> A")]
    fn a_cycle_is_named() {
        let edges = vec![edge(0, 1, None, false), edge(1, 0, None, false)];
        graph_svg(&GraphPicture { names: &names(&["A", "B"]), edges });
    }
}
