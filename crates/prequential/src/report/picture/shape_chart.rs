//! The picture of a shape: what is predicted of a child against one parent, beside the rows of the table.

use std::fmt::Write;

use super::axis::Axis;
use super::{escape, shorten, text_width};
use crate::base::format::visible;
use crate::shape::{Cell, EdgeShape, Predicted};

/// Size of a chart.
pub(in crate::report) const WIDTH: f64 = 280.0;
pub(in crate::report) const HEIGHT: f64 = 180.0;

const FONT_SIZE: f64 = 11.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = HEIGHT - 34.0;
const RIGHT: f64 = WIDTH - 8.0;
/// Room for the missing cells of a parent that is a number.
const FOR_MISSING: f64 = 46.0;
/// Room for the labels of a child.
const MAX_LABELS: f64 = 64.0;
const LABEL_HEIGHT: f64 = 13.0;

/// The inner part of a chart, `WIDTH` by `HEIGHT`: the page or file around it has its style.
pub(in crate::report) fn shape_marks(shape: &EdgeShape) -> String {
    let mut svg = String::new();
    match &shape.predicted {
        _ if shape.at.is_empty() => {
            let (x, y) = (WIDTH / 2.0, HEIGHT / 2.0);
            let _ = writeln!(svg, "<text class=\"tick x\" x=\"{x:.1}\" y=\"{y:.1}\">too few rows</text>");
        }
        Predicted::Number { low, median, high } => {
            Band { shape, low, median, high }.draw(&mut svg);
        }
        Predicted::Labels { levels, shares, observed } => {
            Shares { shape, levels, shares, observed }.draw(&mut svg);
        }
    }
    svg
}

/// Where the values of the parent stand: along a line, or each in a place of its own.
enum Across {
    Line { axis: Axis, missing: Option<f64> },
    Slots { names: Vec<String>, left: f64, width: f64 },
}

impl Across {
    fn new(shape: &EdgeShape, left: f64, right: f64) -> Across {
        let numbers: Vec<f64> = shape.at.iter().filter_map(number).collect();
        let has_line = numbers.len() > 2 && shape.at.iter().all(|at| !matches!(at, Cell::Label(_)));
        if has_line {
            let has_missing = shape.at.contains(&Cell::Missing);
            let end = if has_missing { right - FOR_MISSING } else { right };
            let range = (numbers[0], numbers[numbers.len() / 2], numbers[numbers.len() - 1]);
            let missing = has_missing.then_some(end + 0.6 * FOR_MISSING);
            return Across::Line { axis: Axis::around(range, (left, end)), missing };
        }
        let name = |cell: &Cell| match cell {
            Cell::Label(label) => visible(label).into_owned(),
            Cell::Number(number) => format!("{number}"),
            Cell::Missing => "missing".to_string(),
        };
        let names: Vec<String> = shape.at.iter().map(name).collect();
        Across::Slots { width: (right - left) / names.len().max(1) as f64, names, left }
    }

    /// The middle of a value's place.
    fn x(&self, cell: &Cell, at: usize) -> f64 {
        match (self, cell) {
            (Across::Line { axis, .. }, Cell::Number(number)) => axis.clamped(*number),
            (Across::Line { missing, .. }, _) => missing.unwrap_or(RIGHT),
            (Across::Slots { left, width, .. }, _) => left + (at as f64 + 0.5) * width,
        }
    }

    /// Where a row of the table stands; those of one place are spread within it.
    fn x_of_row(&self, shape: &EdgeShape, cell: &Cell, row: usize) -> Option<f64> {
        // Steps of the golden section never meet.
        let spread = (row as f64 * 0.618_034).fract() - 0.5;
        match (self, cell) {
            (Across::Line { axis, .. }, Cell::Number(number)) => axis.place(*number),
            (Across::Line { missing, .. }, _) => missing.map(|missing| missing + 0.5 * spread * FOR_MISSING),
            (Across::Slots { left, width, .. }, _) => {
                let at = shape.at.iter().position(|at| at == cell)?;
                Some(left + (at as f64 + 0.5 + 0.5 * spread) * width)
            }
        }
    }

