//! Output: results go to standard output or files, everything else to standard error.
#![allow(clippy::print_stderr, reason = "the one place that talks on standard error")]

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use prequential::wording::Message;
use prequential::{Error, Result};

use crate::wording::CommandLine;

/// Prints a result; a closed pipe (`| head`) is not an error.
pub(crate) fn show(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => {
            Err(Error::File { action: "write", path: PathBuf::from("standard output"), source })
        }
        _ => Ok(()),
    }
}

/// At most this many problems of a table are shown; thousands would only hide the first.
const MAX_PROBLEMS: usize = 20;

/// Prints an error and its hint; each problem of a table with its own.
pub(crate) fn complain(error: &Error) {
    if let Error::Table { problems } = error {
        let shown = problems.iter().take(MAX_PROBLEMS);
        shown.for_each(|problem| {
            eprintln!("error: {}\nhint: {}", worded(&problem.what), worded(&problem.hint))
        });
        if let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|&more| more > 0) {
            eprintln!(
                "error: {more} more columns have such problems\nhint: fix these first, or keep the columns that matter with `--columns`"
            );
        }
        return;
    }
    eprintln!("error: {}\nhint: {}", worded(&error.message()), worded(&error.hint()));
}

/// The sentence with options as flags.
fn worded(message: &Message) -> String {
    message.worded(&CommandLine)
}

/// Prints a warning.
pub(crate) fn warn(warning: &str) {
    eprintln!("warning: {warning}");
}

/// Prints the progress.
pub(crate) fn note(progress: &str) {
    eprintln!("{progress}");
}

/// A file that will be written when the work is done; checked before it starts.
#[derive(Debug)]
pub(crate) struct OutputFile {
    /// As the user wrote it.
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A file that may not exist yet; links are followed.
    File(PathBuf),
    /// A pipe or a device, which must not be replaced by a file.
    Stream,
}

impl Target {
    fn of(path: &Path) -> Target {
        let is_file = std::fs::metadata(path).map_or(true, |found| found.is_file());
        // `/dev/stdout` may lead to a file, but to an open one.
        if !is_file || path.starts_with("/dev") || path.starts_with("/proc") {
            return Target::Stream;
        }
        let beside = path.parent().unwrap_or(Path::new(""));
        let missing = || std::fs::read_link(path).map_or(path.to_path_buf(), |link| beside.join(link));
        Target::File(std::fs::canonicalize(path).unwrap_or_else(|_| missing()))
    }
}

impl OutputFile {
    /// Checks that the file can be written, without changing it, and that it is not one of `others`, which
    /// the command reads.
    pub(crate) fn prepare(path: &Path, others: &[&Path]) -> Result<OutputFile> {
        let failed = |source| Error::File { action: "write", path: path.to_path_buf(), source };
        if others.iter().any(|other| is_same(path, other)) {
            return Err(Error::Setting {
                what: format!("`{}` would be overwritten, but this command needs it", path.display()).into(),
                hint: "choose another name for the file to write".into(),
            });
        }
        if path.is_dir() {
            return Err(failed(ErrorKind::IsADirectory.into()));
        }
        let target = Target::of(path);
        if let Target::File(target) = &target {
            let draft = draft(target);
            std::fs::write(&draft, "").and_then(|()| std::fs::remove_file(&draft)).map_err(failed)?;
        }
        Ok(OutputFile { path: path.to_path_buf(), target })
    }

    /// Writes the whole file or leaves the old one.
    pub(crate) fn write(&self, contents: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
        let written = match &self.target {
            Target::File(target) => replace(target, contents.as_ref()),
            Target::Stream => std::fs::write(&self.path, contents),
        };
        written.map_err(|source| Error::File { action: "write", path: self.path.clone(), source })
    }
}

/// Whether two paths lead to the same file, existing or not.
fn is_same(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| {
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        path.canonicalize()
            .or_else(|_| {
                Ok::<_, std::io::Error>(directory.canonicalize()?.join(path.file_name().unwrap_or_default()))
            })
            .ok()
    };
    a != Path::new("-") && whole(a).is_some_and(|a| Some(a) == whole(b))
}

/// Puts a new file in place of the old one, with the same rights.
fn replace(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let draft = draft(path);
    let written = std::fs::write(&draft, contents).and_then(|()| {
        if let Ok(old) = std::fs::metadata(path) {
            std::fs::set_permissions(&draft, old.permissions())?;
        }
        std::fs::rename(&draft, path)
    });
    written.inspect_err(|_| {
        // A partial file on a full disk is removed; if that fails too, the first failure is reported.
        let _ = std::fs::remove_file(&draft);
    })
}

/// Beside the file, with a different name in every process.
fn draft(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.draft", std::process::id()))
}

/// A directory for several files, made at once.
pub(crate) fn prepare_directory(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|source| Error::File {
        action: "create",
        path: path.to_path_buf(),
        source,
    })
}
