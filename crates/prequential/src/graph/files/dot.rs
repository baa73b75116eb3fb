//! Graphs in DOT, the language of Graphviz. Nodes are named by their id; labels, ports and other attributes
//! are skipped.

use super::dot_tokens::{Token, Tokens};
use super::draft::Draft;
use crate::base::error::{Error, Result};
use crate::graph::{NamedDag, NodeSet};

/// How deep groups may be nested; each open one is kept, so there is a limit.
const MAX_DEPTH: usize = 1000;

const ONE_GRAPH: &str = "write the graph as `digraph { A -> B; }`";
const UNDIRECTED: &str =
    "write `digraph` and give every edge a direction with `->`; an equivalence class is not a single DAG";

pub(super) fn parse(text: &str, source: &str) -> Result<NamedDag> {
    let mut tokens = Tokens::new(text, source);
    let token = tokens.next()?;
    let line = tokens.token_line();
    let mut parser = Parser { tokens, token, line, draft: Draft::new(source), groups: Vec::new() };
    parser.header()?;
    while !parser.groups.is_empty() {
        parser.statement()?;
    }
    match parser.token {
        Token::End => parser.draft.finish(),
        _ => Err(parser.unexpected("nothing after the graph", "keep one graph per file")),
    }
}

/// An open `{`: the nodes named in it, and those left of an arrow that still waits for its head.
#[derive(Default)]
struct Group {
    nodes: NodeSet,
    tails: Option<NodeSet>,
}

struct Parser<'a> {
    tokens: Tokens<'a>,
    /// The next token, and its line.
    token: Token,
    line: u64,
    draft: Draft<'a>,
    /// The open groups, the graph itself first: a list instead of recursion, so that no file can exhaust the stack.
    groups: Vec<Group>,
}

