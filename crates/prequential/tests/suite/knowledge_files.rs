//! Knowledge files: any bytes give knowledge or an error; every message as the user sees it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::{Constraints, Error, Knowledge, Result};
use proptest::collection::vec;
use proptest::prelude::*;

fn names() -> Vec<String> {
    ["a", "b", "c", "d"].map(String::from).to_vec()
}

fn constraints(text: &str) -> Result<Constraints> {
    Constraints::new(&Knowledge::from_toml(text, "rules.toml")?, &names(), None)
}

/// Error and hint, as the command line shows them.
fn shown(error: &Error) -> String {
    format!("error: {error}\nhint: {}", error.hint())
}

fn errors(texts: &[&str]) -> String {
    let all: Vec<String> = texts.iter().map(|text| shown(&constraints(text).unwrap_err())).collect();
    all.join("\n")
}

#[test]
fn mistakes_in_the_file_are_named_with_their_line() {
    let texts = [
        "require = ['a -> b'",
        "\nrequires = ['a -> b']",
        "require = 'a -> b'",
        "max-parents = -1",
        "max-parents = 99999999999999999999",
        "tiers = [\n  ['a'],\n  'b',\n]",
        "require = ['a -> b',\n  'a b']",
        "forbid = ['a -> b -> c']",
    ];
    insta::assert_snapshot!(errors(&texts), @r#"
    error: `rules.toml` line 1: unclosed array, expected `]`
    hint: a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as require = ['A -> B'] or tiers = [['A', 'B'], ['C']]
    error: `rules.toml` line 2: unknown field `requires`, expected one of `require`, `forbid`, `tiers`, `roots`, `leaves`, `context`, `max-parents`
    hint: a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as require = ['A -> B'] or tiers = [['A', 'B'], ['C']]
    error: `rules.toml` line 1: invalid type: string "a -> b", expected a list
    hint: a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as require = ['A -> B'] or tiers = [['A', 'B'], ['C']]
    error: `rules.toml` line 1: invalid value: integer `-1`, expected a whole number, 0 or more
    hint: a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as require = ['A -> B'] or tiers = [['A', 'B'], ['C']]
    error: `rules.toml` line 1: invalid type: integer `99999999999999999999`, expected a whole number, 0 or more
    hint: a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as require = ['A -> B'] or tiers = [['A', 'B'], ['C']]
    error: `rules.toml` line 3: invalid type: string "b", expected a list
    hint: a knowledge file has the keys require, forbid, tiers, roots, leaves, context and max-parents, such as require = ['A -> B'] or tiers = [['A', 'B'], ['C']]
    error: `rules.toml` line 2: expected an edge such as `A -> B`, found `a b`
    hint: write one edge per item: the cause, `->`, the effect; a name that has `->` in it in double quotes
    error: `rules.toml` line 1: expected an edge such as `A -> B`, found `a -> b -> c`
    hint: write one edge per item: the cause, `->`, the effect; a name that has `->` in it in double quotes
    "#);
}

#[test]
fn knowledge_that_contradicts_itself_is_refused() {
    let texts = [
        "require = ['a -> a']",
        "forbid = ['a -> x']",
        "tiers = [['a', 'nobody']]",
        "require = ['a -> b']\nforbid = ['a -> b']",
        "require = ['b -> a']\ntiers = [['a'], ['b']]",
        "require = ['a -> b']\nroots = ['b']",
        "require = ['a -> b']\nleaves = ['a']",
        "tiers = [['a'], ['b'], ['a']]",
        "require = ['a -> b', 'b -> c',\n 'c -> a']",
        "require = ['a -> d', 'b -> d']\nmax-parents = 1",
    ];
    insta::assert_snapshot!(errors(&texts), @"
    error: `rules.toml` line 1 names an edge from `a` to itself
    hint: an edge joins two different variables
    error: `rules.toml` line 1 names `x`, but there is no such variable
    hint: the variables are: a, b, c, d
    error: `rules.toml` line 1 names `nobody`, but there is no such variable
    hint: the variables are: a, b, c, d
    error: `rules.toml` line 1 requires a -> b, but `rules.toml` line 2 forbids it
    hint: drop one of the two
    error: `rules.toml` line 1 requires b -> a, but `rules.toml` line 2 puts `b` in tier 2, after `a` in tier 1
    hint: drop one of the two
    error: `rules.toml` line 1 requires a -> b, but `rules.toml` line 2 makes `b` a root
    hint: drop one of the two
    error: `rules.toml` line 1 requires a -> b, but `rules.toml` line 2 makes `a` a leaf
    hint: drop one of the two
    error: `rules.toml` line 1 names `a` in two tiers
    hint: keep `a` in one tier
    error: required edges form a cycle: a -> b -> c -> a
    hint: remove one of them (`rules.toml` line 1, `rules.toml` line 2)
    error: `d` has 2 required parents, above the limit of 1
    hint: raise `max_parents` to 2, or require fewer edges into `d`
    ");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let error = |bytes: &[u8]| {
        let path = folder.path().join("rules.toml");
        std::fs::write(&path, bytes).unwrap();
        shown(&Knowledge::read(&path).unwrap_err()).replace(&folder.path().display().to_string(), "")
    };
    insta::assert_snapshot!(error(b"require = []\nroots = ['\xe9']"), @"
    error: `/rules.toml` line 2: not UTF-8 text
    hint: save the file as UTF-8
    ");
    insta::assert_snapshot!(error(b"\xff\xfer\0"), @"
    error: `/rules.toml` line 1: UTF-16 text, not UTF-8
    hint: save the file as UTF-8
    ");
    insta::assert_snapshot!(shown(&Knowledge::read(folder.path()).unwrap_err()).replace(&folder.path().display().to_string(), ""), @"
    error: cannot read ``: Is a directory (os error 21)
    hint: name a file in this directory
    ");
}

#[test]
fn a_mark_before_the_text_is_skipped() {
    assert_eq!(Knowledge::from_toml("\u{feff}max-parents = 2", "rules.toml").unwrap().max_parents, Some(2));
}

/// Pieces of knowledge files, so that random texts get past the first key.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(std::vec![
        "require",
        "forbid",
        "tiers",
        "roots",
        "leaves",
        "max-parents",
        " = ",
        "[",
        "]",
        "'",
        "\"",
        "\n",
        ",",
        "->",
        " -> ",
        "a",
        "b",
        "c",
        "x",
        "1",
        "-",
        "#",
        "[[",
        "]]",
        "\\",
        "'a -> b'",
        "['a']",
        "['b', 'c']",
        "'a'",
        "\"\"\"",
        "\u{feff}",
        "é",
        "\0",
        "\r\n",
        "= 2\n",
        "require = ['a -> b']\n",
        "tiers = [['a'], ['b']]\n",
        "roots = ['a']\n",
    ]);
    vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Either knowledge that some graph obeys, or an error with a way out, on lines that a terminal shows as they are.
fn check(text: &str) {
    match constraints(text) {
        Ok(constraints) => assert!(constraints.families().next().is_some(), "{text}"),
        Err(error) => {
            let shown = shown(&error);
            assert_eq!(shown.lines().count(), 2, "{shown}");
            assert!(!error.hint().to_string().is_empty(), "{shown}");
            assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_bytes_make_reading_panic(bytes in vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_pieces_make_reading_panic(text in pieces()) {
        check(&text);
    }
}
