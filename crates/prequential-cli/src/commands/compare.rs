//! `prequential compare`: the distances between two graphs.

use prequential::results::ComparisonDocument;
use prequential::{Result, read_graph};

use crate::args::{CompareArgs, OutputFormat};
use crate::output::show;

pub(crate) fn run(args: &CompareArgs) -> Result<()> {
    let (graph, truth) = (read_graph(&args.graph)?, read_graph(&args.truth)?);
    let (source, other) = (args.graph.display().to_string(), args.truth.display().to_string());
    let compared = ComparisonDocument::new((&graph, &source), (&truth, &other))?;
    match args.format {
        OutputFormat::Text => show(&compared.to_text()),
        OutputFormat::Json => show(&compared.to_json()),
    }
}
