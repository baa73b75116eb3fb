//! `prequential search`: the best graph for code lengths that are given, without a table.

use std::io::Read;
use std::path::Path;

use prequential::{
    Error, LocalScores, NamedDag, Result, search_scores, searched_json, searched_text, write_graph,
};

use super::graph_format;
use crate::args::Format;
use crate::output::{OutputFile, show};
use crate::store_args::SearchScoresArgs;

pub(crate) fn run(args: &SearchScoresArgs) -> Result<()> {
    let graph = args.graph.as_deref().map(|path| Ok((OutputFile::prepare(path)?, graph_format(path)?)));
    let graph = graph.transpose()?;
    let scores = read(&args.scores, args.context)?;
    let searched = search_scores(&scores, &args.settings(&scores.names)?)?;
    if let Some((file, format)) = graph {
        let named = NamedDag { names: scores.names.clone(), dag: searched.dag.clone() };
        file.write(&write_graph(&named, format))?;
    }
    match args.format {
        Format::Text => show(&searched_text(&searched)),
        Format::Json => show(&format!("{:#}\n", searched_json(&searched))),
    }
}

/// Reads a store or, if it is not one, a `.jkl` file.
fn read(path: &Path, context: Option<i64>) -> Result<LocalScores> {
    let failed = |source| Error::File { action: "read", path: path.to_path_buf(), source };
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(16).read_to_end(&mut start).map_err(failed)?;
    match start.starts_with(b"SQLite format 3\0") {
        true => LocalScores::read_store(path, context),
        false => LocalScores::read_jkl(path),
    }
}
