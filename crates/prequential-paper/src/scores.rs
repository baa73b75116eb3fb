//! Scores that the paper discusses, on categorical networks: their distance from the truth by number of rows.

use prequential::internals::{count, plural};
use prequential::textbook::{Aic, Bic, Fnml, Qnml};
use prequential::{Counts, Estimator, Prior, Result, Settings, compare, learn};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::options::check;

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "scores",
    about: "Scores of labels that the paper discusses: which of them finds which network, by rows",
    needs_data: false,
    run: reproduce,
};

/// The default number of rows.
const N_ROWS: [usize; 4] = [300, 1_000, 3_000, 10_000];

/// Networks without interventions; ALARM is too wide for a proof and searched by `order`.
const NETWORKS: [Experiment; 3] = [Experiment::TabularChain, Experiment::Asia, Experiment::Alarm];

/// Every score, with its usual name.
fn scores() -> [(&'static str, Estimator); 7] {
    let counts = |prior| Counts { prior, ..Counts::default() }.into();
    [
        ("the plug-in code (alpha 0.5)", counts(Prior::default())),
        ("K2 (alpha 1)", counts(Prior::Alpha(1.0))),
        ("BDeu (ess 1)", counts(Prior::SampleSize(1.0))),
        ("BIC", Bic::default().into()),
        ("AIC", Aic::default().into()),
        ("fNML", Fnml::default().into()),
        ("qNML", Qnml::default().into()),
    ]
}

/// The result of one score on all tables of one network and size.
struct ScoresLine {
    network: &'static str,
    n_rows: usize,
    score: &'static str,
    /// Pairs of variables in which the equivalence classes differ, per table.
    shds: Vec<usize>,
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let sizes = options.rows.map_or(N_ROWS.to_vec(), |rows| vec![rows]);
    check(sizes[0], options.n_seeds, 1)?;
    let mut lines = Vec::new();
    let n_sets = NETWORKS.len() * sizes.len();
    for network in NETWORKS {
        for &n_rows in &sizes {
            let of_size = lines_of(network, n_rows, request)?;
            let words: Vec<String> =
                of_size.iter().map(|line: &ScoresLine| format!("{:.1}", line.mean())).collect();
            lines.extend(of_size);
            let words = format!("{}, {} rows: SHD {}", network.name(), count(n_rows), words.join(", "));
            request.tell(lines.len() / scores().len(), n_sets, &words);
        }
    }
    let n_seeds = options.n_seeds;
    let command = request.command(options.rows);
    let json = json!({
        "experiment": request.name,
        "command": command,
        "lines": lines.iter().map(ScoresLine::json).collect::<Vec<_>>(),
    });
    let names: Vec<&str> = scores().iter().map(|(name, _)| *name).collect();
    let table: String = lines.chunks(names.len()).map(row).collect();
    let markdown = format!(
        "# scores: labels by the scores that the paper discusses\n\n\
         Pairs of variables in which the class found differs from the true one, mean over {}; in brackets, tables whose class is right. Searches prove the best graph, but for `alarm`.\n\n`{command}`\n\n\
         | network | rows | {} |\n|---|---:|{}\n{table}",
        plural(n_seeds, "data seed"),
        names.join(" | "),
        "---:|".repeat(names.len()),
    );
    Ok(Reproduction::new(&json, markdown, Vec::new()))
}

fn lines_of(network: Experiment, n_rows: usize, request: &Request) -> Result<Vec<ScoresLine>> {
    let mut lines: Vec<ScoresLine> = scores()
        .iter()
        .map(|(score, _)| ScoresLine { network: network.name(), n_rows, score, shds: Vec::new() })
        .collect();
    for seed in request.options.seeds() {
        let simulated = network.simulate(n_rows, seed)?;
        for (line, (_, estimator)) in lines.iter_mut().zip(scores()) {
            let settings = Settings {
                estimator,
                seed,
                threads: request.options.settings.threads,
                ..Settings::default()
            };
            let learned = learn(&simulated.table, &settings)?;
            line.shds.push(compare(&learned.answer.dag, &simulated.truth).shd_cpdag);
        }
    }
    Ok(lines)
}

impl ScoresLine {
    fn mean(&self) -> f64 {
        self.shds.iter().sum::<usize>() as f64 / self.shds.len() as f64
    }

    fn json(&self) -> Value {
        json!({ "network": self.network, "rows": self.n_rows, "score": self.score, "shd_of_classes": self.shds })
    }
}

/// A line of the table: all scores of one network and size.
fn row(lines: &[ScoresLine]) -> String {
    let cell = |line: &ScoresLine| {
        let n_right = line.shds.iter().filter(|&&shd| shd == 0).count();
        format!("{:.1} ({n_right})", line.mean())
    };
    let cells: Vec<String> = lines.iter().map(cell).collect();
    format!("| {} | {} | {} |\n", lines[0].network, count(lines[0].n_rows), cells.join(" | "))
}
