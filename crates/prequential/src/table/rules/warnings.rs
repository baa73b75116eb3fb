//! Warnings about a table that do not stop the run.

use std::collections::HashMap;

use super::diagnosis::{n_missing, undisguised};
use super::duplicates::{self, only_value};
use super::kinds::MAX_NUMBER_LABELS;
use super::numbering::Numbering;
use super::readings::{Candidate, Declared};
use super::{assumptions, codes};
use crate::base::format::plural;
use crate::base::message::{Message, OptionName, message};
use crate::table::wording::{Places, and_more, as_numbers, ignore, quoted};
use crate::table::{Values, Variable};

/// The fewest rows without a warning.
const FEW_ROWS: usize = 100;

/// Labels that other programs write for a missing cell, in lower case.
const LIKE_MISSING: [&str; 15] = [
    "n/a",
    "#n/a",
    "n.a.",
    "<na>",
    "na",
    "nan",
    "null",
    "none",
    "missing",
    "(missing)",
    "unknown",
    "not available",
    ".",
    "-",
    "--",
];

/// All warnings about the variables.
pub(crate) fn warnings(variables: &[Variable], n_rows: usize, places: &Places) -> Vec<Message> {
    let mut warnings = Vec::new();
    if n_rows < FEW_ROWS {
        let what = format!(
            "{} has only {n_rows} rows; with fewer than {FEW_ROWS}, most edges remain uncertain",
            places.table()
        );
        warnings.push(what.into());
    }
    warnings.extend(header_of_numbers(variables, places));
    for odd in [constant, like_missing, codes::doubtful, alike, like_numbers, mostly_missing, always_set] {
        warnings.extend(variables.iter().filter_map(|variable| odd(variable, places)));
    }
    let pairs = duplicates::find(variables);
    warnings.extend(copies(variables, &pairs, places));
    warnings.extend(assumptions::doubts(variables, &pairs, places));
    warnings
}

/// Columns that number the rows with gaps, like the identifiers of a sample.
pub(crate) fn possible_identifiers(candidates: &[Candidate], places: &Places) -> Vec<Message> {
    let doubted = candidates.iter().filter(|candidate| candidate.declared == Declared::No);
    let warnings = doubted.filter_map(|Candidate { variable, .. }| {
        let Values::Numbers(numbers) = &variable.values else { return None };
        let Numbering { first, last, n_observed } = Numbering::of(numbers).filter(Numbering::is_dense)?;
        let (name, n) = (variable.name.as_str(), plural(n_observed, "whole number"));
        let column = places.column(name);
        Some(message![
            format!("{column}: {n} from {first} to {last}, no two the same, as in an identifier; leave it out with "),
            ignore(name),
            " if it is one, or confirm it with ",
            as_numbers(name)
        ])
    });
    warnings.collect()
}

/// The warning that the header consists of numbers, and so is probably data.
fn header_of_numbers(variables: &[Variable], places: &Places) -> Option<Message> {
    let all_numbers =
        !variables.is_empty() && variables.iter().all(|variable| variable.name.parse::<f64>().is_ok());
    let hint = match places.is_file() {
        true => "if the first row is data, put a row of names above it",
        false => "give every column a different name",
    };
    all_numbers.then(|| format!("{}: every name is a number; {hint}", places.table()).into())
}

fn constant(variable: &Variable, places: &Places) -> Option<Message> {
    let value = only_value(variable)?;
    let learnt = match n_missing(variable) {
        0 => ", so nothing can be learned about it",
        _ => " where it is observed, so only its missing cells carry information",
    };
    let what = format!("{}: always {}{learnt}", places.column(&variable.name), quoted(&value));
    Some(message![what, "; leave it out with ", ignore(&variable.name)])
}

fn like_missing(variable: &Variable, places: &Places) -> Option<Message> {
    let Values::Labels { levels, .. } = &variable.values else { return None };
    let level = levels.iter().find(|level| LIKE_MISSING.contains(&level.to_lowercase().as_str()))?;
    let what = format!("{}: {} is read as a label", places.column(&variable.name), quoted(level));
    Some(message![what, "; declare missing cells with ", OptionName::Missing.list(&[level])])
}

/// Labels that differ only by case or blanks.
fn alike(variable: &Variable, places: &Places) -> Option<Message> {
    let Values::Labels { levels, .. } = &variable.values else { return None };
    let mut spellings: HashMap<String, Vec<&str>> = HashMap::new();
    for level in levels {
        let words: Vec<&str> = level.split_whitespace().collect();
        spellings.entry(words.join(" ").to_lowercase()).or_default().push(level);
    }
    let mut several: Vec<Vec<&str>> = spellings.into_values().filter(|levels| levels.len() > 1).collect();
    several.sort_unstable();
    let shown: Vec<String> = several.first()?.iter().map(|level| quoted(level)).collect();
    let more = and_more(several.len(), "other label");
    let what = format!(
        "{}: {} differ only by case or blanks{more}, and are treated as different labels; use one spelling if they mean the same",
        places.column(&variable.name),
        shown.join(" and ")
    );
    Some(what.into())
}

/// Labels that would be numbers if they were written as such.
fn like_numbers(variable: &Variable, places: &Places) -> Option<Message> {
    let Values::Labels { levels, .. } = &variable.values else { return None };
    if levels.len() <= MAX_NUMBER_LABELS {
        return None;
    }
    let hint = undisguised(&variable.name, levels)?;
    let n_levels = plural(levels.len(), "label");
    Some(message![format!("{}: read as {n_levels}; ", places.column(&variable.name)), hint])
}

fn mostly_missing(variable: &Variable, places: &Places) -> Option<Message> {
    let n_missing = n_missing(variable);
    let is_odd = matches!(variable.values, Values::Numbers(_)) && 2 * n_missing > variable.n_rows();
    is_odd.then(|| {
        let percent = 100 * n_missing / variable.n_rows();
        let what = format!("{}: {percent} % of the cells are missing", places.column(&variable.name));
        let unless = " if they are not missing at random";
        message![what, "; leave it out with ", ignore(&variable.name), unless]
    })
}

fn always_set(variable: &Variable, places: &Places) -> Option<Message> {
    let always = variable.intervened.as_ref()?.iter().all(|set| *set);
    always.then(|| {
        let column = places.column(&variable.name);
        format!("{column}: set by intervention in every row, so nothing can be learned about its causes")
            .into()
    })
}

fn copies(variables: &[Variable], pairs: &[(usize, usize)], places: &Places) -> Vec<Message> {
    let copies = pairs.iter().map(|&(first, second)| {
        let (first, second) = (&variables[first].name, &variables[second].name);
        let what = format!("{}: a copy of {}", places.column(second), quoted(first));
        message![what, "; leave one of them out with ", ignore(second)]
    });
    copies.collect()
}
