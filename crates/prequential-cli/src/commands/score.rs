//! `prequential score`: code lengths without a search.

use std::path::Path;

use prequential::{DocumentOptions, FamilySelection, Plan, Result, Table};

use super::{continuation, continuing_command, graph_of};
use crate::args::{OutputFormat, ScoreArgs};
use crate::output::{OutputFile, show, warn};
use crate::progress::Progress;
use crate::stopping::stop_token;
use crate::wording::{CommandLine, as_flags};

pub(crate) fn run(args: &ScoreArgs) -> Result<()> {
    let stop = stop_token(args.options.time_limit())?;
    let settings = args.options.settings(&[])?;
    let needed: Vec<&Path> = std::iter::once(&*args.data)
        .chain(args.options.store.as_deref())
        .chain(args.graph.as_deref())
        .collect();
    let curves_file = args.curves.as_deref().map(|path| OutputFile::prepare(path, &needed)).transpose()?;
    let progress = Progress::new(args.view.quiet, stop);
    let table = progress.reading(&args.data, || Table::read(&args.data, &args.options.read_options()))?;
    let names = table.names();
    let dag = args.graph.as_ref().map(|path| graph_of(path, &names, &settings.knowledge)).transpose()?;
    if !args.view.quiet && args.view.format == OutputFormat::Json {
        table.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    let selection = match (&dag, args.shard) {
        (Some(dag), _) => FamilySelection::Graph(dag),
        (None, Some(shard)) => FamilySelection::Shard(shard),
        (None, None) => FamilySelection::All,
    };
    let plan = Plan::new(&table, &settings)?;
    if !args.view.quiet && args.view.format == OutputFormat::Json {
        plan.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    if args.view.dry_run {
        let document = plan.score_document(&plan.estimate_score(selection)?, selection, &as_flags());
        return match args.view.format {
            OutputFormat::Text => show(&document.to_text()),
            OutputFormat::Json => show(&document.to_json()),
        };
    }
    let scored = plan.score(selection, &progress)?;
    drop(progress);
    if let Some(file) = curves_file {
        file.write(&scored.curves()?.to_json(plan.names()))?;
    }
    let command = scored.partial.as_ref().map(|partial| continuing_command(partial, &settings));
    let document = scored.document(&DocumentOptions { continue_with: command.as_deref(), ..as_flags() });
    match args.view.format {
        OutputFormat::Json => show(&document.to_json()),
        OutputFormat::Text => show(&(document.to_text(args.top) + &continuation(command.as_deref(), &plan))),
    }
}
