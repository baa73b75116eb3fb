//! What makes a table unfit, or only odd: all of it is found at once, so that one round mends the table.

use std::collections::HashSet;

use super::disguise::Disguise;
use super::kinds::Declared;
use super::wording::{Places, option, problem, quoted};
use super::{MISSING, Values, Variable};
use crate::base::error::TableProblem;
use crate::base::format::{count, plural};

/// Fewer rows teach nothing.
const MIN_ROWS: usize = 10;

/// With fewer rows, expect little.
const FEW_ROWS: usize = 100;

/// Labels beyond this number, and beyond a tenth of the rows, are hardly ever seen twice.
const MANY_LEVELS: usize = 50;

/// Row numbers, and sixteen times as many, fit into 32 bits: the rest of the library counts on it.
const MAX_ROWS: usize = u32::MAX as usize / 16;

/// As many as a graph file may have; the sets of possible parents of so many take 13 MB.
const MAX_VARIABLES: usize = 10_000;

/// No column may have more labels, whatever the user declares.
const MAX_LEVELS: usize = 65_535;

/// So many whole numbers that all differ, in a narrow range, do so for a reason.
const MIN_NUMBERING: usize = 50;

/// A variable with what the user said about it.
pub(super) struct Candidate {
    pub(super) variable: Variable,
    pub(super) declared: Declared,
}

/// Everything that is wrong with these variables of one table.
pub(super) fn problems(candidates: &[Candidate], n_rows: usize, places: &Places) -> Vec<TableProblem> {
    let mut problems = Vec::new();
    if n_rows < MIN_ROWS {
        let what = format!("{} has {}, expected at least {MIN_ROWS}", places.table(), plural(n_rows, "row"));
        problems.push(problem(what, "add rows; a graph takes hundreds of them to learn"));
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
    (n_rows > MAX_ROWS).then(|| problem(what, "keep a sample of the rows; so many teach little more"))
}

fn too_many_variables(n_vars: usize, places: &Places) -> Option<TableProblem> {
    let limit = count(MAX_VARIABLES);
    let what = format!("{} has {}, above the limit of {limit}", places.table(), plural(n_vars, "variable"));
    let hint = "keep the columns that matter with `--columns`; if rows are variables, turn the table around";
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
    problem(what, format!("leave it out with {}", option("--ignore", &[name])))
}

/// A column that names or numbers the rows would explain everything and predict nothing.
fn identifier(candidate: &Candidate, places: &Places) -> Option<TableProblem> {
    let Candidate { variable, declared: Declared::No } = candidate else { return None };
    let name = variable.name.as_str();
    let ignore = option("--ignore", &[name]);
    let place = places.column(name);
    match &variable.values {
        Values::Labels { levels, .. } if names_every_row(variable, levels.len()) => {
            let what = format!(
                "{place}: no two of its {} are the same, as in an identifier",
                plural(levels.len(), "label")
            );
            let keep = if all_numbers(levels) { "--numbers" } else { "--labels" };
            let keep = format!("leave it out with {ignore}, or keep it with {}", option(keep, &[name]));
            Some(problem(what, undisguised(name, levels).unwrap_or(keep)))
        }
        Values::Numbers(numbers) => {
            let Numbering { first, last, .. } = Numbering::of(numbers).filter(Numbering::has_no_gaps)?;
            let what = format!("{place}: counts the rows, from {first} to {last}, as an identifier does");
            let keep = option("--numbers", &[name]);
            Some(problem(what, format!("leave it out with {ignore}, or keep it with {keep}")))
        }
        _ => None,
    }
}

/// Whether all labels differ, in a column of which more than half is observed.
fn names_every_row(variable: &Variable, n_levels: usize) -> bool {
    let n_observed = variable.n_rows() - n_missing(variable);
    n_observed == n_levels && n_observed > 1 && 2 * n_observed > variable.n_rows()
}

/// Whole numbers of which no two are the same, in any order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Numbering {
    first: f64,
    last: f64,
    n_observed: usize,
}

