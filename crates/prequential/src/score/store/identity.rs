//! The identity of a code: hashes of the table and of everything that a code length depends on.

use serde_json::{Map, Value, json};

use crate::simd::arithmetic;
use crate::table::{ContentHash, Quantised, QuantisedColumn, Table};

/// The version of the scores, raised whenever the same settings give other code lengths: those of earlier
/// versions then stay in their stores, but are no longer used.
pub(crate) const SCORES_EPOCH: u32 = 4;

/// What a store records about its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableIdentity {
    /// The hash of kinds, values, labels and interventions; renaming columns does not change it.
    pub(crate) sha256: String,
    pub(crate) n_rows: usize,
    pub(crate) names: Vec<String>,
    /// The file that the table was read from, if it was.
    pub(crate) file: Option<String>,
}

impl TableIdentity {
    pub(crate) fn of(table: &Table) -> TableIdentity {
        TableIdentity {
            sha256: table.fingerprint(),
            n_rows: table.n_rows(),
            names: table.names(),
            file: table.source().map(|source| source.path.clone()),
        }
    }
}

/// Everything that a code length depends on besides family and row order, as JSON: the same text for the same code lengths.
///
/// It excludes row orders: they are stored one by one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoreContext(Value);

impl StoreContext {
    /// For a quantised table and the settings with which its families are scored.
    pub(crate) fn new(data: &Quantised, settings: Map<String, Value>) -> StoreContext {
        StoreContext::with_arithmetic(data, settings, arithmetic())
    }

    /// For a machine with this arithmetic: code lengths that differ in their last bits are kept apart.
    fn with_arithmetic(data: &Quantised, settings: Map<String, Value>, arithmetic: &str) -> StoreContext {
        let first =
            [("epoch".to_string(), json!(SCORES_EPOCH)), ("data".to_string(), json!(data_sha256(data)))];
        let special = (!arithmetic.is_empty()).then(|| ("arithmetic".to_string(), json!(arithmetic)));
        StoreContext(first.into_iter().chain(settings).chain(special).collect())
    }
}

impl std::fmt::Display for StoreContext {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

fn data_sha256(data: &Quantised) -> String {
    let mut hash = ContentHash::default();
    hash.number(data.n_rows());
    (0..data.n_columns()).for_each(|node| add_column(&mut hash, data.column(node)));
    hash.hexadecimal()
}

/// SHA-256 of a text, in hexadecimal.
pub(super) fn text_sha256(text: &str) -> String {
    let mut hash = ContentHash::default();
    hash.text(text);
    hash.hexadecimal()
}

fn add_column(hash: &mut ContentHash, column: &QuantisedColumn) {
    hash.codes(&column.codes);
    hash.number(column.n_levels);
    hash.number(usize::from(column.rows_used.is_some()));
    hash.codes(column.rows_used.as_deref().unwrap_or_default());
    hash.number(usize::from(column.numbers.is_some()));
    if let Some(numbers) = &column.numbers {
        hash.floats(&numbers.values);
        hash.floats(&[numbers.width]);
    }
    hash.floats(column.raw.as_deref().unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::test_tables;

    #[test]
    fn code_lengths_of_machines_that_round_otherwise_are_kept_apart() {
        let data = Quantised::new(&test_tables::labels(20), 4);
        let with_arithmetic =
            |arithmetic| StoreContext::with_arithmetic(&data, Map::new(), arithmetic).to_string();
        assert_ne!(with_arithmetic(""), with_arithmetic("two roundings"));
        // Unchanged in the default case.
        assert!(!with_arithmetic("").contains("arithmetic"));
    }
}
