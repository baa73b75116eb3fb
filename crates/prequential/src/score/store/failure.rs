//! SQLite's errors in words, with hints.

use std::io::Read;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::base::error::Error;
use crate::base::message::{Call, Message, message};

/// The hint if a store cannot be used at all.
pub(super) const ANOTHER: &str = "name another file";

/// The error for a problem of the store at `path`.
pub(super) fn refused(path: &Path, problem: impl Into<Message>, hint: impl Into<Message>) -> Error {
    Error::Store { path: path.to_path_buf(), problem: problem.into(), hint: hint.into() }
}

/// The error that the file at `path` is damaged; `details` describes the damage.
pub(super) fn damaged(path: &Path, details: &str) -> Error {
    refused(
        path,
        format!("the file is damaged ({details})"),
        format!(
            "it was left unchanged; restore it from a copy, or {ANOTHER}: everything is then scored again"
        ),
    )
}

/// The error for a failure of SQLite on `path`.
pub(super) fn failure(path: &Path) -> impl Fn(rusqlite::Error) -> Error + '_ {
    move |error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) if !starts_as_sqlite(path) => refused(
            path,
            "it is not a store but another kind of file",
            format!("it was left unchanged; {ANOTHER}"),
        ),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => damaged(path, &words(&error)),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => refused(
            path,
            "another process has kept it locked for a minute",
            message![format!("end that process, or {ANOTHER} and join the two with "), Call::MergeStores],
        ),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => refused(
            path,
            "it cannot be written",
            format!("make the file and its directory writable, or {ANOTHER}"),
        ),
        Some(ErrorCode::CannotOpen) => {
            let hint = "check that the directory exists and can be written, and that the file can be read";
            refused(path, "it cannot be opened", hint)
        }
        Some(ErrorCode::DiskFull) => refused(
            path,
            "the disk is full",
            "free space and run the same command again: it continues where it stopped",
        ),
        Some(ErrorCode::SystemIoFailure) => refused(
            path,
            format!("reading or writing failed ({})", words(&error)),
            "check the disk and run the same command again: it continues where it stopped",
        ),
        // A value of another type than was written.
        _ => damaged(path, &words(&error)),
    }
}

/// Whether the file says that it is one of SQLite, sound or not.
pub(super) fn starts_as_sqlite(path: &Path) -> bool {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let mut start = [0; MAGIC.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *MAGIC
}

fn words(error: &rusqlite::Error) -> String {
    error.to_string().trim_end_matches('.').to_string()
}
