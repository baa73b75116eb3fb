//! Curves over the number of rows: what a result says of them, and their charts.

use super::chart::{Line, LineChart, Sample};
use super::markup::Element;
use super::reader::{At, Numbers};
use crate::base::error::Result;
use crate::base::format::plural;

/// How codes grow with the rows.
pub(super) struct Curves<'a> {
    /// What the bands are a spread of: `networks` or `row orders`.
    over: &'a str,
    n: usize,
    graphs: Vec<(usize, Vec<Sample>)>,
    families: Vec<FamilyCurve>,
}

struct FamilyCurve {
    child: usize,
    parents: Vec<usize>,
    samples: Vec<Sample>,
}

/// The most curves in one chart: more cannot be told apart.
const MAX_LINES: usize = 8;
/// The most small charts; beyond, a report is no place to read them.
const MAX_CHARTS: usize = 40;

impl<'a> Curves<'a> {
    pub(super) fn read(at: &At<'a>, numbers: &Numbers, n_ranked: usize) -> Result<Curves<'a>> {
        let rows = at.get("rows")?.items()?.iter().map(At::number).collect::<Result<Vec<f64>>>()?;
        let graph = |at: &At| {
            let rank = at.get("rank")?;
            match rank.count()? {
                known if known < n_ranked => Ok((known, samples(&at.get("excess_nats")?, &rows)?)),
                _ => Err(rank.error("there is no such place in `ranking`")),
            }
        };
        let family = |at: &At| {
            Ok(FamilyCurve {
                child: at.get("child")?.node(numbers)?,
                parents: at.get("parents")?.nodes(numbers)?,
                samples: samples(&at.get("next_step_nats")?, &rows)?,
            })
        };
        let list = |key: &str| at.find(key).map_or(Ok(Vec::new()), |at| at.items());
        Ok(Curves {
            over: at.get("over")?.text()?,
            n: at.get("n")?.count()?,
            graphs: list("graphs")?.iter().map(graph).collect::<Result<_>>()?,
            families: list("families")?.iter().map(family).collect::<Result<_>>()?,
        })
    }

    /// The excess of the runners-up over the best graph; nothing where there is no curve.
    pub(super) fn excess_chart(&self) -> Option<Element> {
        let line = |(rank, samples): &(usize, Vec<Sample>)| Line {
            label: if *rank == 0 { "best".to_string() } else { format!("no. {}", rank + 1) },
            strong: *rank == 0,
            samples: samples.clone(),
        };
        let lines: Vec<Line> = self.graphs.iter().take(MAX_LINES).map(line).collect();
        let chart = LineChart {
            title: "Excess over the best graph, in nats",
            lines,
            width: 460.0,
            height: 240.0,
            from_zero: true,
        };
        let note = format!(
            "How far the runners-up fall behind the best graph as rows come in. A gap that keeps growing is a claim that the data \
             keep confirming. {}",
            self.band_note()
        );
        chart.svg().map(|svg| figure(svg, &note, "chart wide"))
    }

    /// One small chart for each child, with its families.
    pub(super) fn next_step_charts(&self, names: &[String]) -> Option<Element> {
        let mut children: Vec<usize> = self.families.iter().map(|family| family.child).collect();
        children.sort_unstable();
        children.dedup();
        let charts: Vec<Element> =
            children.iter().take(MAX_CHARTS).filter_map(|&child| self.child_chart(child, names)).collect();
        if charts.is_empty() {
            return None;
        }
        let note = format!(
            "What the next row costs, in nats, given its parents and the rows before: the lower, the better predicted. {}",
            self.band_note()
        );
        let grid = Element::new("div").class("charts").children(charts);
        Some(Element::new("div").child(Element::new("p").class("note").text(&note)).child(grid))
    }

    fn child_chart(&self, child: usize, names: &[String]) -> Option<Element> {
        let own = self.families.iter().filter(|family| family.child == child);
        let line = |(number, family): (usize, &FamilyCurve)| Line {
            label: given(&family.parents, names),
            strong: number == 0,
            samples: family.samples.clone(),
        };
        let lines: Vec<Line> = own.enumerate().take(MAX_LINES).map(line).collect();
        let title = format!("Next-step loss of {}", names[child]);
        let chart = LineChart { title: &title, lines, width: 400.0, height: 210.0, from_zero: false };
        chart.svg().map(|svg| figure(svg, &names[child], "chart"))
    }

    fn band_note(&self) -> String {
        if self.n < 2 {
            return String::new();
        }
        let thing = self.over.strip_suffix('s').unwrap_or(self.over);
        format!("Lines are means over {}, bands one standard deviation to each side.", plural(self.n, thing))
    }
}

fn figure(svg: String, caption: &str, class: &'static str) -> Element {
    let caption = Element::new("figcaption").text(caption);
    Element::new("figure").class(class).child(Element::drawn("div", svg)).child(caption)
}

/// `given A, B`.
fn given(parents: &[usize], names: &[String]) -> String {
    match parents {
        [] => "alone".to_string(),
        _ => format!(
            "given {}",
            parents.iter().map(|&parent| names[parent].as_str()).collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Pairs rows with means and standard deviations, of which each may be null.
fn samples(at: &At, rows: &[f64]) -> Result<Vec<Sample>> {
    let numbers = |key: &str| -> Result<Vec<Option<f64>>> {
        let list = at.get(key)?;
        let items = list.items()?;
        if items.len() != rows.len() {
            let problem = format!("{} values for {} rows in `curves.rows`", items.len(), rows.len());
            return Err(list.error(&problem));
        }
        items.iter().map(At::number_or_null).collect()
    };
    let (means, sds) = (numbers("mean")?, numbers("sd")?);
    let one = |((&row, mean), sd): ((&f64, Option<f64>), Option<f64>)| {
        mean.filter(|_| row > 0.0).map(|mean| Sample { row, mean, sd: sd.unwrap_or(0.0).max(0.0) })
    };
    Ok(rows.iter().zip(means).zip(sds).filter_map(one).collect())
}
