//! ChartLine charts with bands over a logarithmic axis of rows, coloured by the page's style.

use std::fmt::Write;

use super::super::picture::{escape, padded, round_ticks, shorten, spread_out, text_width};
use crate::base::format::count;

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    /// How many rows; above zero.
    pub(super) row: f64,
    pub(super) mean: f64,
    pub(super) sd: f64,
}

/// A curve, whose name stands at its right end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ChartLine {
    pub(super) label: String,
    /// Whether it is drawn thicker than the others.
    pub(super) strong: bool,
    pub(super) samples: Vec<Sample>,
}

/// Curves in one frame.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LineChart<'a> {
    /// For screen readers.
    pub(super) title: &'a str,
    pub(super) lines: Vec<ChartLine>,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Whether zero belongs into the picture.
    pub(super) from_zero: bool,
}

const FONT_SIZE: f64 = 12.0;
const MAX_LABEL_WIDTH: f64 = 120.0;
const LABEL_HEIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 36.0;
/// The style knows this many colours.
const N_COLORS: usize = 8;

/// Where rows and nats go in the picture.
struct Frame {
    left: f64,
    right: f64,
    bottom: f64,
    rows: (f64, f64),
    nats: (f64, f64),
}

impl Frame {
    fn x(&self, row: f64) -> f64 {
        let (first, last) = (self.rows.0.ln(), self.rows.1.ln());
        self.left + (self.right - self.left) * (row.ln() - first) / (last - first)
    }

    /// Held inside the frame: an early spike must not flatten the rest.
    fn y(&self, nats: f64) -> f64 {
        let (low, high) = self.nats;
        self.bottom - (self.bottom - TOP) * ((nats - low) / (high - low)).clamp(0.0, 1.0)
    }
}

impl LineChart<'_> {
    /// The chart as SVG; nothing if there are not two points to join.
    pub(super) fn svg(&self) -> Option<String> {
        let samples = || self.lines.iter().flat_map(|line| &line.samples);
        let rows = range(samples().map(|sample| sample.row)).filter(|(first, last)| first < last)?;
        let zero = self.from_zero.then_some(0.0);
        let nats = padded(range(samples().map(|sample| sample.mean).chain(zero))?);
        let ticks = round_ticks(nats);
        let left = ticks.iter().map(|(_, text)| text_width(text, FONT_SIZE)).fold(0.0, f64::max) + 12.0;
        let labels: Vec<String> =
            self.lines.iter().map(|line| shorten(&line.label, MAX_LABEL_WIDTH, FONT_SIZE)).collect();
        // Some fonts are wider than the average.
        let widest = 1.3 * labels.iter().map(|label| text_width(label, FONT_SIZE)).fold(0.0, f64::max);
        let frame =
            Frame { left, right: self.width - widest - 16.0, bottom: self.height - BOTTOM, rows, nats };
        let mut svg = String::new();
        self.open(&mut svg);
        draw_axes(&mut svg, &frame, &ticks);
        self.lines.iter().enumerate().for_each(|(i, line)| draw_band(&mut svg, &frame, line, i % N_COLORS));
        for (i, line) in self.lines.iter().enumerate().rev() {
            draw_line(&mut svg, &frame, line, i % N_COLORS);
        }
        self.draw_labels(&mut svg, &frame, &labels);
        svg.push_str("</svg>\n");
        Some(svg)
    }

    fn open(&self, svg: &mut String) {
        let (width, height) = (self.width, self.height);
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"line-chart\" role=\"img\" viewBox=\"0 0 {width} {height}\">\
             <title>{}</title>",
            escape(self.title)
        );
    }

    /// Names at the right ends, moved apart where they would cover each other.
    fn draw_labels(&self, svg: &mut String, frame: &Frame, labels: &[String]) {
        let end = |line: &ChartLine| line.samples.last().map(|sample| frame.y(sample.mean));
        let mut places: Vec<(f64, usize)> =
            self.lines.iter().enumerate().filter_map(|(i, line)| Some((end(line)?, i))).collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let wanted: Vec<f64> = places.iter().map(|place| place.0).collect();
        let free = spread_out(&wanted, LABEL_HEIGHT, TOP, frame.bottom);
        for (y, (end, line)) in free.iter().zip(places) {
            let _ = writeln!(
                svg,
                "<path class=\"leader c{0}\" d=\"M{1:.1} {end:.1}L{2:.1} {y:.1}\"/>\
                 <text class=\"label c{0}\" x=\"{3:.1}\" y=\"{4:.1}\"><title>{5}</title>{6}</text>",
                line % N_COLORS,
                frame.right + 1.0,
                frame.right + 8.0,
                frame.right + 11.0,
                y + FONT_SIZE * 0.35,
                escape(&self.lines[line].label),
                escape(&labels[line])
            );
        }
    }
}

