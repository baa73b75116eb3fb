//! Interventions from a table of 0 and 1.

use super::interventions::Marks;
use crate::base::error::{Error, Result, TableProblem};
use crate::base::format::plural;
use crate::table::columns::{InputColumn, InputTable};
use crate::table::options::unknown_column;
use crate::table::wording::{Places, and_more, problem, quoted};

const HINT: &str = "write 1 where the variable was set by intervention, 0 elsewhere";

impl Marks {
    /// Adds the cells that are 1 in a mask, whose columns are named like those of the table.
    pub(crate) fn add_mask(&mut self, table: &InputTable, mask: &InputTable) -> Result<()> {
        let header = table.header();
        let mut problems = Vec::new();
        if mask.n_rows != table.n_rows {
            let rows = |places: String, n_rows: usize| format!("{places} has {}", plural(n_rows, "row"));
            let (of_mask, of_table) =
                (rows(mask.places.mask(), mask.n_rows), rows(table.places.table(), table.n_rows));
            let what = format!("{of_mask}, but {of_table}");
            return Err(Error::Table {
                problems: vec![problem(what, "the mask needs one row for each row of the table")],
            });
        }
        for column in &mask.columns {
            let Some(position) = header.iter().position(|name| *name == column.name) else {
                return Err(unknown_column(mask.places.mask(), &column.name, &header));
            };
            let rows = mask_column(column, &mask.places, &mut problems);
            rows.into_iter().for_each(|row| self.set(position, row));
        }
        if problems.is_empty() { Ok(()) } else { Err(Error::Table { problems }) }
    }
}

/// The rows that a column of a mask marks as set.
fn mask_column(column: &InputColumn, places: &Places, problems: &mut Vec<TableProblem>) -> Vec<usize> {
    let Some(contents) = column.contents() else {
        let what = format!("{}: expected 0 or 1, found another type", places.column(&column.name));
        problems.push(problem(what, HINT));
        return Vec::new();
    };
    let texts = contents.texts();
    let wrong = (0..).zip(texts.distinct()).filter(|(_, text)| is_set(text).is_none());
    if let Some((code, text)) = wrong.clone().next() {
        let place = places.cell(texts.first_row(code), &column.name);
        let more = and_more(wrong.count(), "other wrong cell");
        let what = format!("{place}: expected 0 or 1, found {}{more}", quoted(text));
        problems.push(problem(what, HINT));
    }
    let set: Vec<bool> = texts.distinct().map(|text| is_set(text) == Some(true)).collect();
    (0..texts.len()).filter(|&row| set[texts.codes()[row] as usize]).collect()
}

/// The value of a mask cell, if it is 0 or 1.
fn is_set(text: &str) -> Option<bool> {
    match text.parse::<f64>() {
        Ok(0.0) => Some(false),
        Ok(1.0) => Some(true),
        Ok(_) => None,
        Err(_) => text.to_ascii_lowercase().parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use crate::table::InterventionMask;
    use crate::{Column, ReadOptions, Table};

    #[test]
    fn a_mask_adds_to_the_column() {
        let cells = |row: usize| format!("{},{},{}\n", row % 2, row % 3, ["", "a", "b", ""][row % 4]);
        let text = format!("a,b,intervention\n{}", (0..12).map(cells).collect::<String>());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mask.csv");
        let rows: String = (0..12).map(|row| format!("{}\n", u8::from(row == 3))).collect();
        std::fs::write(&path, format!("a\n{rows}")).unwrap();
        let rows = || 0..12;
        for mask in [
            InterventionMask::File(path),
            InterventionMask::Columns(vec![Column::integers("a", rows().map(|row| Some((row == 3).into())))]),
            InterventionMask::Columns(vec![Column::booleans(
                "a",
                rows().map(|row| Some(row == 3)).collect(),
            )]),
        ] {
            let options = ReadOptions { intervention_mask: Some(mask), ..ReadOptions::default() };
            let table = Table::from_bytes("t.csv", text.as_bytes(), &options).unwrap();
            let set = |node: usize| table.variables()[node].intervened.clone().unwrap();
            assert_eq!(
                (&set(0)[..4], &set(1)[..4]),
                (&[false, true, false, true][..], &[false, false, true, false][..])
            );
        }
    }
}
