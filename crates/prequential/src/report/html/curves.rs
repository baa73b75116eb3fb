//! Curves over the number of rows: what a result says of them, and their charts.

use super::super::document::{CurveMoments, GraphCurve, NamedCurve, RankingCurves};
use super::chart::{ChartLine, LineChart, Sample};
use super::markup::Element;
use super::view::Page;
use crate::base::format::plural;

/// The most curves in one chart: more cannot be told apart.
const MAX_LINES: usize = 8;
/// The most small charts; beyond, a report is no place to read them.
const MAX_CHARTS: usize = 40;

/// The excess of the runners-up over the best graph; nothing where there is no curve.
pub(super) fn excess_chart(curves: &RankingCurves) -> Option<Element> {
    let line = |graph: &GraphCurve| ChartLine {
        label: if graph.rank == 0 { "best".to_string() } else { format!("no. {}", graph.rank + 1) },
        strong: graph.rank == 0,
        samples: samples(&curves.rows, &graph.excess_nats),
    };
    let chart = LineChart {
        title: "Excess over the best graph, in nats",
        lines: curves.graphs.iter().take(MAX_LINES).map(line).collect(),
        width: 460.0,
        height: 240.0,
        from_zero: true,
    };
    let note = format!(
        "How far the runners-up fall behind the best graph as rows come in. A gap that keeps growing is a claim that the data \
         keep confirming. {}",
        band_note(curves)
    );
    chart.svg().map(|svg| figure(svg, &note, "chart wide"))
}

/// One small chart for each child, with its families.
pub(super) fn next_step_charts(page: &Page, curves: &RankingCurves) -> Option<Element> {
    let has_curve = |child: &&String| curves.families.iter().any(|family| family.child == **child);
    let children = page.graph.names.iter().filter(has_curve).take(MAX_CHARTS);
    let charts: Vec<Element> = children.filter_map(|child| child_chart(child, curves)).collect();
    if charts.is_empty() {
        return None;
    }
    let note = format!(
        "What the next row costs, in nats, given its parents and the rows before: the lower, the better predicted. {}",
        band_note(curves)
    );
    let grid = Element::new("div").class("charts").children(charts);
    Some(Element::new("div").child(Element::new("p").class("note").text(&note)).child(grid))
}

fn child_chart(child: &str, curves: &RankingCurves) -> Option<Element> {
    let own = curves.families.iter().filter(|family| family.child == child);
    let line = |(number, family): (usize, &NamedCurve)| ChartLine {
        label: given(&family.parents),
        strong: number == 0,
        samples: samples(&curves.rows, &family.next_step_nats),
    };
    let lines: Vec<ChartLine> = own.enumerate().take(MAX_LINES).map(line).collect();
    let title = format!("Next-step loss of {child}");
    let chart = LineChart { title: &title, lines, width: 400.0, height: 210.0, from_zero: false };
    chart.svg().map(|svg| figure(svg, child, "chart"))
}

fn band_note(curves: &RankingCurves) -> String {
    if curves.n < 2 {
        return String::new();
    }
    let repeats = plural(curves.n, curves.over.one());
    format!("Lines are means over {repeats}, bands one standard deviation to each side.")
}

fn figure(svg: String, caption: &str, class: &'static str) -> Element {
    let caption = Element::new("figcaption").text(caption);
    Element::new("figure").class(class).child(Element::drawn("div", svg)).child(caption)
}

/// `given A, B`.
fn given(parents: &[String]) -> String {
    if parents.is_empty() { "alone".to_string() } else { format!("given {}", parents.join(", ")) }
}

/// The points of a curve; where nothing was coded there is none.
fn samples(rows: &[usize], moments: &CurveMoments) -> Vec<Sample> {
    let one = |((&row, mean), sd): ((&usize, &Option<f64>), &Option<f64>)| {
        let sd = sd.unwrap_or(0.0).max(0.0);
        mean.filter(|_| row > 0).map(|mean| Sample { row: row as f64, mean, sd })
    };
    rows.iter().zip(&moments.mean).zip(&moments.sd).filter_map(one).collect()
}
