//! The codes of one run's settings in a store.

use std::path::Path;
use std::sync::Mutex;

use super::super::cache::CodeStore;
use super::super::codec::{decode, encode};
use super::super::scorer::{FamilyCode, StoredScore, lock};
use super::failure::{damaged, failure};
use super::{ScoreStore, TableIdentity};
use crate::base::error::{Error, Result};
use crate::base::nats::Nats;
use crate::estimator::Effort;
use crate::graph::NodeSet;
use crate::score::identity::CodeIdentity;

/// The codes of one table and one choice of settings in a store.
///
/// Every group of families is committed as soon as it is scored, so that a killed process loses only what is
/// in progress.
#[derive(Debug)]
pub(crate) struct OpenStore {
    store: Mutex<ScoreStore>,
    context: i64,
}

impl OpenStore {
    /// Opens or creates the store at `path`.
    pub(crate) fn open(path: &Path, table: &TableIdentity, identity: &CodeIdentity) -> Result<OpenStore> {
        let mut store = ScoreStore::for_table(path, table)?;
        let context = store.context(identity)?;
        Ok(OpenStore { store: Mutex::new(store), context })
    }
}

impl CodeStore for OpenStore {
    fn recall(&self, parents: &NodeSet) -> Result<Vec<StoredScore>> {
        let store = lock(&self.store);
        let path = &store.path;
        let mut statement = store
            .connection
            .prepare_cached(
                "SELECT child, row_order, training_runs, gradient_steps, seconds, code FROM family
                 WHERE context = ?1 AND parents = ?2",
            )
            .map_err(failure(path))?;
        let parents = parents_text(parents);
        let mut rows = statement.query((self.context, &parents)).map_err(failure(path))?;
        let mut kept = Vec::new();
        while let Some(row) = rows.next().map_err(failure(path))? {
            let kept_code = read_kept(row, &parents).map_err(failure(path))?;
            kept.push(kept_code.ok_or_else(|| other_code(path, &parents))?);
        }
        Ok(kept)
    }

    fn keep(&self, parents: &NodeSet, codes: &[StoredScore]) -> Result<()> {
        let parents_text = parents_text(parents);
        let n_parents = parents.len() as i64;
        lock(&self.store).write(|connection, path| {
            // What another process has stored in the meantime is identical.
            let mut statement = connection
                .prepare_cached(
                    "INSERT OR IGNORE INTO family VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                )
                .map_err(failure(path))?;
            for kept in codes {
                let code = encode(&key(&parents_text, kept.child, kept.order), &kept.code);
                let effort = kept.code.effort;
                statement
                    .execute((
                        self.context,
                        &parents_text,
                        kept.child as i64,
                        kept.order as i64,
                        n_parents,
                        kept.code.length.0,
                        effort.n_trainings as i64,
                        effort.n_steps as i64,
                        kept.seconds,
                        code,
                    ))
                    .map_err(failure(path))?;
            }
            Ok(())
        })
    }
}

/// The code length of a family in a store, if it is intact.
pub(super) fn checked_length(
    path: &Path,
    parents: &str,
    child: i64,
    order: i64,
    code: &[u8],
) -> Result<Nats> {
    let code = decode(&key(parents, child as usize, order as usize), code);
    code.map(|code| code.length).ok_or_else(|| other_code(path, parents))
}

fn other_code(path: &Path, parents: &str) -> Error {
    damaged(
        path,
        &format!("the code of a family with the parents number {parents:?} differs from what was written"),
    )
}

/// A row of `recall`; `None` if its code is damaged.
fn read_kept(row: &rusqlite::Row, parents: &str) -> rusqlite::Result<Option<StoredScore>> {
    let number = |place: usize| row.get::<_, i64>(place).map(|number| number as usize);
    let (child, order) = (number(0)?, number(1)?);
    let effort = Effort { n_trainings: number(2)?, n_steps: number(3)? };
    let seconds = row.get(4)?;
    let code = decode(&key(parents, child, order), row.get_ref(5)?.as_blob()?);
    Ok(code.map(|code| StoredScore { child, order, code: FamilyCode { effort, ..code }, seconds }))
}

/// Parents as in a store: their numbers in order.
pub(super) fn parents_text(parents: &NodeSet) -> String {
    parents.iter().map(|parent| parent.to_string()).collect::<Vec<_>>().join(" ")
}

/// The identity of a code.
fn key(parents: &str, child: usize, order: usize) -> String {
    format!("{child}|{parents}|{order}")
}
