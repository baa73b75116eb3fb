//! Problems that make a table unusable: all are found at once, so that the table can be fixed in one round.

use super::disguise::Disguise;
use super::numbering::Numbering;
use super::readings::{Candidate, Declared};
use crate::base::error::TableProblem;
use crate::base::format::{count, plural};
use crate::base::message::{Message, OptionName, message};
use crate::table::wording::{Places, as_labels, as_numbers, ignore, problem};
use crate::table::{MISSING, Values, Variable};

/// The fewest rows that are accepted.
const MIN_ROWS: usize = 10;

/// Labels beyond this number, and beyond a tenth of the rows, are hardly ever seen twice.
const MANY_LEVELS: usize = 50;

/// Row numbers, and sixteen times as many, fit into 32 bits: the rest of the library relies on it.
const MAX_ROWS: usize = u32::MAX as usize / 16;

/// The limit of graph files; the sets of possible parents of this many variables take 13 MB.
const MAX_VARIABLES: usize = 10_000;

/// No column may have more labels, whatever the user declares.
const MAX_LEVELS: usize = 65_535;

/// Everything that is wrong with these variables of one table.
pub(crate) fn problems(candidates: &[Candidate], n_rows: usize, places: &Places) -> Vec<TableProblem> {
    let mut problems = Vec::new();
    if n_rows < MIN_ROWS {
        let what = format!("{} has {}, expected at least {MIN_ROWS}", places.table(), plural(n_rows, "row"));
        problems.push(problem(what, "add rows; learning a graph takes hundreds of them"));
    }
    problems.extend(too_many_rows(n_rows, places));
    if let Some(too_many) = too_many_variables(candidates.len(), places) {
        problems.push(too_many);
        return problems;
    }
    let of_columns = candidates.iter().filter(|_| n_rows > 0).filter_map(|candidate| {
        unobserved(candidate, places)
            .or_else(|| identifier(candidate, places))
            .or_else(|| too_many_levels(candidate, n_rows, places))
    });
    problems.extend(of_columns);
    problems
}

fn too_many_rows(n_rows: usize, places: &Places) -> Option<TableProblem> {
    let what =
        format!("{} has {}, above the limit of {}", places.table(), plural(n_rows, "row"), count(MAX_ROWS));
    (n_rows > MAX_ROWS).then(|| problem(what, "keep a sample of the rows; more rows add little"))
}

fn too_many_variables(n_vars: usize, places: &Places) -> Option<TableProblem> {
    let limit = count(MAX_VARIABLES);
    let what = format!("{} has {}, above the limit of {limit}", places.table(), plural(n_vars, "variable"));
    let hint = message![
        "keep the columns that matter with ",
        OptionName::Columns,
        "; if rows are variables, transpose the table"
    ];
    (n_vars > MAX_VARIABLES).then(|| problem(what, hint))
}

fn unobserved(candidate: &Candidate, places: &Places) -> Option<TableProblem> {
    let variable = &candidate.variable;
    if n_missing(variable) < variable.n_rows() {
        return None;
    }
    Some(without_value(&variable.name, places))
}

/// The column `name` has no observed cell.
pub(super) fn without_value(name: &str, places: &Places) -> TableProblem {
    let what = format!("{}: every cell is missing", places.column(name));
    problem(what, message!["leave it out with ", ignore(name)])
}

/// A column that names or numbers the rows would explain everything and predict nothing.
fn identifier(candidate: &Candidate, places: &Places) -> Option<TableProblem> {
    let Candidate { variable, declared: Declared::No } = candidate else { return None };
    let name = variable.name.as_str();
    let place = places.column(name);
    let keep = |keep| message!["leave it out with ", ignore(name), ", or keep it with ", keep];
    match &variable.values {
        Values::Labels { levels, .. } if names_every_row(variable, levels.len()) => {
            let n = plural(levels.len(), "label");
            let what = format!("{place}: no two of its {n} are the same, as in an identifier");
            let kept = if all_numbers(levels) { as_numbers(name) } else { as_labels(name) };
            Some(problem(what, undisguised(name, levels).unwrap_or_else(|| keep(kept))))
        }
        Values::Numbers(numbers) => {
            let Numbering { first, last, .. } = Numbering::of(numbers).filter(Numbering::has_no_gaps)?;
            let what = format!("{place}: counts the rows, from {first} to {last}, as an identifier does");
            Some(problem(what, keep(as_numbers(name))))
        }
        _ => None,
    }
}

/// Whether all labels differ, in a column of which more than half is observed.
fn names_every_row(variable: &Variable, n_levels: usize) -> bool {
    let n_observed = variable.n_rows() - n_missing(variable);
    n_observed == n_levels && n_observed > 1 && 2 * n_observed > variable.n_rows()
}

fn too_many_levels(candidate: &Candidate, n_rows: usize, places: &Places) -> Option<TableProblem> {
    let Values::Labels { levels, .. } = &candidate.variable.values else { return None };
    let limit = match candidate.declared {
        Declared::No => MANY_LEVELS.max(n_rows / 10).min(MAX_LEVELS),
        Declared::Labels | Declared::Numbers => MAX_LEVELS,
    };
    if levels.len() <= limit {
        return None;
    }
    let name = candidate.variable.name.as_str();
    let what = format!(
        "{}: {} different labels in {}, above the limit of {}",
        places.column(name),
        count(levels.len()),
        plural(n_rows, "row"),
        count(limit)
    );
    Some(problem(what, too_many_levels_hint(name, levels)))
}

fn too_many_levels_hint(name: &str, levels: &[String]) -> Message {
    let hint = message!["leave it out with ", ignore(name)];
    if all_numbers(levels) {
        hint + ", or read it as numbers with " + as_numbers(name)
    } else if let Some(undisguised) = undisguised(name, levels) {
        undisguised
    } else if levels.len() <= MAX_LEVELS {
        hint + ", merge rare labels, or keep it with " + as_labels(name)
    } else {
        hint
    }
}

/// How to write labels that are numbers or dates in disguise.
pub(super) fn undisguised(name: &str, levels: &[String]) -> Option<Message> {
    let texts = levels.iter().map(String::as_str);
    let example = texts.clone().find(|text| text.parse::<f64>().is_err())?;
    Some(Disguise::of(texts)?.hint(name, example))
}

/// How many cells are missing.
pub(super) fn n_missing(variable: &Variable) -> usize {
    match &variable.values {
        Values::Numbers(numbers) => numbers.iter().filter(|number| number.is_nan()).count(),
        Values::Labels { codes, .. } => codes.iter().filter(|code| **code == MISSING).count(),
    }
}

fn all_numbers(levels: &[String]) -> bool {
    levels.iter().all(|level| level.parse::<f64>().is_ok_and(f64::is_finite))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_times_the_rows_must_fit_into_32_bits() {
        let places = Places { path: "t.parquet".into(), lines: vec![] };
        assert_eq!(too_many_rows(268_435_455, &places), None);
        assert!(u32::try_from(16 * 268_435_455_u64).is_ok());
        let TableProblem { what, hint } = too_many_rows(268_435_456, &places).unwrap();
        assert_eq!(what, "`t.parquet` has 268,435,456 rows, above the limit of 268,435,455".into());
        assert_eq!(hint, "keep a sample of the rows; more rows add little".into());
    }
}