impl Parser<'_> {
    fn header(&mut self) -> Result<()> {
        if self.token.is_keyword("strict") {
            self.advance()?;
        }
        if self.token.is_keyword("graph") {
            return Err(self.error("this graph is undirected", UNDIRECTED));
        }
        if !self.token.is_keyword("digraph") {
            return Err(self.unexpected("`digraph`", ONE_GRAPH));
        }
        self.advance()?;
        self.skip_name()?;
        self.open_group()
    }

    /// Reads one step of the innermost group: a statement, or one end of an edge.
    fn statement(&mut self) -> Result<()> {
        let starts_end = matches!(self.token, Token::Word(_) | Token::Quoted(_) | Token::Sign('{'));
        if !starts_end && self.innermost().tails.is_some() {
            return Err(self.unexpected("a node after `->`", "name the node that the arrow points to"));
        }
        match &self.token {
            Token::Sign('}') => self.close_group(),
            Token::Sign(';' | ',') => self.advance(),
            Token::Sign('{') => self.open_group(),
            token if token.is_keyword("subgraph") => {
                self.advance()?;
                self.skip_name()?;
                self.open_group()
            }
            token if ["graph", "node", "edge"].iter().any(|keyword| token.is_keyword(keyword)) => {
                self.advance()?;
                self.attributes()
            }
            Token::Word(name) | Token::Quoted(name) => {
                let name = name.clone();
                self.node_or_setting(&name)
            }
            Token::Html => Err(self.error("HTML-like names cannot be read", "put the name in double quotes")),
            Token::Line => Err(self.error("this edge has no direction", UNDIRECTED)),
            _ => Err(self.unexpected("a node, an edge or `}`", ONE_GRAPH)),
        }
    }

    /// `name`, `name:port` or `name = value`.
    fn node_or_setting(&mut self, name: &str) -> Result<()> {
        let line = self.line;
        self.advance()?;
        if self.token == Token::Sign('=') && self.innermost().tails.is_none() {
            self.advance()?;
            return self.value();
        }
        while self.token == Token::Sign(':') {
            self.advance()?;
            self.value()?;
        }
        let node = self.draft.node(name, Some(line))?;
        self.end_of_edge(NodeSet::single(node), line)
    }

    fn open_group(&mut self) -> Result<()> {
        if self.token != Token::Sign('{') {
            return Err(self.unexpected("`{`", ONE_GRAPH));
        }
        if self.groups.len() == MAX_DEPTH {
            return Err(self.error(format!("more than {MAX_DEPTH} nested groups"), "nest groups less deeply"));
        }
        self.groups.push(Group::default());
        self.advance()
    }

    fn close_group(&mut self) -> Result<()> {
        let line = self.line;
        self.advance()?;
        let closed = self.groups.pop().unwrap_or_default();
        if self.groups.is_empty() { Ok(()) } else { self.end_of_edge(closed.nodes, line) }
    }

    /// Adds `nodes`, named up to `line`: the head of an arrow, the tail of one, both, or neither.
    fn end_of_edge(&mut self, nodes: NodeSet, line: u64) -> Result<()> {
        let group = self.innermost();
        group.nodes = group.nodes.union(&nodes);
        if let Some(tails) = group.tails.take() {
            self.join(&tails, &nodes, line)?;
        }
        if self.token == Token::Line {
            return Err(self.error("this edge has no direction", UNDIRECTED));
        }
        if self.token == Token::Arrow {
            self.innermost().tails = Some(nodes);
            return self.advance();
        }
        self.attributes()
    }

    fn join(&mut self, tails: &NodeSet, heads: &NodeSet, line: u64) -> Result<()> {
        for from in tails.iter() {
            for to in heads.iter() {
                self.draft.edge(from, to, Some(line))?;
            }
        }
        Ok(())
    }

    /// Skips `[...]`, any number of times, but not an attribute that takes an edge's direction away.
    fn attributes(&mut self) -> Result<()> {
        while self.token == Token::Sign('[') {
            self.advance()?;
            while self.token != Token::Sign(']') {
                if matches!(self.token, Token::End | Token::Sign('{' | '}')) {
                    return Err(self.unexpected("`]`", "close the list of attributes with `]`"));
                }
                self.attribute()?;
            }
            self.advance()?;
        }
        Ok(())
    }

    fn attribute(&mut self) -> Result<()> {
        let is_direction = matches!(&self.token, Token::Word(name) | Token::Quoted(name) if name == "dir");
        self.advance()?;
        if self.token != Token::Sign('=') {
            return Ok(());
        }
        self.advance()?;
        let is_forward =
            matches!(&self.token, Token::Word(value) | Token::Quoted(value) if value == "forward");
        if is_direction && !is_forward {
            let problem = format!("`dir={}` changes what arrows mean", self.token.display().replace('`', ""));
            return Err(self.error(problem, "write every edge from cause to effect, without `dir`"));
        }
        self.value()
    }

    fn value(&mut self) -> Result<()> {
        match self.token {
            Token::Word(_) | Token::Quoted(_) | Token::Html => self.advance(),
            _ => {
                Err(self.unexpected("a name or value", "put values with special characters in double quotes"))
            }
        }
    }

    fn skip_name(&mut self) -> Result<()> {
        if matches!(self.token, Token::Word(_) | Token::Quoted(_)) { self.advance() } else { Ok(()) }
    }

    fn advance(&mut self) -> Result<()> {
        self.token = self.tokens.next()?;
        self.line = self.tokens.token_line();
        Ok(())
    }

    fn innermost(&mut self) -> &mut Group {
        self.groups.last_mut().expect("statements stand inside the graph")
    }

    fn unexpected(&self, expected: &str, hint: &str) -> Error {
        self.error(format!("expected {expected}, found {}", self.token.display()), hint)
    }

    fn error(&self, problem: impl Into<String>, hint: &str) -> Error {
        self.draft.error(Some(self.line), problem, hint)
    }
}

