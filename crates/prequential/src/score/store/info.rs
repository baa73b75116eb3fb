//! The content of a store.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;

use super::super::loss_curve::MeanSd;
use super::failure::{damaged, failure, refused, starts_as_sqlite};
use super::open::checked_length;
use super::{ScoreStore, read_table};
use crate::base::error::{Error, Result};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::graph::{Family, NodeSet};
use crate::score::LocalScores;

/// The content of a store.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StoreInfo {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub n_bytes: u64,
    /// The file that its table was last read from, if it was read from one.
    pub table: Option<String>,
    /// How many rows that table has.
    pub n_rows: usize,
    /// Its columns, by their newest names.
    pub names: Vec<String>,
    /// The settings that families were scored with.
    pub contexts: Vec<StoredContext>,
}

/// Families in a store that were scored with the same settings.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StoredContext {
    /// The number by which it is selected.
    pub number: i64,
    /// All settings that code lengths depend on.
    pub(crate) settings: Value,
    /// The most row orders in which any family was coded.
    pub n_orders: usize,
    /// How many families there are with no parent, one parent, ...
    pub n_families: Vec<usize>,
    /// Networks trained.
    pub n_trainings: usize,
    /// Seconds of scoring, summed over threads and processes.
    pub seconds: f64,
}

impl StoreInfo {
    /// Reads the content of the store at `path`; another process may be using it.
    pub fn read(path: impl AsRef<Path>) -> Result<StoreInfo> {
        let path = path.as_ref();
        let store = ScoreStore::existing(path)?;
        let table = read_table(&store.connection, path)?;
        let n_bytes: i64 = store
            .connection
            .query_row(
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
                [],
                |row| row.get(0),
            )
            .map_err(failure(path))?;
        Ok(StoreInfo {
            path: path.to_path_buf(),
            n_bytes: n_bytes as u64,
            table: table.file,
            n_rows: table.n_rows,
            names: table.names,
            contexts: read_contexts(&store.connection, path)?,
        })
    }
}

impl StoredContext {
    /// The columns that are variables, not contexts.
    fn variables(&self, columns: Vec<String>) -> Vec<String> {
        let contexts = self.settings.get("context").and_then(Value::as_array).cloned().unwrap_or_default();
        let is_context = |number: usize| contexts.iter().any(|context| *context == number);
        columns
            .into_iter()
            .enumerate()
            .filter(|(number, _)| !is_context(*number))
            .map(|(_, name)| name)
            .collect()
    }

    /// How many families were scored.
    pub fn n_scored(&self) -> usize {
        self.n_families.iter().sum()
    }
}

/// All contexts, in the order in which they were first used.
pub(super) fn read_contexts(connection: &Connection, path: &Path) -> Result<Vec<StoredContext>> {
    let mut contexts: BTreeMap<i64, StoredContext> = BTreeMap::new();
    let mut statement = connection.prepare("SELECT id, settings FROM context").map_err(failure(path))?;
    let mut rows = statement.query([]).map_err(failure(path))?;
    while let Some(row) = rows.next().map_err(failure(path))? {
        let number = row.get(0).map_err(failure(path))?;
        let text: String = row.get(1).map_err(failure(path))?;
        let settings = serde_json::from_str(&text);
        let settings =
            settings.map_err(|_| damaged(path, &format!("the settings number {number} are not JSON")))?;
        let empty = StoredContext {
            number,
            settings,
            n_orders: 0,
            n_families: Vec::new(),
            n_trainings: 0,
            seconds: 0.0,
        };
        contexts.insert(number, empty);
    }
    let mut statement = connection
        .prepare(
            "SELECT context, n_parents, sum(row_order = 0), max(row_order) + 1, sum(training_runs), sum(seconds) FROM family
             GROUP BY context, n_parents",
        )
        .map_err(failure(path))?;
    let mut rows = statement.query([]).map_err(failure(path))?;
    while let Some(row) = rows.next().map_err(failure(path))? {
        let number = |place: usize| row.get::<_, i64>(place).map_err(failure(path));
        let Some(context) = contexts.get_mut(&number(0)?) else {
            return Err(damaged(path, "families without settings"));
        };
        let n_parents = number(1)? as usize;
        if n_parents > crate::score::MAX_LOCAL_VARS {
            return Err(damaged(path, "a family with more parents than there are columns"));
        }
        context.n_families.resize(context.n_families.len().max(n_parents + 1), 0);
        context.n_families[n_parents] = number(2)? as usize;
        context.n_orders = context.n_orders.max(number(3)? as usize);
        context.n_trainings += number(4)? as usize;
        context.seconds += row.get::<_, f64>(5).map_err(failure(path))?;
    }
    Ok(contexts.into_values().collect())
}