impl Numbering {
    /// The range of the numbers, if they are such, and more than half of the cells are observed.
    fn of(numbers: &[f64]) -> Option<Numbering> {
        let mut observed: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
        if 2 * observed.len() <= numbers.len() || observed.iter().any(|number| number.fract() != 0.0) {
            return None;
        }
        observed.sort_unstable_by(f64::total_cmp);
        let (&first, &last) = (observed.first()?, observed.last()?);
        let differ = first < last && observed.windows(2).all(|pair| pair[0] < pair[1]);
        differ.then_some(Numbering { first, last, n_observed: observed.len() })
    }

    fn has_no_gaps(&self) -> bool {
        self.last - self.first + 1.0 == self.n_observed as f64
    }

    /// Whether numbers drawn at random would hardly all differ.
    fn is_dense(&self) -> bool {
        self.n_observed >= MIN_NUMBERING && self.last - self.first < 2.0 * self.n_observed as f64
    }
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
    let mut hint = format!("leave it out with {}", option("--ignore", &[name]));
    if all_numbers(levels) {
        hint.push_str(&format!(", or read it as numbers with {}", option("--numbers", &[name])));
    } else if let Some(undisguised) = undisguised(name, levels) {
        hint = undisguised;
    } else if levels.len() <= MAX_LEVELS {
        hint.push_str(&format!(", join rare labels, or keep it with {}", option("--labels", &[name])));
    }
    Some(problem(what, hint))
}

/// How to write labels that are numbers or dates in disguise.
fn undisguised(name: &str, levels: &[String]) -> Option<String> {
    let texts = levels.iter().map(String::as_str);
    let example = texts.clone().find(|text| text.parse::<f64>().is_err())?;
    Some(Disguise::of(texts)?.hint(name, example))
}

/// Labels that would be numbers if they were written as such.
fn like_numbers(variable: &Variable, places: &Places) -> Option<String> {
    let Values::Labels { levels, .. } = &variable.values else { return None };
    if levels.len() <= super::kinds::MAX_NUMBER_LABELS {
        return None;
    }
    let hint = undisguised(&variable.name, levels)?;
    let n_levels = plural(levels.len(), "label");
    Some(format!("{}: read as {n_levels}; {hint}", places.column(&variable.name)))
}

/// Everything that is odd about the variables but does not stop the work.
pub(super) fn warnings(variables: &[Variable], n_rows: usize, places: &Places) -> Vec<String> {
    let mut warnings = Vec::new();
    if n_rows < FEW_ROWS {
        warnings.push(format!(
            "{} has only {n_rows} rows; with fewer than {FEW_ROWS}, most edges remain uncertain",
            places.table()
        ));
    }
    warnings.extend(header_of_numbers(variables, places));
    warnings.extend(variables.iter().filter_map(|variable| constant(variable, places)));
    warnings.extend(variables.iter().filter_map(|variable| like_missing(variable, places)));
    warnings.extend(variables.iter().filter_map(|variable| like_numbers(variable, places)));
    warnings.extend(variables.iter().filter_map(|variable| mostly_missing(variable, places)));
    warnings.extend(variables.iter().filter_map(|variable| always_set(variable, places)));
    warnings.extend(super::duplicates::find(variables).into_iter().map(|(first, second)| {
        let column = places.column(&variables[second].name);
        let ignore = option("--ignore", &[&variables[second].name]);
        format!("{column}: a copy of {}; leave one of them out with {ignore}", quoted(&variables[first].name))
    }));
    warnings
}

/// Columns that number the rows with gaps, as the identifiers of a sample do.
pub(super) fn possible_identifiers(candidates: &[Candidate], places: &Places) -> Vec<String> {
    let doubted = candidates.iter().filter(|candidate| candidate.declared == Declared::No);
    let warnings = doubted.filter_map(|Candidate { variable, .. }| {
        let Values::Numbers(numbers) = &variable.values else { return None };
        let Numbering { first, last, n_observed } = Numbering::of(numbers).filter(Numbering::is_dense)?;
        let name = variable.name.as_str();
        Some(format!(
            "{}: {} from {first} to {last}, no two the same, as in an identifier; leave it out with {} if it is one, \
             or confirm it with {}",
            places.column(name),
            plural(n_observed, "whole number"),
            option("--ignore", &[name]),
            option("--numbers", &[name])
        ))
    });
    warnings.collect()
}

