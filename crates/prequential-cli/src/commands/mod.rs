//! One file per command: convert options, call the library, show the result.

pub(crate) mod compare;
pub(crate) mod learn;
pub(crate) mod report;
pub(crate) mod reproduce;
mod sachs_data;
pub(crate) mod score;
pub(crate) mod search;
pub(crate) mod simulate;
pub(crate) mod store;

use std::path::Path;

use prequential::{Error, GraphFormat, Result, Settings};

/// The format that a graph file's ending asks for.
fn graph_format(path: &Path) -> Result<GraphFormat> {
    GraphFormat::from_path(path).ok_or_else(|| Error::Setting {
        what: format!("cannot tell from the name `{}` how to write the graph", path.display()),
        hint: "end the name with .json, .dot, .graphml or .csv".to_string(),
    })
}

/// The command as it was typed, quoted for a shell.
fn typed_command() -> String {
    let quoted = |word: String| {
        let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("prequential".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

/// How to go on after a run that was stopped, if it was: with the command as it was typed.
fn continuation(command: Option<&str>, settings: &Settings) -> String {
    let Some(command) = command else { return String::new() };
    let hint = if settings.store.is_none() { " --store FILE\n(without --store it begins again)" } else { "" };
    format!("\nContinue with: {command}{hint}\n")
}
