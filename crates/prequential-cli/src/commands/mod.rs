//! One file per command: convert options, call the library, show the result.

pub(crate) mod compare;
pub(crate) mod compress;
pub(crate) mod decompress;
pub(crate) mod learn;
pub(crate) mod report;
pub(crate) mod reproduce;
mod sachs_data;
pub(crate) mod score;
pub(crate) mod search;
pub(crate) mod simulate;
pub(crate) mod store;

use std::path::Path;

use prequential::results::Partial;
use prequential::{Dag, Error, GraphFormat, Knowledge, Plan, Result, Settings, StopReason, read_graph};

/// The format of a graph file by its extension.
fn graph_format(path: &Path) -> Result<GraphFormat> {
    GraphFormat::from_path(path).ok_or_else(|| Error::Setting {
        what: format!("cannot tell from the name `{}` how to write the graph", path.display()).into(),
        hint: "end the name with .json, .dot, .graphml or .csv".into(),
    })
}

/// The graph of a file over the variables of a table with these columns; contexts do not count.
pub(crate) fn graph_of(path: &Path, columns: &[String], knowledge: &Knowledge) -> Result<Dag> {
    let contexts: Vec<String> = knowledge.context.iter().map(|said| said.value.clone()).collect();
    read_graph(path)?.without(&contexts).onto(&knowledge.variables(columns), &path.display().to_string())
}

/// The command that continues an interrupted run: as typed, or with more memory if that was the reason.
fn continuing_command(partial: &Partial, settings: &Settings) -> String {
    let typed = typed_words();
    let words = match partial.reason {
        StopReason::MemoryLimit => with_memory(&typed, settings.limits.memory.saturating_mul(2)),
        StopReason::TimeLimit | StopReason::Interrupted => typed,
    };
    as_typed(words)
}

/// The words after the name of the command.
fn typed_words() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The command of this run, to be typed again.
fn typed_command() -> String {
    as_typed(typed_words())
}

fn as_typed(words: Vec<String>) -> String {
    let quoted = words.into_iter().map(|word| quoted(&word));
    std::iter::once("prequential".to_string()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// The words with another `--memory-limit`.
fn with_memory(words: &[String], memory: u64) -> Vec<String> {
    const OPTION: &str = "--memory-limit";
    let is_value = |i: usize| i > 0 && words[i - 1] == OPTION;
    let is_other = |(i, word): &(usize, &String)| {
        *word != OPTION && !word.starts_with("--memory-limit=") && !is_value(*i)
    };
    let others = words.iter().enumerate().filter(is_other).map(|(_, word)| word.clone());
    others.chain([OPTION.to_string(), format!("{}GiB", memory.div_ceil(1 << 30))]).collect()
}

/// The word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// How to continue an interrupted run.
fn continuation(command: Option<&str>, plan: &Plan) -> String {
    let Some(command) = command else { return String::new() };
    let hint = if plan.store().is_none() { " --store FILE\n(without --store it begins again)" } else { "" };
    format!("\nContinue with: {command}{hint}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_replaces_what_was_typed() {
        let more = |line: &str| {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            with_memory(&words, 3 << 29).join(" ")
        };
        for typed in ["learn x.csv", "learn --memory-limit 768MiB x.csv", "learn --memory-limit=768MiB x.csv"]
        {
            assert_eq!(more(typed), "learn x.csv --memory-limit 2GiB");
        }
        assert_eq!(["a b", "it's", "--top=3", ""].map(quoted), ["'a b'", r"'it'\''s'", "--top=3", "''"]);
    }
}
