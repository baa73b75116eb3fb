//! The result as one HTML page: shows the graph and its evidence, and lets the reader argue with it.
//!
//! The page needs nothing but itself: style, script and data are inside, and it may fetch nothing. What it says it says without its
//! script too; the script lets the reader change the graph and see the nats change.

mod chart;
mod curves;
mod details;
mod embedded;
mod facts;
mod markup;
mod page;
mod reader;
mod sections;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::Value;

use crate::base::error::{Error, Result};
use facts::Facts;

/// The page that shows a result, from its JSON (schema 1) alone.
///
/// With the code lengths of families in it (see [`crate::JsonOptions`]) the reader can change the graph and see what that costs.
/// [`Error::Format`] names the key if the JSON is not a result, or makes no sense.
///
/// ```
/// use prequential::{Experiment, JsonOptions, Settings, learn, report_html, result_json};
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let learned = learn(&table, &Settings::default())?;
/// let options = JsonOptions { families: true, ..JsonOptions::default() };
/// let page = report_html(&result_json(&table, &learned, options))?;
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn report_html(result: &Value) -> Result<String> {
    report_of(result, "result")
}

/// The page that shows the result in a file, such as the `result.json` of `prequential learn --out`.
pub fn report_file(path: &Path) -> Result<String> {
    let failed = |source| Error::File { action: "read", path: path.to_path_buf(), source };
    let bytes = std::fs::read(path).map_err(failed)?;
    let source = path.display().to_string();
    let result: Value = serde_json::from_slice(&bytes).map_err(|error| not_json(&error, &source))?;
    report_of(&result, &source)
}

fn report_of(result: &Value, source: &str) -> Result<String> {
    Ok(page::page(&Facts::read(result, source)?))
}

fn not_json(error: &serde_json::Error, source: &str) -> Error {
    let text = error.to_string();
    // Line and column stand at the end of the text too.
    let problem = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem);
    Error::Format {
        path: source.to_string(),
        line: Some(error.line() as u64).filter(|&line| line > 0),
        problem: format!("this is not JSON: {problem}").into(),
        hint: "give the `result.json` of `prequential learn DATA --out DIR`".into(),
    }
}
