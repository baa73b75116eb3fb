//! Every option of the library's table is a flag and a keyword of Python, whose type is made from the table.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::Command;

use prequential::options::{OPTIONS, OptionGroup, OptionSpec, ValueKind};
use prequential::wording::OptionName;
use serde_json::Value;

const HEAD: &str = r#""""The keywords of runs and their types: made from the library's table of options by `make keywords`, not by hand."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypedDict

Names = str | Iterable[str]
Ordered = Names | Mapping[str, Iterable[str]]
Edges = str | Iterable[str | tuple[str, str]]
Path = str | os.PathLike[str]
"#;

/// `RowOrderName`: the type of the values of `row_order`.
fn alias(spec: &OptionSpec) -> String {
    format!("{:?}Name", spec.option)
}

/// The type of a keyword.
fn annotation(spec: &OptionSpec) -> String {
    let kind = match spec.kind {
        // A table, too, or a graph of any library.
        _ if spec.option == OptionName::InterventionMask => return "Any".into(),
        ValueKind::Graph => return "Any".into(),
        ValueKind::Flag => "bool".into(),
        ValueKind::Whole => "int".into(),
        ValueKind::Number => "float".into(),
        ValueKind::Text => "str".into(),
        ValueKind::File => "Path".into(),
        ValueKind::Choice => alias(spec),
        ValueKind::Names => "Names".into(),
        ValueKind::Ordered => "Ordered".into(),
        ValueKind::Tiers => "Iterable[Names]".into(),
        ValueKind::Edges => "Edges".into(),
        ValueKind::Wholes => "Iterable[int]".into(),
        ValueKind::Numbers => "float | Iterable[float]".into(),
        ValueKind::Size => "int | str".into(),
        ValueKind::Time => "float | str | datetime.timedelta".into(),
        other => panic!("{other:?} has no type in Python"),
    };
    let is_optional = spec.default() == Value::Null;
    if is_optional { format!("{kind} | None") } else { kind }
}

/// The file with the types of all keywords.
fn keywords() -> String {
    let mut text = HEAD.to_string();
    for spec in OPTIONS.iter().filter(|spec| spec.kind == ValueKind::Choice) {
        let values: Vec<String> =
            spec.choices().iter().map(|(value, _)| format!("    \"{value}\",\n")).collect();
        text += &format!("{} = Literal[\n{}]\n", alias(spec), values.concat());
    }
    let of = |is_in: fn(&OptionSpec) -> bool| -> String {
        let fields = OPTIONS.iter().filter(|spec| is_in(spec));
        fields.map(|spec| format!("    {}: {}\n", spec.name(), annotation(spec))).collect()
    };
    text += "\n\nclass ScoringOptions(TypedDict, total=False):\n    \"\"\"How to read a table and how to score families.\"\"\"\n\n";
    text += &of(|spec| spec.group != OptionGroup::Search);
    text += "\n\nclass LearnOptions(ScoringOptions, total=False):\n    \"\"\"All options of a run.\"\"\"\n\n";
    text + &of(|spec| spec.group == OptionGroup::Search)
}

#[test]
fn the_keywords_of_python_are_the_options_of_the_table() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../prequential-py/python/prequential/_keywords.py");
    if std::env::var_os("UPDATE_KEYWORDS").is_some() {
        std::fs::write(&path, keywords()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == keywords(), "run `make keywords`:\n{}", keywords());
}

#[test]
fn every_option_of_the_table_is_a_flag_of_learn_with_its_help() {
    let output = Command::new(env!("CARGO_BIN_EXE_prequential")).args(["learn", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for spec in OPTIONS {
        let flag = format!("--{}", spec.name().replace('_', "-"));
        let is_flag = |line: &&str| line.trim_start().split(' ').next() == Some(flag.as_str());
        let mut lines = help.lines().skip_while(|line| !is_flag(line));
        assert!(lines.next().is_some(), "{flag}");
        assert!(!lines.next().unwrap().trim().is_empty(), "{flag} has no help");
    }
}

#[test]
fn former_names_are_refused_with_the_new_one() {
    let renamed = [
        ("networks-everywhere", "train-all-networks"),
        ("row-orders", "permutations"),
        ("inputs", "parent-values"),
        ("tabu", "tabu-steps"),
    ];
    for (old, new) in renamed {
        for typed in
            [vec![format!("--{old}")], vec![format!("--{old}=3")], vec![format!("--{old}"), "3".into()]]
        {
            let mut command = Command::new(env!("CARGO_BIN_EXE_prequential"));
            let output = command.args(["learn", "table.csv"]).args(&typed).output().unwrap();
            let expected = format!("error: `--{old}` is now `--{new}`\nhint: use `--{new}` instead\n");
            assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
            assert_eq!(output.status.code(), Some(2));
        }
    }
}
