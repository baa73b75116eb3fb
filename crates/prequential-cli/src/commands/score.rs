//! `prequential score`: code lengths without a search.

use std::path::Path;

use prequential::{Result, ViewOptions, Wanted, estimate_score, read_graph, score};

use super::{continuation, continuing_command};
use crate::args::{Format, ScoreArgs};
use crate::output::{OutputFile, show, warn};
use crate::progress::Progress;
use crate::stopping::Stopping;
use crate::wording::as_flags;

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
        table.warnings().iter().for_each(|warning| warn(warning));
    }
    let wanted = match (&dag, args.shard) {
        (Some(dag), _) => Wanted::Graph(dag),
        (None, Some(shard)) => Wanted::Shard(shard),
        (None, None) => Wanted::All,
    };
    if args.view.dry_run {
        let (plan, estimate) = estimate_score(&table, &settings, wanted)?;
        return match args.view.format {
            Format::Text => show(&plan.score_to_text(&table, &estimate, wanted, &as_flags())),
            Format::Json => show(&plan.to_json(&table, &estimate, &as_flags())),
        };
    }
    let progress = Progress::new(args.view.quiet, stopping);
    let scored = score(&table, &settings, wanted, &progress)?;
    drop(progress);
    if let Some(file) = curves_file {
        file.write(&scored.curves()?.to_json(&names))?;
    }
    let command = scored.partial.as_ref().map(|partial| continuing_command(partial, &settings));
    let view = ViewOptions { command: command.as_deref(), top: args.top, ..as_flags() };
    match args.view.format {
        Format::Json => show(&scored.to_json(&table, &view)),
        Format::Text => show(&(scored.to_text(&table, &view) + &continuation(command.as_deref(), &settings))),
    }
}
