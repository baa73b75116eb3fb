//! `prequential search`: the best graph for code lengths that are given, without a table.

use std::io::Read;
use std::path::{Path, PathBuf};

use prequential::scores::{LocalScores, search_scores};
use prequential::{Error, NamedDag, Result, write_graph};

use super::graph_format;
use crate::args::OutputFormat;
use crate::output::{OutputFile, show};
use crate::stopping::stop_token;
use crate::store_args::SearchScoresArgs;

pub(crate) fn run(args: &SearchScoresArgs) -> Result<()> {
    let stop = stop_token(args.options.time_limit())?;
    let graph = args.graph.as_deref();
    let graph =
        graph.map(|path| Ok::<_, Error>((OutputFile::prepare(path, &[&args.scores])?, graph_format(path)?)));
    let graph = graph.transpose()?;
    let scores = read(&args.scores, args.settings)?;
    let searched = search_scores(&scores, &args.options.settings(&scores.names)?, &stop)?;
    if let Some((file, format)) = graph {
        let named = NamedDag { names: scores.names.clone(), dag: searched.answer.dag.clone() };
        file.write(&write_graph(&named, format))?;
    }
    match args.format {
        OutputFormat::Text => show(&searched.to_text()),
        OutputFormat::Json => show(&searched.to_json()),
    }
}

/// Reads the file; `-` is a `.jkl` file from standard input.
fn read(path: &Path, settings: Option<i64>) -> Result<LocalScores> {
    if path != Path::new("-") || settings.is_some() {
        return LocalScores::read(path, settings);
    }
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|source| Error::File { action: "read", path: PathBuf::from("standard input"), source })?;
    LocalScores::from_jkl(&text, "standard input")
}
