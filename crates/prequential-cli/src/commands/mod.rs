//! One file per command: convert options, call the library, show the result.

pub(crate) mod compare;
pub(crate) mod learn;
pub(crate) mod reproduce;
pub(crate) mod score;
pub(crate) mod search;
pub(crate) mod simulate;
pub(crate) mod store;

use std::path::Path;

use prequential::{Error, GraphFormat, Result};

/// The format that a graph file's ending asks for.
fn graph_format(path: &Path) -> Result<GraphFormat> {
    GraphFormat::from_path(path).ok_or_else(|| Error::Setting {
        what: format!("cannot tell from the name `{}` how to write the graph", path.display()),
        hint: "end the name with .json, .dot, .graphml or .csv".to_string(),
    })
}
