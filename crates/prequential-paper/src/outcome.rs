//! The result of learning one table, compared with its true graph.

use prequential::internals::{CodeLengths, RankedDags, dag_length, exhaustive};
use prequential::{Comparison, Constraints, Dag, Learned, Nats, Plan, Result, compare};
use prequential_simulate::{Experiment, Simulated};
use serde_json::{Value, json};

use crate::study::Task;
use crate::words::{one_line, signed};

/// The names of the variables of every continuous experiment.
pub(crate) const LETTERS: [&str; 5] = ["A", "B", "C", "D", "E"];

/// Graphs whose codes differ by less than this are equally good: the rest is rounding.
const TIE: Nats = Nats(1e-6);

/// One learned table.
pub(crate) struct Outcome {
    pub(crate) variant: String,
    pub(crate) experiment: Experiment,
    pub(crate) seed: u64,
    /// The resolved settings, such as the choice of `auto`.
    pub(crate) plan: Plan,
    pub(crate) truth: Dag,
    /// The best graphs, best first.
    pub(crate) ranking: Vec<(Dag, Nats)>,
    pub(crate) comparison: Comparison,
    /// The place of the true graph among all, from 1; equally good graphs share it.
    pub(crate) place: usize,
    pub(crate) n_graphs: usize,
    pub(crate) cpu_seconds: f64,
    /// Of all families.
    pub(crate) lengths: CodeLengths,
    n_rows: usize,
}

impl Outcome {
    pub(crate) fn new(task: Task, simulated: &Simulated, learned: &Learned) -> Result<Outcome> {
        let n_vars = simulated.table.n_vars();
        let lengths = learned.scores.lengths(n_vars);
        let graphs = exhaustive(&lengths, &Constraints::none(n_vars))?;
        let of_truth = dag_length(&lengths, &simulated.truth);
        let of_truth = of_truth.unwrap_or_else(|| panic!("every family is scored"));
        Ok(Outcome {
            variant: task.variant,
            experiment: task.experiment,
            seed: task.settings.seed,
            plan: learned.plan.clone(),
            truth: simulated.truth.clone(),
            ranking: learned.answer.ranking.clone(),
            comparison: compare(&learned.answer.dag, &simulated.truth),
            place: place(&graphs, of_truth),
            n_graphs: graphs.len(),
            cpu_seconds: learned.cost.cpu_seconds,
            lengths,
            n_rows: simulated.table.n_rows(),
        })
    }

    /// The graph with the shortest code.
    pub(crate) fn best(&self) -> &Dag {
        &self.ranking[0].0
    }

    /// Nats by which the code of `dag` is longer than the shortest.
    pub(crate) fn excess(&self, dag: &Dag) -> f64 {
        (self.code_length(dag) - self.ranking[0].1).0.max(0.0)
    }

    /// Nats between the best graph and the next.
    pub(crate) fn margin(&self) -> f64 {
        (self.ranking[1].1 - self.ranking[0].1).0
    }

    /// Whether the true graph is first, and no other as good.
    pub(crate) fn is_found(&self) -> bool {
        self.comparison.exact && self.margin() > TIE.0
    }

    pub(crate) fn excess_of_truth(&self) -> f64 {
        self.excess(&self.truth)
    }

    /// The code length of the true graph, in nats a row.
    pub(crate) fn truth_per_row(&self) -> f64 {
        self.code_length(&self.truth).0 / self.n_rows as f64
    }

    /// What the true graph saves over the graph without edges, in nats a row.
    pub(crate) fn gain_per_row(&self) -> f64 {
        let empty = self.code_length(&Dag::empty(self.truth.n_nodes()));
        empty.0 / self.n_rows as f64 - self.truth_per_row()
    }

    fn code_length(&self, dag: &Dag) -> Nats {
        dag_length(&self.lengths, dag).unwrap_or_else(|| panic!("every family is scored"))
    }

