//! Code lengths on disk: later and parallel runs reuse what one run has scored.

mod failure;
mod info;
mod merge;
mod open;
mod schema;
mod table_identity;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use crate::base::error::{Error, Result};
use crate::base::format::count;
use crate::base::message::{OptionName, message};
use crate::score::identity::CodeIdentity;
use crate::table::ContentHash;
use failure::{ANOTHER, damaged, failure, refused};
pub use info::{StoreInfo, StoredContext};
pub use merge::{Merged, merge_stores};
pub(crate) use open::OpenStore;
use schema::{Access, Nature, PATIENCE};
pub(crate) use table_identity::TableIdentity;

/// A store: a file of code lengths of one table, for any settings and seeds.
///
/// Several processes of one machine may use it at the same time.
#[derive(Debug)]
pub(crate) struct ScoreStore {
    path: PathBuf,
    connection: Connection,
}

impl ScoreStore {
    /// Opens the store at `path`, or creates it; a store of another table is refused.
    pub(crate) fn for_table(path: &Path, table: &TableIdentity) -> Result<ScoreStore> {
        ScoreStore::for_table_within(path, table, PATIENCE)
    }

    fn for_table_within(path: &Path, table: &TableIdentity, patience: Duration) -> Result<ScoreStore> {
        let mut store = ScoreStore {
            path: path.to_path_buf(),
            connection: schema::connect(path, Access::Write, patience)?,
        };
        if store.connection.is_readonly("main").map_err(failure(path))? {
            return Err(refused(
                path,
                "it cannot be written",
                format!("make the file and its directory writable, or {ANOTHER}"),
            ));
        }
        schema::examine(&store.connection, path)?;
        store.write(|connection, path| {
            // Another process may have made the tables in the meantime.
            match schema::recognise(connection, path)? {
                Nature::Empty => schema::create_tables(connection, path)?,
                Nature::Store => check_same(path, &read_table(connection, path)?, table)?,
            }
            write_table(connection, path, table)
        })?;
        schema::share(&store.connection, path, patience)?;
        Ok(store)
    }

    /// Opens an existing store for reading.
    fn existing(path: &Path) -> Result<ScoreStore> {
        let store = ScoreStore {
            path: path.to_path_buf(),
            connection: schema::connect(path, Access::Read, PATIENCE)?,
        };
        match schema::examine(&store.connection, path)? {
            Nature::Store => Ok(store),
            Nature::Empty => {
                Err(refused(path, "it is empty", message!["a run with ", OptionName::Store, " fills one"]))
            }
        }
    }

    /// Runs `work` in one transaction: all or nothing.
    fn write<R>(&mut self, work: impl FnOnce(&Connection, &Path) -> Result<R>) -> Result<R> {
        let begun = Transaction::new(&mut self.connection, TransactionBehavior::Immediate);
        let transaction = begun.map_err(failure(&self.path))?;
        let done = work(&transaction, &self.path)?;
        transaction.commit().map_err(failure(&self.path))?;
        Ok(done)
    }

    /// The number of the context with this identity; a new one if there is none.
    fn context(&mut self, identity: &CodeIdentity) -> Result<i64> {
        let text = identity.text();
        let mut hash = ContentHash::default();
        hash.text(text);
        let hash = hash.hexadecimal();
        self.write(|connection, path| {
            connection
                .execute("INSERT OR IGNORE INTO context (sha256, settings) VALUES (?1, ?2)", (&hash, text))
                .map_err(failure(path))?;
            connection
                .query_row("SELECT id FROM context WHERE sha256 = ?1", [&hash], |row| row.get(0))
                .map_err(failure(path))
        })
    }
}

/// What the store records about its table.
fn read_table(connection: &Connection, path: &Path) -> Result<TableIdentity> {
    let value = |key: &str| {
        let found = connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0));
        found.optional().map_err(failure(path))
    };
    let needed = |key: &str| -> Result<String> {
        value(key)?.ok_or_else(|| damaged(path, &format!("it does not state its {key}")))
    };
    let names = serde_json::from_str(&needed("names")?);
    Ok(TableIdentity {
        sha256: needed("table")?,
        n_rows: needed("rows")?.parse().map_err(|_| damaged(path, "the number of rows is not a number"))?,
        names: names.map_err(|_| damaged(path, "the names of the columns cannot be read"))?,
        file: value("file")?,
    })
}