pub(super) fn write(graph: &NamedDag) -> String {
    let quote = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    let nodes = graph.names.iter().map(|name| format!("  {};\n", quote(name)));
    let edges = graph.edges().into_iter().map(|(from, to)| format!("  {} -> {};\n", quote(from), quote(to)));
    format!("digraph {{\n{}}}\n", nodes.chain(edges).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges_of(text: &str) -> Vec<String> {
        let graph = parse(text, "x.dot").unwrap();
        graph.edges().into_iter().map(|(from, to)| format!("{from}{to}")).collect()
    }

    fn error_of(text: &str) -> String {
        parse(text, "x.dot").unwrap_err().to_string()
    }

    #[test]
    fn chains_groups_and_subgraphs_make_edges() {
        assert_eq!(edges_of("digraph { a -> b -> c }"), ["ab", "bc"]);
        assert_eq!(edges_of("digraph { a b; {a b} -> c }"), ["ac", "bc"]);
        assert_eq!(edges_of("strict digraph g { a; a -> {b; {c}} -> d; a -> b }"), ["ab", "ac", "bd", "cd"]);
        assert_eq!(edges_of("DiGraph \"g\" { a -> subgraph cluster_1 { b -> c } }"), ["ab", "ac", "bc"]);
        assert_eq!(edges_of("digraph { {} -> a }"), [""; 0]);
    }

    #[test]
    fn settings_attributes_and_ports_are_skipped() {
        let text = "digraph g {\n rankdir=LR; graph [x=1] node [shape=box, label=<<b>a</b>>];\n
            a:n:sw -> b:s [label=\"0.9 -> 1\"; weight=2][color=red]\n 1 [label=one]; \"node\" -> 1; }";
        let graph = parse(text, "x").unwrap();
        assert_eq!(graph.names, ["a", "b", "1", "node"]);
        assert_eq!(graph.edges(), [("a", "b"), ("node", "1")]);
    }

    #[test]
    fn edges_without_direction_are_refused() {
        assert_eq!(error_of("graph { a -- b }"), "`x.dot` line 1: this graph is undirected");
        assert_eq!(error_of("digraph {\n a -- b }"), "`x.dot` line 2: this edge has no direction");
        assert_eq!(
            error_of("digraph {\n a -> b [dir=none] }"),
            "`x.dot` line 2: `dir=none` changes what arrows mean"
        );
        assert_eq!(edges_of("digraph { a -> b [dir=forward] }"), ["ab"]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(error_of("digraph {\n a ->\n}"), "`x.dot` line 3: expected a node after `->`, found `}`");
        assert_eq!(
            error_of("digraph { a"),
            "`x.dot` line 1: expected a node, an edge or `}`, found the end of the file"
        );
        assert_eq!(error_of("digraph { a [b"), "`x.dot` line 1: expected `]`, found the end of the file");
        assert_eq!(
            error_of("digraph {} digraph {}"),
            "`x.dot` line 1: expected nothing after the graph, found `digraph`"
        );
        assert_eq!(error_of("digraph { <b> }"), "`x.dot` line 1: HTML-like names cannot be read");
        assert_eq!(error_of("digraph { \"\" }"), "`x.dot` line 1: a node without a name");
        let cycle = parse("digraph {\n \"a\" -> b -> c;\n\n c -> \"a\"\n\n}", "x.dot").unwrap_err();
        assert_eq!(cycle.to_string(), "edges of `x.dot` form a cycle: a -> b -> c -> a");
        assert_eq!(cycle.hint().to_string(), "remove or reverse one of them (lines 2, 4)");
    }

    #[test]
    fn deep_nesting_and_products_of_groups_have_limits() {
        assert!(error_of(&format!("digraph {}", "{".repeat(1_000_000))).contains("nested groups"));
        let names = |letter: &str| (0..2000).map(|i| format!("{letter}{i} ")).collect::<String>();
        let product = format!("digraph {{ {{{}}} -> {{{}}} }}", names("a"), names("b"));
        assert!(error_of(&product).contains("more than 1000000 edges"));
    }
}
