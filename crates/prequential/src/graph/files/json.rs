//! Graphs as JSON: a list of edges, an object of nodes and edges, or a result file.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::draft::{Draft, MAX_EDGES, MAX_NODES, format_error};
use crate::base::error::{Error, Result};
use crate::graph::NamedDag;

const HINT: &str =
    r#"write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file"#;

type Names = AtMost<Name, MAX_NODES>;
type Edges = AtMost<Edge, MAX_EDGES>;

/// The keys of an object; of a result file, the parts that describe its graph.
#[derive(Deserialize)]
#[serde(expecting = "a list of edges or an object")]
struct Content {
    nodes: Option<Names>,
    edges: Option<Edges>,
    dag: Option<ResultDag>,
    data: Option<ResultData>,
    /// The result of a search without a table.
    variables: Option<Names>,
}

#[derive(Deserialize)]
struct ResultDag {
    edges: Edges,
}

#[derive(Deserialize, Default)]
struct ResultData {
    #[serde(default)]
    variables: AtMost<ResultVariable, MAX_NODES>,
}

#[derive(Deserialize)]
struct ResultVariable {
    name: Name,
}

/// A name that is not empty: checked while parsing, when the line is known.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(name: String) -> std::result::Result<Name, &'static str> {
        if name.is_empty() { Err("a node without a name") } else { Ok(Name(name)) }
    }
}

#[derive(Deserialize)]
struct Ends {
    from: Name,
    to: Name,
}

/// `["A", "B"]` or `{"from": "A", "to": "B", ...}`.
struct Edge(Ends);

impl<'de> Deserialize<'de> for Edge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Edge, D::Error> {
        deserializer.deserialize_any(EdgeVisitor)
    }
}

struct EdgeVisitor;