    /// The best graph as changes to the true one.
    pub(crate) fn verdict(&self) -> String {
        match self.comparison.exact {
            true => "the true graph".to_string(),
            false => self.truth.changes_in_words(self.best(), &LETTERS.map(String::from)),
        }
    }

    /// The data set by name: `mechanisms 7`, `chain3`.
    pub(crate) fn set(&self) -> String {
        match self.experiment {
            Experiment::Yu { set, .. } | Experiment::Mechanisms { set } => {
                format!("{} {set}", self.experiment.name())
            }
            _ => self.experiment.name().to_string(),
        }
    }

    /// One line for progress.
    pub(crate) fn in_words(&self) -> String {
        let variant = if self.variant.is_empty() { String::new() } else { format!(", {}", self.variant) };
        format!(
            "{}, seed {}{variant}: SHD {}, margin {:.1} nats, {:.2} CPU s",
            self.set(),
            self.seed,
            self.comparison.shd,
            self.margin(),
            self.cpu_seconds
        )
    }

    pub(crate) fn json(&self) -> Value {
        let ranked = |(dag, length): &(Dag, Nats)| json!({ "graph": one_line(dag, &LETTERS), "excess_nats": *length - self.ranking[0].1 });
        json!({
            "set": self.set(),
            "variant": (!self.variant.is_empty()).then_some(&self.variant),
            "seed": self.seed,
            "true_graph": one_line(&self.truth, &LETTERS),
            "best_graph": one_line(self.best(), &LETTERS),
            "shd": self.comparison.shd,
            "equivalent": self.comparison.equivalent,
            "exact": self.comparison.exact,
            "found": self.is_found(),
            "place_of_truth": self.place,
            "graphs": self.n_graphs,
            "margin_nats": self.margin(),
            "excess_of_truth_nats": self.excess_of_truth(),
            "truth_nats_per_row": self.truth_per_row(),
            "gain_nats_per_row": self.gain_per_row(),
            "cpu_seconds": self.cpu_seconds,
            "ranking": self.ranking.iter().take(5).map(ranked).collect::<Vec<_>>(),
        })
    }
}

/// The place of a graph among all, from 1; equally good graphs share it.
fn place(graphs: &RankedDags, code_length: Nats) -> usize {
    let shorter = |&rank: &usize| code_length - graphs.code_length(rank) > TIE;
    1 + (0..graphs.len()).take_while(shorter).count()
}

/// A table with a line per data set.
pub(crate) fn table(outcomes: &[&Outcome]) -> String {
    let line = |outcome: &&Outcome| {
        let in_class = if outcome.comparison.equivalent { "yes" } else { "no" };
        format!(
            "| {} | {} | {in_class} | {} of {} | {} | {} | {:.2} |\n",
            outcome.seed,
            outcome.verdict(),
            outcome.place,
            outcome.n_graphs,
            signed(outcome.margin()),
            signed(outcome.excess_of_truth()),
            outcome.cpu_seconds,
        )
    };
    let lines: String = outcomes.iter().map(line).collect();
    format!(
        "| seed | best graph | in the true class | place of the true graph | margin (nats) | excess of the true graph (nats) | CPU s |\n\
         |---|---|---|---|---|---|---|\n{lines}"
    )
}

/// How many of `outcomes` satisfy the condition.
pub(crate) fn n_where(outcomes: &[&Outcome], so: impl Fn(&Outcome) -> bool) -> usize {
    outcomes.iter().filter(|outcome| so(outcome)).count()
}

/// The mean over `outcomes`.
pub(crate) fn mean(outcomes: &[&Outcome], value: impl Fn(&Outcome) -> f64) -> f64 {
    outcomes.iter().map(|outcome| value(outcome)).sum::<f64>() / outcomes.len() as f64
}

/// The value of `of` for each, separated by commas.
pub(crate) fn listed(outcomes: &[&Outcome], of: impl Fn(&Outcome) -> String) -> String {
    outcomes.iter().map(|outcome| of(outcome)).collect::<Vec<_>>().join(", ")
}
