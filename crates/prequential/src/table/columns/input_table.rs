//! A table as read from its format: typed columns, and the lines of their rows.

use std::collections::HashMap;

use super::Contents;
use crate::base::error::{Error, Result, TableProblem};
use crate::base::format::{count, listed};
use crate::table::wording::{Places, and_more, problem, quoted};

/// Chooses from the header which columns to read; the others are left out.
pub(crate) type Keep<'a> = dyn Fn(&[String]) -> Result<Vec<bool>> + 'a;

/// A table before any rule is applied.
#[derive(Debug)]
pub(crate) struct InputTable {
    pub(crate) columns: Vec<InputColumn>,
    pub(crate) n_rows: usize,
    pub(crate) places: Places,
}

/// One column of the input.
#[derive(Debug)]
pub(crate) struct InputColumn {
    pub(crate) name: String,
    pub(crate) found: Found,
}

/// The cells that the format found in a column.
#[derive(Debug)]
pub(crate) enum Found {
    /// Nothing, because the column was not requested.
    LeftOut,
    /// Neither numbers, dates, texts nor truth values, but this type.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "text holds no other types"))]
    Unreadable(String),
    /// Cells of one type.
    Contents(Contents),
}

/// The names of all columns of an input, and which of them are to be read.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) names: Vec<String>,
    pub(crate) kept: Vec<bool>,
}

impl Header {
    /// Trims the names and asks `keep` which columns to read.
    ///
    /// Problems of the names go to `problems`; then no column is kept, and a reader may go on to find further problems.
    pub(crate) fn new(
        names: impl Iterator<Item = impl AsRef<str>>,
        keep: &Keep,
        places: &Places,
        problems: &mut Vec<TableProblem>,
    ) -> Result<Header> {
        let names: Vec<String> = names.map(|name| name.as_ref().trim_ascii().to_string()).collect();
        let wrong_names = check_names(&names, places);
        let kept = if wrong_names.is_empty() { keep(&names)? } else { vec![false; names.len()] };
        problems.extend(wrong_names);
        Ok(Header { names, kept })
    }
}

impl InputTable {
    /// The table of the columns found, or all that is wrong with it.
    pub(crate) fn new(
        header: Header,
        found: Vec<Found>,
        n_rows: usize,
        places: Places,
        problems: Vec<TableProblem>,
    ) -> Result<InputTable> {
        if !problems.is_empty() {
            return Err(Error::Table { problems });
        }
        let columns = header.names.into_iter().zip(found);
        let columns = columns.map(|(name, found)| InputColumn { name, found }).collect();
        Ok(InputTable { columns, n_rows, places })
    }

    /// The names of all columns.
    pub(crate) fn header(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }
}

impl InputColumn {
    /// Its cells, if it was read.
    pub(crate) fn contents(&self) -> Option<&Contents> {
        match &self.found {
            Found::Contents(contents) => Some(contents),
            Found::LeftOut | Found::Unreadable(_) => None,
        }
    }

    /// Removes its cells and returns them, if it was read.
    pub(crate) fn take(&mut self) -> Option<Contents> {
        match std::mem::replace(&mut self.found, Found::LeftOut) {
            Found::Contents(contents) => Some(contents),
            Found::LeftOut | Found::Unreadable(_) => None,
        }
    }
}

/// At most this many columns without a name are listed; more have a common reason.
const MAX_LISTED: usize = 5;

/// Names must exist and differ, so that options can identify columns; only row names, which come first, may
/// have none.
fn check_names(header: &[String], places: &Places) -> Vec<TableProblem> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (position, name) in header.iter().enumerate() {
        by_name.entry(name).or_default().push(position + 1);
    }
    let nameless = by_name.remove("").filter(|positions| *positions != [1]);
    let nameless = nameless.map(|positions| without_name(&positions, places));
    let mut shared: Vec<(&str, Vec<usize>)> =
        by_name.into_iter().filter(|(_, positions)| positions.len() > 1).collect();
    shared.sort_unstable_by_key(|(_, positions)| positions[0]);
    let more = and_more(shared.len().saturating_sub(MAX_LISTED) + 1, "other shared name");
    let hint = match places.is_file() {
        true => "give every column a different name in the header",
        false => "give every column a different name",
    };
    let listed = shared.iter().take(MAX_LISTED).enumerate().map(|(place, (name, positions))| {
        let more = if place + 1 == MAX_LISTED { more.as_str() } else { "" };
        let (n, list) = (count(positions.len()), numbers(positions));
        let what =
            format!("{}: {n} columns are called {} (columns {list}){more}", places.table(), quoted(name));
        problem(what, hint)
    });
    nameless.into_iter().chain(listed).collect()
}

fn without_name(positions: &[usize], places: &Places) -> TableProblem {
    let what = match positions {
        [position] => format!("{}: column {position} has no name", places.table()),
        _ => format!("{}: columns {} have no name", places.table(), numbers(positions)),
    };
    let hint = match positions {
        _ if !places.is_file() => "name every column",
        _ => "name every column in the header, the first line of the file",
    };
    problem(what, hint)
}

/// `1, 2, 3`, and how many more.
fn numbers(positions: &[usize]) -> String {
    let names: Vec<String> = positions.iter().map(usize::to_string).collect();
    listed(&names)
}
