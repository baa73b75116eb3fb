//! `use` runs one way: later folders of the flow may use earlier ones, never the reverse.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt;
use std::path::{Path, PathBuf};

/// The folders of `src`, each with the right to use those before it.
const FLOW: [&str; 12] = [
    "base",
    "simd",
    "graph",
    "table",
    "shape",
    "estimator",
    "score",
    "compress",
    "search",
    "posterior",
    "run",
    "report",
];

/// A place where one folder names another.
struct Edge {
    file: String,
    line: usize,
    from: String,
    to: String,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {} -> {}", self.file, self.line, self.from, self.to)
    }
}

impl Edge {
    /// Whether it runs against the flow, or past it through the root.
    fn is_back(&self) -> bool {
        let place = |folder: &str| FLOW.iter().position(|known| *known == folder);
        match (place(&self.from), place(&self.to)) {
            (Some(from), Some(to)) => from < to,
            _ => true,
        }
    }
}

pub(crate) fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All Rust files below `directory`, but those that are tests.
pub(crate) fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        directory.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort_unstable();
    let below = |path: PathBuf| match path.is_dir() {
        true => rust_files(&path),
        false => vec![path],
    };
    let is_source = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    let is_test = |path: &PathBuf| path.file_name().is_some_and(|name| name == "tests.rs");
    entries.into_iter().flat_map(below).filter(|path| is_source(path) && !is_test(path)).collect()
}

/// The text with comments and the modules of tests blanked out; lines keep their numbers.
pub(crate) fn code(text: &str) -> String {
    let without_comments = text.lines().map(|line| line.split("//").next().unwrap());
    let mut kept = Vec::new();
    let mut is_test = false;
    for line in without_comments {
        is_test |= line == "#[cfg(test)]";
        kept.push(if is_test { "" } else { line });
        // A module or function at the margin ends at the margin.
        is_test &= !(line == "}" || (line.ends_with(';') && !line.starts_with(' ')));
    }
    kept.join("\n")
}

/// The folders that `code` names by paths from the crate's root, each with its line: `crate::a::b`, `use crate::{a::b, c}`.
fn named_folders(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("crate::") {
        let line = code[..start].matches('\n').count() + 1;
        let path = &code[start + "crate::".len()..];
        let firsts = match path.strip_prefix('{') {
            Some(group) => group_members(group).into_iter().map(first_name).collect(),
            None => vec![first_name(path)],
        };
        found.extend(firsts.into_iter().map(|name| (line, name)));
    }
    found
}

/// The members of a group of imports that has just been opened, however they are nested.
pub(crate) fn group_members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut members) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                members.push(group[start..at].trim());
                start = at + 1;
            }
            _ => continue,
        }
        if letter == '}' && start == at + 1 {
            break;
        }
    }
    members.into_iter().filter(|member| !member.is_empty()).collect()
}

fn first_name(path: &str) -> String {
    path.trim_start().chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// Everything that the folders of `src` name of one another.
fn edges() -> Vec<Edge> {
    let source = source();
    let of_file = |path: PathBuf| {
        let file = path.strip_prefix(&source).unwrap().display().to_string();
        let from = file.split(['/', '\\']).next().unwrap().to_string();
        let edge = |(line, to): (usize, String)| Edge { file: file.clone(), line, from: from.clone(), to };
        let named = named_folders(&code(&std::fs::read_to_string(&path).unwrap()));
        named.into_iter().map(edge).collect::<Vec<_>>()
    };
    let files = rust_files(&source).into_iter().filter(|path| *path != source.join("lib.rs"));
    files.flat_map(of_file).filter(|edge| edge.from != edge.to).collect()
}

#[test]
fn use_runs_one_way() {
    let back: Vec<String> = edges().iter().filter(|edge| edge.is_back()).map(Edge::to_string).collect();
    assert!(back.is_empty(), "against the flow {FLOW:?}:\n{}", back.join("\n"));
}

#[test]
fn nobody_leaves_a_folder_by_super() {
    let source = source();
    for path in rust_files(&source) {
        let depth = path.strip_prefix(&source).unwrap().components().count();
        let is_folder = path.file_name().is_some_and(|name| name == "mod.rs");
        // Of `a/b.rs`, `super` is `a` and `super::super` is the root; of `a/mod.rs`, `super` is the root.
        let to_root = format!("use {}", "super::".repeat(if is_folder { depth - 1 } else { depth }));
        let code = code(&std::fs::read_to_string(&path).unwrap());
        // What is indented stands in a module inside of the file.
        let leaves = |line: &str| !line.starts_with(' ') && line.contains(&to_root);
        assert!(depth == 1 || !code.lines().any(leaves), "{} has `{to_root}`", path.display());
    }
}

#[test]
fn the_root_of_the_source_holds_the_flow_and_nothing_else() {
    let entries = source().read_dir().unwrap().map(|entry| entry.unwrap().file_name());
    let mut found: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    found.sort_unstable();
    let mut expected: Vec<&str> = FLOW.iter().copied().chain(["lib.rs"]).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn paths_are_found_in_every_form_and_not_in_tests_or_comments() {
    let text = "use crate::a::{b, c};\n/// crate::no\nuse crate::{d::{e, f}, g,\n    h::i};\nfn x() { crate::j::k(); } // crate::no\n\
                #[cfg(test)]\nuse crate::no;\n$crate::l::m();\n#[cfg(test)]\nmod tests {\n    use crate::no;\n}\ncrate::n::o();\n";
    let found: Vec<String> =
        named_folders(&code(text)).into_iter().map(|(line, name)| format!("{line}{name}")).collect();
    assert_eq!(found, ["1a", "3d", "3g", "3h", "5j", "8l", "13n"]);
}

#[test]
fn a_back_edge_and_a_way_through_the_root_are_found() {
    let edge = |from: &str, to: &str| Edge {
        file: "x.rs".to_string(),
        line: 1,
        from: from.to_string(),
        to: to.to_string(),
    };
    assert!(edge("base", "run").is_back() && edge("run", "Settings").is_back());
    assert!(!edge("run", "base").is_back());
    assert_eq!(edge("base", "run").to_string(), "x.rs:1: base -> run");
}
