//! Wording of messages: places in a file, quoted cells, problems with hints.

use crate::base::error::TableProblem;
use crate::base::format::plural;
pub(super) use crate::base::format::quoted;
use crate::base::message::{Message, OptionName, Part};

/// The lines of the rows of a table in its file.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The path as the user gave it; empty for a table that was not read from a file.
    pub(super) path: String,
    /// The line of each row, from 1; empty for formats without lines.
    pub(super) lines: Vec<u64>,
}

impl Places {
    /// Places in a file of which no row is known yet.
    pub(super) fn of_file(path: &str) -> Places {
        Places { path: path.to_string(), lines: Vec::new() }
    }

    /// Whether the table was read from a file.
    pub(super) fn is_file(&self) -> bool {
        !self.path.is_empty()
    }

    /// "`clinic.csv`", as the subject of a sentence.
    pub(super) fn table(&self) -> String {
        if self.is_file() { file(&self.path) } else { "the table".to_string() }
    }

    /// "`mask.csv`", the mask of interventions, as the subject of a sentence.
    pub(super) fn mask(&self) -> String {
        if self.is_file() { file(&self.path) } else { "the mask of interventions".to_string() }
    }

    /// "`clinic.csv`, column `age`".
    pub(super) fn column(&self, name: &str) -> String {
        let column = format!("column {}", quoted(name));
        if self.is_file() { format!("{}, {column}", self.table()) } else { column }
    }

    /// "`clinic.csv` line 214", "`clinic.parquet` row 213" where there are no lines, or "row 212 (counting from 0)" in memory.
    pub(super) fn row(&self, row: usize) -> String {
        match self.lines.get(row) {
            Some(line) => format!("{} line {line}", self.table()),
            None if self.is_file() => format!("{} row {}", self.table(), row + 1),
            None => format!("row {row} (counting from 0)"),
        }
    }

    /// "`clinic.csv` line 214, column `age`".
    pub(super) fn cell(&self, row: usize, column: &str) -> String {
        format!("{}, column {}", self.row(row), quoted(column))
    }
}

/// The path of a file in words: `-` is standard input.
pub(super) fn path_in_words(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}

/// "`clinic.csv`", as the subject of a sentence.
pub(super) fn file(path: &str) -> String {
    let words = path_in_words(path);
    if words == path { format!("`{path}`") } else { words.to_string() }
}

/// One problem, with a hint.
pub(super) fn problem(what: impl Into<Message>, hint: impl Into<Message>) -> TableProblem {
    TableProblem { what: what.into(), hint: hint.into() }
}

/// The option that leaves a column out.
pub(super) fn ignore(name: &str) -> Part {
    OptionName::Ignore.list(&[name])
}

/// The option that reads a column as labels.
pub(super) fn as_labels(name: &str) -> Part {
    OptionName::Labels.list(&[name])
}

/// The option that reads a column as numbers.
pub(super) fn as_numbers(name: &str) -> Part {
    OptionName::Numbers.list(&[name])
}

/// " (and 2 more such lines)", where the first of `n` has been named; nothing if it is the only one.
pub(super) fn and_more(n: usize, noun: &str) -> String {
    if n > 1 { format!(" (and {})", plural(n - 1, noun)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_line_or_row() {
        let csv = Places { path: "t.csv".into(), lines: vec![2, 5] };
        assert_eq!(csv.cell(1, "age"), "`t.csv` line 5, column `age`");
        assert_eq!(Places::of_file("t.parquet").cell(1, "age"), "`t.parquet` row 2, column `age`");
        assert_eq!(Places::default().column("age"), "column `age`");
        assert_eq!(Places::default().cell(1, "age"), "row 1 (counting from 0), column `age`");
        let stdin = Places { path: "-".into(), lines: vec![2] };
        assert_eq!(stdin.row(0), "standard input line 2");
    }

    #[test]
    fn the_first_of_many_stands_for_the_rest() {
        assert_eq!(and_more(1, "more such line"), "");
        assert_eq!(and_more(2, "more such line"), " (and 1 more such line)");
        assert_eq!(and_more(1236, "more such line"), " (and 1,235 more such lines)");
    }
}
