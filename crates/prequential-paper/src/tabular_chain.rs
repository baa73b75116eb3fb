//! The paper's Figure 1: three categorical variables in a chain.

use prequential::internals::{Quantised, RankedDags, checkpoints, count, exhaustive, shuffled_rows};
use prequential::results::{Curves, MeanSd};
use prequential::{Constraints, Cpdag, Dag, Family, NodeSet, Prior, Result};
use prequential_simulate::{Experiment, Simulated};
use serde_json::{Value, json};

use crate::charts::points;
use crate::experiment::Reproducible;
use crate::plot::{COLORS, Chart, Series};
use crate::tabular::{ExperimentRun, lengths_at, reproduce};
use crate::words::{one_line, signed};

pub(crate) const EXPERIMENT: Reproducible =
    Reproducible { name: "tabular-chain", about: "Figure 1", needs_data: false, run: reproduce::<ChainRun> };

const NAMES: [&str; 3] = ["A", "B", "C"];

/// One data set, coded and ranked.
pub(crate) struct ChainRun {
    seed: u64,
    truth: Dag,
    curves: Curves,
    ranking: RankedDags,
}

impl ExperimentRun for ChainRun {
    const DATA: Experiment = Experiment::TabularChain;
    const REPEATS: usize = 1_000;

    fn new(rows: usize, seed: u64, repeats: usize) -> Result<ChainRun> {
        let Simulated { table, truth, .. } = Experiment::TabularChain.simulate(rows, seed)?;
        let data = Quantised::new(&table, 2);
        let constraints = Constraints::none(3);
        let families: Vec<Family> = constraints.families().collect();
        let order = |repeat| shuffled_rows(rows, seed, repeat);
        let curves =
            Curves::by_counts(&data, Prior::default(), &families, &checkpoints(rows, 20), repeats, order)?;
        let last = curves.checkpoints().len() - 1;
        let ranking = exhaustive(&lengths_at(&curves, 3, last), &constraints)?;
        Ok(ChainRun { seed, truth, curves, ranking })
    }

    fn summary_json(&self) -> Value {
        let ranked = |rank| json!({ "graph": one_line(&self.ranking.dag(rank), &NAMES), "excess_nats": self.excess_of(rank) });
        json!({
            "seed": self.seed,
            "class_leads": self.class_leads(),
            "least_excess_of_fully_connected_nats": self.full_excess(),
            "loss_of_A_given_B_C_less_given_B": { "rows_50_to_200": self.early_gap(), "last_checkpoint": self.late_gap() },
            "ranking": (0..self.ranking.len()).map(ranked).collect::<Vec<_>>(),
        })
    }

    fn next_step_chart(&self, rows: usize) -> Chart<'static> {
        let sets: [(&[usize], &str); 4] =
            [(&[], "p(A)"), (&[1], "p(A | B)"), (&[2], "p(A | C)"), (&[1, 2], "p(A | B, C)")];
        let one = |(i, (parents, name)): (usize, &(&[usize], &str))| Series {
            name: name.to_string(),
            legend: Some(name.to_string()),
            points: points(&self.curves, self.of_a(parents)),
            // The spread of a single next step over a thousand orders would hide the means.
            band: false,
            color: COLORS[i],
            width: 2,
            dashed: false,
        };
        let series: Vec<Series> = sets.iter().enumerate().map(one).collect();
        let means = || {
            series.iter().flat_map(|series| &series.points).filter(|(x, _)| *x >= 5.0).map(|(_, m)| m.mean)
        };
        let (low, high) = (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
        Chart {
            title: "Next-step log-loss of A for every parent set",
            x_label: "rows seen",
            y_label: "nats",
            x_range: 1.0..rows as f64,
            y_range: low - 0.05..high + 0.05,
            shaded: None,
            series,
        }
    }

