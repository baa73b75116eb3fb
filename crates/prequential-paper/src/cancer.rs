//! The paper's appendix on interventions: the network `cancer`, with interventional rows in the middle.

use prequential::internals::{Quantised, RankedDags, checkpoints, count, exhaustive};
use prequential::results::Curves;
use prequential::{Constraints, Dag, Family, Prior, Result};
use prequential_simulate::interventional_rows;
use prequential_simulate::{Experiment, Simulated};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::charts::{ExcessCurves, points};
use crate::experiment::Reproducible;
use crate::plot::{COLORS, Chart, Series};
use crate::tabular::{ExperimentRun, lengths_at, reproduce};
use crate::words::{one_line, signed};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "cancer",
    about: "The figure of the appendix on interventions",
    needs_data: false,
    run: reproduce::<CancerRun>,
};

const NAMES: [&str; 5] = ["P", "S", "C", "X", "D"];
/// The number of graphs in the paper's figure.
const SHOWN: usize = 14;
const CANCER: usize = 2;
/// Checkpoints over which the next-step loss is averaged: a factor of 1.8 in rows.
const SMOOTHING: usize = 8;

/// One data set, coded and ranked before, after and at the end.
pub(crate) struct CancerRun {
    seed: u64,
    truth: Dag,
    curves: Curves,
    before: RankedDags,
    after: RankedDags,
    end: RankedDags,
}

impl ExperimentRun for CancerRun {
    const DATA: Experiment = Experiment::Cancer;
    const REPEATS: usize = 5;

    fn new(rows: usize, seed: u64, repeats: usize) -> Result<CancerRun> {
        let Simulated { table, truth, .. } = Experiment::Cancer.simulate(rows, seed)?;
        let data = Quantised::new(&table, 2);
        let constraints = Constraints::none(5);
        let families: Vec<Family> = constraints.families().collect();
        let order = |repeat| order_in_sections(rows, seed, repeat);
        let special = interventional_rows(rows);
        let mut points = checkpoints(rows, 30);
        points.extend([special.start, special.end]);
        points.sort_unstable();
        points.dedup();
        let curves = Curves::by_counts(&data, Prior::default(), &families, &points, repeats, order)?;
        let at = |rows: usize| {
            let i = points.iter().position(|&point| point == rows).unwrap_or(points.len() - 1);
            exhaustive(&lengths_at(&curves, 5, i), &constraints)
        };
        let (before, after, end) = (at(special.start)?, at(special.end)?, at(rows)?);
        Ok(CancerRun { seed, truth, before, after, end, curves })
    }

    fn summary_json(&self) -> Value {
        let head = |ranking: &RankedDags| -> Vec<Value> {
            let one = |rank| {
                let excess = ranking.code_length(rank) - ranking.code_length(0);
                json!({ "graph": one_line(&ranking.dag(rank), &NAMES), "excess_nats": excess })
            };
            (0..SHOWN).map(one).collect()
        };
        json!({
            "seed": self.seed,
            "place_of_truth": { "before": self.place(&self.before), "after": self.place(&self.after), "end": self.place(&self.end) },
            "margin_at_end_nats": self.margin(),
            "best_before": head(&self.before),
            "best_at_end": head(&self.end),
        })
    }

    /// Next-step losses of the variable in the middle, whose true parents are P and S.
    fn next_step_chart(&self, rows: usize) -> Chart<'static> {
        let sets: [&[usize]; 6] = [&[], &[0], &[1], &[0, 1], &[3, 4], &[0, 1, 3, 4]];
        let one = |(i, parents): (usize, &&[usize])| {
            let family = Family::new(CANCER, parents.iter().copied().collect());
            let number = self.curves.families().iter().position(|known| *known == family).unwrap_or(0);
            let name = match family.parents.is_empty() {
                true => "p(C)".to_string(),
                false => format!("p({})", family.display(&NAMES.map(String::from))),
            };
            // Cancer is rare: one checkpoint's rows hold a case or none.
            let values = self.curves.next_step(number, SMOOTHING);
            Series {
                legend: Some(name.clone()),
                name,
                points: points(&self.curves, values),
                band: false,
                color: COLORS[i],
                width: 2,
                dashed: false,
            }
        };
        let series: Vec<Series> = sets.iter().enumerate().map(one).collect();
        Chart {
            title: "Next-step log-loss of Cancer for six parent sets",
            x_label: "rows seen",
            y_label: "nats",
            x_range: 100.0..rows as f64,
            y_range: 0.0..0.15,
            shaded: shaded(rows),
            series,
        }
    }

    fn excess_chart(&self, rows: usize) -> Chart<'static> {
        let mut series: Vec<Series> = self.head(&self.end, "end ", false);
        let new = |before: &Series| series.iter().all(|listed| listed.name != before.name);
        let before: Vec<Series> = self.head(&self.before, "before ", true).into_iter().filter(new).collect();
        series.extend(before);
        Chart {
            title: "Excess code length over the true graph (orange)",
            x_label: "rows seen",
            y_label: "nats",
            x_range: 100.0..rows as f64,
            y_range: -15.0..25.0,
            shaded: shaded(rows),
            series,
        }
    }

    fn markdown(runs: &[CancerRun], rows: usize, repeats: usize, command: &str) -> String {
        account(runs, rows, repeats, command)
    }
}

