//! Graphs in GraphML.

use std::collections::HashMap;

use roxmltree::{Document, Node, ParsingOptions};

use super::draft::{Draft, format_error};
use crate::base::error::{Error, Result};
use crate::base::format::quoted;
use crate::graph::NamedDag;

/// Enough elements and texts for 300,000 edges with a weight each; a 55 MiB file that exceeds it was seen to take 0.6 GB.
const MAX_XML_NODES: u32 = 2_000_000;

const HINT: &str = "save the graph as GraphML with one `<graph edgedefault=\"directed\">`";

pub(super) fn parse(text: &str, source: &str) -> Result<NamedDag> {
    let options = ParsingOptions { nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| explain(&error, source))?;
    let mut reader = Reader::new(&document, source);
    let graph = reader.the_graph()?;
    reader.nodes(graph)?;
    reader.edges(graph)?;
    reader.draft.finish()
}

fn explain(error: &roxmltree::Error, source: &str) -> Error {
    let line = Some(u64::from(error.pos().row));
    match error {
        roxmltree::Error::NodesLimitReached => {
            let problem = format!("more than {MAX_XML_NODES} elements and texts");
            format_error(source, None, problem, "save the graph without data on its edges, or as CSV")
        }
        roxmltree::Error::DtdDetected => {
            format_error(source, None, "`<!DOCTYPE ...>` is not supported", "remove it: GraphML needs none")
        }
        _ => {
            // Line and column stand at the end of the text too.
            let text = error.to_string();
            let problem = text.rsplit_once(" at ").map_or(text.as_str(), |(problem, _)| problem);
            format_error(source, line, format!("not XML: {problem}"), HINT)
        }
    }
}

struct Reader<'a, 'input> {
    document: &'a Document<'input>,
    draft: Draft<'a>,
    /// The number of every node, by its id.
    numbers: HashMap<&'a str, usize>,
}

impl<'a, 'input> Reader<'a, 'input> {
    fn new(document: &'a Document<'input>, source: &'a str) -> Self {
        Reader { document, draft: Draft::new(source), numbers: HashMap::new() }
    }

    /// The only graph at the top of the document.
    fn the_graph(&self) -> Result<Node<'a, 'input>> {
        let mut graphs = self.document.root_element().children().filter(|node| is(node, "graph"));
        match (graphs.next(), graphs.next()) {
            (Some(graph), None) => Ok(graph),
            (None, _) => Err(self.draft.error(None, "there is no `<graph>` in this file", HINT)),
            (Some(_), Some(second)) => {
                let line = self.line_of(&second);
                Err(self.draft.error(line, "a second graph", "keep one graph per file"))
            }
        }
    }

    fn nodes(&mut self, graph: Node<'a, 'input>) -> Result<()> {
        let keys = self.name_keys();
        let mut lines = Lines::new(self.document.input_text());
        for node in graph.descendants().filter(|node| is(node, "node")) {
            let line = Some(lines.at(node.range().start));
            let id = self.attribute(&node, "id", line)?;
            let name = name_of(&node, &keys).unwrap_or_else(|| id.to_string());
            let n_before = self.draft.n_nodes();
            let number = self.draft.node(&name, line)?;
            if number < n_before || self.numbers.insert(id, number).is_some() {
                let problem =
                    format!("a second node with the name {} or the id {}", quoted(&name), quoted(id));
                return Err(self.draft.error(line, problem, "give every node its own id and name"));
            }
        }
        Ok(())
    }

    fn edges(&mut self, graph: Node<'a, 'input>) -> Result<()> {
        let default = graph.attribute("edgedefault").unwrap_or("directed");
        let mut lines = Lines::new(self.document.input_text());
        for edge in graph.descendants().filter(|node| is(node, "edge")) {
            let line = Some(lines.at(edge.range().start));
            let is_directed = match edge.attribute("directed") {
                Some(directed) => directed == "true" || directed == "1",
                None => default == "directed",
            };
            if !is_directed {
                let hint = "save the graph with `edgedefault=\"directed\"`; an equivalence class is not a single DAG";
                return Err(self.draft.error(line, "this edge has no direction", hint));
            }
            let from = self.end(&edge, "source", line)?;
            let to = self.end(&edge, "target", line)?;
            self.draft.edge(from, to, line)?;
        }
        Ok(())
    }

    fn end(&self, edge: &Node<'a, 'input>, which: &str, line: Option<u64>) -> Result<usize> {
        let id = self.attribute(edge, which, line)?;
        self.numbers.get(id).copied().ok_or_else(|| {
            let problem = format!("the {which} of this edge is {}, but no node has this id", quoted(id));
            self.draft.error(line, problem, format!("add `<node id=\"{id}\"/>`"))
        })
    }

    fn attribute(&self, node: &Node<'a, 'input>, name: &str, line: Option<u64>) -> Result<&'a str> {
        node.attribute(name).ok_or_else(|| {
            let element = node.tag_name().name();
            self.draft.error(
                line,
                format!("`<{element}>` without `{name}`"),
                format!("add `{name}=\"...\"` to it"),
            )
        })
    }

    /// The keys under which nodes store their names, the best first.
    fn name_keys(&self) -> Vec<&'a str> {
        let is_for_nodes = |key: &Node<'_, '_>| !matches!(key.attribute("for"), Some("edge" | "graph"));
        let key_called = |name: &str| {
            let mut keys = self.document.root_element().children().filter(|node| is(node, "key"));
            keys.find(|key| key.attribute("attr.name") == Some(name) && is_for_nodes(key))?.attribute("id")
        };
        ["name", "label"].into_iter().filter_map(key_called).collect()
    }

    /// Counts from the start of the file, so only for errors.
    fn line_of(&self, node: &Node<'_, '_>) -> Option<u64> {
        Some(u64::from(self.document.text_pos_at(node.range().start).row))
    }
}

