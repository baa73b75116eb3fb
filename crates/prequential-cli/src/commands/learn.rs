//! `prequential learn`: the best graph for a table.

use std::path::Path;

use prequential::{
    DocumentOptions, Error, GraphFormat, NamedDag, Plan, Result, ResultDocument, Table, write_graph,
};

use super::{continuation, continuing_command, graph_format, graph_of, typed_command};
use crate::args::{LearnArgs, OutputFormat};
use crate::output::{OutputFile, prepare_directory, show, warn};
use crate::progress::Progress;
use crate::stopping::stop_token;
use crate::wording::{CommandLine, as_flags};

/// The requested output files, known to be writable.
struct Files {
    result: Option<OutputFile>,
    report: Option<OutputFile>,
    svg: Option<OutputFile>,
    shapes: Option<OutputFile>,
    dot: Option<OutputFile>,
    graph: Option<(OutputFile, GraphFormat)>,
    edges: Option<OutputFile>,
}

pub(crate) fn run(args: &LearnArgs) -> Result<()> {
    let stop = stop_token(args.options.time_limit())?;
    args.options.check()?;
    let files = Files::prepare(args)?;
    let progress = Progress::new(args.view.quiet, stop);
    let table = progress.reading(&args.data, || Table::read(&args.data, &args.options.read_options()))?;
    let names = table.names();
    let settings = args.options.settings(&names)?;
    let truth = args.truth.as_ref().map(|path| graph_of(path, &names, &settings.knowledge)).transpose()?;
    if !args.view.quiet && args.view.format == OutputFormat::Json {
        table.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    let plan = args.keeping(Plan::new(&table, &settings)?);
    if !args.view.quiet && args.view.format == OutputFormat::Json {
        plan.warnings().iter().for_each(|warning| warn(&warning.worded(&CommandLine)));
    }
    if args.view.dry_run {
        let document = plan.document(&plan.estimate()?, &as_flags());
        return match args.view.format {
            OutputFormat::Text => show(&document.to_text()),
            OutputFormat::Json => show(&document.to_json()),
        };
    }
    let learned = plan.learn(&progress)?;
    drop(progress);
    let command = learned.partial.as_ref().map(|partial| continuing_command(partial, &settings));
    let truth = truth.map(|truth| learned.against(&truth));
    let typed = typed_command();
    let document = learned.document(&DocumentOptions {
        families: args.families || args.out.is_some(),
        truth: truth.as_ref(),
        continue_with: command.as_deref(),
        command: Some(&typed),
        ..as_flags()
    });
    let graph = NamedDag { names: plan.names().to_vec(), dag: learned.answer.dag };
    files.write(&document, &graph)?;
    match args.view.format {
        OutputFormat::Text => {
            let text = document.to_text();
            show(&(text + &continuation(command.as_deref(), &plan) + &files.written(args)))
        }
        OutputFormat::Json if args.families => show(&document.to_json()),
        OutputFormat::Json => show(&document.without_families().to_json()),
    }
}

impl LearnArgs {
    /// The plan, with a store beside the results unless disabled.
    fn keeping(&self, plan: Plan) -> Plan {
        match self.out.as_deref().filter(|_| !self.no_store) {
            Some(out) => plan.with_store_in(out),
            None => plan,
        }
    }
}

impl Files {
    fn prepare(args: &LearnArgs) -> Result<Files> {
        args.out.as_deref().map(prepare_directory).transpose()?;
        let needed: Vec<&Path> = std::iter::once(&*args.data).chain(args.options.store.as_deref()).collect();
        let inside = |name: &str| {
            args.out.as_ref().map(|out| OutputFile::prepare(&out.join(name), &needed)).transpose()
        };
        let graph = args.graph.as_deref();
        let graph =
            graph.map(|path| Ok::<_, Error>((OutputFile::prepare(path, &needed)?, graph_format(path)?)));
        Ok(Files {
            result: inside("result.json")?,
            report: inside("report.html")?,
            svg: inside("graph.svg")?,
            shapes: inside("shapes.svg")?,
            dot: inside("graph.dot")?,
            graph: graph.transpose()?,
            edges: args.edges.as_deref().map(|path| OutputFile::prepare(path, &needed)).transpose()?,
        })
    }

    /// A line that says what was written.
    fn written(&self, args: &LearnArgs) -> String {
        let directory = args.out.as_ref().map(|out| {
            format!("result.json, report.html, graph.svg, shapes.svg and graph.dot in {}", out.display())
        });
        let files = [&args.graph, &args.edges].into_iter().flatten().map(|path| path.display().to_string());
        let all: Vec<String> = directory.into_iter().chain(files).collect();
        if all.is_empty() { String::new() } else { format!("\nWritten: {}\n", all.join("; ")) }
    }

    fn write(&self, document: &ResultDocument, graph: &NamedDag) -> Result<()> {
        let write = |file: &Option<OutputFile>, text: &dyn Fn() -> String| {
            file.as_ref().map_or(Ok(()), |file| file.write(&text()))
        };
        write(&self.result, &|| document.to_json())?;
        write(&self.report, &|| document.to_html())?;
        write(&self.svg, &|| document.to_svg())?;
        write(&self.shapes, &|| document.shapes_to_svg())?;
        write(&self.dot, &|| write_graph(graph, GraphFormat::Dot))?;
        write(&self.edges, &|| document.edges_to_csv())?;
        self.graph.as_ref().map_or(Ok(()), |(file, format)| file.write(&write_graph(graph, *format)))
    }
}
