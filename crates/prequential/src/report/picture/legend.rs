//! What the lines of a graph's picture mean.

use std::fmt::Write;

use super::super::document::LearnedEdge;
use super::layout::text_width;
use super::text::short;

const LEGEND_FONT_SIZE: f64 = 11.0;
const LEGEND_ROW: f64 = 20.0;
const LEGEND_GAP: f64 = 12.0;
/// Length of the lines in the legend.
const SAMPLE: f64 = 24.0;

/// Explains the lines of the picture, in as many rows of text as its width needs.
pub(super) struct Legend {
    pub(super) text: String,
    x: f64,
    pub(super) width: f64,
    pub(super) n_rows: usize,
    max_width: f64,
}

impl Legend {
    pub(super) fn new(edges: &[LearnedEdge], max_width: f64) -> Legend {
        let mut legend = Legend { text: String::new(), x: 0.0, width: 0.0, n_rows: 0, max_width };
        if edges.iter().any(|edge| edge.removal_nats.is_some()) {
            legend.add(&[(None, "nats lost without the edge:")]);
            let samples = [(1.0, "≤ 1"), (10.0, "10"), (100.0, "100"), (1000.0, "≥ 1000")];
            legend.add(&samples.map(|(nats, label)| (Some(("edge", line_width(Some(nats)))), label)));
        }
        if !edges.iter().all(LearnedEdge::is_told) {
            legend.add(&[(Some(("edge reversible", 2.0)), "direction open: the data tell neither way")]);
        }
        legend
    }

    /// Adds labels that stay in one row, each after a piece of line of this class and width.
    fn add(&mut self, entries: &[(Option<(&str, f64)>, &str)]) {
        let start = |line: Option<_>| if line.is_some() { SAMPLE + 5.0 } else { 0.0 };
        let width =
            |entry: &(Option<_>, &str)| start(entry.0) + text_width(entry.1, LEGEND_FONT_SIZE) + LEGEND_GAP;
        if self.n_rows == 0 || self.x + entries.iter().map(width).sum::<f64>() > self.max_width + LEGEND_GAP {
            (self.x, self.n_rows) = (0.0, self.n_rows + 1);
        }
        let y = (self.n_rows as f64 - 0.5) * LEGEND_ROW;
        for &(line, label) in entries {
            if let Some((kind, thickness)) = line {
                let (x, y, thickness) = (short(self.x), short(y), short(thickness));
                let _ = write!(
                    self.text,
                    "<g class=\"{kind}\"><path class=\"line\" stroke-width=\"{thickness}\" d=\"M{x} {y}h{SAMPLE}\"/></g>"
                );
            }
            let (x, y) = (short(self.x + start(line)), short(y + LEGEND_FONT_SIZE * 0.35));
            let _ = writeln!(self.text, "<text x=\"{x}\" y=\"{y}\">{label}</text>");
            self.x += width(&(line, label));
        }
        self.width = self.width.max(self.x - LEGEND_GAP);
    }

    pub(super) fn height(&self) -> f64 {
        self.n_rows as f64 * LEGEND_ROW
    }
}

/// Width of the line for this many nats, on a log scale: 1 nat or less, 10, 100, 1000 or more.
pub(in crate::report) fn line_width(evidence: Option<f64>) -> f64 {
    match evidence {
        Some(nats) if nats > 1.0 => 1.0 + 1.15 * nats.log10().min(3.0),
        Some(_) => 1.0,
        None => 1.6,
    }
}
