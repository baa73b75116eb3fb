//! Charts shared by all experiments.

use std::ops::Range;

use plotters::style::RGBColor;
use prequential::Dag;
use prequential::results::{Curves, MeanSd};
use serde_json::{Value, json};

use crate::plot::{COLORS, Series};
use crate::words::one_line;

const TRUTH: RGBColor = COLORS[1];
const GREY: RGBColor = RGBColor(150, 150, 150);
/// How many graphs of a ranking have a colour of their own, and which.
const COLORED: usize = 6;
const PALETTE: [RGBColor; COLORED] = [COLORS[0], COLORS[2], COLORS[3], COLORS[4], COLORS[5], COLORS[6]];

/// Draws how far graphs are behind the true one.
pub(crate) struct ExcessCurves<'a> {
    pub(crate) curves: &'a Curves,
    pub(crate) truth: &'a Dag,
    /// Of the variables.
    pub(crate) names: &'a [&'a str],
}

impl ExcessCurves<'_> {
    /// Curves of graphs, best first: the first few in colours of their own, the truth in orange, the others thin and grey.
    /// `when` opens every line of the legend.
    pub(crate) fn leading(&self, dags: &[Dag], when: &str, dashed: bool) -> Vec<Series> {
        let one = |(rank, dag): (usize, &Dag)| {
            let name = one_line(dag, self.names);
            let (legend, color, width) = match rank {
                _ if dag == self.truth => return self.of_truth(&format!("{when}{}", rank + 1), dashed),
                0..COLORED => (Some(format!("{when}{}: {name}", rank + 1)), PALETTE[rank], 2),
                COLORED => (Some(format!("{when}{} to {}", rank + 1, dags.len())), GREY, 1),
                _ => (None, GREY, 1),
            };
            let points = points(self.curves, self.curves.excess(dag, self.truth));
            Series { name, legend, points, band: true, color, width, dashed }
        };
        dags.iter().enumerate().map(one).collect()
    }

    /// The true graph's line at zero; `place` opens its legend.
    pub(crate) fn of_truth(&self, place: &str, dashed: bool) -> Series {
        let name = one_line(self.truth, self.names);
        Series {
            legend: Some(format!("{place}: {name}")),
            name,
            points: points(self.curves, self.curves.excess(self.truth, self.truth)),
            band: true,
            color: TRUTH,
            width: 3,
            dashed,
        }
    }
}

/// The least and the greatest mean of the curves from `start` on, with some room.
pub(crate) fn range_of(series: &[Series], start: f64) -> Range<f64> {
    let means = series.iter().flat_map(|series| &series.points).filter(|(x, _)| *x >= start);
    let known = means.map(|(_, moments)| moments.mean).filter(|mean| mean.is_finite());
    let (low, high) =
        known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mean| (low.min(mean), high.max(mean)));
    let room = (0.05 * (high - low)).max(1e-3);
    low - room..high + room
}

/// Points of a curve at its checkpoints.
pub(crate) fn points(curves: &Curves, values: Vec<MeanSd>) -> Vec<(f64, MeanSd)> {
    curves.checkpoints().iter().map(|&rows| rows as f64).zip(values).collect()
}

/// The curves as JSON: per series its label, and rows, mean, sd.
pub(crate) fn series_json(series: &[Series]) -> Value {
    let one = |series: &Series| {
        let (rows, moments): (Vec<f64>, Vec<MeanSd>) = series.points.iter().copied().unzip();
        json!({
            "name": series.name,
            "rows": rows,
            "mean": moments.iter().map(|m| m.mean).collect::<Vec<_>>(),
            "sd": moments.iter().map(|m| m.sd).collect::<Vec<_>>(),
        })
    };
    series.iter().map(one).collect()
}
