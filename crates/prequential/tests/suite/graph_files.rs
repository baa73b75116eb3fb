//! Graph files: all names are preserved, and no bytes cause a panic.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;

use prequential::{Dag, GraphFormat, NamedDag, parse_graph, write_graph};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

const FORMATS: [GraphFormat; 4] =
    [GraphFormat::Json, GraphFormat::Dot, GraphFormat::GraphMl, GraphFormat::Csv];

/// Characters that mean something in some format, and any other that XML can hold.
fn character() -> impl Strategy<Value = char> {
    let special: Vec<char> = "\"'\\<>&,;:=+-#/*[]{}()\n\r\t .0aé日\u{feff}\u{a0}".chars().collect();
    let any_in_xml =
        any::<char>().prop_filter("XML cannot hold it", |&c| c >= ' ' && c != '\u{fffe}' && c != '\u{ffff}');
    prop_oneof![3 => proptest::sample::select(special), 1 => any_in_xml]
}

fn names() -> impl Strategy<Value = Vec<String>> {
    let name = vec(character(), 1..6).prop_map(String::from_iter);
    let keyword = proptest::sample::select(std::vec![
        "node", "graph", "digraph", "from", "to", "name", "\\", "--", "->"
    ]);
    let either = prop_oneof![4 => name, 1 => keyword.prop_map(String::from)];
    btree_set(either, 0..9).prop_map(Vec::from_iter).prop_shuffle()
}

fn graph() -> impl Strategy<Value = NamedDag> {
    names().prop_flat_map(|names| {
        let n_pairs = names.len() * names.len().saturating_sub(1) / 2;
        (Just(names), vec(any::<bool>(), n_pairs)).prop_map(|(names, chosen)| {
            let pairs = (0..names.len()).flat_map(|to| (0..to).map(move |from| (from, to)));
            let edges: Vec<_> =
                pairs.zip(chosen).filter(|&(_, chosen)| chosen).map(|(pair, _)| pair).collect();
            let dag = Dag::from_edges(names.len(), edges).expect("edges go up");
            NamedDag { names, dag }
        })
    })
}

/// Pieces of all formats, so that random texts get past the first token.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(std::vec![
        "digraph",
        "strict ",
        "graph",
        "subgraph ",
        "node",
        "{",
        "}",
        "[",
        "]",
        "->",
        "--",
        ";",
        ",",
        "=",
        ":",
        "\"",
        "\\",
        "<",
        ">",
        "</",
        "/>",
        "<graphml>",
        "</graphml>",
        "<graph edgedefault=\"directed\">",
        "</graph>",
        "<node id=\"a\"/>",
        "<node id=\"b\">",
        "</node>",
        "<edge source=\"a\" target=\"b\"/>",
        "<data key=\"k\">",
        "</data>",
        "<!DOCTYPE a>",
        "<key id=\"k\" attr.name=\"name\"/>",
        "\"nodes\":",
        "\"edges\":",
        "\"dag\":",
        "\"data\":",
        "\"variables\":",
        "\"from\":",
        "\"to\":",
        "\"a\"",
        "\"b\"",
        "from,to\n",
        ",a,b\n",
        "a,0,1\n",
        "b,0,0\n",
        "a,b\n",
        "a",
        "b",
        " ",
        "\n",
        "#",
        "//",
        "/*",
        "*/",
        "+",
        "-",
        "é",
        "\u{feff}",
        "\0",
        "dir",
        "1",
        "0",
        "null",
    ]);
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn parse_in_every_format(text: &str) {
    for format in FORMATS {
        if let Err(error) = parse_graph(text, format, "x") {
            assert!(!error.hint().to_string().is_empty(), "{error}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn names_and_edges_survive_every_format(graph in graph()) {
        for format in FORMATS {
            let text = write_graph(&graph, format);
            let again = parse_graph(&text, format, "x").map_err(|e| TestCaseError::fail(format!("{e} in {text}")))?;
            let sorted = |graph: &NamedDag| -> (BTreeSet<String>, BTreeSet<(String, String)>) {
                let edges = graph.edges().into_iter().map(|(from, to)| (from.to_string(), to.to_string()));
                (graph.names.iter().cloned().collect(), edges.collect())
            };
            prop_assert_eq!(sorted(&again), sorted(&graph), "{:?}: {}", format, text);
            if format != GraphFormat::Csv {
                prop_assert_eq!(&again, &graph, "{:?} keeps the order of nodes", format);
            }
        }
    }

    #[test]
    fn no_bytes_make_a_parser_panic(bytes in vec(any::<u8>(), 0..200)) {
        parse_in_every_format(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_pieces_make_a_parser_panic(text in pieces()) {
        parse_in_every_format(&text);
    }

    #[test]
    fn no_damage_to_a_file_makes_a_parser_panic(graph in graph(), cut in 0.0..1.0, insert in character(), drop in 0usize..4) {
        for format in FORMATS {
            let text: Vec<char> = write_graph(&graph, format).chars().collect();
            let position = (cut * text.len() as f64) as usize;
            let rest = text[position..].iter().skip(drop);
            let damaged: String = text[..position].iter().chain([&insert]).chain(rest).collect();
            parse_in_every_format(&damaged);
            parse_in_every_format(&text[..position].iter().collect::<String>());
        }
    }
}

#[test]
fn any_bytes_in_a_file_are_a_graph_or_an_error() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["x.json", "x.dot", "x.graphml", "x.csv", "x"] {
        let path = directory.path().join(name);
        for bytes in [
            &b""[..],
            b"\0",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\xef\xbb\xbf{",
            b"digraph",
            b"<",
            b"from,to\n\"a",
        ] {
            std::fs::write(&path, bytes).unwrap();
            let _ = prequential::read_graph(&path);
        }
    }
}

#[test]
fn files_of_other_tools_are_read() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/graph");
    for name in ["networkx.graphml", "pydot.dot", "pandas.csv"] {
        let graph = prequential::read_graph(directory.join(name)).unwrap();
        let names = ["age & sex", "x.1", "lung <tar>", "the \"odd\" one", "größe, cm", "alone"];
        assert_eq!(graph.names, names, "{name}");
        assert_eq!(graph.dag.edges(), [(0, 1), (0, 3), (1, 2), (4, 2)], "{name}");
    }
}
