//! Converts the library's errors to Python exceptions, with hints in Python's syntax.

use std::io::ErrorKind;

use prequential::{Error, TableProblem};
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyMemoryError, PyOSError, PyPermissionError, PyRuntimeError, PyTypeError,
    PyValueError,
};

use crate::wording::Keywords;

/// At most this many problems of a table are listed; thousands would only hide the first.
const MAX_PROBLEMS: usize = 20;

/// The exception that Python's own functions would raise in its place.
pub(crate) fn raise(error: &Error) -> PyErr {
    let text = in_words(error);
    match error {
        Error::File { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
            _ => PyOSError::new_err(text),
        },
        Error::TooLarge { .. } => PyMemoryError::new_err(text),
        Error::UnknownOption { .. } => PyTypeError::new_err(text),
        Error::Worker { .. } => PyRuntimeError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// An error that only occurs in Python.
pub(crate) fn mistake(problem: &str, hint: &str) -> PyErr {
    PyValueError::new_err(format!("{problem}\nhint: {hint}"))
}

fn in_words(error: &Error) -> String {
    let Error::Table { problems } = error else {
        return format!("{}\nhint: {}", error.message().worded(&Keywords), error.hint().worded(&Keywords));
    };
    let mut lines: Vec<String> = problems.iter().take(MAX_PROBLEMS).map(problem_in_words).collect();
    if let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|&more| more > 0) {
        lines.push(format!("{more} more columns have such problems\nhint: fix these first, or keep the columns that matter with `columns`"));
    }
    lines.join("\n")
}

fn problem_in_words(problem: &TableProblem) -> String {
    format!("{}\nhint: {}", problem.what.worded(&Keywords), problem.hint.worded(&Keywords))
}
