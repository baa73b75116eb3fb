//! `prequential compare`: how far two graphs are from each other.

use prequential::{ComparedGraphs, Error, NamedDag, Result, read_graph};

use crate::args::{CompareArgs, Format};
use crate::output::show;

pub(crate) fn run(args: &CompareArgs) -> Result<()> {
    let (ours, theirs) = (read_graph(&args.graph)?, read_graph(&args.truth)?);
    if !ours.names.iter().any(|name| theirs.names.contains(name)) {
        return Err(Error::Setting {
            what: "the two graphs have no variable in common".into(),
            hint: "compare graphs over the same variables, by the same names".into(),
        });
    }
    let names = all_names(&theirs, &ours);
    let graph = ours.onto(&names, &args.graph.display().to_string())?;
    let truth = theirs.onto(&names, &args.truth.display().to_string())?;
    let compared = ComparedGraphs { graph: &graph, truth: &truth, names: &names };
    match args.format {
        Format::Text => show(&compared.to_text()),
        Format::Json => show(&compared.to_json()),
    }
}

/// The names of the first graph, then those that only the second has.
fn all_names(first: &NamedDag, second: &NamedDag) -> Vec<String> {
    let new = second.names.iter().filter(|name| !first.names.contains(name));
    first.names.iter().chain(new).cloned().collect()
}