impl<'de> Visitor<'de> for EdgeVisitor {
    type Value = Edge;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(r#"an edge, `["A", "B"]` or `{"from": "A", "to": "B"}`"#)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Edge, A::Error> {
        let from = items.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let to = items.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        match items.next_element::<IgnoredAny>()? {
            Some(_) => Err(A::Error::invalid_length(3, &self)),
            None => Ok(Edge(Ends { from, to })),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Edge, A::Error> {
        Ends::deserialize(MapAccessDeserializer::new(map)).map(Edge)
    }
}

/// A list of at most `MAX` items: checked while parsing, before it fills memory.
struct AtMost<T, const MAX: usize>(Vec<T>);

impl<T, const MAX: usize> Default for AtMost<T, MAX> {
    fn default() -> Self {
        AtMost(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for AtMost<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T, const MAX: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for ListVisitor<T, MAX> {
    type Value = AtMost<T, MAX>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list of at most {MAX}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == MAX {
                return Err(A::Error::invalid_length(MAX + 1, &self));
            }
            list.push(item);
        }
        Ok(AtMost(list))
    }
}

pub(super) fn parse(text: &str, source: &str) -> Result<NamedDag> {
    let (nodes, edges) = nodes_and_edges(text, source)?;
    let mut draft = Draft::new(source);
    for Name(name) in nodes.0 {
        draft.node(&name, None)?;
    }
    for Edge(Ends { from, to }) in edges.0 {
        let (from, to) = (draft.node(&from.0, None)?, draft.node(&to.0, None)?);
        draft.edge(from, to, None)?;
    }
    draft.finish()
}

fn nodes_and_edges(text: &str, source: &str) -> Result<(Names, Edges)> {
    let explain = |error| explain(&error, source);
    if text.trim_start().starts_with('[') {
        return Ok((Names::default(), serde_json::from_str(text).map_err(explain)?));
    }
    let content: Content = serde_json::from_str(text).map_err(explain)?;
    match content {
        Content { dag: Some(dag), data, variables, .. } => {
            let columns = data.unwrap_or_default().variables.0.into_iter().map(|variable| variable.name);
            Ok((AtMost(variables.unwrap_or_default().0.into_iter().chain(columns).collect()), dag.edges))
        }
        Content { edges: None, .. } => {
            Err(format_error(source, None, "neither `edges` nor `dag` in this object", HINT))
        }
        Content { nodes, edges, .. } => Ok((nodes.unwrap_or_default(), edges.unwrap_or_default())),
    }
}

fn explain(error: &serde_json::Error, source: &str) -> Error {
    let text = error.to_string();
    // Line and column stand at the end of the text too.
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    let problem = if error.is_eof() { "the file ends too early" } else { problem };
    format_error(source, Some(error.line() as u64).filter(|&line| line > 0), problem, HINT)
}

pub(super) fn write(graph: &NamedDag) -> String {
    let quote = |name: &str| serde_json::Value::from(name).to_string();
    let nodes: Vec<String> = graph.names.iter().map(|name| format!("\n    {}", quote(name))).collect();
    let pair = |(from, to)| format!("\n    [{}, {}]", quote(from), quote(to));
    let edges: Vec<String> = graph.edges().into_iter().map(pair).collect();
    format!("{{\n  \"nodes\": [{}\n  ],\n  \"edges\": [{}\n  ]\n}}\n", nodes.join(","), edges.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(text: &str) -> (Option<u64>, String) {
        match parse(text, "truth.json") {
            Err(Error::Format { line, problem, .. }) => (line, problem.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_of_pairs_is_a_graph() {
        let graph = parse(r#"[["b", "a"], ["b", "c"], ["b", "a"]]"#, "x").unwrap();
        assert_eq!(graph.names, ["b", "a", "c"]);
        assert_eq!(graph.edges(), [("b", "a"), ("b", "c")]);
        assert_eq!(parse("[]", "x").unwrap().names.len(), 0);
    }

    #[test]
    fn a_result_file_is_a_graph_over_all_its_variables() {
        let text = r#"{"schema": 2, "kind": "learned", "data": {"rows": 9, "variables": [{"name": "a", "kind": "continuous"}, {"name": "b"},
            {"name": "c"}]}, "dag": {"edges": [{"from": "c", "to": "a", "probability": 0.9}], "code_length_nats": -1.5},
            "posterior": {"edges": []}}"#;
        let graph = parse(text, "result.json").unwrap();
        assert_eq!(graph.names, ["a", "b", "c"]);
        assert_eq!(graph.edges(), [("c", "a")]);
        let text = r#"{"schema": 2, "kind": "searched", "variables": ["x", "y"], "dag": {"edges": []}}"#;
        assert_eq!(parse(text, "searched.json").unwrap().names, ["x", "y"]);
    }

    #[test]
    fn nodes_without_edges_survive() {
        let graph = parse(r#"{"nodes": ["z", "a"], "edges": [["a", "b"]]}"#, "x").unwrap();
        assert_eq!(graph.names, ["z", "a", "b"]);
        assert_eq!(parse(&write(&graph), "x").unwrap(), graph);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(error_of("[[\"a\", \"b\"],\n[\"a\"]]").0, Some(2));
        assert_eq!(error_of("[\n[\"a\", \"\"]]"), (Some(2), "a node without a name".into()));
        assert_eq!(error_of("[\n[\"a\", \"b\", \"c\"]]").0, Some(2));
        assert_eq!(error_of("{\"rows\": 3}"), (None, "neither `edges` nor `dag` in this object".into()));
        assert_eq!(error_of("").0, Some(1));
    }

    #[test]
    fn long_lists_and_deep_nesting_are_refused() {
        let long = format!("[\n{}[\"a\", \"b\"]]", "[\"a\", \"b\"],\n".repeat(MAX_EDGES));
        let problem = "invalid length 1000001, expected a list of at most 1000000";
        assert_eq!(error_of(&long), (Some(1_000_002), problem.into()));
        for opener in ["[", "{\"a\":", "{\"edges\":"] {
            assert!(parse(&opener.repeat(1_000_000), "x").is_err());
        }
    }
}
