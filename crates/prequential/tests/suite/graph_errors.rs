//! Every error message about a graph file, as the user sees it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::{Error, GraphFormat, parse_graph, read_graph};

/// Error and hint, as the command line shows them.
fn shown(error: &Error) -> String {
    format!("error: {error}\nhint: {}", error.hint())
}

fn errors(format: GraphFormat, texts: &[&str]) -> String {
    let all: Vec<String> =
        texts.iter().map(|text| shown(&parse_graph(text, format, "truth").unwrap_err())).collect();
    all.join("\n")
}

#[test]
fn json() {
    let texts = [
        "",
        "[[\"a\", \"b\"",
        "{\"rows\": 3}",
        "[[\"a\"]]",
        "[[\"a\", \"b\", \"c\"]]",
        "[\n[\"a\", \"\"]]",
        "[\"a\", \"b\"]",
        "{\"edges\": 3}",
        "[[\"a\", \"b\"], [\"b\", \"a\"]]",
        "[[\"a\", \"a\"]]",
        "3",
    ];
    insta::assert_snapshot!(errors(GraphFormat::Json, &texts), @r#"
    error: `truth` line 1: the file ends too early
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth` line 1: the file ends too early
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth`: neither `edges` nor `dag` in this object
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth` line 1: invalid length 1, expected an edge, `["A", "B"]` or `{"from": "A", "to": "B"}`
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth` line 1: invalid length 3, expected an edge, `["A", "B"]` or `{"from": "A", "to": "B"}`
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth` line 2: a node without a name
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth` line 1: invalid type: string "a", expected an edge, `["A", "B"]` or `{"from": "A", "to": "B"}`
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: `truth` line 1: invalid type: integer `3`, expected a list of at most 1000000
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    error: edges of `truth` form a cycle: a -> b -> a
    hint: remove one of them; undirected edges cannot be read, so choose a direction
    error: edges of `truth` form a cycle: a -> a
    hint: remove this edge
    error: `truth` line 1: invalid type: integer `3`, expected a list of edges or an object
    hint: write `[["A", "B"]]` or `{"nodes": ["A", "B"], "edges": [["A", "B"]]}`, or give a result file
    "#);
}

#[test]
fn dot() {
    let texts = [
        "",
        "graph { a -- b }",
        "digraph {\n a -- b }",
        "digraph { a ->\n}",
        "digraph { a",
        "digraph { a [b",
        "digraph { a [dir=none] }",
        "digraph {} x",
        "digraph { <b> }",
        "digraph { \"\" }",
        "digraph { \"a }",
        "digraph { a [label=<b }",
        "digraph { /* a }",
        "digraph { a ! b }",
        "digraph { \"a\" + b }",
        "digraph { a = }",
        "digraph a b { }",
        "digraph { a -> b -> c -> a }",
    ];
    insta::assert_snapshot!(errors(GraphFormat::Dot, &texts), @r#"
    error: `truth` line 1: expected `digraph`, found the end of the file
    hint: write the graph as `digraph { A -> B; }`
    error: `truth` line 1: this graph is undirected
    hint: write `digraph` and give every edge a direction with `->`; an equivalence class is not a single DAG
    error: `truth` line 2: this edge has no direction
    hint: write `digraph` and give every edge a direction with `->`; an equivalence class is not a single DAG
    error: `truth` line 2: expected a node after `->`, found `}`
    hint: name the node that the arrow points to
    error: `truth` line 1: expected a node, an edge or `}`, found the end of the file
    hint: write the graph as `digraph { A -> B; }`
    error: `truth` line 1: expected `]`, found the end of the file
    hint: close the list of attributes with `]`
    error: `truth` line 1: `dir=none` changes what arrows mean
    hint: write every edge from cause to effect, without `dir`
    error: `truth` line 1: expected nothing after the graph, found `x`
    hint: keep one graph per file
    error: `truth` line 1: HTML-like names cannot be read
    hint: put the name in double quotes
    error: `truth` line 1: a node without a name
    hint: give every node a name
    error: `truth` line 1: this quote is never closed
    hint: close the name with `"`
    error: `truth` line 1: this `<` is never closed
    hint: close it with `>`, or put the text in double quotes
    error: `truth` line 1: this comment is never closed
    hint: close it with `*/`
    error: `truth` line 1: unexpected `!`
    hint: put names with such characters in double quotes
    error: `truth` line 1: `+` joins only quoted names
    hint: put the name after `+` in double quotes
    error: `truth` line 1: expected a name or value, found `}`
    hint: put values with special characters in double quotes
    error: `truth` line 1: expected `{`, found `b`
    hint: write the graph as `digraph { A -> B; }`
    error: edges of `truth` form a cycle: a -> b -> c -> a
    hint: remove or reverse one of them (line 1)
    "#);
}

#[test]
fn graphml() {
    let texts = [
        "",
        "<graphml></graph>",
        "<!DOCTYPE graphml><graphml/>",
        "<graphml/>",
        "<graphml><graph/>\n<graph/></graphml>",
        "<graphml><graph><node/></graph></graphml>",
        "<graphml><graph><node id='a'/><node id='a'/></graph></graphml>",
        "<graphml><graph><node id='a'/><edge source='a' target='b'/></graph></graphml>",
        "<graphml><graph><node id='a'/><edge source='a'/></graph></graphml>",
        "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>",
    ];
    insta::assert_snapshot!(errors(GraphFormat::GraphMl, &texts), @r#"
    error: `truth` line 1: not XML: the document does not have a root node
    hint: save the graph as GraphML with one `<graph edgedefault="directed">`
    error: `truth` line 1: not XML: expected 'graphml' tag, not 'graph'
    hint: save the graph as GraphML with one `<graph edgedefault="directed">`
    error: `truth`: `<!DOCTYPE ...>` is not supported
    hint: remove it: GraphML needs none
    error: `truth`: there is no `<graph>` in this file
    hint: save the graph as GraphML with one `<graph edgedefault="directed">`
    error: `truth` line 2: a second graph
    hint: keep one graph per file
    error: `truth` line 1: `<node>` without `id`
    hint: add `id="..."` to it
    error: `truth` line 1: a second node with the name `a` or the id `a`
    hint: give every node its own id and name
    error: `truth` line 1: the target of this edge is `b`, but no node has this id
    hint: add `<node id="b"/>`
    error: `truth` line 1: `<edge>` without `target`
    hint: add `target="..."` to it
    error: `truth` line 1: this edge has no direction
    hint: save the graph with `edgedefault="directed"`; an equivalence class is not a single DAG
    "#);
}

#[test]
fn csv() {
    let texts = [
        "",
        "a,b\n",
        "from,to\n,b\n",
        ",a,b\na,0,2\n",
        ",a,b\na,0,1\nc,0,0\n",
        ",a,b\na,0\n",
        ",a,b\na,0,1\n",
        ",a,a\n",
        "from,to\na,b\nb,c\nc,a\n",
    ];
    insta::assert_snapshot!(errors(GraphFormat::Csv, &texts), @"
    error: `truth` line 1: neither the columns `from` and `to` nor a matrix with names
    hint: begin with a line `from,to`, or with the names of an adjacency matrix after an empty cell; other graph files end in .json, .dot or .graphml
    error: `truth` line 1: neither the columns `from` and `to` nor a matrix with names
    hint: begin with a line `from,to`, or with the names of an adjacency matrix after an empty cell; other graph files end in .json, .dot or .graphml
    error: `truth` line 2: an edge into `b` without a cause
    hint: name the cause in `from`; an isolated node is written in `from` alone
    error: `truth` line 2: column `b`: expected 0 or 1, found `2`
    hint: write 1 where the row is a cause of the column, else 0
    error: `truth` line 3: row `c` has no column, or occurs twice
    hint: give the matrix one row and one column per node
    error: `truth` line 2: 2 cells, expected 3
    hint: give every row its name and one cell per column
    error: `truth`: there is no row for `b`
    hint: give the matrix one row and one column per node
    error: `truth` line 1: two columns are called `a`
    hint: give every node its own name
    error: edges of `truth` form a cycle: a -> b -> c -> a
    hint: remove or reverse one of them (lines 2, 3, 4)
    ");
}

#[test]
fn sizes_beyond_any_graph() {
    let nodes: String = (0..10_001).map(|node| format!("n{node},\n")).collect();
    let names = |letter: &str| (0..2000).map(|node| format!("{letter}{node} ")).collect::<String>();
    let products = format!("digraph {{ {{{}}} -> {{{}}} }}", names("a"), names("b"));
    let nested = format!("digraph {}", "{".repeat(2000));
    let elements = format!("<graphml><graph>{}</graph></graphml>", "<x/>".repeat(2_000_001));
    let all = [
        errors(GraphFormat::Csv, &[&format!("from,to\n{nodes}")]),
        errors(GraphFormat::Dot, &[&products, &nested]),
        errors(GraphFormat::GraphMl, &[&elements]),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    error: `truth` line 10002: more than 10000 nodes
    hint: keep the nodes that are variables of the table
    error: `truth` line 1: more than 1000000 edges
    hint: keep the edges between variables of the table
    error: `truth` line 1: more than 1000 nested groups
    hint: nest groups less deeply
    error: `truth`: more than 2000000 elements and texts
    hint: save the graph without data on its edges, or as CSV
    ");
}

#[test]
fn names_are_shown_and_not_obeyed() {
    let long = format!("from,to\n,{}\n", "x".repeat(1_000_000));
    insta::assert_snapshot!(errors(GraphFormat::Csv, &["from,to\n,\u{1b}[2J\n", &long]), @r#"
    error: `truth` line 2: an edge into `\u{1b}[2J` without a cause
    hint: name the cause in `from`; an isolated node is written in `from` alone
    error: `truth` line 2: an edge into `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...` without a cause
    hint: name the cause in `from`; an isolated node is written in `from` alone
    "#);
    let ring: String = (0..10_000).map(|node| format!("n{node},n{}\n", (node + 1) % 10_000)).collect();
    let error = parse_graph(&format!("from,to\n{ring}"), GraphFormat::Csv, "truth").unwrap_err();
    assert!(shown(&error).len() < 1500, "{}", shown(&error).len());
}

#[test]
fn files_that_are_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let error = |bytes: &[u8]| {
        let path = folder.path().join("truth.json");
        std::fs::write(&path, bytes).unwrap();
        shown(&read_graph(&path).unwrap_err()).replace(&folder.path().display().to_string(), "")
    };
    let all = [error(b"\xff\xfe[\0"), error(b"[\n\xe9]"), error(b"PK\x03\x04\xff")];
    insta::assert_snapshot!(all.join("\n"), @"
    error: `/truth.json` line 1: UTF-16 text, not UTF-8
    hint: save the file as UTF-8
    error: `/truth.json` line 2: not UTF-8 text
    hint: save the file as UTF-8
    error: `/truth.json` line 1: not UTF-8 text
    hint: save the file as UTF-8
    ");
    let long = vec![b' '; (64 << 20) + 1];
    insta::assert_snapshot!(error(&long), @"
    error: `/truth.json`: longer than 64 MiB
    hint: give a file that contains only what is asked for
    ");
}
