//! Reads, writes and compares graphs as pairs of names.

use prequential::results::ComparisonDocument;
use prequential::{Dag, GraphFormat, Knowledge, NamedDag, Result};
use pyo3::prelude::*;

use crate::errors::{mistake, raise};

/// The names of the nodes and the edges as pairs of names.
type NamedEdges = (Vec<String>, Vec<(String, String)>);

/// The graph with these edges over the variables of a table with these columns; contexts do not count. `place` is the option that names them.
pub(crate) fn onto(
    edges: &[(String, String)],
    columns: &[String],
    knowledge: &Knowledge,
    place: &str,
) -> Result<Dag> {
    let contexts: Vec<String> = knowledge.context.iter().map(|said| said.value.clone()).collect();
    NamedDag::from_edges(&[], edges, place)?.without(&contexts).onto(&knowledge.variables(columns), place)
}

/// The nodes and edges of a graph in the text of a file called `name`: JSON, DOT, GraphML or CSV, by its ending.
#[pyfunction]
pub(crate) fn parse_graph(text: &str, name: &str) -> PyResult<NamedEdges> {
    let format = format_of(name)?;
    let graph = prequential::parse_graph(text, format, name).map_err(|error| raise(&error))?;
    let edges = graph.edges().into_iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
    Ok((graph.names, edges))
}

/// The text of a graph file called `name`.
#[pyfunction]
pub(crate) fn write_graph(nodes: Vec<String>, edges: Vec<(String, String)>, name: &str) -> PyResult<String> {
    let graph = NamedDag::from_edges(&nodes, &edges, "graph").map_err(|error| raise(&error))?;
    Ok(prequential::write_graph(&graph, format_of(name)?))
}

/// The distances of a graph from the truth, as text and as JSON.
#[pyfunction]
pub(crate) fn compare(graph: NamedEdges, truth: NamedEdges) -> PyResult<(String, String)> {
    let read = |(nodes, edges): NamedEdges, place: &str| {
        NamedDag::from_edges(&nodes, &edges, place).map_err(|error| raise(&error))
    };
    let (ours, theirs) = (read(graph, "graph")?, read(truth, "truth")?);
    let compared = ComparisonDocument::new((&ours, "graph"), (&theirs, "truth"));
    let compared = compared.map_err(|error| raise(&error))?;
    Ok((compared.to_text(), compared.to_json()))
}

fn format_of(name: &str) -> PyResult<GraphFormat> {
    GraphFormat::from_path(name).ok_or_else(|| {
        let problem = format!("cannot tell from the name `{name}` how the graph is written");
        mistake(&problem, "end the name with .json, .dot, .graphml or .csv")
    })
}
