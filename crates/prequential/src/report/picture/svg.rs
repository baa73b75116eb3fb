//! The text of a picture: boxes, arrows, tooltips, the description for screen readers.

use std::fmt::Write;

use super::super::document::{Direction, GraphView, LearnedEdge};
use super::layout::{HEAD, Layout, Point};
use super::legend::{Legend, line_width};
use super::text::{escape, short};
use super::{Drawing, FONT_SIZE, MARGIN, Place};

/// A picture wider than this scrolls on a narrow screen instead of shrinking.
const WIDE: f64 = 460.0;
/// Small pictures in a page are enlarged towards this width.
const COMFORTABLE: f64 = 560.0;
const MAX_SCALE: f64 = 1.4;

/// All rules name the class of the picture: inside an HTML page, a style applies to the whole page.
///
/// Colours are written twice instead of as variables, which some SVG programs do not know.
const STYLE: &str = "
.prequential-graph { max-width: 100%; height: auto; }
.prequential-graph text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1c2530; }
.prequential-graph .page { fill: #ffffff; }
.prequential-graph .node rect { fill: #eef3f9; stroke: #6b7f96; stroke-width: 1.2; }
.prequential-graph .node text { text-anchor: middle; }
.prequential-graph .edge path { fill: none; stroke: #33475c; stroke-linecap: butt; }
.prequential-graph .edge .head { fill: #33475c; stroke-width: 1; stroke-linejoin: round; }
.prequential-graph .edge .hit { stroke-opacity: 0; stroke-width: 12; }
.prequential-graph .reversible path { stroke: #7d8c9c; }
.prequential-graph .reversible .line { stroke-dasharray: 6 4; }
.prequential-graph .reversible .head { display: none; }
.prequential-graph .edge:hover path { stroke: #c2410c; }
.prequential-graph .legend text { font-size: 11px; fill: #55616e; }
@media (prefers-color-scheme: dark) {
.prequential-graph text { fill: #e4e9ef; }
.prequential-graph .page { fill: #14181d; }
.prequential-graph .node rect { fill: #242d38; stroke: #8496aa; }
.prequential-graph .edge path { stroke: #b9c6d4; }
.prequential-graph .edge .head { fill: #b9c6d4; }
.prequential-graph .reversible path { stroke: #8291a1; }
.prequential-graph .edge:hover path { stroke: #fb923c; }
.prequential-graph .legend text { fill: #a3afbc; }
}
";

impl Drawing<'_> {
    /// The picture as SVG.
    pub(in crate::report) fn svg(&self, place: Place) -> String {
        let mut svg = Svg(String::new());
        svg.open(self, place);
        for edge in self.graph.edges {
            if let Some(curve) = self.curve(self.graph.number(&edge.from), self.graph.number(&edge.to)) {
                svg.edge(edge, curve);
            }
        }
        for node in 0..self.labels.len() {
            svg.node(&self.graph.names[node], &self.labels[node], self.at.centres[node], self.sizes[node]);
        }
        svg.close(&self.at, &self.legend, place)
    }
}

/// An SVG text in the making.
struct Svg(String);

impl Svg {
    fn line(&mut self, text: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{text}");
    }

    /// Everything up to the graph, whose top left corner becomes the origin.
    fn open(&mut self, drawing: &Drawing, place: Place) {
        let (at, legend) = (&drawing.at, &drawing.legend);
        let full = drawing.width(place);
        let width = short(full);
        let below = if legend.n_rows > 0 { MARGIN + legend.height() } else { 0.0 };
        let tall = at.height.ceil() + 2.0 * MARGIN + below;
        let height = short(tall);
        let (class, scale) = match place {
            Place::File => ("", 1.0),
            Place::Page if full > WIDE => (" wide", 1.0),
            Place::Page => ("", (COMFORTABLE / full).clamp(1.0, MAX_SCALE)),
        };
        self.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prequential-graph{class}\" role=\"img\" \
             width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\">",
            short(full * scale),
            short(tall * scale)
        ));
        self.line(format_args!("<title>Causal graph</title>\n<desc>{}</desc>", description(drawing.graph)));
        if place == Place::File {
            self.line(format_args!("<style>{STYLE}</style>"));
            self.line(format_args!("<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>"));
        }
        let left = short((full - at.width) / 2.0);
        let class = if place == Place::Page { " class=\"picture\"" } else { "" };
        self.line(format_args!("<g{class} transform=\"translate({left} {})\">", short(MARGIN)));
    }

    fn close(mut self, at: &Layout, legend: &Legend, place: Place) -> String {
        self.line(format_args!("</g>"));
        if legend.n_rows > 0 {
            let top = short(at.height.ceil() + 2.0 * MARGIN);
            self.line(format_args!(
                "<g class=\"legend\" transform=\"translate({} {top})\">",
                short(place.side())
            ));
            self.line(format_args!("{}</g>", legend.text));
        }
        self.line(format_args!("</svg>"));
        self.0
    }

    fn edge(&mut self, edge: &LearnedEdge, curve: &[Point]) {
        let kind = if edge.is_told() { "edge" } else { "edge reversible" };
        let width = line_width(edge.removal_nats);
        self.line(format_args!("<g class=\"{kind}\"><title>{}</title>", escape(&tooltip(edge))));
        self.0.push_str(&arrow(curve, width, !edge.is_told()));
        self.line(format_args!("</g>"));
    }

    fn node(&mut self, name: &str, label: &str, at: Point, (width, height): (f64, f64)) {
        let (left, top) = (short(at.x - width / 2.0), short(at.y - height / 2.0));
        // Letters sit a third of their size below the middle.
        let (x, y) = (short(at.x), short(at.y + FONT_SIZE * 0.35));
        self.line(format_args!(
            "<g class=\"node\"><title>{}</title><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"7\"/>\
             <text x=\"{x}\" y=\"{y}\">{}</text></g>",
            escape(name),
            short(width),
            short(height),
            escape(label)
        ));
    }
}

/// A line with its head, or without one where the direction is open, and a wide invisible line for the pointer to rest on.
fn arrow(curve: &[Point], width: f64, is_open: bool) -> String {
    // The last piece, two control points and an end, is where the head goes.
    let (shaft, end) = curve.split_at(curve.len() - 3);
    let (Some(base), Some(tip)) = (shaft.last(), end.last()) else { return String::new() };
    let path = path(if is_open { curve } else { shaft });
    let half = 3.2 + 0.6 * width;
    let (along, across) = ((tip.x - base.x) / HEAD * half, (tip.y - base.y) / HEAD * half);
    let head = [
        Point { x: base.x - across, y: base.y + along },
        *tip,
        Point { x: base.x + across, y: base.y - along },
    ];
    let head: Vec<String> = head.iter().map(pair).collect();
    format!(
        "<path class=\"hit\" d=\"{path}\"/><path class=\"line\" stroke-width=\"{}\" d=\"{path}\"/>\
         <path class=\"head\" d=\"M{}Z\"/>\n",
        short(width),
        head.join("L")
    )
}

fn path(curve: &[Point]) -> String {
    let mut path = String::new();
    for (i, point) in curve.iter().enumerate() {
        let command = match i {
            0 => "M",
            _ if i % 3 == 1 => "C",
            _ => " ",
        };
        path.push_str(command);
        path.push_str(&pair(point));
    }
    path
}

fn pair(point: &Point) -> String {
    format!("{} {}", short(point.x), short(point.y))
}

/// What the pointer and screen readers are told about an edge.
fn tooltip(edge: &LearnedEdge) -> String {
    let mut text = format!("{} -> {}", edge.from, edge.to);
    let facts = [
        edge.removal_nats.map(|nats| format!("removing it costs {nats:.1} nats")),
        edge.probability
            .zip(edge.basis)
            .map(|(probability, basis)| format!("{} {}", basis.what(), basis.shown(probability, 2))),
        match edge.direction() {
            Direction::Told => None,
            Direction::Open => Some("direction open".to_owned()),
            Direction::Against => Some("probabilities favour the other direction".to_owned()),
        },
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if !facts.is_empty() {
        let _ = write!(text, ": {}", facts.join(", "));
    }
    text
}

fn description(graph: &GraphView) -> String {
    let edges: Vec<String> = graph.edges.iter().map(|edge| escape(&tooltip(edge))).collect();
    let mut text = format!("{} variables, {} edges.", graph.names.len(), edges.len());
    edges.iter().for_each(|edge| {
        let _ = write!(text, " {edge}.");
    });
    text
}
