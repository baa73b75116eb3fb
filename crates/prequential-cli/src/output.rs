//! Where words go: results to standard output or files, everything else to standard error.
#![allow(clippy::print_stderr, reason = "the one place that talks on standard error")]

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use prequential::{Error, Result};

/// Prints a result; a reader who has seen enough (`| head`) is no error.
pub(crate) fn show(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => {
            Err(Error::File { action: "write", path: PathBuf::from("standard output"), source })
        }
        _ => Ok(()),
    }
}

/// So many problems of a table are shown; thousands would only hide the first.
const MAX_PROBLEMS: usize = 20;

/// Prints an error and its way out; each problem of a table with its own.
pub(crate) fn complain(error: &Error) {
    if let Error::Table { problems } = error {
        let shown = problems.iter().take(MAX_PROBLEMS);
        shown.for_each(|problem| eprintln!("error: {}\nhint: {}", problem.what, problem.hint));
        if let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|&more| more > 0) {
            eprintln!(
                "error: {more} more columns have such problems\nhint: mend these first, or keep the columns that matter with `--columns`"
            );
        }
        return;
    }
    eprintln!("error: {error}");
    if let Some(hint) = error.hint() {
        eprintln!("hint: {hint}");
    }
}

/// Prints a warning.
pub(crate) fn warn(warning: &str) {
    eprintln!("warning: {warning}");
}

/// Prints how far the work is.
pub(crate) fn note(progress: &str) {
    eprintln!("{progress}");
}

/// A file that will be written when the work is done; made sure of before it starts.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Checks that the file can be written, without touching what it holds.
    pub(crate) fn prepare(path: &Path) -> Result<OutputFile> {
        let failed = |source| Error::File { action: "write", path: path.to_path_buf(), source };
        if path.is_dir() {
            return Err(failed(ErrorKind::IsADirectory.into()));
        }
        let file = OutputFile { path: path.to_path_buf() };
        let draft = file.draft();
        std::fs::write(&draft, "").and_then(|()| std::fs::remove_file(&draft)).map_err(failed)?;
        Ok(file)
    }

    /// Writes the whole file or leaves the old one.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        let draft = self.draft();
        let written = std::fs::write(&draft, text).and_then(|()| std::fs::rename(&draft, &self.path));
        written.map_err(|source| {
            // Half a file on a full disk helps nobody; if even that fails, the first failure says why.
            let _ = std::fs::remove_file(&draft);
            Error::File { action: "write", path: self.path.clone(), source }
        })
    }

    fn draft(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path.with_file_name(format!(".{name}.draft"))
    }
}

/// A directory for several files, made at once.
pub(crate) fn prepare_directory(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|source| Error::File {
        action: "create",
        path: path.to_path_buf(),
        source,
    })
}
