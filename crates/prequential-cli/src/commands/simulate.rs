//! `prequential simulate`: a table from a known graph.

use prequential::{Result, write_graph};

use super::graph_format;
use crate::args::SimulateArgs;
use crate::output::{OutputFile, show};

pub(crate) fn run(args: &SimulateArgs) -> Result<()> {
    let experiment = args.experiment()?;
    let out = args.out.as_deref().map(OutputFile::prepare).transpose()?;
    let truth = args
        .truth
        .as_deref()
        .map(|path| Ok((OutputFile::prepare(path)?, graph_format(path)?)))
        .transpose()?;
    let simulated = experiment.simulate(args.rows.unwrap_or(experiment.default_rows()), args.seed)?;
    if let Some((file, format)) = truth {
        file.write(&write_graph(&simulated.named_truth(), format))?;
    }
    let csv = simulated.table.to_csv();
    match out {
        Some(file) => file.write(&csv),
        None => show(&csv),
    }
}
