//! Whether raw and tempered edge probabilities mean what they say: Brier and log scores and reliability over simulated tables.
//!
//! `cargo run --release --example calibration -- [n_rows] [n_seeds]`: the paper's 20 mechanisms, 1,000 rows and data seeds 1 to 3 unless
//! said otherwise, with the default estimator. Every ordered pair of variables is one statement that is true or false.

use prequential::{
    CodeLengths, Constraints, Dag, EdgeProbabilities, Experiment, Learned, Nats, Settings, Tempered,
    by_enumeration, exhaustive, learn, one_edge_away, spread_of_gaps,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A way to choose the temperature.
type Rule = (&'static str, fn(&Case) -> f64);

const RULES: &[Rule] = &[
    ("raw", |_| 1.0),
    ("spread one edge away x 0.63", |case| case.one_edge * 0.63),
    ("spread one edge away", |case| case.one_edge),
    ("spread one edge away x 2", |case| case.one_edge * 2.0),
    ("largest spread one edge away", |case| case.largest_one_edge),
    ("spread of runners-up x 0.63", |case| case.runners_up * 0.63),
    ("spread of runners-up", |case| case.runners_up),
    ("spread of runners-up x 2", |case| case.runners_up * 2.0),
    ("largest spread of runners-up", |case| case.largest_runner_up),
    ("always 3", |_| 3.0),
    ("always 10", |_| 10.0),
    ("always 30", |_| 30.0),
    ("always 100", |_| 100.0),
];

/// One learnt table.
struct Case {
    lengths: CodeLengths,
    truth: Dag,
    one_edge: f64,
    largest_one_edge: f64,
    runners_up: f64,
    largest_runner_up: f64,
}

#[allow(clippy::print_stdout)]
fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| arguments.get(i).map_or(Ok(default), |text| text.parse());
    let (n_rows, n_seeds) = (number(0, 1_000)?, number(1, 3)? as u64);
    let mut cases = Vec::new();
    for experiment in Experiment::all_mechanisms() {
        for seed in 1..=n_seeds {
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
        let repeats: Vec<CodeLengths> = learned.scores.by_net.iter().map(|lengths| filled(lengths)).collect();
        let one_edge = one_edge_away(&learned.dag, &Constraints::none(n_vars));
        let runners_up: Vec<Dag> = learned.ranking.iter().skip(1).map(|(dag, _)| dag.clone()).collect();
        let spread =
            |graphs: &[Dag]| spread_of_gaps(&learned.dag, graphs, &repeats).map_or(1.0, |spread| spread.0);
        let largest = |graphs: &[Dag]| graphs.chunks(1).map(spread).fold(1.0, f64::max);
        Case {
            lengths: learned.scores.lengths(n_vars),
            truth,
            one_edge: spread(&one_edge),
            largest_one_edge: largest(&one_edge),
            runners_up: spread(&runners_up),
            largest_runner_up: largest(&runners_up),
        }
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