/// The newest names are kept; unchanged values are not written again.
fn write_table(connection: &Connection, path: &Path, table: &TableIdentity) -> Result<()> {
    let names = serde_json::json!(table.names).to_string();
    let rows = table.n_rows.to_string();
    let values = [
        ("table", Some(&table.sha256)),
        ("rows", Some(&rows)),
        ("names", Some(&names)),
        ("file", table.file.as_ref()),
    ];
    let mut statement = connection
        .prepare_cached(
            "INSERT INTO meta (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value",
        )
        .map_err(failure(path))?;
    for (key, value) in values {
        if let Some(value) = value {
            statement.execute([key, value]).map_err(failure(path))?;
        }
    }
    Ok(())
}

/// Refuses a store of another table.
fn check_same(path: &Path, stored: &TableIdentity, table: &TableIdentity) -> Result<()> {
    if stored.sha256 == table.sha256 {
        return Ok(());
    }
    Err(other_table(path, stored, table))
}

fn other_table(path: &Path, stored: &TableIdentity, table: &TableIdentity) -> Error {
    let words = |table: &TableIdentity| {
        let file = table.file.as_ref().map(|file| format!("`{file}`, ")).unwrap_or_default();
        format!("{file}{} rows of {}", count(table.n_rows), columns(&table.names))
    };
    let same_shape = (stored.n_rows, &stored.names) == (table.n_rows, &table.names);
    refused(
        path,
        format!(
            "it holds code lengths of another table{}: of {}, not of {}",
            if same_shape { " with the same columns but other cells" } else { "" },
            words(stored),
            words(table)
        ),
        format!("{ANOTHER}: a store belongs to one table, read with the same columns and kinds"),
    )
}

/// The first names, and how many more.
fn columns(names: &[String]) -> String {
    const N_SHOWN: usize = 6;
    let shown = names.iter().take(N_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(N_SHOWN) {
        0 => shown,
        n_more => format!("{shown} and {n_more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TableIdentity {
        TableIdentity { sha256: "0".into(), n_rows: 10, names: vec!["a".into(), "b".into()], file: None }
    }

    #[test]
    fn a_store_that_stays_locked_is_given_up() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("s.db");
        let mut store = ScoreStore::for_table(&path, &table()).unwrap();
        let locked = Transaction::new(&mut store.connection, TransactionBehavior::Immediate).unwrap();
        let error = ScoreStore::for_table_within(&path, &table(), Duration::from_millis(20)).unwrap_err();
        assert!(error.to_string().ends_with("another process has kept it locked for a minute"), "{error}");
        assert_eq!(
            error.hint().to_string(),
            "end that process, or name another file and join the two with `merge_stores`"
        );
        drop(locked);
        ScoreStore::for_table_within(&path, &table(), Duration::from_millis(20)).unwrap();
    }

    #[test]
    fn many_may_make_the_same_store_at_once() {
        let directory = tempfile::TempDir::new().unwrap();
        for round in 0..200 {
            let path = directory.path().join(format!("{round}.db"));
            std::thread::scope(|scope| {
                let open = || ScoreStore::for_table(&path, &table()).map(drop);
                let opened: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
                for store in opened {
                    store.join().unwrap().unwrap();
                }
            });
        }
    }

    #[test]
    fn what_sqlite_says_is_put_into_words() {
        let message = |code: rusqlite::ffi::ErrorCode| {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error { code, extended_code: 0 }, None);
            let error = failure(Path::new("s.db"))(error);
            format!("{error}; {}", error.hint())
        };
        use rusqlite::ErrorCode;
        assert_eq!(
            [ErrorCode::ReadOnly, ErrorCode::CannotOpen, ErrorCode::DiskFull].map(message),
            [
                "store `s.db`: it cannot be written; make the file and its directory writable, or name another file",
                "store `s.db`: it cannot be opened; check that the directory exists and can be written, and that the file can be read",
                "store `s.db`: the disk is full; free space and run the same command again: it continues where it stopped",
            ]
        );
        assert!(message(ErrorCode::SystemIoFailure).starts_with("store `s.db`: reading or writing failed ("));
    }
}
