//! A table and its variables: columns of numbers or labels, with missing cells and interventions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::options::ReadOptions;
use crate::base::message::Message;

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Labels without order.
    Categorical,
    /// Numbers.
    Continuous,
}

/// The cells of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers, all finite; NaN stands for a missing cell.
    Numbers(Vec<f64>),
    /// Positions in `levels`; [`MISSING`] stands for a missing cell.
    Labels {
        /// The distinct labels.
        levels: Vec<String>,
        /// One per row.
        codes: Vec<u32>,
    },
}

/// The code of a missing label.
pub const MISSING: u32 = u32::MAX;

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name, from the header.
    pub name: String,
    /// Its cells.
    pub values: Values,
    /// Per row, whether an experimenter set this cell; `None` if none was.
    pub intervened: Option<Vec<bool>>,
}

/// Where a table came from, and how it was read: enough to read it again and see that it is the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The path as the user gave it, `-` for standard input.
    pub path: String,
    /// SHA-256 of the bytes read, in hexadecimal.
    pub sha256: String,
    /// The options it was read with.
    pub options: ReadOptions,
    /// SHA-256 of the file `options.intervention_mask`, if it is one.
    pub mask_sha256: Option<String>,
}

/// A table: variables of one length. Clones share their cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Shared, so that a clone costs nothing.
    pub(super) variables: Arc<Vec<Variable>>,
    pub(super) n_rows: usize,
    pub(super) source: Option<Source>,
    pub(super) notes: Vec<Message>,
    pub(super) warnings: Vec<Message>,
}

impl Variable {
    /// The kind of the column.
    pub fn kind(&self) -> Kind {
        match self.values {
            Values::Numbers(_) => Kind::Continuous,
            Values::Labels { .. } => Kind::Categorical,
        }
    }

    /// How many rows.
    pub fn n_rows(&self) -> usize {
        match &self.values {
            Values::Numbers(numbers) => numbers.len(),
            Values::Labels { codes, .. } => codes.len(),
        }
    }

    /// Whether the cell in `row` is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match &self.values {
            Values::Numbers(numbers) => numbers[row].is_nan(),
            Values::Labels { codes, .. } => codes[row] == MISSING,
        }
    }
}

impl Table {
    /// How many rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many variables.
    pub fn n_vars(&self) -> usize {
        self.variables.len()
    }

    /// The variables, in column order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.clone()).collect()
    }

    /// Where the table was read from, if from a file.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// How ambiguous cells were read.
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// Warnings: what looks suspicious but does not stop the run.
    pub fn warnings(&self) -> &[Message] {
        &self.warnings
    }
}
