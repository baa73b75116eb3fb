//! The code shared by the paper's Figures 2 and 3: next-step losses of one variable, excess code lengths of
//! the leading graphs.

use prequential::internals::{count, plural};
use prequential::results::Curves;
use prequential::{Dag, Family, Learned, Result};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::charts::{ExcessCurves, points, range_of, series_json};
use crate::experiment::{Reproduction, Request};
use crate::outcome::{LETTERS, Outcome, n_where, table};
use crate::plot::{COLORS, Chart, Series};
use crate::study::Study;

/// Checkpoints over which the next-step loss is averaged: a factor of 1.6 in rows.
const SMOOTHING: usize = 4;
/// Where the charts start; with fewer rows the losses are noise.
const FIRST_ROWS: f64 = 10.0;
/// Numbers of rows at which the summary states next-step losses.
const TABULATED: [f64; 5] = [30.0, 100.0, 300.0, 1_000.0, 3_000.0];
/// Graphs whose curves set the height of the excess chart.
const IN_FULL_VIEW: usize = 10;

/// A figure of the paper.
pub(crate) struct CaseStudy {
    pub(crate) title: &'static str,
    pub(crate) experiment: Experiment,
    /// How the data are generated.
    pub(crate) equations: &'static str,
    /// The parent sets of C whose next-step losses are drawn.
    pub(crate) parent_sets: &'static [&'static [usize]],
    /// How many graphs are drawn.
    pub(crate) n_shown: usize,
    /// The paper's finding.
    pub(crate) finding: &'static str,
    pub(crate) margin_in_paper: f64,
}

const C: usize = 2;

impl CaseStudy {
    pub(crate) fn reproduce(&self, request: &Request) -> Result<Reproduction> {
        let study = Study::new(request)?;
        let (mut outcomes, mut first) = (Vec::new(), None);
        study.run(study.tasks(&[self.experiment]), |outcome, learned| {
            outcomes.push(outcome);
            first.get_or_insert(learned);
        })?;
        let learned = first.unwrap_or_else(|| panic!("there is at least one seed"));
        let curves = self.curves(&outcomes[0], &learned)?;
        let next_step = self.next_step_chart(&curves, study.rows());
        let excess = self.excess_chart(&curves, &outcomes[0], study.rows());
        let mut json = study.json(&outcomes, self.paper());
        json["next_step_loss"] = series_json(&next_step.series);
        json["excess_code_length"] = series_json(&excess.series);
        let markdown = self.markdown(&study, &outcomes) + &self.next_step_table(&curves, outcomes[0].seed);
        let plots = vec![
            ("next-step-loss.svg".to_string(), next_step.svg()),
            ("excess-code-length.svg".to_string(), excess.svg()),
        ];
        Ok(Reproduction::new(&json, markdown, plots))
    }

    fn paper(&self) -> Value {
        json!({ "place_of_truth": 1, "margin_nats": self.margin_in_paper })
    }

    /// The learning curves of the families that are drawn.
    fn curves(&self, outcome: &Outcome, learned: &Learned) -> Result<Curves> {
        let mut drawn: Vec<Family> = self.families().collect();
        drawn.extend(outcome.truth.families());
        drawn.extend(self.shown(outcome).iter().flat_map(|dag| dag.families().collect::<Vec<_>>()));
        drawn.sort_unstable();
        drawn.dedup();
        learned.curves_of(drawn)
    }

    fn families(&self) -> impl Iterator<Item = Family> {
        self.parent_sets.iter().map(|parents| Family::new(C, parents.iter().copied().collect()))
    }

    fn shown(&self, outcome: &Outcome) -> Vec<Dag> {
        outcome.ranking.iter().take(self.n_shown).map(|(dag, _)| dag.clone()).collect()
    }

    /// The next-step losses of C in words: each mean is over the rows since a few checkpoints before.
    fn next_step_table(&self, curves: &Curves, seed: u64) -> String {
        let near = |rows: &f64| {
            let distance = |&i: &usize| (curves.checkpoints()[i] as f64 / rows).ln().abs();
            (0..curves.checkpoints().len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
        };
        let end = curves.checkpoints().len() - 1;
        let mut columns: Vec<usize> = TABULATED.iter().map(near).chain([end]).collect();
        columns.dedup();
        let header: Vec<String> = columns.iter().map(|&i| count(curves.checkpoints()[i])).collect();
        let line = |family: Family| {
            let losses = curves.next_step(curves.place(&family), SMOOTHING);
            let losses: Vec<String> = columns.iter().map(|&i| format!("{:.3}", losses[i].mean)).collect();
            format!(
                "| {} | {} |\n",
                family.display(&LETTERS.map(String::from)).replace(" | ", " given "),
                losses.join(" | ")
            )
        };
        let lines: String = self.families().map(line).collect();
        format!(
            "\nCurves are means over networks, each alone, or over row orders; the ranking is by the code itself. Next-step losses of C in nats, \
             seed {seed}, around so many rows:\n\n| | {} |\n|{}\n{lines}",
            header.join(" | "),
            "---|".repeat(columns.len() + 1)
        )
    }

    fn next_step_chart(&self, curves: &Curves, rows: usize) -> Chart<'static> {
        let one = |(i, family): (usize, Family)| {
            let number = curves.place(&family);
            let name = format!("p({})", family.display(&LETTERS.map(String::from)));
            Series {
                legend: Some(name.clone()),
                name,
                points: points(curves, curves.next_step(number, SMOOTHING)),
                band: false,
                color: COLORS[i],
                width: 2,
                dashed: false,
            }
        };
        let series: Vec<Series> = self.families().enumerate().map(one).collect();
        Chart {
            title: "Next-step log-loss of C",
            x_label: "rows seen",
            y_label: "nats",
            x_range: FIRST_ROWS..rows as f64,
            y_range: range_of(&series, FIRST_ROWS),
            shaded: None,
            series,
        }
    }

    fn excess_chart(&self, curves: &Curves, outcome: &Outcome, rows: usize) -> Chart<'static> {
        let shown = self.shown(outcome);
        let excess = ExcessCurves { curves, truth: &outcome.truth, names: &LETTERS };
        let mut series = excess.leading(&shown, "", false);
        let y_range = range_of(&series[..series.len().min(IN_FULL_VIEW)], FIRST_ROWS);
        if !shown.contains(&outcome.truth) {
            series.push(excess.of_truth(&outcome.place.to_string(), false));
        }
        Chart {
            title: "Excess code length over the true graph (orange)",
            x_label: "rows seen",
            y_label: "nats",
            x_range: FIRST_ROWS..rows as f64,
            y_range,
            shaded: None,
            series,
        }
    }

    fn markdown(&self, study: &Study, outcomes: &[Outcome]) -> String {
        let all: Vec<&Outcome> = outcomes.iter().collect();
        format!(
            "# {}\n\n{} {}\n\n{}\nThe true graph is first, and alone, in {} of {}; a member of its class is first in {}. The paper: {}.\n",
            self.title,
            self.equations,
            study.setting_in_words(outcomes),
            table(&all),
            n_where(&all, Outcome::is_found),
            plural(all.len(), "data set"),
            n_where(&all, |outcome| outcome.comparison.equivalent),
            self.finding,
        )
    }
}
