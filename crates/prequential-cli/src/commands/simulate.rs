//! `prequential simulate`: a table from a known graph.

use std::path::Path;

use prequential::{Error, Result, write_graph};

use super::graph_format;
use crate::args::SimulateArgs;
use crate::output::{OutputFile, show};

pub(crate) fn run(args: &SimulateArgs) -> Result<()> {
    let experiment = args.experiment()?;
    args.out.as_deref().map(check_csv).transpose()?;
    let out = args.out.as_deref().map(|path| OutputFile::prepare(path, &[])).transpose()?;
    let table: Vec<&Path> = args.out.as_deref().into_iter().collect();
    let truth = args
        .truth
        .as_deref()
        .map(|path| Ok::<_, Error>((OutputFile::prepare(path, &table)?, graph_format(path)?)))
        .transpose()?;
    let simulated =
        experiment.simulate(args.rows.map_or(experiment.default_rows(), |rows| rows as usize), args.seed)?;
    if let Some((file, format)) = truth {
        file.write(&write_graph(&simulated.named_truth(), format))?;
    }
    let csv = simulated.table.to_csv();
    match out {
        Some(file) => file.write(&csv),
        None => show(&csv),
    }
}

/// Refuses extensions of other formats: `learn` would not read the file.
fn check_csv(path: &Path) -> Result<()> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !["parquet", "pq", "arrow", "feather", "ipc", "gz", "json", "xlsx"].contains(&ending.as_str()) {
        return Ok(());
    }
    Err(Error::Setting {
        what: format!("`{}` does not sound like CSV, which is what is written", path.display()).into(),
        hint: "end the name with .csv".into(),
    })
}
