//! Words of messages: places in a file, quoted cells, values of options.

use std::borrow::Cow;

use crate::base::error::TableProblem;
use crate::base::format::plural;
pub(super) use crate::base::format::quoted;
use crate::base::message::Message;

/// Where the rows of a table are in its file.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The path as the user gave it; empty for a table that was not read from a file.
    pub(super) path: String,
    /// The line of each row, from 1; empty for formats without lines.
    pub(super) lines: Vec<u64>,
}

impl Places {
    /// "`clinic.csv`", as the subject of a sentence.
    pub(super) fn table(&self) -> String {
        match self.path.as_str() {
            "" => "the table".to_string(),
            path => file(path),
        }
    }

    /// "`clinic.csv`, column `age`".
    pub(super) fn column(&self, name: &str) -> String {
        let column = format!("column {}", quoted(name));
        if self.path.is_empty() { column } else { format!("{}, {column}", self.table()) }
    }

    /// "`clinic.csv` line 214", or "`clinic.parquet` row 213" where there are no lines.
    pub(super) fn row(&self, row: usize) -> String {
        match self.lines.get(row) {
            Some(line) => format!("{} line {line}", self.table()),
            None => format!("{} row {}", self.table(), row + 1),
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

/// One thing that is wrong, with the way out.
pub(super) fn problem(what: impl Into<Message>, hint: impl Into<Message>) -> TableProblem {
    TableProblem { what: what.into().into(), hint: hint.into().into() }
}

/// The option with its list of values as one would type them, in backticks: "`--ignore 'patient id'`".
///
/// The command line reads a list as one CSV record, so a value with a comma is in double quotes inside those of the shell.
pub(super) fn option(name: &str, values: &[&str]) -> String {
    let cells: Vec<Cow<str>> = values.iter().map(|value| csv_cell(value)).collect();
    format!("`{name} {}`", shell_word(&cells.join(",")))
}

fn csv_cell(value: &str) -> Cow<'_, str> {
    if value.is_empty() || value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\"")).into()
    } else {
        value.into()
    }
}

fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+./,:=%@".contains(c);
    if text.chars().any(char::is_control) {
        // A raw line break would tear the message apart.
        let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
        format!("$'{}'", escaped.chars().flat_map(shell_escape).collect::<String>())
    } else if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn shell_escape(character: char) -> Vec<char> {
    match character {
        '\n' => vec!['\\', 'n'],
        '\t' => vec!['\\', 't'],
        '\r' => vec!['\\', 'r'],
        control if control.is_control() => format!("\\u{:04x}", u32::from(control)).chars().collect(),
        other => vec![other],
    }
}

/// " (and 2 more such lines)", where the first of `n` has been named; nothing if it is the only one.
pub(super) fn and_more(n: usize, noun: &str) -> String {
    if n > 1 { format!(" (and {})", plural(n - 1, noun)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_quoted_as_a_shell_needs_them() {
        assert_eq!(option("--missing", &["n/a", "none"]), "`--missing n/a,none`");
        assert_eq!(option("--ignore", &["patient id"]), "`--ignore 'patient id'`");
        assert_eq!(option("--ignore", &["o'clock"]), "`--ignore 'o'\\''clock'`");
        assert_eq!(option("--ignore", &["$HOME `x`"]), "`--ignore '$HOME `x`'`");
        assert_eq!(option("--ignore", &["it's\n\u{1b}"]), r#"`--ignore $'"it\'s\n\u001b"'`"#);
    }

    #[test]
    fn values_with_commas_or_quotes_are_cells_of_a_csv_record() {
        assert_eq!(option("--ignore", &["a, b"]), r#"`--ignore '"a, b"'`"#);
        assert_eq!(option("--missing", &["x", "a,b"]), r#"`--missing 'x,"a,b"'`"#);
        assert_eq!(option("--ignore", &["5\" pipe"]), r#"`--ignore '"5"" pipe"'`"#);
        assert_eq!(option("--ignore", &["o'clock, sharp"]), r#"`--ignore '"o'\''clock, sharp"'`"#);
    }

    #[test]
    fn places_name_line_or_row() {
        let csv = Places { path: "t.csv".into(), lines: vec![2, 5] };
        assert_eq!(csv.cell(1, "age"), "`t.csv` line 5, column `age`");
        let parquet = Places { path: "t.parquet".into(), lines: vec![] };
        assert_eq!(parquet.cell(1, "age"), "`t.parquet` row 2, column `age`");
        assert_eq!(Places::default().column("age"), "column `age`");
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
