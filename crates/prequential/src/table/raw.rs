//! What every format is read into: columns of distinct texts and codes, before any cell is understood.

use std::collections::HashMap;

use super::interner::Interner;
use super::wording::{Places, and_more, problem, quoted};
use crate::base::error::{Error, Result, TableProblem};
use crate::base::format::{count, listed};

/// Says, from the header, which columns to read; the others stay empty.
pub(super) type Keep<'a> = dyn Fn(&[String]) -> Result<Vec<bool>> + 'a;

/// A file as it is, cell by cell.
#[derive(Debug)]
pub(super) struct RawTable {
    pub(super) columns: Vec<RawColumn>,
    pub(super) n_rows: usize,
    pub(super) places: Places,
}

/// One column: its distinct texts, and for each row which of them.
#[derive(Debug, Default)]
pub(super) struct RawColumn {
    pub(super) name: String,
    pub(super) kept: bool,
    pub(super) texts: Interner,
    /// One code of `texts` per row.
    pub(super) codes: Vec<u32>,
    /// The type of a column that holds neither numbers nor texts, such as dates or lists.
    pub(super) refused: Option<String>,
}

impl RawTable {
    /// An empty table with the columns of `header`; `keep` says which will be filled.
    ///
    /// Problems of the names go to `problems`; then no column is kept, and a reader may go on to find further problems.
    pub(super) fn new(
        path: &str,
        header: Vec<String>,
        keep: &Keep,
        problems: &mut Vec<TableProblem>,
    ) -> Result<RawTable> {
        let places = Places { path: path.to_string(), lines: Vec::new() };
        let wrong_names = check_names(&header, &places);
        let kept = if wrong_names.is_empty() { keep(&header)? } else { vec![false; header.len()] };
        problems.extend(wrong_names);
        let columns = header.into_iter().zip(kept);
        let columns = columns.map(|(name, kept)| RawColumn { name, kept, ..RawColumn::default() }).collect();
        Ok(RawTable { columns, n_rows: 0, places })
    }

    /// The names of all columns.
    pub(super) fn header(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// The table, or all that is wrong with it.
    pub(super) fn finish(self, problems: Vec<TableProblem>) -> Result<RawTable> {
        if problems.is_empty() { Ok(self) } else { Err(Error::Table { problems }) }
    }
}

impl RawColumn {
    /// Appends a cell, without the white space around it; the empty text stands for no value.
    pub(super) fn push(&mut self, text: &str) {
        let code = self.texts.intern(text.trim_ascii(), self.codes.len());
        self.codes.push(code);
    }

    /// Appends a number in the shortest text that reads back as the same number.
    #[cfg(feature = "arrow")]
    pub(super) fn push_number<N: Into<f64> + Copy + std::fmt::Display + std::fmt::LowerExp>(
        &mut self,
        number: N,
    ) {
        let size = number.into().abs();
        // Without the exponent 1e300 would be 301 digits long.
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            self.push(&number.to_string());
        } else {
            self.push(&format!("{number:e}"));
        }
    }
}

/// So many columns without a name of their own are listed; more have a common reason.
const MAX_LISTED: usize = 5;

/// Names must be there and differ, or no option could tell the columns apart.
fn check_names(header: &[String], places: &Places) -> Vec<TableProblem> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (position, name) in header.iter().enumerate() {
        by_name.entry(name).or_default().push(position + 1);
    }
    let nameless = by_name.remove("").map(|positions| without_name(&positions, places));
    let mut shared: Vec<(&str, Vec<usize>)> =
        by_name.into_iter().filter(|(_, positions)| positions.len() > 1).collect();
    shared.sort_unstable_by_key(|(_, positions)| positions[0]);
    let more = and_more(shared.len().saturating_sub(MAX_LISTED) + 1, "other shared name");
    let listed = shared.iter().take(MAX_LISTED).enumerate().map(|(place, (name, positions))| {
        let more = if place + 1 == MAX_LISTED { more.as_str() } else { "" };
        let (n, list) = (count(positions.len()), numbers(positions));
        let what =
            format!("{}: {n} columns are called {} (columns {list}){more}", places.table(), quoted(name));
        problem(what, "give every column a name of its own in the header")
    });
    nameless.into_iter().chain(listed).collect()
}

fn without_name(positions: &[usize], places: &Places) -> TableProblem {
    let what = match positions {
        [position] => format!("{}: column {position} has no name", places.table()),
        _ => format!("{}: columns {} have no name", places.table(), numbers(positions)),
    };
    let hint = match positions {
        [1] => "name it in the header; if it is a row index of pandas, write the file with `index=False`",
        _ => "name every column in the header, the first line of the file",
    };
    problem(what, hint)
}

/// `1, 2, 3`, and how many more.
fn numbers(positions: &[usize]) -> String {
    let names: Vec<String> = positions.iter().map(usize::to_string).collect();
    listed(&names)
}
