//! `prequential score`: code lengths without a search.

use prequential::{
    Result, Search, Settings, curves_json, estimate, plan_text, read_graph, score, score_json, score_shard,
    score_text,
};

use crate::args::{Format, ScoreArgs};
use crate::output::{OutputFile, show, warn};
use crate::progress::Progress;
use crate::stopping::Stopping;

pub(crate) fn run(args: &ScoreArgs) -> Result<()> {
    let stopping = Stopping::new(args.view.time_limit)?;
    let settings = args.settings()?;
    let curves_file = args.curves.as_deref().map(OutputFile::prepare).transpose()?;
    let table = args.table.read()?;
    let names = table.names();
    let read = |path: &std::path::PathBuf| read_graph(path)?.onto(&names, &path.display().to_string());
    let dag = args.graph.as_ref().map(read).transpose()?;
    if !args.view.quiet && args.view.format == Format::Json {
        table.warnings().iter().for_each(|warning| warn(warning));
    }
    if args.view.dry_run {
        let (plan, estimate) = estimate(&table, &Settings { search: Search::Exact, ..settings })?;
        return show(&plan_text(&table, &plan, &estimate));
    }
    let progress = Progress::new(args.view.quiet, stopping);
    let scored = match args.shard {
        Some(shard) => score_shard(&table, &settings, shard, &progress)?,
        None => score(&table, &settings, dag.as_ref(), &progress)?,
    };
    drop(progress);
    if let Some(file) = curves_file {
        file.write(&format!("{:#}\n", curves_json(&scored.curves()?, &names)))?;
    }
    match args.view.format {
        Format::Json => show(&format!("{:#}\n", score_json(&table, &scored))),
        Format::Text => show(&score_text(&table, &scored, args.top)),
    }
}
