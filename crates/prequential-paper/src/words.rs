//! Formats of numbers and graphs in the summaries.

use prequential::Dag;

/// A number of standard form for tables: one digit after the point, with its sign.
pub(crate) fn signed(value: f64) -> String {
    format!("{value:+.1}")
}

/// A graph in one line: `A -> B, B -> C`; `no edges` for the empty one.
pub(crate) fn one_line(dag: &Dag, names: &[&str]) -> String {
    let edges: Vec<String> =
        dag.edges().iter().map(|&(from, to)| format!("{} -> {}", names[from], names[to])).collect();
    if edges.is_empty() { "no edges".to_string() } else { edges.join(", ") }
}
