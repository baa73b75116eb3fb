//! The names that a user of the library sees: a new one is a decision, made here.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;

/// The names that `pub use` brings into the root, sorted.
fn root_names() -> Vec<String> {
    let lib = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    // Re-exports inside of `internals` are indented.
    let statements = lib.split("\npub use ").skip(1).map(|rest| rest.split(';').next().unwrap());
    let mut names: Vec<String> = statements.flat_map(imported).collect();
    names.sort_unstable_by_key(|name| (name.to_lowercase(), name.clone()));
    names
}

/// The names of one statement: `a::B` or `a::{B, c}`.
fn imported(statement: &str) -> Vec<String> {
    let names = match statement.split_once('{') {
        Some((_, group)) => group.trim_end_matches('}'),
        None => statement.rsplit("::").next().unwrap(),
    };
    names.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()).collect()
}

#[test]
fn the_public_names_are_these() {
    let names = root_names();
    insta::assert_snapshot!(format!("{} names\n{}", names.len(), names.join("\n")));
}

#[test]
fn statements_are_read_with_and_without_braces() {
    assert_eq!(imported("base::nats::Nats"), ["Nats"]);
    assert_eq!(imported("graph::{\n    Dag, compare,\n}"), ["Dag", "compare"]);
}
