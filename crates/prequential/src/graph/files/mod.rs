//! Graph files: JSON, DOT, GraphML and CSV, read and written.

mod csv;
mod dot;
mod dot_tokens;
mod draft;
mod graphml;
mod json;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use self::draft::format_error;
use super::NamedDag;
use crate::base::error::{Error, Result};

/// The longest file that is read: a complete graph of 1000 nodes takes 25 MiB in the wordiest format.
const MAX_BYTES: u64 = 64 << 20;

/// How a graph is written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphFormat {
    /// `{"nodes": [...], "edges": [["A", "B"], ...]}`; a bare list of edges, or a result file, is also read.
    Json,
    /// Graphviz: `digraph { A -> B }`. Nodes are named by their id, not by their label.
    Dot,
    /// GraphML; nodes are named by their `name` or `label`, else by their id.
    GraphMl,
    /// Columns `from` and `to`, an empty `to` for an isolated node; also read: an adjacency matrix with names.
    Csv,
}

impl GraphFormat {
    /// The format of a file extension: `.json`, `.dot`, `.gv`, `.graphml` or `.csv`.
    pub fn from_path(path: impl AsRef<Path>) -> Option<GraphFormat> {
        let path = path.as_ref();
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "json" => Some(GraphFormat::Json),
            "dot" | "gv" => Some(GraphFormat::Dot),
            "graphml" => Some(GraphFormat::GraphMl),
            "csv" => Some(GraphFormat::Csv),
            _ => None,
        }
    }

    /// The format detected from a file's content.
    fn of_content(text: &str) -> GraphFormat {
        let text = text.trim_start();
        let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let opens_dot = ["strict", "digraph", "graph"].iter().any(|opener| word.eq_ignore_ascii_case(opener));
        let starts_with_comment = ["//", "/*", "#"].iter().any(|comment| text.starts_with(comment));
        match text.chars().next() {
            Some('{' | '[') => GraphFormat::Json,
            Some('<') => GraphFormat::GraphMl,
            _ if (opens_dot || starts_with_comment) && text.contains('{') => GraphFormat::Dot,
            _ => GraphFormat::Csv,
        }
    }
}

/// Reads a graph from a file, in the format of its extension, else in the one detected from its content.
///
/// Fails if the file is no such graph, has a cycle or an edge without direction, or is beyond 64 MiB, 10,000 nodes or a
/// million edges.
pub fn read_graph(path: impl AsRef<Path>) -> Result<NamedDag> {
    let path = path.as_ref();
    let source = path.display().to_string();
    let text = read_text(path, &source)?;
    let format = GraphFormat::from_path(path).unwrap_or_else(|| GraphFormat::of_content(without_mark(&text)));
    parse_graph(&text, format, &source)
}

/// Reads a graph from a text; errors name it `source`.
///
/// ```
/// use prequential::{GraphFormat, parse_graph};
/// let graph = parse_graph("digraph { smoking -> tar -> cancer; age }", GraphFormat::Dot, "smoking.dot")?;
/// assert_eq!(graph.names, ["smoking", "tar", "cancer", "age"]);
/// assert_eq!(graph.edges(), [("smoking", "tar"), ("tar", "cancer")]);
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn parse_graph(text: &str, format: GraphFormat, source: &str) -> Result<NamedDag> {
    let text = without_mark(text);
    match format {
        GraphFormat::Json => json::parse(text, source),
        GraphFormat::Dot => dot::parse(text, source),
        GraphFormat::GraphMl => graphml::parse(text, source),
        GraphFormat::Csv => csv::parse(text, source),
    }
}

/// Writes a graph; [`parse_graph`] reads it back with all its names.
///
/// XML cannot contain control characters, so GraphML has the replacement character instead.
pub fn write_graph(graph: &NamedDag, format: GraphFormat) -> String {
    match format {
        GraphFormat::Json => json::write(graph),
        GraphFormat::Dot => dot::write(graph),
        GraphFormat::GraphMl => graphml::write(graph),
        GraphFormat::Csv => csv::write(graph),
    }
}

/// The text of a small file, up to 64 MiB, in UTF-8; errors name it `source`.
pub(crate) fn read_text(path: &Path, source: &str) -> Result<String> {
    decode(read_bytes(path, source)?, source)
}

fn read_bytes(path: &Path, source: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a longer file from one that just fits, without reading the rest.
    let file = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    file.map_err(|error| Error::File { action: "read", path: path.to_path_buf(), source: error })?;
    if bytes.len() as u64 > MAX_BYTES {
        let problem = format!("longer than {} MiB", MAX_BYTES >> 20);
        return Err(format_error(source, None, problem, "give a file that contains only what is asked for"));
    }
    Ok(bytes)
}

fn decode(bytes: Vec<u8>, source: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let is_wide = matches!(error.as_bytes(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        let problem = if is_wide { "UTF-16 text, not UTF-8" } else { "not UTF-8 text" };
        format_error(source, Some(line), problem, "save the file as UTF-8")
    })
}

/// The text without the byte order mark that some editors put before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_decide_the_format_and_then_the_content() {
        let from_path = |path: &str| GraphFormat::from_path(Path::new(path));
        assert_eq!(from_path("a/truth.JSON"), Some(GraphFormat::Json));
        assert_eq!(from_path("truth.gv"), Some(GraphFormat::Dot));
        assert_eq!(from_path("truth.txt"), None);
        assert_eq!(from_path("truth"), None);
        for (text, format) in [
            ("\n [[\"a\", \"b\"]]", GraphFormat::Json),
            ("<?xml version=\"1.0\"?>", GraphFormat::GraphMl),
            ("strict digraph {}", GraphFormat::Dot),
            ("# made by hand\ndigraph{a}", GraphFormat::Dot),
            ("graph,from,to\n", GraphFormat::Csv),
            ("", GraphFormat::Csv),
        ] {
            assert_eq!(GraphFormat::of_content(text), format, "{text}");
        }
    }

    #[test]
    fn a_file_is_read_whatever_its_ending() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("truth.txt");
        for text in ["\u{feff}from,to\na,b\n", "digraph { a -> b }", "[[\"a\", \"b\"]]"] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read_graph(&path).unwrap().edges(), [("a", "b")]);
        }
    }

    #[test]
    fn files_that_are_missing_or_no_text_are_errors() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("truth.csv");
        assert!(matches!(read_graph(&path), Err(Error::File { action: "read", .. })));
        std::fs::write(&path, b"from,to\na,\xff\n").unwrap();
        assert!(matches!(read_graph(&path), Err(Error::Format { line: Some(2), .. })));
    }
}
