//! Whether raw and tempered edge probabilities mean what they say: Brier and log scores and reliability over simulated tables.
//!
//! `cargo run --release --example calibration -- [n_rows] [first_seed] [last_seed]`: the paper's 20 mechanisms, 1,000 rows and data seeds 1 to 3
//! unless said otherwise, with the default estimator. Every ordered pair of variables is one statement that is true or false.

use prequential::internals::{
    CodeLengths, Tempered, by_enumeration, exhaustive, one_edge_away, spread_of_gaps, temperature,
};
use prequential::results::EdgeProbabilities;
use prequential::{Constraints, Dag, Experiment, Learned, Nats, Settings, learn};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A way to choose the temperature.
type Rule = (&'static str, fn(&Case) -> f64);

const RULES: &[Rule] = &[
    ("1: raw", |_| 1.0),
    ("temperature of runners-up", |case| temperature(case.runners_up)),
    ("spread of runners-up", |case| case.runners_up.0),
    ("spread of runners-up x 2", |case| case.runners_up.0 * 2.0),
    ("temperature of one-edge changes", |case| temperature(case.one_edge)),
    ("3", |_| 3.0),
    ("10", |_| 10.0),
    ("30", |_| 30.0),
];

/// One learnt table.
struct Case {
    lengths: CodeLengths,
    truth: Dag,
    /// Over the nine graphs after the best.
    runners_up: Nats,
    /// Over the nine best graphs one edge away.
    one_edge: Nats,
}

#[allow(clippy::print_stdout)]
fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let (n_rows, seeds) = (number(0, 1_000)?, number(1, 1)? as u64..=number(2, 3)? as u64);
    let mut cases = Vec::new();
    for experiment in Experiment::all_mechanisms() {
        for seed in seeds.clone() {
            let simulated = experiment.simulate(n_rows, seed)?;
            let learned = learn(&simulated.table, &Settings::default())?;
            cases.push(Case::new(&learned, simulated.truth));
        }
    }
    println!("{} tables of {n_rows} rows", cases.len());
    println!(
        "{:<32} {:>9} {:>9} {:>9}  share of true edges where p is 0-0.1, 0.1-0.5, 0.5-0.9, 0.9-0.99, 0.99-1",
        "divided by", "median", "Brier", "log"
    );
    for (name, rule) in RULES {
        let statements = statements(&cases, *rule)?;
        println!(
            "{name:<32} {:>9.2} {}",
            median(cases.iter().map(|case| rule(case).max(1.0)).collect()),
            scores(&statements)
        );
    }
    Ok(())
}

impl Case {
    fn new(learned: &Learned, truth: Dag) -> Case {
        let n_vars = truth.n_nodes();
        let filled = |lengths: &[f64]| {
            let mut table = CodeLengths::new(n_vars, n_vars - 1);
            for (family, &length) in learned.scores.families.iter().zip(lengths) {
                table.set(family, Nats(length));
            }
            table
        };
        let repeats: Vec<CodeLengths> =
            learned.scores.by_repeat.iter().map(|lengths| filled(lengths)).collect();
        let lengths = learned.scores.lengths(n_vars);
        let runners_up: Vec<Dag> =
            learned.answer.ranking.iter().skip(1).map(|(dag, _)| dag.clone()).collect();
        let one_edge =
            one_edge_away(&learned.answer.dag, &lengths, &Constraints::none(n_vars), runners_up.len());
        let spread =
            |graphs: &[Dag]| spread_of_gaps(&learned.answer.dag, graphs, &repeats).unwrap_or(Nats(0.0));
        Case { runners_up: spread(&runners_up), one_edge: spread(&one_edge), lengths, truth }
    }

    fn posterior(&self, temperature: f64) -> Result<EdgeProbabilities, prequential::Error> {
        let tempered = Tempered { lengths: &self.lengths, temperature };
        Ok(by_enumeration(&exhaustive(&tempered, &Constraints::none(self.truth.n_nodes()))?))
    }
}

/// The probability of every possible edge of every table, and whether it is there.
fn statements(cases: &[Case], rule: fn(&Case) -> f64) -> Result<Vec<(f64, bool)>, prequential::Error> {
    let mut statements = Vec::new();
    for case in cases {
        let posterior = case.posterior(rule(case).max(1.0))?;
        let n_vars = case.truth.n_nodes();
        let pairs = (0..n_vars).flat_map(|from| (0..n_vars).map(move |to| (from, to)));
        statements.extend(
            pairs
                .filter(|(from, to)| from != to)
                .map(|(from, to)| (posterior.edge_probability(from, to), case.truth.has_edge(from, to))),
        );
    }
    Ok(statements)
}

/// Mean Brier and log scores, smaller is better, and how often edges are true by their probability. No probability counts as
/// nearer to 0 or 1 than a millionth: else one wrong edge would decide the log score.
fn scores(statements: &[(f64, bool)]) -> String {
    let mean = |score: &dyn Fn(f64, bool) -> f64| {
        statements.iter().map(|&(p, holds)| score(p, holds)).sum::<f64>() / statements.len() as f64
    };
    let brier = mean(&|p, holds| (p - f64::from(u8::from(holds))).powi(2));
    let log = mean(&|p, holds| -(if holds { p } else { 1.0 - p }).max(1e-6).ln());
    let shares = [(0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.1)].map(|(low, high)| {
        let within: Vec<bool> =
            statements.iter().filter(|(p, _)| (low..high).contains(p)).map(|&(_, holds)| holds).collect();
        let n_true = within.iter().filter(|&&holds| holds).count();
        format!("{n_true}/{}", within.len())
    });
    format!("{brier:>9.4} {log:>9.4}  {}", shares.join(" "))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