fn is(node: &Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The text that a node stores under the first of `keys` that it has.
fn name_of(node: &Node<'_, '_>, keys: &[&str]) -> Option<String> {
    let stored = |key: &str| {
        let data = node.children().find(|child| is(child, "data") && child.attribute("key") == Some(key))?;
        let text: String =
            data.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect();
        Some(text).filter(|text| !text.is_empty())
    };
    keys.iter().find_map(|key| stored(key))
}

/// Turns increasing positions into lines in one pass over the text.
struct Lines<'a> {
    text: &'a str,
    position: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        Lines { text, position: 0, line: 1 }
    }

    fn at(&mut self, position: usize) -> u64 {
        let passed = &self.text.as_bytes()[self.position..position];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.position = position;
        self.line
    }
}

/// Writes every name twice, as id and as data: some programs show one, some the other.
pub(super) fn write(graph: &NamedDag) -> String {
    let node = |name: &String| {
        let name = escape(name);
        format!("    <node id=\"{name}\"><data key=\"name\">{name}</data></node>\n")
    };
    let edge = |(from, to)| format!("    <edge source=\"{}\" target=\"{}\"/>\n", escape(from), escape(to));
    let nodes: String = graph.names.iter().map(node).collect();
    let edges: String = graph.edges().into_iter().map(edge).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  \
           <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n  \
           <graph edgedefault=\"directed\">\n{nodes}{edges}  </graph>\n</graphml>\n"
    )
}

fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            // Attributes turn plain ones into spaces.
            '\t' | '\n' | '\r' => text.push_str(&format!("&#{};", c as u32)),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => text.push('\u{fffd}'),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(graph: &str) -> String {
        parse(&format!("<graphml>\n{graph}</graphml>"), "x.graphml").unwrap_err().to_string()
    }

    #[test]
    fn nodes_go_by_name_then_label_then_id() {
        let text = r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
            <key id="d0" for="node" attr.name="label"/><key id="d1" for="node" attr.name="name"/>
            <key id="d2" for="edge" attr.name="name"/>
            <graph edgedefault="directed">
              <node id="n0"><data key="d0">shown</data><data key="d1">age &amp; sex</data></node>
              <node id="n1"><data key="d0">tar</data></node><node id="n2"/><node id="n3"><data key="d1"/></node>
              <edge source="n0" target="n1"><data key="d2">causes</data></edge><edge source="n2" target="n1"/>
            </graph></graphml>"#;
        let graph = parse(text, "x").unwrap();
        assert_eq!(graph.names, ["age & sex", "tar", "n2", "n3"]);
        assert_eq!(graph.edges(), [("age & sex", "tar"), ("n2", "tar")]);
    }

    #[test]
    fn edges_without_direction_are_refused_unless_each_has_its_own() {
        let nodes = "<node id='a'/><node id='b'/>\n";
        let undirected =
            format!("<graph edgedefault='undirected'>{nodes}<edge source='a' target='b'/></graph>");
        assert_eq!(error_of(&undirected), "`x.graphml` line 3: this edge has no direction");
        let own = undirected.replace("<edge", "<edge directed='true'");
        assert_eq!(parse(&format!("<graphml>{own}</graphml>"), "x").unwrap().edges(), [("a", "b")]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(error_of("<node/>"), "`x.graphml`: there is no `<graph>` in this file");
        assert_eq!(error_of("<graph>\n<node/></graph>"), "`x.graphml` line 3: `<node>` without `id`");
        let edge = "<graph><node id='a'/>\n<edge source='a' target='b'/></graph>";
        assert_eq!(
            error_of(edge),
            "`x.graphml` line 3: the target of this edge is `b`, but no node has this id"
        );
        let twice = error_of("<graph><node id='a'/>\n<node id='a'/></graph>");
        assert_eq!(twice, "`x.graphml` line 3: a second node with the name `a` or the id `a`");
        assert_eq!(error_of("<graph/>\n<graph/>"), "`x.graphml` line 3: a second graph");
        let declared = parse("<!DOCTYPE graphml><graphml/>", "x.graphml").unwrap_err();
        assert_eq!(declared.to_string(), "`x.graphml`: `<!DOCTYPE ...>` is not supported");
        assert!(error_of("<graph>\n</node>").starts_with("`x.graphml` line 3: not XML: "));
    }

    #[test]
    fn deep_nesting_does_not_exhaust_the_stack() {
        let deep = format!("<graphml><graph>{}", "<node id='a'>".repeat(200_000));
        assert!(parse(&deep, "x").is_err());
        let closed =
            format!("<graphml>{}{}</graphml>", "<graph>".repeat(200_000), "</graph>".repeat(200_000));
        assert!(parse(&closed, "x").is_ok());
    }

    #[test]
    fn control_characters_are_replaced_since_xml_has_none() {
        let graph = NamedDag { names: vec!["a\u{1}b".into()], dag: crate::Dag::empty(1) };
        assert_eq!(parse(&write(&graph), "x").unwrap().names, ["a\u{fffd}b"]);
    }
}
