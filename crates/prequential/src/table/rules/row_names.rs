//! Row names: a first column that names or counts the rows, as R and pandas write it, is left out.

use super::readings::Declared;
use super::select::Selection;
use crate::base::error::TableProblem;
use crate::base::message::{Message, message};
use crate::table::columns::{Contents, InputTable};
use crate::table::options::ReadOptions;
use crate::table::wording::{Places, as_numbers, problem, quoted};

/// The names that R, pandas and Arrow give to the column of row names.
const NAMES: [&str; 7] =
    ["rownames", "row.names", "row_names", "rowname", "X", "Unnamed: 0", "__index_level_0__"];

/// Takes the column of row names out of the selection, if there is one, and says so.
///
/// A column without a name is one if all its cells differ; one with a usual name, if it counts the rows in
/// order.
pub(super) fn leave_out(
    selection: &mut Selection,
    input: &InputTable,
    options: &ReadOptions,
) -> Option<Message> {
    let column = input.columns.first().filter(|_| selection.variables.contains(&0))?;
    let contents = column.contents()?;
    let has_name = !column.name.is_empty();
    let is_one = match has_name {
        false => all_differ(contents),
        true => {
            NAMES.contains(&column.name.as_str())
                && Declared::of(&column.name, options) == Declared::No
                && counts_rows(contents)
        }
    };
    is_one.then(|| {
        selection.variables.retain(|&position| position != 0);
        let table = input.places.table();
        match has_name {
            false => format!(
                "{table}: the first column has no name and contains the names of the rows, so it is left out"
            )
            .into(),
            true => message![
                format!(
                    "{table}: the first column, {}, counts the rows, so it is left out; keep it with ",
                    quoted(&column.name)
                ),
                as_numbers(&column.name)
            ],
        }
    })
}

/// The complaint about a first column that has no name and is to be a variable.
pub(super) fn nameless(input: &InputTable, selected: &[usize]) -> Option<TableProblem> {
    let is_nameless = input.columns.first().is_some_and(|column| column.name.is_empty());
    (is_nameless && selected.contains(&0)).then(|| without_name(&input.places))
}

fn without_name(places: &Places) -> TableProblem {
    let hint = match places.is_file() {
        false => "name every column",
        true => "name it in the header; if it is a row index of pandas, write the file with `index=False`",
    };
    problem(format!("{}: column 1 has no name", places.table()), hint)
}

fn all_differ(contents: &Contents) -> bool {
    let texts = contents.texts();
    texts.n_distinct() == texts.len()
}

/// Whether the cells are 1, 2, 3 and so on, or begin with 0.
fn counts_rows(contents: &Contents) -> bool {
    let texts = contents.texts();
    let number = |row: usize| texts.cell(row).parse::<usize>().ok();
    texts.len() > 0
        && number(0)
            .is_some_and(|first| first <= 1 && (0..texts.len()).all(|row| number(row) == Some(first + row)))
}
