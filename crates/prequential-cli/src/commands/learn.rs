//! `prequential learn`: the best graph for a table.

use std::path::Path;

use prequential::{
    GraphFormat, GraphPicture, JsonOptions, Learned, NamedDag, Result, Table, estimate, graph_svg,
    learn_observed, plan_json, plan_text, read_graph, report_html, result_json, result_text, write_graph,
};

use super::{continuation, continuing_command, graph_format};
use crate::args::{Format, LearnArgs};
use crate::output::{OutputFile, prepare_directory, show, warn};
use crate::progress::Progress;
use crate::stopping::Stopping;
use crate::wording::CommandLine;

/// The files that were asked for, known to be writable.
struct Files {
    result: Option<OutputFile>,
    report: Option<OutputFile>,
    svg: Option<OutputFile>,
    dot: Option<OutputFile>,
    graph: Option<(OutputFile, GraphFormat)>,
}

pub(crate) fn run(args: &LearnArgs) -> Result<()> {
    let stopping = Stopping::new(args.view.time_limit)?;
    let mut settings = args.settings()?;
    let files = Files::prepare(args)?;
    let table = args.table.read()?;
    let names = table.names();
    args.search.apply(&mut settings, &names)?;
    let truth = args
        .truth
        .as_ref()
        .map(|path| read_graph(path)?.onto(&names, &path.display().to_string()))
        .transpose()?;
    if !args.view.quiet && args.view.format == Format::Json {
        table.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    if args.view.dry_run {
        let (plan, estimate) = estimate(&table, &settings)?;
        return match args.view.format {
            Format::Text => show(&plan_text(&table, &plan, &estimate)),
            Format::Json => show(&format!("{:#}\n", plan_json(&table, &plan, &estimate))),
        };
    }
    let progress = Progress::new(args.view.quiet, stopping);
    let learned = learn_observed(&table, &settings, &progress)?;
    drop(progress);
    let command = learned.partial.as_ref().map(|partial| continuing_command(partial, &settings));
    let truth = truth.map(|truth| learned.against(&truth));
    let options = JsonOptions { families: args.families, truth: truth.as_ref(), command: command.as_deref() };
    files.write(&table, &learned, options)?;
    match args.view.format {
        Format::Text => {
            let text = result_text(&table, &learned, truth.as_ref());
            show(&(text + &continuation(command.as_deref(), &settings) + &files.written(args)))
        }
        Format::Json => show(&format!("{:#}\n", result_json(&table, &learned, options))),
    }
}

impl Files {
    fn prepare(args: &LearnArgs) -> Result<Files> {
        args.out.as_deref().map(prepare_directory).transpose()?;
        let needed: Vec<&Path> =
            std::iter::once(&*args.table.data).chain(args.scoring.store.as_deref()).collect();
        let inside = |name: &str| {
            args.out.as_ref().map(|out| OutputFile::prepare(&out.join(name), &needed)).transpose()
        };
        let graph = args.graph.as_deref();
        let graph = graph.map(|path| Ok((OutputFile::prepare(path, &needed)?, graph_format(path)?)));
        Ok(Files {
            result: inside("result.json")?,
            report: inside("report.html")?,
            svg: inside("graph.svg")?,
            dot: inside("graph.dot")?,
            graph: graph.transpose()?,
        })
    }

    /// A line that says what was written.
    fn written(&self, args: &LearnArgs) -> String {
        let directory = args
            .out
            .as_ref()
            .map(|out| format!("result.json, report.html, graph.svg and graph.dot in {}", out.display()));
        let graph = args.graph.as_ref().map(|path| path.display().to_string());
        let all: Vec<String> = directory.into_iter().chain(graph).collect();
        if all.is_empty() { String::new() } else { format!("\nWritten: {}\n", all.join("; ")) }
    }

    fn write(&self, table: &Table, learned: &Learned, options: JsonOptions) -> Result<()> {
        let named = NamedDag { names: table.names(), dag: learned.answer.dag.clone() };
        if let Some(file) = &self.result {
            let options = JsonOptions { families: true, ..options };
            let result = result_json(table, learned, options);
            file.write(&format!("{result:#}\n"))?;
            self.report.as_ref().map(|file| file.write(&report_html(&result)?)).transpose()?;
        }
        if let Some(file) = &self.svg {
            file.write(&graph_svg(&GraphPicture::of(learned, &named.names)))?;
        }
        if let Some(file) = &self.dot {
            file.write(&write_graph(&named, GraphFormat::Dot))?;
        }
        if let Some((file, format)) = &self.graph {
            file.write(&write_graph(&named, *format))?;
        }
        Ok(())
    }
}
