//! Faults in the rows of a text table.

use std::io::Read;

use ::csv::{ByteRecord, Reader};

use crate::base::error::TableProblem;
use crate::base::format::plural;
use crate::base::message::message;
use crate::table::columns::Header;
use crate::table::wording::{Places, and_more, file, ignore, problem, quoted};

/// The faults found: the first case of each kind, and how many more there are.
#[derive(Default)]
pub(super) struct Faults {
    /// Line and number of cells of the first row that is too short or too long.
    ragged: Option<(u64, usize)>,
    n_ragged: usize,
    /// Line and column of the first cell that is not UTF-8.
    not_utf8: Option<(u64, usize)>,
    n_not_utf8: usize,
    /// Line and column of the first cell with a zero byte, which text cannot contain.
    zero: Option<(u64, usize)>,
    n_zeros: usize,
    /// Line of a row that ends inside quotes.
    unclosed: Option<u64>,
}

impl Faults {
    /// The line, from 1, on which the record begins that has just been read.
    ///
    /// The lines consumed so far are known exactly, for line ends are all alike and the last one is there. A record takes
    /// those inside its cells and one more, unless the text ends inside quotes and all the rest has become one cell.
    pub(super) fn first_line<R: Read>(&mut self, rows: &Reader<R>, record: &ByteRecord) -> u64 {
        let n_breaks = record.as_slice().iter().filter(|&&byte| byte == b'\n').count() as u64;
        let end = rows.position().line();
        let start = record.position().map_or(end, |position| position.line());
        if end - start > n_breaks {
            return end - n_breaks - 1;
        }
        self.unclosed = Some(start);
        start
    }

    /// Checks a row and notes its faults. Columns that are left out may contain anything.
    pub(super) fn accept(&mut self, record: &ByteRecord, line: u64, header: &Header) -> bool {
        if record.len() != header.names.len() {
            self.ragged.get_or_insert((line, record.len()));
            self.n_ragged += 1;
            return false;
        }
        let (is_ascii, has_zero) = (record.as_slice().is_ascii(), record.as_slice().contains(&0));
        if is_ascii && !has_zero {
            return true;
        }
        let kept = || record.iter().zip(&header.kept).enumerate().filter(|(_, (_, kept))| **kept);
        let mut zeros = kept().filter(|(_, (cell, _))| cell.contains(&0)).map(|(position, _)| position);
        if let Some(position) = zeros.next() {
            self.zero.get_or_insert((line, position));
            self.n_zeros += 1 + zeros.count();
            return false;
        }
        let wrong = kept().filter(|(_, (cell, _))| std::str::from_utf8(cell).is_err());
        let mut wrong = wrong.map(|(position, _)| position);
        let Some(position) = wrong.next() else { return true };
        self.not_utf8.get_or_insert((line, position));
        self.n_not_utf8 += 1 + wrong.count();
        false
    }

    /// Adds what is wrong with the rows to the `problems` of the header.
    pub(super) fn finish(
        self,
        problems: Vec<TableProblem>,
        header: &Header,
        n_rows: usize,
        places: &Places,
    ) -> Vec<TableProblem> {
        let name = places.table();
        if let Some(line) = self.unclosed {
            // Other faults may follow from this one.
            let what = format!("{name} line {line}: a double quote is opened but never closed");
            return vec![problem(what, "close it; a double quote inside a quoted cell is written twice")];
        }
        let ragged = self.ragged.map(|(line, found)| self.ragged_rows(&name, line, found, header, n_rows));
        let zero =
            self.zero.map(|(line, column)| zero_byte(&name, line, &header.names[column], self.n_zeros));
        let not_utf8 = self.not_utf8.map(|(line, column)| {
            let column = &header.names[column];
            let place = format!("{name} line {line}, column {}", quoted(column));
            let TableProblem { what, hint } = not_utf8(place, &and_more(self.n_not_utf8, "more such cell"));
            problem(what, message![hint, "; or leave the column out with ", ignore(column)])
        });
        problems.into_iter().chain(ragged).chain(zero).chain(not_utf8).collect()
    }

    fn ragged_rows(
        &self,
        name: &str,
        line: u64,
        found: usize,
        header: &Header,
        n_rows: usize,
    ) -> TableProblem {
        let expected = header.names.len();
        let what = format!(
            "{name} line {line}: found {}, expected {expected} as in the header{}",
            plural(found, "cell"),
            and_more(self.n_ragged, "more such line")
        );
        problem(what, ragged_hint(expected, found, n_rows, self.n_ragged))
    }
}

fn zero_byte(name: &str, line: u64, column: &str, n_zeros: usize) -> TableProblem {
    let more = and_more(n_zeros, "more such cell");
    let what = format!(
        "{name} line {line}, column {}: a zero byte, which text cannot contain{more}",
        quoted(column)
    );
    problem(what, message!["write the file again; or leave the column out with ", ignore(column)])
}

/// The hint for rows with another number of cells than the header; `found` is that of the first.
fn ragged_hint(expected: usize, found: usize, n_rows: usize, n_ragged: usize) -> &'static str {
    match expected {
        _ if n_rows >= n_ragged => {
            "fix the line; a cell that contains the delimiter or a line break must be in double quotes"
        }
        1 => "start the file with the names of the columns; remove other lines above them",
        _ if found > expected && n_ragged > 1 => {
            "give every column a name in the header, also that of row names; write decimals with a point, not a comma"
        }
        _ => "write one cell for every name in the header, with the same separator",
    }
}

fn not_utf8(place: String, more: &str) -> TableProblem {
    let hint = "save the file in UTF-8, for example with `iconv --from-code latin1 --to-code utf-8`";
    problem(format!("{place}: the text is not UTF-8{more}"), hint)
}

/// The faults in the bytes of the header.
pub(super) fn check_header(record: &ByteRecord, line: u64, path: &str) -> Vec<TableProblem> {
    let place = |position: usize| format!("{} line {line}, name of column {}", file(path), position + 1);
    let wrong = if let Some(position) = record.iter().position(|name| std::str::from_utf8(name).is_err()) {
        Some(not_utf8(place(position), ""))
    } else if let Some(position) = record.iter().position(|name| name.contains(&0)) {
        let what = format!("{}: a zero byte, which text cannot contain", place(position));
        Some(problem(what, "give a file of text, Parquet or Arrow"))
    } else {
        None
    };
    wrong.into_iter().collect()
}
