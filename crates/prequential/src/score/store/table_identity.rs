//! What a store remembers of its table.

use crate::table::Table;

/// What a store remembers of its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableIdentity {
    /// Of kinds, values, labels and interventions; renamed columns leave it as it is.
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
