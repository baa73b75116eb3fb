//! The protein data of `reproduce sachs`: fetched once, read from then on.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prequential::wording::{Message, OptionName};
use prequential::{Error, ReadOptions, Result, Table};

/// Fetches the values from PyPI, checks and labels them.
const SCRIPT: &str = include_str!("fetch_sachs.py");

/// The table named by `--data`, or the one in `directory`, fetched if it is not there yet.
pub(super) fn table(given: Option<&Path>, directory: &Path) -> Result<Table> {
    let path = match given {
        Some(path) => path.to_path_buf(),
        None => fetched(&directory.join("sachs.csv"))?,
    };
    let names = csv_names(&path)?;
    let ignore = names.into_iter().filter(|name| name == "condition").collect();
    Table::read(&path, &ReadOptions { ignore, ..ReadOptions::default() })
}

/// The names of the columns.
fn csv_names(path: &Path) -> Result<Vec<String>> {
    let failed = |source| Error::File { action: "read", path: path.to_path_buf(), source };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    Ok(text.lines().next().unwrap_or_default().split(',').map(|name| name.trim().to_string()).collect())
}

fn fetched(path: &Path) -> Result<PathBuf> {
    if path.exists() {
        return Ok(path.to_path_buf());
    }
    let draft = path.with_extension("draft");
    let ran = Command::new("python3").args(["-c", SCRIPT]).arg(&draft).stdin(Stdio::null()).output();
    let problem = match &ran {
        Ok(output) if output.status.success() => {
            let renamed = std::fs::rename(&draft, path);
            let failed = |source| Error::File { action: "write", path: path.to_path_buf(), source };
            return renamed.map(|()| path.to_path_buf()).map_err(failed);
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given").trim().to_string()
        }
        Err(error) => format!("python3: {error}"),
    };
    Err(Error::Setting {
        what: format!("cannot fetch the protein data: {problem}").into(),
        hint: Message::from("it takes python3 with pip and a way to PyPI; or name the table with ")
            + OptionName::Data.set("FILE")
            + " (columns raf to jnk and `intervention`)",
    })
}
