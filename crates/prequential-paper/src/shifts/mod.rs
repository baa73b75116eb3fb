//! Adaptation under distribution shift, as in the paper's discussion, and the use of contexts.

mod adaptation;
mod graphs;

use prequential::Result;
use prequential::internals::{count, plural};
use prequential::results::MeanSd;
use serde_json::{Value, json};

use crate::charts::{range_of, series_json};
use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::{ReproduceOptions, check};
use crate::plot::{COLORS, Chart, Series};
use crate::study::as_typed;
use crate::words::signed;

use adaptation::{Adaptation, Case, N_ENVIRONMENTS};
pub(crate) use graphs::centred;
use graphs::{Arm, FoundGraph, N_VARS, found};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "shifts",
    about: "Mechanisms that change between environments: adaptation (discussed in the paper), and contexts",
    needs_data: false,
    run: reproduce,
};

const ENVIRONMENT: &str = "environment";

/// The default number of rows of a pair and of a graph.
const N_ROWS: usize = 1_000;

/// All data sets of one case of adaptation.
struct Adapted {
    case: Case,
    runs: Vec<Adaptation>,
}

/// All arms of all data sets of numbers, or of labels.
struct Graphs {
    is_categorical: bool,
    found: Vec<FoundGraph>,
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let n_rows = options.rows.unwrap_or(N_ROWS);
    check(n_rows, options.n_seeds, 1)?;
    let seeds: Vec<u64> = options.seeds().collect();
    let n_sets = (Case::ALL.len() + 2) * seeds.len();
    let mut n_done = 0;
    let mut tell = |outcome: &str| {
        n_done += 1;
        request.tell(n_done, n_sets, outcome);
    };
    let mut adapted = Vec::new();
    for case in Case::ALL {
        let mut runs = Vec::new();
        for &seed in &seeds {
            let run = Adaptation::new(case, n_rows / N_ENVIRONMENTS, seed, &options.settings)?;
            tell(&format!("{}, seed {seed}: B -> A costs {} nats more", case.in_words(), signed(run.gap)));
            runs.push(run);
        }
        adapted.push(Adapted { case, runs });
    }
    let mut graphs = Vec::new();
    for is_categorical in [false, true] {
        let mut all = Vec::new();
        for &seed in &seeds {
            let of_seed = found(n_rows, is_categorical, seed, &options.settings)?;
            let shds: Vec<String> = of_seed.iter().map(|one| one.shd.to_string()).collect();
            tell(&format!("graphs of {}, seed {seed}: SHD {}", kind(is_categorical), shds.join(", ")));
            all.extend(of_seed);
        }
        graphs.push(Graphs { is_categorical, found: all });
    }
    let plots =
        adapted.iter().enumerate().map(|(i, adapted)| (format!("adaptation{}.svg", i + 1), adapted.svg()));
    let plots = plots.collect();
    let json = json!({
        "experiment": request.name,
        "command": command(options, n_rows),
        "adaptation": adapted.iter().map(Adapted::json).collect::<Vec<_>>(),
        "graphs": graphs.iter().map(Graphs::json).collect::<Vec<_>>(),
    });
    Ok(Reproduction::new(&json, markdown(options, n_rows, &adapted, &graphs), plots))
}

fn kind(is_categorical: bool) -> &'static str {
    if is_categorical { "labels" } else { "numbers" }
}

/// The command that repeats the run.
fn command(options: &ReproduceOptions, n_rows: usize) -> String {
    let (seed, n_seeds) = (options.seed, options.n_seeds);
    let mut command = format!("prequential reproduce shifts --rows {n_rows} --seed {seed} --seeds {n_seeds}");
    command += &as_typed(options);
    options.more.iter().for_each(|word| command += &format!(" {word}"));
    command
}

fn markdown(options: &ReproduceOptions, n_rows: usize, adapted: &[Adapted], graphs: &[Graphs]) -> String {
    let gaps: String = adapted.iter().map(Adapted::row).collect();
    let arms: String = graphs.iter().map(Graphs::rows).collect();
    format!(
        "# shifts: mechanisms that change between environments\n\n`{}`\n\n\
         ## Adaptation\n\n\
         A -> B in {N_ENVIRONMENTS} environments of {} rows, one after another, {}. Labels: ten values, distributions from Dirichlet(1), counted. \
         Numbers: A normal, B linear in A with normal noise. Within one environment nothing tells the direction of either. \
         Gap: nats by which B -> A is longer than A -> B.\n\n\
         | | gap, environment as context | A -> B shorter | gap, environment left out | A -> B shorter |\n|---|---|---|---|---|\n{gaps}\n\
         `adaptation1.svg` to `adaptation4.svg`: next-step loss of both directions after a change of environment.\n\n\
         ## Graphs\n\n\
         Random graphs of {N_VARS} variables, {} rows, five environments each of which shifts about a third of the mechanisms; of one of them it is known, and its \
         cells count as set by intervention. Means over {}.\n\n\
         | | SHD | SHD of classes | links | false links | CPU s |\n|---|---|---|---|---|---|\n{arms}",
        command(options, n_rows),
        count(n_rows / N_ENVIRONMENTS),
        plural(options.n_seeds, "data seed"),
        count(n_rows),
        plural(options.n_seeds, "data seed"),
    )
}