    fn draw(&self, svg: &mut String, name: &str) {
        let mut tick = |x: f64, text: &str| {
            let y = BOTTOM + 13.0;
            let _ = writeln!(
                svg,
                "<path class=\"mark\" d=\"M{x:.1} {BOTTOM:.1}v3\"/><text class=\"tick x\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                escape(text)
            );
        };
        match self {
            Across::Line { axis, missing } => {
                let ticks = axis.ticks();
                let step = if ticks.len() > 5 { 2 } else { 1 };
                ticks.iter().step_by(step).for_each(|(number, text)| tick(axis.clamped(*number), text));
                missing.iter().for_each(|&x| tick(x, "missing"));
            }
            Across::Slots { names, left, width } => {
                for (at, name) in names.iter().enumerate() {
                    tick(left + (at as f64 + 0.5) * width, &shorten(name, width - 3.0, FONT_SIZE));
                }
            }
        }
        let _ = writeln!(
            svg,
            "<text class=\"axis-name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            WIDTH / 2.0,
            HEIGHT - 5.0,
            escape(&shorten(&visible(name), WIDTH - 20.0, FONT_SIZE))
        );
    }
}

fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Number(number) => Some(*number),
        _ => None,
    }
}

/// A vertical axis with its numbers; returns where the chart begins.
fn draw_vertical(svg: &mut String, axis: Axis, right: f64, written: impl Fn(f64, &str) -> String) -> f64 {
    let ticks: Vec<(f64, String)> =
        axis.ticks().into_iter().map(|(number, text)| (number, written(number, &text))).collect();
    let left = ticks.iter().map(|(_, text)| text_width(text, FONT_SIZE)).fold(0.0, f64::max) + 10.0;
    for (number, text) in &ticks {
        let y = axis.clamped(*number);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/><text class=\"tick y\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            left - 5.0,
            y + FONT_SIZE * 0.35,
            escape(text)
        );
    }
    left
}

/// A child that is a number.
struct Band<'a> {
    shape: &'a EdgeShape,
    low: &'a [f64],
    median: &'a [f64],
    high: &'a [f64],
}

impl Band<'_> {
    fn draw(&self, svg: &mut String) {
        let axis = self.axis();
        let left = draw_vertical(svg, axis, RIGHT, |_, text| text.to_string());
        let across = Across::new(self.shape, left, RIGHT);
        self.draw_points(svg, &across, axis);
        let x: Vec<f64> = self.shape.at.iter().enumerate().map(|(at, cell)| across.x(cell, at)).collect();
        let n_line = match across {
            Across::Line { .. } => self.shape.at.iter().filter_map(number).count(),
            Across::Slots { .. } => 0,
        };
        self.draw_line(svg, &x[..n_line], axis);
        for (at, x) in x.iter().enumerate().skip(n_line) {
            let (low, middle, high) =
                (axis.clamped(self.low[at]), axis.clamped(self.median[at]), axis.clamped(self.high[at]));
            let _ = writeln!(
                svg,
                "<path class=\"range\" d=\"M{x:.1} {low:.1}V{high:.1}\"/>\
                 <path class=\"curve strong c0\" d=\"M{:.1} {middle:.1}h12\"/>",
                x - 6.0
            );
        }
        across.draw(svg, &self.shape.from);
    }

    /// So that all limits and nearly all rows are seen.
    fn axis(&self) -> Axis {
        let rows = self.shape.points.iter().map(|(_, child)| *child);
        let mut rows: Vec<f64> = rows.collect();
        rows.sort_by(f64::total_cmp);
        let near = rows.len() / 50..rows.len() - rows.len() / 50;
        let mut all: Vec<f64> = self.low.iter().chain(self.high).chain(&rows[near]).copied().collect();
        all.sort_by(f64::total_cmp);
        let mut medians = self.median.to_vec();
        medians.sort_by(f64::total_cmp);
        Axis::around((all[0], medians[medians.len() / 2], all[all.len() - 1]), (BOTTOM, TOP))
    }

    fn draw_points(&self, svg: &mut String, across: &Across, axis: Axis) {
        for (row, (parent, child)) in self.shape.points.iter().enumerate() {
            let x = across.x_of_row(self.shape, parent, row);
            if let Some((x, y)) = x.zip(axis.place(*child)) {
                let _ = write!(svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.5\"/>");
            }
        }
        svg.push('\n');
    }

    fn draw_line(&self, svg: &mut String, x: &[f64], axis: Axis) {
        if x.is_empty() {
            return;
        }
        let point = |(x, value): (&f64, &f64)| format!("{x:.1} {:.1}", axis.clamped(*value));
        let upper = x.iter().zip(self.high).map(point);
        let lower = x.iter().zip(self.low).rev().map(point);
        let outline: Vec<String> = upper.chain(lower).collect();
        let middle: Vec<String> = x.iter().zip(self.median).map(point).collect();
        let _ = writeln!(
            svg,
            "<path class=\"band c0\" d=\"M{}Z\"/><path class=\"curve strong c0\" d=\"M{}\"/>",
            outline.join("L"),
            middle.join("L")
        );
    }
}