impl CancerRun {
    /// Curves of the best graphs of a ranking.
    fn head(&self, ranking: &RankedDags, when: &str, dashed: bool) -> Vec<Series> {
        let dags: Vec<Dag> = (0..SHOWN).map(|rank| ranking.dag(rank)).collect();
        let excess = ExcessCurves { curves: &self.curves, truth: &self.truth, names: &NAMES };
        excess.leading(&dags, when, dashed)
    }

    /// The place of the true graph in a ranking, from 1.
    fn place(&self, ranking: &RankedDags) -> usize {
        (0..ranking.len()).position(|rank| ranking.dag(rank) == self.truth).map_or(0, |rank| rank + 1)
    }

    fn margin(&self) -> f64 {
        (self.end.code_length(1) - self.end.code_length(0)).0
    }
}

fn shaded(rows: usize) -> Option<(std::ops::Range<f64>, &'static str)> {
    let special = interventional_rows(rows);
    Some((special.start as f64..special.end as f64, "interventional rows"))
}

/// Shuffles the rows before, within and after the interventional part, each for itself.
fn order_in_sections(n_rows: usize, seed: u64, repeat: usize) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(repeat as u64);
    let mut order: Vec<u32> = (0..n_rows as u32).collect();
    let special = interventional_rows(n_rows);
    order[..special.start].shuffle(&mut rng);
    order[special.clone()].shuffle(&mut rng);
    order[special.end..].shuffle(&mut rng);
    order
}

fn account(runs: &[CancerRun], rows: usize, repeats: usize, command: &str) -> String {
    let line = |run: &CancerRun| {
        let best = |ranking: &RankedDags| one_line(&ranking.dag(0), &NAMES);
        let places = [&run.before, &run.after, &run.end].map(|ranking| run.place(ranking).to_string());
        let (before, end, margin) = (best(&run.before), best(&run.end), signed(run.margin()));
        format!("| {} | {before} | {end} | {} | {margin} |\n", run.seed, places.join(", "))
    };
    let lines: String = runs.iter().map(line).collect();
    let n_changed = runs.iter().filter(|run| run.before.dag(0) != run.end.dag(0)).count();
    let n_first =
        |pick: fn(&CancerRun) -> &RankedDags| runs.iter().filter(|run| run.place(pick(run)) == 1).count();
    let special = interventional_rows(rows);
    format!(
        "# cancer: interventional rows (appendix of the paper)\n\n\
         P -> C <- S, C -> X, C -> D (pollution, smoker, cancer, X-ray, dyspnoea); counts with alpha 0.5; {} rows, of which {} to {} have one \
         random variable set to a random value; {repeats} row orders, shuffled before, within and after these rows.\n\n\
         `{command}`\n\n\
         | seed | best graph before | best graph at the end | place of the true graph before, after, at the end | margin at the end (nats) |\n\
         |---|---|---|---|---|\n{lines}\n\
         The leader at the end differs from the leader before the interventional rows in {n_changed} of {n} data sets. The true graph leads in {} of {n} \
         before them, in {} of {n} at the end. The paper (one data set): only the interventional rows let the true graph win, and many graphs differ by \
         a few nats only.\n",
        count(rows),
        count(special.start),
        count(special.end),
        n_first(|run| &run.before),
        n_first(|run| &run.end),
        n = runs.len(),
    )
}
