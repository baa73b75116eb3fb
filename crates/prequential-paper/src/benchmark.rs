//! The code shared by the paper's Tables 1 and 2: many data sets, how often their graphs are found and the
//! mean SHD.

use prequential::Result;
use prequential::results::MeanSd;
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::experiment::{Reproduction, Request};
use crate::outcome::{Outcome, listed, mean, n_where};
use crate::study::Study;
use crate::words::signed;

/// The paper's figures for a method: its mean SHD and, if stated, how many data sets are in the true class.
pub(crate) struct Reported {
    pub(crate) method: &'static str,
    pub(crate) shd: Option<f64>,
    pub(crate) in_class: Option<usize>,
}

/// A table of the paper.
pub(crate) struct Benchmark {
    pub(crate) title: &'static str,
    /// How the data are generated.
    pub(crate) data: &'static str,
    pub(crate) experiments: Vec<Experiment>,
    pub(crate) paper: &'static [Reported],
    /// Further statements of the paper.
    pub(crate) remark: &'static str,
}

impl Benchmark {
    pub(crate) fn reproduce(&self, request: &Request) -> Result<Reproduction> {
        let study = Study::new(request)?;
        let outcomes = study.learn_all(&self.experiments)?;
        let by_seed: Vec<Vec<&Outcome>> =
            study.seeds().iter().map(|&seed| of_seed(&outcomes, seed)).collect();
        let mut json = study.json(&outcomes, self.paper_json());
        json["seeds"] = by_seed.iter().map(|outcomes| means_json(outcomes)).collect();
        json["mean"] = means_json(&outcomes.iter().collect::<Vec<_>>());
        let markdown = format!(
            "# {}\n\n{} {}\n\n{}\n{}\n{}\n{}\n",
            self.title,
            self.data,
            study.setting_in_words(&outcomes),
            self.against_paper(&by_seed),
            seeds_table(&by_seed),
            self.sets_table(&outcomes),
            self.remark,
        );
        Ok(Reproduction::new(&json, markdown, Vec::new()))
    }

    fn paper_json(&self) -> Value {
        let one = |reported: &Reported| json!({ "method": reported.method, "shd": reported.shd, "equivalent": reported.in_class });
        self.paper.iter().map(one).collect()
    }

    /// Our figures and the paper's, a line each.
    fn against_paper(&self, by_seed: &[Vec<&Outcome>]) -> String {
        let n_sets = self.experiments.len();
        let over_seeds =
            |value: fn(&[&Outcome]) -> f64| MeanSd::of(by_seed.iter().map(|outcomes| value(outcomes)));
        let (shd, in_class) = (over_seeds(mean_shd), over_seeds(|outcomes| n_in_class(outcomes) as f64));
        let ours = match by_seed.len() {
            1 => format!("{:.2} | {:.0}", shd.mean, in_class.mean),
            _ => format!("{:.2} ± {:.2} | {:.1} ± {:.1}", shd.mean, shd.sd, in_class.mean, in_class.sd),
        };
        let known = |number: Option<String>| number.unwrap_or_else(|| "not stated".to_string());
        let line = |reported: &Reported| {
            let shd = known(reported.shd.map(|shd| shd.to_string()));
            format!("| {} | {shd} | {} |\n", reported.method, known(reported.in_class.map(|n| n.to_string())))
        };
        let lines: String = self.paper.iter().map(line).collect();
        let spread = if by_seed.len() > 1 { " (± standard deviation over seeds)" } else { "" };
        format!(
            "| | mean SHD | in the true class, of {n_sets} |\n|---|---|---|\n| ours{spread} | {ours} |\n{lines}"
        )
    }

    /// A line per data set, with the values of all seeds.
    fn sets_table(&self, outcomes: &[Outcome]) -> String {
        let line = |&experiment: &Experiment| {
            let of_set: Vec<&Outcome> =
                outcomes.iter().filter(|outcome| outcome.experiment == experiment).collect();
            let verdicts: Vec<String> = of_set.iter().map(|outcome| outcome.verdict()).collect();
            format!(
                "| {} | {} | {} of {} | {} | {} | {} | {:.2} |\n",
                of_set[0].set(),
                listed(&of_set, |outcome| outcome.comparison.shd.to_string()),
                n_in_class(&of_set),
                of_set.len(),
                listed(&of_set, |outcome| signed(outcome.margin())),
                listed(&of_set, |outcome| signed(outcome.excess_of_truth())),
                verdicts.join(" / "),
                mean(&of_set, |outcome| outcome.cpu_seconds),
            )
        };
        let lines: String = self.experiments.iter().map(line).collect();
        format!(
            "| data set | SHD | in the true class | margin (nats) | excess of the true graph (nats) | best graph | CPU s |\n\
             |---|---|---|---|---|---|---|\n{lines}"
        )
    }
}

fn of_seed(outcomes: &[Outcome], seed: u64) -> Vec<&Outcome> {
    outcomes.iter().filter(|outcome| outcome.seed == seed).collect()
}

fn mean_shd(outcomes: &[&Outcome]) -> f64 {
    mean(outcomes, |outcome| outcome.comparison.shd as f64)
}

fn n_in_class(outcomes: &[&Outcome]) -> usize {
    n_where(outcomes, |outcome| outcome.comparison.equivalent)
}

fn means_json(outcomes: &[&Outcome]) -> Value {
    let share = |so: fn(&Outcome) -> bool| n_where(outcomes, so) as f64 / outcomes.len() as f64;
    json!({
        "seed": outcomes.iter().all(|outcome| outcome.seed == outcomes[0].seed).then_some(outcomes[0].seed),
        "data_sets": outcomes.len(),
        "shd": mean_shd(outcomes),
        "share_equivalent": share(|outcome| outcome.comparison.equivalent),
        "share_found": share(Outcome::is_found),
        "margin_nats": mean(outcomes, Outcome::margin),
        "excess_of_truth_nats": mean(outcomes, Outcome::excess_of_truth),
        "truth_nats_per_row": mean(outcomes, Outcome::truth_per_row),
        "gain_nats_per_row": mean(outcomes, Outcome::gain_per_row),
        "cpu_seconds": mean(outcomes, |outcome| outcome.cpu_seconds),
    })
}

/// Means over the data sets, a line per seed.
fn seeds_table(by_seed: &[Vec<&Outcome>]) -> String {
    let line = |outcomes: &Vec<&Outcome>| {
        format!(
            "| {} | {:.2} | {} | {} | {} | {} | {:.4} | {:.4} | {:.2} |\n",
            outcomes[0].seed,
            mean_shd(outcomes),
            n_in_class(outcomes),
            n_where(outcomes, Outcome::is_found),
            signed(mean(outcomes, Outcome::margin)),
            signed(mean(outcomes, Outcome::excess_of_truth)),
            mean(outcomes, Outcome::truth_per_row),
            mean(outcomes, Outcome::gain_per_row),
            mean(outcomes, |outcome| outcome.cpu_seconds),
        )
    };
    let lines: String = by_seed.iter().map(line).collect();
    format!(
        "| seed | mean SHD | in the true class | first and alone | mean margin (nats) | mean excess of the true graph (nats) | its code \
         (nats a row) | what it saves (nats a row) | CPU s a data set |\n|---|---|---|---|---|---|---|---|---|\n{lines}"
    )
}
