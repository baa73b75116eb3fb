//! `prequential score`: code lengths without a search.

use std::path::Path;

use prequential::{
    Result, Wanted, curves_json, estimate_score, plan_json, read_graph, score, score_json, score_plan_text,
    score_text,
};

use super::{continuation, continuing_command};
use crate::args::{Format, ScoreArgs};
use crate::output::{OutputFile, show, warn};
use crate::progress::Progress;
use crate::stopping::Stopping;
use crate::wording::CommandLine;

pub(crate) fn run(args: &ScoreArgs) -> Result<()> {
    let stopping = Stopping::new(args.view.time_limit)?;
    let settings = args.settings()?;
    let needed: Vec<&Path> = std::iter::once(&*args.table.data)
        .chain(args.scoring.store.as_deref())
        .chain(args.graph.as_deref())
        .collect();
    let curves_file = args.curves.as_deref().map(|path| OutputFile::prepare(path, &needed)).transpose()?;
    let table = args.table.read()?;
    let names = table.names();
    let read = |path: &std::path::PathBuf| read_graph(path)?.onto(&names, &path.display().to_string());
    let dag = args.graph.as_ref().map(read).transpose()?;
    if !args.view.quiet && args.view.format == Format::Json {
        table.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    let wanted = match (&dag, args.shard) {
        (Some(dag), _) => Wanted::Graph(dag),
        (None, Some(shard)) => Wanted::Shard(shard),
        (None, None) => Wanted::All,
    };
    if args.view.dry_run {
        let (plan, estimate) = estimate_score(&table, &settings, wanted)?;
        return match args.view.format {
            Format::Text => show(&score_plan_text(&table, &plan, &estimate, wanted)),
            Format::Json => show(&format!("{:#}\n", plan_json(&table, &plan, &estimate))),
        };
    }
    let progress = Progress::new(args.view.quiet, stopping);
    let scored = score(&table, &settings, wanted, &progress)?;
    drop(progress);
    if let Some(file) = curves_file {
        file.write(&format!("{:#}\n", curves_json(&scored.curves()?, &names)))?;
    }
    let command = scored.partial.as_ref().map(|partial| continuing_command(partial, &settings));
    match args.view.format {
        Format::Json => show(&format!("{:#}\n", score_json(&table, &scored, command.as_deref()))),
        Format::Text => {
            show(&(score_text(&table, &scored, args.top) + &continuation(command.as_deref(), &settings)))
        }
    }
}