/// Labels that other programs write for a missing cell, in lower case.
const LIKE_MISSING: [&str; 9] = ["n/a", "#n/a", "na", "nan", "null", "none", "missing", ".", "-"];

fn like_missing(variable: &Variable, places: &Places) -> Option<String> {
    let Values::Labels { levels, .. } = &variable.values else { return None };
    let level = levels.iter().find(|level| LIKE_MISSING.contains(&level.to_lowercase().as_str()))?;
    let column = places.column(&variable.name);
    Some(format!(
        "{column}: {} is read as a label; declare missing cells with {}",
        quoted(level),
        option("--missing", &[level])
    ))
}

/// A first row of numbers alone is data rather than names.
fn header_of_numbers(variables: &[Variable], places: &Places) -> Option<String> {
    let all_numbers =
        !variables.is_empty() && variables.iter().all(|variable| variable.name.parse::<f64>().is_ok());
    all_numbers.then(|| {
        format!(
            "{}: every name is a number; if the first row is data, put a row of names above it",
            places.table()
        )
    })
}

fn constant(variable: &Variable, places: &Places) -> Option<String> {
    let value = only_value(variable)?;
    let ignore = option("--ignore", &[&variable.name]);
    let column = places.column(&variable.name);
    Some(match n_missing(variable) {
        0 => format!(
            "{column}: always {}, so nothing can be learnt about it; leave it out with {ignore}",
            quoted(&value)
        ),
        _ => format!(
            "{column}: always {} where it is observed, so only its missing cells can tell anything; \
             leave it out with {ignore}",
            quoted(&value)
        ),
    })
}

/// The one value of a constant column.
pub(super) fn only_value(variable: &Variable) -> Option<String> {
    let mut rows = (0..variable.n_rows()).filter(|&row| !variable.is_missing(row));
    let first = rows.next()?;
    match &variable.values {
        Values::Numbers(numbers) => {
            rows.all(|row| numbers[row] == numbers[first]).then(|| numbers[first].to_string())
        }
        Values::Labels { levels, codes } => {
            rows.all(|row| codes[row] == codes[first]).then(|| levels[codes[first] as usize].clone())
        }
    }
}

fn mostly_missing(variable: &Variable, places: &Places) -> Option<String> {
    let n_missing = n_missing(variable);
    let is_odd = matches!(variable.values, Values::Numbers(_)) && 2 * n_missing > variable.n_rows();
    is_odd.then(|| {
        let percent = 100 * n_missing / variable.n_rows();
        let ignore = option("--ignore", &[&variable.name]);
        format!(
            "{}: {percent} % of the cells are missing; leave it out with {ignore} if they are not missing at random",
            places.column(&variable.name)
        )
    })
}

fn always_set(variable: &Variable, places: &Places) -> Option<String> {
    let always = variable.intervened.as_ref()?.iter().all(|set| *set);
    always.then(|| {
        let column = places.column(&variable.name);
        format!("{column}: set by intervention in every row, so nothing can be learnt about its causes")
    })
}

pub(super) fn n_missing(variable: &Variable) -> usize {
    match &variable.values {
        Values::Numbers(numbers) => numbers.iter().filter(|number| number.is_nan()).count(),
        Values::Labels { codes, .. } => codes.iter().filter(|code| **code == MISSING).count(),
    }
}

fn all_numbers(levels: &[String]) -> bool {
    levels.iter().all(|level| level.parse::<f64>().is_ok_and(f64::is_finite))
}