impl Adapted {
    fn gaps(&self, gap: fn(&Adaptation) -> f64) -> (MeanSd, usize) {
        let gaps = self.runs.iter().map(gap);
        (MeanSd::of(gaps.clone()), gaps.filter(|&gap| gap > 0.0).count())
    }

    fn row(&self) -> String {
        let (with, n_with) = self.gaps(|run| run.gap);
        let (without, n_without) = self.gaps(|run| run.gap_without);
        let n_runs = self.runs.len();
        format!(
            "| {} | {} ± {:.1} | {n_with} of {n_runs} | {} ± {:.1} | {n_without} of {n_runs} |\n",
            self.case.in_words(),
            signed(with.mean),
            with.sd,
            signed(without.mean),
            without.sd
        )
    }

    /// Next-step losses after a change, of both directions, over changes and data sets.
    fn series(&self) -> Vec<Series> {
        let one = |(direction, name): (usize, &str)| {
            let points = self.runs[0].checkpoints.iter().enumerate().map(|(place, &rows)| {
                let of_runs = self.runs.iter().map(move |run| run.after_change[direction][place].mean);
                (rows as f64, MeanSd::of(of_runs))
            });
            Series {
                name: name.to_string(),
                legend: Some(name.to_string()),
                points: points.collect(),
                band: true,
                color: COLORS[direction],
                width: 2,
                dashed: direction == 1,
            }
        };
        [(0, "A -> B, as it is"), (1, "B -> A")].map(one).to_vec()
    }

    fn svg(&self) -> String {
        let series = self.series();
        let n_rows = self.runs[0].checkpoints.last().map_or(2.0, |&rows| rows as f64);
        Chart {
            title: &self.case.in_words(),
            x_label: "rows since the environment changed",
            y_label: "next-step loss (nats a row)",
            x_range: 1.0..n_rows,
            y_range: range_of(&series, 1.0),
            shaded: None,
            series,
        }
        .svg()
    }

    fn json(&self) -> Value {
        let of = |gap: fn(&Adaptation) -> f64| self.runs.iter().map(gap).collect::<Vec<f64>>();
        json!({
            "case": self.case.in_words(),
            "gap_nats": of(|run| run.gap),
            "gap_without_context_nats": of(|run| run.gap_without),
            "after_change": series_json(&self.series()),
        })
    }
}

impl Graphs {
    fn of_arm(&self, arm: Arm, value: fn(&FoundGraph) -> f64) -> MeanSd {
        let own: Vec<f64> = self.found.iter().filter(|found| found.arm == arm).map(value).collect();
        MeanSd::of(own.into_iter())
    }

    fn arms(&self) -> impl Iterator<Item = Arm> {
        let is_categorical = self.is_categorical;
        Arm::ALL.into_iter().filter(move |arm| arm.suits(is_categorical))
    }

    fn rows(&self) -> String {
        let row = |arm: Arm| {
            let value = |value: fn(&FoundGraph) -> f64| {
                let MeanSd { mean, sd } = self.of_arm(arm, value);
                format!("{mean:.2} ± {sd:.2}")
            };
            format!(
                "| {}, {} | {} | {} | {} | {} | {:.1} |\n",
                kind(self.is_categorical),
                arm.in_words(),
                value(|found| found.shd as f64),
                value(|found| found.shd_of_classes as f64),
                value(|found| found.links as f64),
                value(|found| found.false_links as f64),
                self.of_arm(arm, |found| found.cpu_seconds).mean
            )
        };
        self.arms().map(row).collect()
    }

    fn json(&self) -> Value {
        let arm = |arm: Arm| {
            let of = |value: fn(&FoundGraph) -> usize| {
                self.found.iter().filter(|found| found.arm == arm).map(value).collect::<Vec<usize>>()
            };
            json!({
                "arm": arm.in_words(),
                "shd": of(|found| found.shd),
                "shd_of_classes": of(|found| found.shd_of_classes),
                "links": of(|found| found.links),
                "false_links": of(|found| found.false_links),
            })
        };
        json!({ "variables": kind(self.is_categorical), "arms": self.arms().map(arm).collect::<Vec<_>>() })
    }
}