/// A child that is a label.
struct Shares<'a> {
    shape: &'a EdgeShape,
    levels: &'a [String],
    shares: &'a [Vec<f64>],
    observed: &'a [Vec<f64>],
}

impl Shares<'_> {
    fn draw(&self, svg: &mut String) {
        let axis = Axis::of_shares((BOTTOM, TOP));
        let widest = self.levels.iter().map(|level| text_width(level, FONT_SIZE)).fold(0.0, f64::max);
        let right = RIGHT - widest.min(MAX_LABELS) - 6.0;
        let left = draw_vertical(svg, axis, right, |share, _| format!("{:.0} %", 100.0 * share));
        let across = Across::new(self.shape, left, right);
        match across {
            Across::Line { .. } => self.draw_lines(svg, &across, axis, right),
            Across::Slots { width, .. } => self.draw_bars(svg, &across, axis, right, width),
        }
        across.draw(svg, &self.shape.from);
    }

    /// The share of each label along a number, and dots for what is seen there. Of two labels one says all.
    fn draw_lines(&self, svg: &mut String, across: &Across, axis: Axis, right: f64) {
        let first = if self.levels.len() == 2 { 1 } else { 0 };
        let mut ends = Vec::new();
        for level in first..self.levels.len() {
            let mut path = Vec::new();
            for (at, cell) in self.shape.at.iter().enumerate() {
                let (x, y) = (across.x(cell, at), axis.clamped(self.shares[level][at]));
                let seen = axis.clamped(self.observed[level][at]);
                let _ =
                    write!(svg, "<circle class=\"seen c{level}\" cx=\"{x:.1}\" cy=\"{seen:.1}\" r=\"2\"/>");
                match cell {
                    Cell::Number(_) | Cell::Label(_) => path.push(format!("{x:.1} {y:.1}")),
                    Cell::Missing => {
                        let _ = write!(
                            svg,
                            "<path class=\"curve strong c{level}\" d=\"M{:.1} {y:.1}h12\"/>",
                            x - 6.0
                        );
                    }
                }
            }
            let _ = writeln!(svg, "<path class=\"curve strong c{level}\" d=\"M{}\"/>", path.join("L"));
            let last = self.shape.at.iter().rposition(|cell| *cell != Cell::Missing).unwrap_or(0);
            ends.push((axis.clamped(self.shares[level][last]), level));
        }
        self.draw_labels(svg, ends, right);
    }

    /// A bar of stacked shares for each value, and a narrow one for what is seen there.
    fn draw_bars(&self, svg: &mut String, across: &Across, axis: Axis, right: f64, width: f64) {
        let (bar, seen) = ((0.5 * width).min(34.0), (0.12 * width).min(7.0));
        let mut ends = Vec::new();
        for (at, cell) in self.shape.at.iter().enumerate() {
            let x = across.x(cell, at) - (bar + seen + 2.0) / 2.0;
            for (shares, class, x, width) in
                [(self.shares, "bar", x, bar), (self.observed, "bar seen", x + bar + 2.0, seen)]
            {
                let mut below = 0.0;
                for (level, of_level) in shares.iter().enumerate() {
                    let (bottom, top) = (axis.clamped(below), axis.clamped(below + of_level[at]));
                    below += of_level[at];
                    let _ = write!(
                        svg,
                        "<rect class=\"{class} c{level}\" x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                        bottom - top
                    );
                    if at + 1 == self.shape.at.len() && class == "bar" {
                        ends.push(((bottom + top) / 2.0, level));
                    }
                }
            }
        }
        svg.push('\n');
        self.draw_labels(svg, ends, right);
    }

    /// The labels at the right, moved apart where they would cover each other.
    fn draw_labels(&self, svg: &mut String, mut ends: Vec<(f64, usize)>, right: f64) {
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let wanted: Vec<f64> = ends.iter().map(|end| end.0).collect();
        let places = spread_out(&wanted, LABEL_HEIGHT, TOP + 4.0, BOTTOM);
        for (y, (_, level)) in places.into_iter().zip(ends) {
            let label = visible(&self.levels[level]);
            let _ = writeln!(
                svg,
                "<text class=\"label c{level}\" x=\"{:.1}\" y=\"{:.1}\"><title>{}</title>{}</text>",
                right + 5.0,
                y + FONT_SIZE * 0.35,
                escape(&label),
                escape(&shorten(&label, MAX_LABELS, FONT_SIZE))
            );
        }
    }
}