    fn excess_chart(&self, rows: usize) -> Chart<'static> {
        let class = Cpdag::of(&self.truth);
        let mut listed = [false; 2];
        let mut one = |rank: usize| {
            let dag = self.ranking.dag(rank);
            let name = one_line(&dag, &NAMES);
            let full = dag.n_edges() == 3;
            let (legend, color, width) = if Cpdag::of(&dag) == class {
                (Some(name.clone()), COLORS[rank.min(4)], 3)
            } else if full {
                (first(&mut listed[0], "fully connected (6 graphs)"), COLORS[7], 1)
            } else {
                (first(&mut listed[1], "all others (16 graphs)"), COLORS[5], 1)
            };
            Series {
                name,
                legend,
                points: points(&self.curves, self.curves.excess(&dag, &self.truth)),
                band: true,
                color,
                width,
                dashed: false,
            }
        };
        let series: Vec<Series> = (0..self.ranking.len()).map(&mut one).collect();
        Chart {
            title: "Excess code length over A -> B -> C, all 25 graphs",
            x_label: "rows seen",
            y_label: "nats",
            x_range: 1.0..rows as f64,
            y_range: -20.0..(self.full_excess() * 1.5).max(50.0),
            shaded: None,
            series,
        }
    }

    fn markdown(runs: &[ChainRun], rows: usize, repeats: usize, command: &str) -> String {
        account(runs, rows, repeats, command)
    }
}

impl ChainRun {
    fn class_leads(&self) -> bool {
        let class = Cpdag::of(&self.truth);
        (0..3).all(|rank| Cpdag::of(&self.ranking.dag(rank)) == class)
    }

    fn excess_of(&self, rank: usize) -> f64 {
        (self.ranking.code_length(rank) - self.ranking.code_length(0)).0
    }

    /// The least excess of a fully connected graph.
    fn full_excess(&self) -> f64 {
        let full = (0..self.ranking.len()).find(|&rank| self.ranking.dag(rank).n_edges() == 3);
        full.map_or(f64::NAN, |rank| self.excess_of(rank))
    }

    /// Mean next-step loss of A given `with`, less that given `without`, over the checkpoints in `rows`.
    fn gap(&self, with: &[usize], without: &[usize], rows: std::ops::RangeInclusive<usize>) -> f64 {
        let (with, without) = (self.of_a(with), self.of_a(without));
        let inside = self.curves.checkpoints().iter().map(|checkpoint| rows.contains(checkpoint));
        let gaps = inside.zip(with.iter().zip(&without)).filter(|(inside, _)| *inside);
        MeanSd::of(gaps.map(|(_, (with, without))| with.mean - without.mean)).mean
    }

    fn of_a(&self, parents: &[usize]) -> Vec<MeanSd> {
        let family = Family::new(0, parents.iter().copied().collect::<NodeSet>());
        let number = self.curves.families().iter().position(|known| *known == family);
        number.map(|number| self.curves.next_step(number, 1)).unwrap_or_default()
    }

    fn early_gap(&self) -> f64 {
        self.gap(&[1, 2], &[1], 50..=200)
    }

    fn late_gap(&self) -> f64 {
        let last = *self.curves.checkpoints().last().unwrap_or(&0);
        self.gap(&[1, 2], &[1], last..=last)
    }
}

/// The text the first time, nothing later.
fn first(listed: &mut bool, text: &str) -> Option<String> {
    (!std::mem::replace(listed, true)).then(|| text.to_string())
}

fn account(runs: &[ChainRun], rows: usize, repeats: usize, command: &str) -> String {
    let line = |run: &ChainRun| {
        let three: Vec<String> = (0..3)
            .map(|rank| {
                format!("{} ({})", one_line(&run.ranking.dag(rank), &NAMES), signed(run.excess_of(rank)))
            })
            .collect();
        let (full, early, late) = (signed(run.full_excess()), run.early_gap(), run.late_gap());
        format!("| {} | {} | {full} | {early:+.4} | {late:+.4} |\n", run.seed, three.join("; "))
    };
    let lines: String = runs.iter().map(line).collect();
    let n_led = runs.iter().filter(|run| run.class_leads()).count();
    let least = runs.iter().map(ChainRun::full_excess).fold(f64::INFINITY, f64::min);
    format!(
        "# tabular-chain: Figure 1 of the paper\n\n\
         A -> B -> C, five values each, probabilities from Dirichlet(1); counts with alpha 0.5; {} rows, {} row orders.\n\n\
         `{command}`\n\n\
         | seed | three best graphs (excess in nats) | least excess of a fully connected graph | \
         loss of A given B, C less that given B, rows 50-200 | the same at the last checkpoint |\n|---|---|---|---|---|\n{lines}\n\
         The three members of the class A - B - C lead in {n_led} of {} data sets; every fully connected graph trails by at least \
         {least:.1} nats. The paper: the class leads, fully connected graphs trail by more than 50 nats, and p(A | B, C) is worse than \
         p(A | B) with little data and as good with much.\n",
        count(rows),
        count(repeats),
        runs.len(),
    )
}