impl LocalScores {
    /// The code lengths in the file at `path`: a store, or else a `.jkl` file, which has one choice of settings only.
    pub fn read(path: impl AsRef<Path>, context: Option<i64>) -> Result<LocalScores> {
        let path = path.as_ref();
        match (starts_as_sqlite(path), context) {
            (true, _) => LocalScores::read_store(path, context),
            (false, None) => LocalScores::read_jkl(path),
            (false, Some(number)) => Err(Error::Setting {
                what: message![
                    OptionName::Settings.set(number),
                    format!(" selects settings of a store, but `{}` is not a store", path.display()),
                ],
                hint: message!["drop ", OptionName::Settings],
            }),
        }
    }

    /// The code lengths in the store at `path`: means over the row orders that all families have been coded in.
    ///
    /// `context` selects one of several settings; it may be left out if there is only one.
    pub fn read_store(path: impl AsRef<Path>, context: Option<i64>) -> Result<LocalScores> {
        let path = path.as_ref();
        let store = ScoreStore::existing(path)?;
        let columns = read_table(&store.connection, path)?.names;
        let chosen = choose(path, read_contexts(&store.connection, path)?, context)?;
        let names = chosen.variables(columns);
        let mut by_family: BTreeMap<Family, Vec<f64>> = BTreeMap::new();
        let mut statement = store
            .connection
            .prepare(
                "SELECT child, parents, row_order, code FROM family WHERE context = ?1 ORDER BY row_order",
            )
            .map_err(failure(path))?;
        let mut rows = statement.query([chosen.number]).map_err(failure(path))?;
        while let Some(row) = rows.next().map_err(failure(path))? {
            let child: i64 = row.get(0).map_err(failure(path))?;
            let parents: String = row.get(1).map_err(failure(path))?;
            let family = read_family(child, &parents, names.len()).ok_or_else(|| {
                damaged(path, &format!("`{child} | {parents}` is not a family of {} columns", names.len()))
            })?;
            let order = row.get(2).map_err(failure(path))?;
            let code: Vec<u8> = row.get(3).map_err(failure(path))?;
            let length = checked_length(path, &parents, child, order, &code)?;
            by_family.entry(family).or_default().push(length.0);
        }
        let n_orders = by_family.values().map(Vec::len).min().unwrap_or(0);
        let mean = |lengths: Vec<f64>| Nats(MeanSd::of(lengths[..n_orders].iter().copied()).mean);
        let lengths = by_family.into_iter().map(|(family, lengths)| (family, mean(lengths))).collect();
        Ok(LocalScores { names, lengths })
    }
}

/// The context of this number, or the only one.
fn choose(path: &Path, contexts: Vec<StoredContext>, number: Option<i64>) -> Result<StoredContext> {
    let listed: Vec<String> = contexts.iter().map(context_words).collect();
    let n_contexts = contexts.len();
    let mut found =
        contexts.into_iter().filter(|context| number.is_none_or(|number| number == context.number));
    match (found.next(), found.next(), number) {
        (Some(only), None, _) => Ok(only),
        (None, _, _) if n_contexts == 0 => Err(refused(
            path,
            "it holds no families yet",
            message!["a run with ", OptionName::Store, " fills it"],
        )),
        (None, _, Some(number)) => Err(refused(
            path,
            format!("it has no settings number {number}"),
            message!["choose with ", OptionName::Settings, format!(": {}", listed.join("; "))],
        )),
        _ => Err(refused(
            path,
            format!("families were scored with {n_contexts} different settings"),
            message!["choose with ", OptionName::Settings, format!(": {}", listed.join("; "))],
        )),
    }
}

/// A short description of the settings.
fn context_words(context: &StoredContext) -> String {
    let text = |path: &str| {
        let value = context.settings.pointer(path).unwrap_or(&Value::Null);
        value.to_string().trim_matches('"').to_string()
    };
    let networks = match context.settings.pointer("/estimator/networks").and_then(Value::as_u64) {
        Some(n) => format!(", {n} networks"),
        None => String::new(),
    };
    let bins = match context.settings.pointer("/quantisation/bins").and_then(Value::as_u64) {
        Some(bins) => format!(", {bins} bins"),
        None => String::new(),
    };
    let (estimator, seed) = (text("/estimator/name"), text("/seed"));
    format!("{} ({estimator}{networks}{bins}, seed {seed})", context.number)
}

fn read_family(child: i64, parents: &str, n_vars: usize) -> Option<Family> {
    let node = |number: i64| usize::try_from(number).ok().filter(|&node| node < n_vars);
    let child = node(child)?;
    let parents: Option<NodeSet> =
        parents.split_whitespace().map(|parent| parent.parse().ok().and_then(node)).collect();
    parents.filter(|parents| !parents.contains(child)).map(|parents| Family::new(child, parents))
}