fn draw_axes(svg: &mut String, frame: &Frame, ticks: &[(f64, String)]) {
    for (nats, text) in ticks {
        let (y, zero) = (frame.y(*nats), if *nats == 0.0 { " zero" } else { "" });
        let _ = writeln!(
            svg,
            "<path class=\"grid{zero}\" d=\"M{:.1} {y:.1}H{:.1}\"/><text class=\"tick y\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            frame.left,
            frame.right,
            frame.left - 6.0,
            y + FONT_SIZE * 0.35
        );
    }
    for row in row_ticks(frame.rows) {
        let _ = writeln!(
            svg,
            "<path class=\"mark\" d=\"M{x:.1} {0:.1}v4\"/><text class=\"tick x\" x=\"{x:.1}\" y=\"{1:.1}\">{2}</text>",
            frame.bottom,
            frame.bottom + 17.0,
            count(row as usize),
            x = frame.x(row)
        );
    }
    let Frame { left, right, bottom, .. } = *frame;
    let _ = writeln!(
        svg,
        "<path class=\"axis\" d=\"M{left:.1} {bottom:.1}H{right:.1}\"/>\
         <text class=\"tick x\" x=\"{:.1}\" y=\"{:.1}\">rows</text>",
        (left + right) / 2.0,
        // The word stands below the numbers.
        bottom + 31.0
    );
}

fn draw_band(svg: &mut String, frame: &Frame, line: &ChartLine, color: usize) {
    if line.samples.len() < 2 || line.samples.iter().all(|sample| sample.sd == 0.0) {
        return;
    }
    let point = |sample: &Sample, sign: f64| {
        format!("{:.1} {:.1}", frame.x(sample.row), frame.y(sample.mean + sign * sample.sd))
    };
    let upper = line.samples.iter().map(|sample| point(sample, 1.0));
    let lower = line.samples.iter().rev().map(|sample| point(sample, -1.0));
    let outline: Vec<String> = upper.chain(lower).collect();
    let _ = writeln!(svg, "<path class=\"band c{color}\" d=\"M{}Z\"/>", outline.join("L"));
}

fn draw_line(svg: &mut String, frame: &Frame, line: &ChartLine, color: usize) {
    let point = |sample: &Sample| format!("{:.1} {:.1}", frame.x(sample.row), frame.y(sample.mean));
    let points: Vec<String> = line.samples.iter().map(point).collect();
    let strong = if line.strong { " strong" } else { "" };
    if points.len() > 1 {
        let _ = writeln!(svg, "<path class=\"curve c{color}{strong}\" d=\"M{}\"/>", points.join("L"));
    }
}

/// The least and the greatest.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

/// Powers of ten; between two of them, if these are all there are, also 2 and 5 times.
fn row_ticks((first, last): (f64, f64)) -> Vec<f64> {
    let factors: &[f64] = if last / first < 100.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = (0..16).map(|power| 10f64.powi(power));
    let all = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
    all.filter(|&row| first <= row && row <= last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(label: &str, samples: &[(f64, f64, f64)]) -> ChartLine {
        let samples = samples.iter().map(|&(row, mean, sd)| Sample { row, mean, sd }).collect();
        ChartLine { label: label.to_string(), strong: false, samples }
    }

    fn chart(lines: Vec<ChartLine>) -> LineChart<'static> {
        LineChart { title: "t", lines, width: 400.0, height: 200.0, from_zero: true }
    }

    #[test]
    fn a_chart_is_wellformed_and_its_labels_stay_text() {
        let lines = vec![
            line("<b>&", &[(1.0, 0.0, 0.0), (10.0, 2.0, 1.0), (1000.0, 5.0, 0.5)]),
            line("flat", &[(1.0, 0.0, 0.0), (1000.0, 0.0, 0.0)]),
        ];
        let svg = chart(lines).svg().unwrap();
        let xml = roxmltree::Document::parse(&svg).unwrap();
        let class = |class: &str| {
            xml.descendants()
                .filter(|node| node.attribute("class").is_some_and(|c| c.starts_with(class)))
                .count()
        };
        assert_eq!((class("curve"), class("band"), class("label")), (2, 1, 2));
        assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("NaN"));
    }

    #[test]
    fn without_two_rows_there_is_no_chart() {
        assert_eq!(chart(Vec::new()).svg(), None);
        assert_eq!(chart(vec![line("a", &[(5.0, 1.0, 0.0)])]).svg(), None);
    }

    #[test]
    fn ticks_of_rows_are_powers_of_ten_or_lie_between() {
        assert_eq!(row_ticks((1.0, 2000.0)), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(row_ticks((30.0, 400.0)), [50.0, 100.0, 200.0]);
    }
}
