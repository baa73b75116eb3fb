//! What every fuzz target checks of an answer.

use std::collections::BTreeSet;

use prequential::{Error, GraphFormat, NamedDag, ReadOptions, Result, Table, parse_graph, write_graph};

/// A table is as long as it says, an error has a message and a way out.
pub fn check_table(name: &str, bytes: &[u8], options: &ReadOptions) -> Option<Table> {
    let table = checked(Table::from_bytes(name, bytes, options))?;
    assert!(table.n_rows() >= 10 && table.n_vars() >= 2);
    assert!(table.variables().iter().all(|variable| variable.n_rows() == table.n_rows()));
    Some(table)
}

/// The value, unless it is an error; its message and its hint must be there and stay on the lines of a message.
pub fn checked<T>(result: Result<T>) -> Option<T> {
    let error = match result {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let hint = error.hint().to_string();
    assert!(!error.to_string().is_empty(), "{error:?}");
    assert!(!hint.is_empty() || matches!(error, Error::File { .. }), "{error:?}");
    let is_raw = |c: char| c.is_control() && c != '\n';
    assert!(!error.to_string().contains(is_raw) && !hint.contains(is_raw), "{error:?}");
    None
}

/// What is read as a graph is written, and read again as the same graph.
pub fn round_trip(bytes: &[u8], format: GraphFormat) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(graph) = checked(parse_graph(text, format, "graph")) else { return };
    let written = write_graph(&graph, format);
    let again = parse_graph(&written, format, "graph").expect("what was written can be read");
    // XML has no control characters, so their names change.
    if format != GraphFormat::GraphMl || !graph.names.iter().any(|name| name.contains(is_replaced)) {
        assert_eq!(contents(&graph), contents(&again), "{written}");
    }
}

fn is_replaced(c: char) -> bool {
    matches!(c, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}') && !matches!(c, '\t' | '\n' | '\r')
}

/// Names and edges, whatever their order.
fn contents(graph: &NamedDag) -> (BTreeSet<&str>, BTreeSet<(&str, &str)>) {
    (graph.names.iter().map(String::as_str).collect(), graph.edges().into_iter().collect())
}

/// Lets the library catch the panics of a decoder of binary files, which `libfuzzer-sys` would report as ours.
///
/// A panic that nothing catches still ends the target.
pub fn let_panics_be_caught() {
    std::panic::set_hook(Box::new(|_| {}));
}
