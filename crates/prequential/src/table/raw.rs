//! What every format is read into: columns of distinct texts and codes, before any cell is understood.

use std::collections::HashSet;

use super::interner::Interner;
use super::wording::{Places, problem, quoted};
use crate::{Error, Result, TableProblem};

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

/// Names must be there and differ, or no option could tell the columns apart.
fn check_names(header: &[String], places: &Places) -> Vec<TableProblem> {
    let mut problems = Vec::new();
    let mut seen = HashSet::new();
    let mut reported = HashSet::new();
    for (position, name) in header.iter().enumerate() {
        if name.is_empty() {
            let what = format!("{}: column {} has no name", places.table(), position + 1);
            let hint =
                "name it in the header; if it is a row index of pandas, write the file with `index=False`";
            problems.push(problem(what, hint));
        } else if !seen.insert(name) && reported.insert(name) {
            let positions: Vec<String> =
                (0..header.len()).filter(|&p| header[p] == *name).map(|p| (p + 1).to_string()).collect();
            let what = format!(
                "{}: {} columns are called {} (columns {})",
                places.table(),
                positions.len(),
                quoted(name),
                positions.join(", ")
            );
            problems.push(problem(what, "give every column a name of its own in the header"));
        }
    }
    problems
}
