//! One set of rules for tables of every format: from typed columns to variables, or to a list of all
//! problems.

mod assumptions;
mod codes;
mod commas;
mod diagnosis;
mod disguise;
mod duplicates;
mod interventions;
mod kinds;
mod labels;
mod mask;
mod numbering;
mod ordered;
mod promises;
mod readings;
mod row_names;
mod select;
mod warnings;

use std::sync::Arc;

use super::columns::{Found, InputTable};
use super::options::ReadOptions;
use super::wording::{Places, as_labels, ignore, problem, quoted};
use super::{Kind, Table, Variable};
use crate::base::error::{Error, Result, TableProblem};
use crate::base::format::plural;
use crate::base::message::{Message, OptionName, message};
use interventions::{Marks, kept_as_variable};
use kinds::{Understood, Unread};
use readings::{Candidate, Declared};
use select::{FoundBy, Selection};

/// For each column of `header`, whether the options ask for it.
pub(super) fn kept(header: &[String], options: &ReadOptions) -> Result<Vec<bool>> {
    Ok(Selection::new(header, options)?.kept(header.len()))
}

/// Interprets every cell, or reports all that cannot be interpreted.
pub(super) fn understand(
    mut input: InputTable,
    mask: Option<InputTable>,
    options: &ReadOptions,
) -> Result<Table> {
    let mut selection = Selection::new(&input.header(), options)?;
    let mut problems = unreadable_columns(&input);
    let mut marks = Marks::none(&input);
    if let Some(mask) = mask {
        problems.extend(row_names::nameless(&mask, &[0]));
        marks.add_mask(&input, &mask)?;
    }
    if let Some(column) = selection.interventions {
        selection.settle(marks.add_column(&input, column, options, &mut problems));
    }
    let mut notes: Vec<Message> = row_names::leave_out(&mut selection, &input, options).into_iter().collect();
    problems.extend(row_names::nameless(&input, &selection.variables));
    problems.extend(too_few_variables(&input, &selection));
    let (candidates, of_columns) = candidates(&mut input, &selection, marks, options, &mut problems);
    notes.extend(of_columns);
    problems.extend(diagnosis::problems(&candidates, input.n_rows, &input.places));
    if !problems.is_empty() {
        return Err(Error::Table { problems });
    }
    let further = warnings::possible_identifiers(&candidates, &input.places);
    let mut table = finished(candidates, input.n_rows, &input.places);
    table.notes = notes;
    table.warnings.extend(further);
    table.warnings.extend(misnamed(&table.variables, &selection, &input));
    Ok(table)
}

/// The table of variables made in memory, if they satisfy the conditions of [`Table::new`].
pub(super) fn accept(variables: Vec<Variable>) -> Result<Table> {
    let places = Places::default();
    let n_rows = variables.first().map_or(0, Variable::n_rows);
    let mut problems = promises::broken(&variables);
    if variables.len() < 2 {
        let found = plural(variables.len(), "variable");
        problems.push(problem(format!("the table has {found}, expected at least 2"), "add variables"));
    }
    let candidates: Vec<Candidate> = variables.into_iter().map(as_declared).collect();
    problems.extend(diagnosis::problems(&candidates, n_rows, &places));
    if !problems.is_empty() {
        return Err(Error::Table { problems });
    }
    Ok(finished(candidates, n_rows, &places))
}

/// The variable with its kind as the one that was asked for.
fn as_declared(variable: Variable) -> Candidate {
    let declared = match variable.kind() {
        Kind::Categorical => Declared::Labels,
        Kind::Continuous => Declared::Numbers,
    };
    Candidate { variable, declared }
}

fn finished(candidates: Vec<Candidate>, n_rows: usize, places: &Places) -> Table {
    let variables: Vec<Variable> = candidates.into_iter().map(|candidate| candidate.variable).collect();
    let warnings = warnings::warnings(&variables, n_rows, places);
    Table { variables: Arc::new(variables), n_rows, source: None, notes: Vec::new(), warnings }
}

/// The variables, and how their cells were read where there was another way.
fn candidates(
    input: &mut InputTable,
    selection: &Selection,
    mut marks: Marks,
    options: &ReadOptions,
    problems: &mut Vec<TableProblem>,
) -> (Vec<Candidate>, Vec<Message>) {
    let mut candidates = Vec::with_capacity(selection.variables.len());
    let mut notes = Vec::new();
    for &position in &selection.variables {
        let column = &mut input.columns[position];
        let Some(contents) = column.take() else { continue };
        let name = &column.name;
        match (Unread { name, places: &input.places, options }).values(contents) {
            Ok(Understood { values, note }) => {
                notes.extend(note);
                let variable = Variable { name: name.clone(), values, intervened: marks.take(position) };
                candidates.push(Candidate { variable, declared: Declared::of(name, options) });
            }
            Err(problem) => problems.push(problem),
        }
    }
    (candidates, notes)
}

/// The warning about a column called `INT` that was kept as a variable.
fn misnamed(variables: &[Variable], selection: &Selection, input: &InputTable) -> Option<Message> {
    let name = &input.columns[selection.misnamed?].name;
    variables.iter().find(|variable| variable.name == *name).map(|variable| kept_as_variable(variable, input))
}

/// The types of columns that can hold nothing but missing cells, in Arrow and in Parquet.
const NOTHING: [&str; 2] = ["Null", "Unknown"];

fn unreadable_columns(input: &InputTable) -> Vec<TableProblem> {
    let unreadable = input.columns.iter().filter_map(|column| match &column.found {
        Found::Unreadable(found) => Some((column.name.as_str(), found.as_str())),
        Found::LeftOut | Found::Contents(_) => None,
    });
    let described = unreadable.map(|(name, found)| {
        if NOTHING.contains(&found) {
            return diagnosis::without_value(name, &input.places);
        }
        let column = input.places.column(name);
        let what =
            format!("{column}: expected numbers, dates, texts or truth values, found the type {found}");
        problem(what, message!["convert the column, or leave it out with ", ignore(name)])
    });
    described.collect()
}

fn too_few_variables(input: &InputTable, selection: &Selection) -> Option<TableProblem> {
    let found = match selection.variables.len() {
        0 => "no variable",
        1 => "1 variable",
        _ => return None,
    };
    let taken = selection.interventions.map(|column| (&input.columns[column.position].name, column.found_by));
    let special = taken.map(|(name, _)| format!(" ({} was read as interventions)", quoted(name)));
    let special = special.unwrap_or_default();
    let what = format!("{} has {found}{special}, expected at least 2", input.places.table());
    let hint = more_variables(input);
    Some(problem(
        what,
        match taken.filter(|(_, found_by)| *found_by != FoundBy::Option) {
            Some((name, _)) => {
                let unless = format!("; if {} is an ordinary variable, read it with ", quoted(name));
                hint + unless + as_labels(name)
            }
            None => hint,
        },
    ))
}

/// The hint for a table with too few variables.
fn more_variables(input: &InputTable) -> Message {
    match input.columns.len() {
        0 | 1 if !input.places.is_file() => "give at least two columns".into(),
        1 => "check that the names in the header are separated by commas, tabs or semicolons".into(),
        _ => message!["name more columns with ", OptionName::Columns, ", or fewer with ", OptionName::Ignore],
    }
}
