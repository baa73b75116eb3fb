//! Experiments with categories: counted, ranked and drawn, whatever the estimator.

use prequential::internals::{CodeLengths, in_pool};
use prequential::results::Curves;
use prequential::{Constraints, Family, Nats, Result};
use prequential_simulate::Experiment;
use serde_json::{Value, json};

use crate::charts::series_json;
use crate::experiment::{Reproduction, Request};
use crate::options::check;
use crate::plot::Chart;

/// One data set of an experiment, coded and ranked.
pub(crate) trait ExperimentRun: Sized {
    const DATA: Experiment;
    /// Row orders in the paper's figure.
    const REPEATS: usize;

    /// Draws and codes the data set of one seed.
    fn new(rows: usize, seed: u64, repeats: usize) -> Result<Self>;

    /// Its key facts.
    fn summary_json(&self) -> Value;

    /// Next-step losses, for a table of this many rows.
    fn next_step_chart(&self, rows: usize) -> Chart<'static>;

    /// Excess code lengths.
    fn excess_chart(&self, rows: usize) -> Chart<'static>;

    /// The summary of all data sets.
    fn markdown(runs: &[Self], rows: usize, repeats: usize, command: &str) -> String;
}

/// Runs the experiment on the threads of the settings.
pub(crate) fn reproduce<R: ExperimentRun + Send>(request: &Request) -> Result<Reproduction> {
    let options = request.options;
    let rows = options.rows.unwrap_or(R::DATA.default_rows());
    let repeats = options.permutations.unwrap_or(R::REPEATS);
    check(rows, options.n_seeds, repeats)?;
    let runs = in_pool(options.settings.threads, || {
        options.seeds().map(|seed| R::new(rows, seed, repeats)).collect::<Result<Vec<R>>>()
    })?;
    let (next_step, excess) = (runs[0].next_step_chart(rows), runs[0].excess_chart(rows));
    let json = json!({
        "experiment": request.name, "rows": rows, "repeats": repeats, "alpha": 0.5,
        "runs": runs.iter().map(R::summary_json).collect::<Vec<_>>(),
        "next_step_loss": series_json(&next_step.series),
        "excess_code_length": series_json(&excess.series),
    });
    let command = format!(
        "prequential reproduce {} --rows {rows} --permutations {repeats} --seed {} --seeds {}",
        request.name, options.seed, options.n_seeds
    );
    let plots = vec![
        ("next-step-loss.svg".to_string(), next_step.svg()),
        ("excess-code-length.svg".to_string(), excess.svg()),
    ];
    Ok(Reproduction::new(&json, R::markdown(&runs, rows, repeats, &command), plots))
}

/// All families of three variables.
pub(crate) fn families_of_three() -> Vec<Family> {
    Constraints::none(3).families().collect()
}

/// Code lengths of all families at checkpoint number `i`, as means over row orders.
pub(crate) fn lengths_at(curves: &Curves, n_vars: usize, i: usize) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for (number, family) in curves.families().iter().enumerate() {
        lengths.set(family, Nats(curves.cumulative(number)[i].mean));
    }
    lengths
}
