//! Reads columns that are already in memory.

use crate::base::error::{Result, TableProblem};
use crate::base::format::{count, plural};
use crate::table::columns::{Column, Found, Header, InputTable, Keep};
use crate::table::wording::{Places, problem, quoted};

/// The columns as a table, if their names and lengths allow it.
pub(crate) fn from_columns(columns: Vec<Column>, keep: &Keep) -> Result<InputTable> {
    let places = Places::default();
    let mut problems = Vec::new();
    let header = Header::new(columns.iter().map(|column| &column.name), keep, &places, &mut problems)?;
    let n_rows = columns.first().map_or(0, |column| column.contents.len());
    problems.extend(columns.iter().filter_map(|column| other_length(column, n_rows)));
    let found = columns
        .into_iter()
        .zip(&header.kept)
        .map(|(column, &kept)| if kept { Found::Contents(column.contents) } else { Found::LeftOut });
    let found = found.collect();
    InputTable::new(header, found, n_rows, places, problems)
}

fn other_length(column: &Column, n_rows: usize) -> Option<TableProblem> {
    let found = column.contents.len();
    (found != n_rows).then(|| {
        let found = plural(found, "row");
        let what = format!("column {}: found {found}, expected {}", quoted(&column.name), count(n_rows));
        problem(what, "give every column one cell for each row")
    })
}
