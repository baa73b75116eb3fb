//! Curves with bands over a logarithmic axis, as SVG.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;
use prequential::internals::count;
use prequential::results::MeanSd;

/// One curve of a chart.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// What it shows.
    pub(crate) name: String,
    /// Its line in the legend; curves without one are drawn but not listed.
    pub(crate) legend: Option<String>,
    /// (x, mean and standard deviation); points without a mean are left out.
    pub(crate) points: Vec<(f64, MeanSd)>,
    /// Whether the standard deviation is drawn.
    pub(crate) band: bool,
    pub(crate) color: RGBColor,
    pub(crate) width: u32,
    pub(crate) dashed: bool,
}

/// Curves over a logarithmic x axis, with a legend on the right.
#[derive(Debug, Clone)]
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) x_range: Range<f64>,
    /// The part of the y axis to show; curves leave it at the edge.
    pub(crate) y_range: Range<f64>,
    /// A part of the x axis with another background, and its name in the legend.
    pub(crate) shaded: Option<(Range<f64>, &'a str)>,
    /// The first is drawn on top and listed first.
    pub(crate) series: Vec<Series>,
}

const WIDTH: u32 = 980;
const MIN_HEIGHT: u32 = 560;
const LEGEND_TOP: i32 = 50;
const LEGEND_LINE: i32 = 19;
const FONT: &str = "sans-serif";

/// Colours that stay apart for readers who see few of them (Okabe and Ito), then greys.
pub(crate) const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 94, 240),
    RGBColor(110, 110, 110),
];

impl Chart<'_> {
    /// The chart as an SVG document.
    pub(crate) fn svg(&self) -> String {
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, (WIDTH, self.height())).into_drawing_area();
            let drawn = self.draw(&root).and_then(|()| root.present().map_err(Into::into));
            drawn.unwrap_or_else(|error| panic!("drawing into a string cannot fail: {error}"));
        }
        text
    }

    fn draw(&self, root: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn std::error::Error>> {
        root.fill(&WHITE)?;
        let (plot, legend) = root.split_horizontally(WIDTH - self.legend_width());
        let mut chart = ChartBuilder::on(&plot)
            .caption(self.title, (FONT, 18))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(66)
            .build_cartesian_2d(self.x_range.clone().log_scale(), self.y_range.clone())?;
        let style = (FONT, 14).into_font();
        chart
            .configure_mesh()
            .light_line_style(BLACK.mix(0.03))
            .bold_line_style(BLACK.mix(0.12))
            .x_desc(self.x_label)
            .y_desc(self.y_label)
            .axis_desc_style((FONT, 15))
            .label_style(style)
            .x_label_formatter(&|x| count(x.round() as usize))
            .y_label_formatter(&|y| format!("{}", (y * 100.0).round() / 100.0))
            .draw()?;
        if let Some((rows, _)) = &self.shaded {
            let corners = [(rows.start, self.y_range.start), (rows.end, self.y_range.end)];
            chart.draw_series([Rectangle::new(corners, BLACK.mix(0.08).filled())])?;
        }
        for series in self.series.iter().rev() {
            let band = self.band(series);
            if band.len() > 2 {
                chart.draw_series([Polygon::new(band, series.color.mix(0.15).filled())])?;
            }
        }
        for series in self.series.iter().rev() {
            let style = series.color.stroke_width(series.width);
            for run in self.visible_runs(series) {
                if series.dashed {
                    chart.draw_series(DashedLineSeries::new(run, 6, 4, style))?;
                } else {
                    chart.draw_series(LineSeries::new(run, style))?;
                }
            }
        }
        self.draw_legend(&legend)
    }

    /// The width that the legend needs.
    fn height(&self) -> u32 {
        let n_lines = self.entries().count() as u32 + 1;
        MIN_HEIGHT.max(LEGEND_TOP as u32 + n_lines * LEGEND_LINE as u32 + 10)
    }

    fn legend_width(&self) -> u32 {
        let longest = self.entries().map(|(label, ..)| label.chars().count()).max().unwrap_or(0) as u32;
        (longest * 7 + 50).min(WIDTH / 2)
    }

    fn entries(&self) -> impl Iterator<Item = (&str, &Series)> {
        self.series.iter().filter_map(|series| series.legend.as_deref().map(|label| (label, series)))
    }

    fn draw_legend(&self, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn std::error::Error>> {
        let font = (FONT, 13).into_font();
        let mut y = LEGEND_TOP;
        for (label, series) in self.entries() {
            let style = series.color.stroke_width(series.width.max(2));
            let parts: &[(i32, i32)] = if series.dashed { &[(4, 12), (18, 26)] } else { &[(4, 26)] };
            for &(from, to) in parts {
                area.draw(&PathElement::new([(from, y), (to, y)], style))?;
            }
            area.draw(&Text::new(label.to_string(), (33, y - 7), font.clone()))?;
            y += LEGEND_LINE;
        }
        if let Some((_, label)) = &self.shaded {
            area.draw(&Rectangle::new([(4, y - 6), (26, y + 6)], BLACK.mix(0.08).filled()))?;
            area.draw(&Text::new(label.to_string(), (33, y - 7), font.clone()))?;
        }
        Ok(())
    }

    /// The points that have a mean and lie on the x axis.
    fn known<'a>(&self, series: &'a Series) -> impl Iterator<Item = &'a (f64, MeanSd)> {
        let x_range = self.x_range.clone();
        let on_axis = move |x: f64| x_range.start <= x && x <= x_range.end;
        series.points.iter().filter(move |(x, moments)| moments.mean.is_finite() && on_axis(*x))
    }

    /// The outline of mean plus and minus one standard deviation, held inside the chart.
    fn band(&self, series: &Series) -> Vec<(f64, f64)> {
        let inside = |y: f64| y.clamp(self.y_range.start, self.y_range.end);
        let known: Vec<_> = self.known(series).collect();
        if !series.band || known.iter().all(|(_, moments)| moments.sd == 0.0) {
            return Vec::new();
        }
        let upper = known.iter().map(|(x, moments)| (*x, inside(moments.mean + moments.sd)));
        let lower = known.iter().rev().map(|(x, moments)| (*x, inside(moments.mean - moments.sd)));
        upper.chain(lower).collect()
    }

    /// The stretches of a curve inside the y range, ending where it crosses the edge.
    fn visible_runs(&self, series: &Series) -> Vec<Vec<(f64, f64)>> {
        let mut runs: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
        let mut before: Option<(f64, f64)> = None;
        for point in self.known(series).map(|(x, moments)| (*x, moments.mean)) {
            let crossing = before.and_then(|before| self.crossing(before, point));
            let run = runs.len() - 1;
            runs[run].extend(crossing);
            if self.y_range.contains(&point.1) {
                runs[run].push(point);
            } else if !runs[run].is_empty() {
                runs.push(Vec::new());
            }
            before = Some(point);
        }
        runs.into_iter().filter(|run| run.len() > 1).collect()
    }

    /// Where the line from `a` to `b` crosses the edge of the y range, if one end is inside and the other outside.
    fn crossing(&self, a: (f64, f64), b: (f64, f64)) -> Option<(f64, f64)> {
        let inside = |y: f64| self.y_range.contains(&y);
        if inside(a.1) == inside(b.1) {
            return None;
        }
        let outer = if inside(a.1) { b.1 } else { a.1 };
        let edge = if outer >= self.y_range.end { self.y_range.end } else { self.y_range.start };
        let share = (edge - a.1) / (b.1 - a.1);
        // Straight on the logarithmic axis.
        Some(((a.0.ln() + share * (b.0 / a.0).ln()).exp(), edge))
    }
}
