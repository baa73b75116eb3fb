//! Joins stores of one table.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::failure::{failure, refused};
use super::open::checked_length;
use super::{ScoreStore, check_same, read_table};
use crate::base::error::Result;

/// The result of merging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Merged {
    /// Codes of families, one for each row order, that were added.
    pub n_added: usize,
    /// Those that were there already.
    pub n_known: usize,
}

/// Adds the contents of the stores `inputs` to the store `out`, which is created if missing.
///
/// All must be of one table. Two different codes for the same family, settings and row order are refused, and nothing of that
/// input is added.
pub fn merge_stores(out: impl AsRef<Path>, inputs: &[impl AsRef<Path>]) -> Result<Merged> {
    let out = out.as_ref();
    // All of them first: one that cannot be used stops the work before it starts.
    let inputs: Vec<ScoreStore> =
        inputs.iter().map(|path| ScoreStore::existing(path.as_ref())).collect::<Result<_>>()?;
    let mut merged = Merged::default();
    for input in &inputs {
        if same_file(out, &input.path) {
            return Err(refused(&input.path, "it cannot be merged into itself", "name each file once"));
        }
        let table = read_table(&input.connection, &input.path)?;
        if let Some(first) = inputs.first() {
            check_same(&input.path, &table, &read_table(&first.connection, &first.path)?)?;
        }
    }
    for input in &inputs {
        let table = read_table(&input.connection, &input.path)?;
        let mut store = ScoreStore::for_table(out, &table)?;
        let added = store.write(|connection, path| add(connection, path, input))?;
        merged.n_added += added.n_added;
        merged.n_known += added.n_known;
    }
    Ok(merged)
}

fn same_file(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(a).is_some_and(|a| Some(a) == whole(b))
}

/// Adds one store to another, inside a transaction.
fn add(out: &Connection, out_path: &Path, input: &ScoreStore) -> Result<Merged> {
    let (failed, failed_in) = (failure(out_path), failure(&input.path));
    let mut merged = Merged::default();
    let mut contexts =
        input.connection.prepare("SELECT id, sha256, settings FROM context").map_err(&failed_in)?;
    let mut contexts = contexts.query([]).map_err(&failed_in)?;
    while let Some(row) = contexts.next().map_err(&failed_in)? {
        let from: i64 = row.get(0).map_err(&failed_in)?;
        let hash: String = row.get(1).map_err(&failed_in)?;
        let settings: String = row.get(2).map_err(&failed_in)?;
        out.execute("INSERT OR IGNORE INTO context (sha256, settings) VALUES (?1, ?2)", (&hash, settings))
            .map_err(&failed)?;
        let to: i64 = out
            .query_row("SELECT id FROM context WHERE sha256 = ?1", [&hash], |row| row.get(0))
            .map_err(&failed)?;
        let added = add_families(out, out_path, input, from, to)?;
        merged.n_added += added.n_added;
        merged.n_known += added.n_known;
    }
    Ok(merged)
}

fn add_families(out: &Connection, out_path: &Path, input: &ScoreStore, from: i64, to: i64) -> Result<Merged> {
    let (failed, failed_in) = (failure(out_path), failure(&input.path));
    let mut known = out
        .prepare(
            "SELECT code FROM family WHERE context = ?1 AND parents = ?2 AND child = ?3 AND row_order = ?4",
        )
        .map_err(&failed)?;
    let mut insert = out
        .prepare("INSERT INTO family VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        .map_err(&failed)?;
    let mut families =
        input.connection.prepare("SELECT * FROM family WHERE context = ?1").map_err(&failed_in)?;
    let mut families = families.query([from]).map_err(&failed_in)?;
    let mut merged = Merged::default();
    while let Some(row) = families.next().map_err(&failed_in)? {
        let (parents, child, order): (String, i64, i64) = read_key(row).map_err(&failed_in)?;
        let code: Vec<u8> = row.get(9).map_err(&failed_in)?;
        let length = checked_length(&input.path, &parents, child, order, &code)?;
        let there: Option<Vec<u8>> =
            known.query_row((to, &parents, child, order), |row| row.get(0)).optional().map_err(&failed)?;
        match there {
            Some(there) if there != code => return Err(conflict(out_path, input, &parents, child)),
            Some(_) => merged.n_known += 1,
            None => {
                merged.n_added += 1;
                let rest = (
                    row.get::<_, i64>(4).map_err(&failed_in)?,
                    length.0,
                    row.get::<_, i64>(6).map_err(&failed_in)?,
                    row.get::<_, i64>(7).map_err(&failed_in)?,
                    row.get::<_, f64>(8).map_err(&failed_in)?,
                );
                insert
                    .execute((to, &parents, child, order, rest.0, rest.1, rest.2, rest.3, rest.4, code))
                    .map_err(&failed)?;
            }
        }
    }
    Ok(merged)
}

fn read_key(row: &rusqlite::Row) -> rusqlite::Result<(String, i64, i64)> {
    Ok((row.get(1)?, row.get(2)?, row.get(3)?))
}

fn conflict(out: &Path, input: &ScoreStore, parents: &str, child: i64) -> crate::base::error::Error {
    let names = read_table(&input.connection, &input.path).map(|table| table.names).unwrap_or_default();
    let name = |number: usize| names.get(number).cloned().unwrap_or_else(|| number.to_string());
    let parents: Vec<String> =
        parents.split_whitespace().filter_map(|parent| parent.parse().ok()).map(name).collect();
    refused(
        out,
        format!(
            "its code length of `{} | {}` differs from that of `{}`",
            name(child as usize),
            parents.join(", "),
            input.path.display()
        ),
        "one of them comes from another build or machine that computes differently; nothing of that file was added",
    )
}
