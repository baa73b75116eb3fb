//! The SQL schema of a store, and how a file is recognised as one.

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::failure::{ANOTHER, damaged, failure, refused};
use crate::base::error::{Error, Result};

/// Marks an SQLite file as a store of ours: "preq".
const APPLICATION_ID: i32 = 0x7072_6571;

/// Raised when the tables change; stores of later versions are refused.
const VERSION: i32 = 1;

/// How long to wait for another process that writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Everything in `code`; the other columns are for readers with SQL of their own.
const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE context (id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, settings TEXT NOT NULL) STRICT;
    CREATE TABLE family (
        context INTEGER NOT NULL REFERENCES context (id),
        parents TEXT NOT NULL,
        child INTEGER NOT NULL,
        row_order INTEGER NOT NULL,
        n_parents INTEGER NOT NULL,
        code_length_nats REAL NOT NULL,
        training_runs INTEGER NOT NULL,
        gradient_steps INTEGER NOT NULL,
        seconds REAL NOT NULL,
        code BLOB NOT NULL,
        UNIQUE (context, parents, child, row_order)
    ) STRICT;";

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// Nothing in it yet.
    Empty,
    /// A store that this version can read.
    Store,
}

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It must exist.
    Read,
    /// It is created if missing.
    Write,
}

/// Connects to the SQLite file at `path`, without writing anything yet.
pub(super) fn connect(path: &Path, access: Access, patience: Duration) -> Result<Connection> {
    check_file(path, access)?;
    let connection = match access {
        // Read-only if writing is impossible: a reader that cannot write would leave the log beside the file.
        Access::Read => open_to_read(path),
        Access::Write => Connection::open_with_flags(path, flags() | OpenFlags::SQLITE_OPEN_CREATE),
    };
    let connection = connection.map_err(failure(path))?;
    connection.busy_timeout(patience).map_err(failure(path))?;
    Ok(connection)
}

fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

/// If nothing can be written, not even the log that readers share, a file without a log is read as immutable.
fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags())?;
    let may_write = connection.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()));
    let refused = may_write.err().and_then(|error| error.sqlite_error_code());
    let is_refused = matches!(refused, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen));
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if !is_refused || Path::new(&log).exists() {
        return Ok(connection);
    }
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let read_only =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), read_only)
}

/// Refuses what cannot be a store, without opening it: closing it would release the locks that this process
/// holds on it.
fn check_file(path: &Path, access: Access) -> Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(refused(path, "it is a directory", "name a file")),
        Ok(found) if !found.is_file() => Err(refused(path, "it is not a regular file", ANOTHER)),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound && access == Access::Write => Ok(()),
        Err(source) => Err(Error::File { action: "read", path: path.to_path_buf(), source }),
    }
}

/// Recognises a store and checks for damage, in one transaction: others may be creating the store meanwhile.
pub(super) fn examine(connection: &Connection, path: &Path) -> Result<Nature> {
    let moment = Transaction::new_unchecked(connection, TransactionBehavior::Deferred);
    let moment = moment.map_err(failure(path))?;
    let nature = recognise(&moment, path)?;
    if nature == Nature::Store {
        check_sound(&moment, path)?;
    }
    Ok(nature)
}

/// Recognises a store among SQLite files, inside the open transaction.
pub(super) fn recognise(connection: &Connection, path: &Path) -> Result<Nature> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let application = number("application_id").map_err(failure(path))?;
    let version = number("user_version").map_err(failure(path))?;
    let n_objects: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .map_err(failure(path))?;
    match (application, n_objects) {
        (0, 0) => Ok(Nature::Empty),
        (APPLICATION_ID, _) if version == VERSION => Ok(Nature::Store),
        (APPLICATION_ID, _) => Err(refused(
            path,
            format!(
                "it was made by another version of prequential (format {version}, this one reads {VERSION})"
            ),
            format!("use that version, or {ANOTHER}"),
        )),
        _ => Err(refused(
            path,
            "it is an SQLite file of another program",
            format!("it was left unchanged; {ANOTHER}"),
        )),
    }
}

/// Checks for damage, page by page.
fn check_sound(connection: &Connection, path: &Path) -> Result<()> {
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failure(path))?;
    if verdict == "ok" { Ok(()) } else { Err(damaged(path, verdict.lines().last().unwrap_or_default())) }
}

/// Creates the tables, inside the open transaction.
pub(super) fn create_tables(connection: &Connection, path: &Path) -> Result<()> {
    let marks = format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};");
    connection.execute_batch(&(marks + TABLES)).map_err(failure(path))
}

/// Allows readers and a writer at the same time.
///
/// A commit survives a killed process. A power cut may lose the last commits, but not damage the file: that
/// would take waiting for the disk after each family.
pub(super) fn share(connection: &Connection, path: &Path, patience: Duration) -> Result<()> {
    let start = Instant::now();
    loop {
        // While another process does the same, SQLite fails at once instead of waiting.
        let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
        match mode {
            Ok(()) => break,
            Err(error) if start.elapsed() > patience => return Err(failure(path)(error)),
            Err(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => return Err(failure(path)(error)),
            },
        }
    }
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(failure(path))
}
