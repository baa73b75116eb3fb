//! The paper's appendix B: two prime numbers and their product, a distribution that is not faithful to its
//! true graph.

use std::collections::BTreeMap;

use prequential::internals::{count, plural};
use prequential::{Counts, Dag, Estimator, Result, Settings, Table, Values, Variable, learn};
use prequential_simulate::{Experiment, Simulated};
use serde_json::json;

use crate::experiment::{Reproducible, Reproduction, Request};
use crate::outcome::{LETTERS, Outcome, listed, mean, n_where};
use crate::study::{Study, Task, as_typed};
use crate::words::{one_line, signed};

pub(crate) const EXPERIMENT: Reproducible = Reproducible {
    name: "primes",
    about: "The appendix on faithfulness: two prime numbers and their product",
    needs_data: false,
    run: reproduce,
};

/// The largest numbers that may be drawn: 25 primes, and 168.
const LARGEST: [usize; 2] = [100, 1_000];

/// The default number of rows.
const N_ROWS: [usize; 2] = [500, 5_000];

/// The class to which the distribution is faithful: C between A and B.
const FAITHFUL: [[(usize, usize); 2]; 3] = [[(2, 0), (2, 1)], [(0, 2), (2, 1)], [(1, 2), (2, 0)]];

/// All seeds of one line of the table.
struct PrimesLine {
    largest: usize,
    n_rows: usize,
    estimator: &'static str,
    outcomes: Vec<Outcome>,
}

fn reproduce(request: &Request) -> Result<Reproduction> {
    let study = Study::new(request)?;
    let rows = request.options.rows.map_or(N_ROWS.to_vec(), |rows| vec![rows]);
    let n_sets = LARGEST.len() * rows.len() * 2 * study.seeds().len();
    let mut n_done = 0;
    let mut lines = Vec::new();
    for largest in LARGEST {
        for &n_rows in &rows {
            for is_counted in [false, true] {
                let mut outcomes = Vec::new();
                for seed in study.seeds() {
                    outcomes.push(outcome(largest, n_rows, is_counted, study.settings(seed))?);
                    n_done += 1;
                    request.tell(n_done, n_sets, &outcomes[outcomes.len() - 1].in_words());
                }
                let estimator = if is_counted { "counts, of labels" } else { outcomes[0].plan.estimator() };
                lines.push(PrimesLine { largest, n_rows, estimator, outcomes });
            }
        }
    }
    let json = json!({
        "experiment": request.name,
        "command": command(request),
        "paper": { "finding": FINDING },
        "lines": lines.iter().map(PrimesLine::json).collect::<Vec<_>>(),
    });
    Ok(Reproduction::new(&json, markdown(request, &lines), Vec::new()))
}

const FINDING: &str = "the distribution is faithful to A - C - B, whose graphs must factorise C; a score that weighs how hard that is may prefer the \
                       graph that multiplies (argued, not measured)";

/// Draws and learns one table: numbers by the estimator of the settings, or labels by counts.
fn outcome(largest: usize, n_rows: usize, is_counted: bool, mut settings: Settings) -> Result<Outcome> {
    let experiment = Experiment::Primes { largest };
    let mut simulated = experiment.simulate(n_rows, settings.seed)?;
    let mut variant = format!("up to {}, {} rows", count(largest), count(n_rows));
    if is_counted {
        variant += ", counted";
        simulated = Simulated { table: as_labels(&simulated.table)?, ..simulated };
        settings.estimator =
            Estimator::Counts(Counts { max_configurations: Some(usize::MAX), ..Counts::default() });
    }
    let learned = learn(&simulated.table, &settings)?;
    Outcome::new(Task { variant, experiment, settings }, &simulated, &learned)
}

/// The table with its numbers as categorical labels.
fn as_labels(table: &Table) -> Result<Table> {
    let variable = |variable: &Variable| {
        let Values::Numbers(numbers) = &variable.values else { return variable.clone() };
        let mut different = BTreeMap::new();
        numbers.iter().for_each(|&number| _ = different.insert(number as u64, 0));
        different.values_mut().enumerate().for_each(|(place, code)| *code = place as u32);
        let levels = different.keys().map(u64::to_string).collect();
        let codes = numbers.iter().map(|&number| different[&(number as u64)]).collect();
        Variable { values: Values::Labels { levels, codes }, ..variable.clone() }
    };
    Table::new(table.variables().iter().map(variable).collect())
}

impl PrimesLine {
    /// Nats by which the best graph that factorises is longer than the one that multiplies.
    fn lead(outcome: &Outcome) -> f64 {
        let faithful = FAITHFUL.map(|edges| {
            Dag::from_edges(3, edges).unwrap_or_else(|cycle| panic!("a path has no cycle: {cycle}"))
        });
        let best = faithful.iter().map(|dag| outcome.excess(dag)).fold(f64::INFINITY, f64::min);
        best - outcome.excess_of_truth()
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "largest": self.largest,
            "rows": self.n_rows,
            "estimator": self.estimator,
            "lead_nats": self.outcomes.iter().map(PrimesLine::lead).collect::<Vec<_>>(),
            "runs": self.outcomes.iter().map(Outcome::json).collect::<Vec<_>>(),
        })
    }

    fn row(&self) -> String {
        let outcomes: Vec<&Outcome> = self.outcomes.iter().collect();
        format!(
            "| {} | {} | {} | {} of {} | {} | {} | {} | {:.1} |\n",
            count(self.largest),
            count(self.n_rows),
            self.estimator,
            n_where(&outcomes, |outcome| outcome.comparison.exact),
            outcomes.len(),
            listed(&outcomes, |outcome| signed(outcome.excess_of_truth())),
            listed(&outcomes, |outcome| signed(PrimesLine::lead(outcome))),
            one_line(outcomes[0].best(), &LETTERS),
            mean(&outcomes, |outcome| outcome.cpu_seconds),
        )
    }
}

/// The command that repeats the run.
fn command(request: &Request) -> String {
    let options = request.options;
    let more: String = options.more.iter().map(|word| format!(" {word}")).collect();
    request.command(options.rows) + &as_typed(options) + &more
}

fn markdown(request: &Request, lines: &[PrimesLine]) -> String {
    let rows: String = lines.iter().map(PrimesLine::row).collect();
    format!(
        "# primes: the appendix on faithfulness\n\n\
         A is a random prime number, B one that is no smaller, C = A B: the graph A -> B, A -> C <- B. As C can be factorised, A and B are independent given \
         C, so the distribution is faithful to A - C - B, whose graphs have an edge less and must factorise. {}.\n\n`{}`\n\n\
         | primes up to | rows | estimator | true graph first | its excess (nats) | A - C - B costs more by (nats) | best graph, first seed | CPU s |\n\
         |---|---|---|---|---|---|---|---|\n{rows}\n\
         The paper: {FINDING}.\n",
        plural(request.options.n_seeds, "data seed"),
        command(request),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_the_numbers_by_name() {
        let numbers = Experiment::Primes { largest: 10 }.simulate(300, 1).unwrap().table;
        let labels = as_labels(&numbers).unwrap();
        for (number, label) in numbers.variables().iter().zip(labels.variables()) {
            let (Values::Numbers(numbers), Values::Labels { levels, codes }) =
                (&number.values, &label.values)
            else {
                panic!("numbers became labels");
            };
            assert!(numbers.iter().zip(codes).all(|(n, &code)| levels[code as usize] == n.to_string()));
        }
    }
}
