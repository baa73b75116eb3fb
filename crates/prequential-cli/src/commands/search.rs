//! `prequential search`: the best graph for code lengths that are given, without a table.

use std::io::Read;
use std::path::{Path, PathBuf};

use prequential::{
    Error, LocalScores, NamedDag, Result, search_scores, searched_json, searched_text, write_graph,
};

use super::graph_format;
use crate::args::Format;
use crate::output::{OutputFile, show};
use crate::store_args::SearchScoresArgs;

pub(crate) fn run(args: &SearchScoresArgs) -> Result<()> {
    let graph = args.graph.as_deref();
    let graph = graph.map(|path| Ok((OutputFile::prepare(path, &[&args.scores])?, graph_format(path)?)));
    let graph = graph.transpose()?;
    let scores = read(&args.scores, args.context)?;
    let searched = search_scores(&scores, &args.settings(&scores.names)?)?;
    if let Some((file, format)) = graph {
        let named = NamedDag { names: scores.names.clone(), dag: searched.answer.dag.clone() };
        file.write(&write_graph(&named, format))?;
    }
    match args.format {
        Format::Text => show(&searched_text(&searched)),
        Format::Json => show(&format!("{:#}\n", searched_json(&searched))),
    }
}

/// Reads a store or, if it is not one, a `.jkl` file; `-` is one from standard input.
fn read(path: &Path, context: Option<i64>) -> Result<LocalScores> {
    let failed = |path: &str| {
        let path = PathBuf::from(path);
        move |source| Error::File { action: "read", path, source }
    };
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed("standard input"))?;
        check_no_context(context)?;
        return LocalScores::from_jkl(&text, "standard input");
    }
    let shown = path.display().to_string();
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(failed(&shown))?;
    file.take(16).read_to_end(&mut start).map_err(failed(&shown))?;
    if start.starts_with(b"SQLite format 3\0") {
        return LocalScores::read_store(path, context);
    }
    check_no_context(context)?;
    LocalScores::read_jkl(path)
}

fn check_no_context(context: Option<i64>) -> Result<()> {
    let Some(number) = context else { return Ok(()) };
    Err(Error::Setting {
        what: format!(
            "`--context {number}` chooses among the settings of a store, but this is a file of local scores"
        ),
        hint: "drop `--context`".to_string(),
    })
}