/// Places near `wanted`, which is sorted, at least `gap` apart and, if they fit, between `low` and `high`.
pub(in crate::report) fn spread_out(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut places: Vec<f64> = Vec::with_capacity(wanted.len());
    for &place in wanted {
        let least = places.last().map_or(low, |last| last + gap);
        places.push(place.max(least));
    }
    let mut most = high;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[f64]) -> Vec<Cell> {
        values.iter().map(|&value| Cell::Number(value)).collect()
    }

    fn words(values: &[&str]) -> Vec<Cell> {
        values.iter().map(|&value| Cell::Label(value.to_string())).collect()
    }

    fn shape(at: Vec<Cell>, predicted: Predicted, points: Vec<(Cell, f64)>) -> EdgeShape {
        let n_rows = vec![9; at.len()];
        EdgeShape { from: "a <b>".into(), to: "c".into(), at, n_rows, predicted, points, sign: None }
    }

    /// How many marks of a class there are in a chart, which must be XML without numbers that are none.
    fn n_marks(shape: &EdgeShape, class: &str) -> usize {
        let svg = format!("<svg>{}</svg>", shape_marks(shape));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let xml = roxmltree::Document::parse(&svg).unwrap();
        let has = |node: &roxmltree::Node| {
            node.attribute("class").is_some_and(|all| all.split(' ').any(|c| c == class))
        };
        xml.descendants().filter(has).count()
    }

    fn band(n: usize) -> Predicted {
        let ramp = |add: f64| (0..n).map(|i| i as f64 + add).collect();
        Predicted::Number { low: ramp(-1.0), median: ramp(0.0), high: ramp(1.0) }
    }

    #[test]
    fn numbers_have_a_line_and_a_band_and_missing_cells_a_range() {
        let mut at = numbers(&[1.0, 2.0, 3.0, 5.0]);
        at.push(Cell::Missing);
        let points = vec![(Cell::Number(2.5), 1.0), (Cell::Missing, 2.0), (Cell::Number(900.0), 2.0)];
        let shape = shape(at, band(5), points);
        let marks = ["band", "curve", "range", "dot"].map(|class| n_marks(&shape, class));
        assert_eq!(marks, [1, 2, 1, 2]);
    }

    #[test]
    fn labels_of_a_parent_have_a_range_each() {
        let points = vec![(Cell::Label("x".into()), 1.0)];
        let shape = shape(words(&["x", "y", "z"]), band(3), points);
        assert_eq!(["band", "range", "dot"].map(|class| n_marks(&shape, class)), [0, 3, 1]);
    }

    #[test]
    fn labels_of_a_child_are_bars_or_lines() {
        let shares = vec![vec![0.2, 0.5, 0.6], vec![0.5, 0.3, 0.3], vec![0.3, 0.2, 0.1]];
        let levels = ["u", "v", "w"].map(String::from).to_vec();
        let predicted = Predicted::Labels { levels, observed: shares.clone(), shares };
        let bars = shape(words(&["x", "y", "z"]), predicted.clone(), Vec::new());
        assert_eq!(["bar", "seen", "label"].map(|class| n_marks(&bars, class)), [18, 9, 3]);
        let lines = shape(numbers(&[1.0, 2.0, 4.0]), predicted, Vec::new());
        assert_eq!(["curve", "seen", "label"].map(|class| n_marks(&lines, class)), [3, 9, 3]);
    }

    #[test]
    fn a_shape_without_rows_says_so() {
        let empty = Predicted::Number { low: Vec::new(), median: Vec::new(), high: Vec::new() };
        assert!(shape_marks(&shape(Vec::new(), empty, Vec::new())).contains("too few rows"));
    }

    #[test]
    fn labels_move_apart_and_stay_inside() {
        assert_eq!(spread_out(&[5.0, 6.0, 100.0], 10.0, 0.0, 100.0), [5.0, 15.0, 100.0]);
        assert_eq!(spread_out(&[98.0, 99.0], 10.0, 0.0, 100.0), [90.0, 100.0]);
    }
}
