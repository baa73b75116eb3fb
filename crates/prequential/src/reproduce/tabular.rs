//! Experiments with categories: counted, ranked and drawn, whatever the estimator.

use serde_json::{Value, json};

use super::charts::series_json;
use super::{ReproduceOptions, Reproduction, check};
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::report::Chart;
use crate::score::{CodeLengths, Curves};
use crate::simulate::Experiment;

/// One data set of an experiment, coded and ranked.
pub(super) trait ExperimentRun: Sized {
    const NAME: &'static str;
    const DATA: Experiment;
    /// Row orders in the paper's figure.
    const REPEATS: usize;

    /// Draws and codes the data set of one seed.
    fn new(rows: usize, seed: u64, repeats: usize) -> Result<Self>;

    /// What is worth knowing about it.
    fn summary_json(&self) -> Value;

    /// Next-step losses, for a table of this many rows.
    fn next_step_chart(&self, rows: usize) -> Chart<'static>;

    /// Excess code lengths.
    fn excess_chart(&self, rows: usize) -> Chart<'static>;

    /// The account of all data sets.
    fn markdown(runs: &[Self], rows: usize, repeats: usize, command: &str) -> String;
}

pub(super) fn reproduce<R: ExperimentRun>(options: &ReproduceOptions) -> Result<Reproduction> {
    let rows = options.rows.unwrap_or(R::DATA.default_rows());
    let repeats = options.repeats.unwrap_or(R::REPEATS);
    check(rows, options.n_seeds, repeats)?;
    let runs = options.seeds().map(|seed| R::new(rows, seed, repeats)).collect::<Result<Vec<R>>>()?;
    let (next_step, excess) = (runs[0].next_step_chart(rows), runs[0].excess_chart(rows));
    let json = json!({
        "experiment": R::NAME, "rows": rows, "repeats": repeats, "alpha": 0.5,
        "runs": runs.iter().map(R::summary_json).collect::<Vec<_>>(),
        "next_step_loss": series_json(&next_step.series),
        "excess_code_length": series_json(&excess.series),
    });
    let command = format!(
        "prequential reproduce {} --rows {rows} --repeats {repeats} --seed {} --seeds {}",
        R::NAME,
        options.seed,
        options.n_seeds
    );
    Ok(Reproduction {
        json,
        markdown: R::markdown(&runs, rows, repeats, &command),
        plots: vec![
            ("next-step-loss.svg".to_string(), next_step.svg()),
            ("excess-code-length.svg".to_string(), excess.svg()),
        ],
    })
}

/// Code lengths of all families at checkpoint number `i`, as means over row orders.
pub(super) fn lengths_at(curves: &Curves, n_vars: usize, i: usize) -> CodeLengths {
    let mut lengths = CodeLengths::new(n_vars, n_vars - 1);
    for (number, family) in curves.families().iter().enumerate() {
        lengths.set(family, Nats(curves.cumulative(number)[i].mean));
    }
    lengths
}