/// What is wrong with variables that did not come from a file, and so may break any promise.
pub(super) fn broken_promises(variables: &[Variable]) -> Vec<TableProblem> {
    let n_rows = variables.first().map_or(0, Variable::n_rows);
    let mut names = HashSet::new();
    let mut problems = Vec::new();
    for (position, variable) in variables.iter().enumerate() {
        let name = quoted(&variable.name);
        if variable.name.is_empty() {
            problems.push(problem(format!("variable {} has no name", position + 1), "name it"));
        } else if !names.insert(&variable.name) {
            problems.push(problem(format!("two variables are called {name}"), "give each a name of its own"));
        }
        if variable.n_rows() != n_rows {
            let what = format!(
                "column {name}: found {}, expected {}",
                plural(variable.n_rows(), "row"),
                count(n_rows)
            );
            problems.push(problem(what, "give every column a cell for each row"));
        }
        let n_marks = variable.intervened.as_ref().map_or(variable.n_rows(), Vec::len);
        if n_marks != variable.n_rows() {
            let what = format!(
                "column {name}: {} of `intervened` for {}",
                plural(n_marks, "cell"),
                plural(variable.n_rows(), "row")
            );
            problems.push(problem(what, "say for each row whether the cell was set"));
        }
        problems.extend(broken_cells(variable));
    }
    problems
}

fn broken_cells(variable: &Variable) -> Option<TableProblem> {
    let name = quoted(&variable.name);
    match &variable.values {
        Values::Numbers(numbers) => {
            let row = numbers.iter().position(|number| number.is_infinite())?;
            let what = format!("column {name} is {} at row {row} (counting from 0)", numbers[row]);
            Some(problem(what, "replace it or drop the row; code lengths need finite numbers"))
        }
        Values::Labels { levels, codes } => {
            let n_levels = levels.len();
            if levels.iter().collect::<HashSet<_>>().len() < n_levels {
                return Some(problem(format!("column {name}: two levels are the same"), "join them"));
            }
            let row = codes.iter().position(|&code| code != MISSING && code as usize >= n_levels)?;
            let what = format!(
                "column {name}: code {} at row {row} (counting from 0), but there are {n_levels} levels",
                codes[row]
            );
            Some(problem(what, "codes are positions in `levels`, or `MISSING`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbering(numbers: impl IntoIterator<Item = f64>) -> Option<Numbering> {
        Numbering::of(&numbers.into_iter().collect::<Vec<_>>())
    }

    /// The whole numbers from 0 in a jumbled order; 7919 is prime.
    fn jumbled(n: u32) -> impl Iterator<Item = f64> {
        (0..n).map(move |row| f64::from(row * 7919 % n))
    }

    #[test]
    fn a_numbering_does_not_depend_on_the_order_of_rows() {
        assert!(numbering((0..100).map(f64::from)).unwrap().has_no_gaps());
        assert_eq!(numbering(jumbled(100)), numbering((0..100).map(f64::from)));
        assert!(numbering((0..100).rev().map(|row| f64::from(row) - 40.0)).unwrap().has_no_gaps());
        assert!(numbering(jumbled(100).chain([f64::NAN; 10])).unwrap().has_no_gaps());
    }

    #[test]
    fn numbers_with_repetitions_fractions_or_many_gaps_are_no_numbering() {
        assert_eq!(numbering(jumbled(100).chain([3.0])), None);
        assert_eq!(numbering(jumbled(100).map(|number| number / 2.0)), None);
        assert_eq!(numbering(jumbled(100).chain([f64::NAN; 100])), None);
        assert_eq!(numbering([]), None);
        let gaps = |last: f64| numbering(jumbled(99).chain([last])).unwrap();
        assert!(!gaps(199.0).has_no_gaps() && gaps(199.0).is_dense());
        assert!(!gaps(200.0).is_dense());
        assert!(!numbering(jumbled(49)).unwrap().is_dense());
    }

    #[test]
    fn sixteen_times_the_rows_must_fit_into_32_bits() {
        let places = Places { path: "t.parquet".into(), lines: vec![] };
        assert_eq!(too_many_rows(268_435_455, &places), None);
        assert!(u32::try_from(16 * 268_435_455_u64).is_ok());
        let TableProblem { what, hint } = too_many_rows(268_435_456, &places).unwrap();
        assert_eq!(what, "`t.parquet` has 268,435,456 rows, above the limit of 268,435,455".into());
        assert_eq!(hint, "keep a sample of the rows; so many teach little more".into());
    }
}
