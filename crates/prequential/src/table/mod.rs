//! Tables: named columns of numbers or labels, with missing cells and interventions.

mod cells;
mod columns;
mod fingerprint;
mod formats;
mod options;
mod read;
mod rules;
#[cfg(test)]
pub(crate) mod test_tables;
mod wording;
mod write;

pub use cells::{Binning, Numbers, ParentValues, Quantisation, Quantised, QuantisedColumn, shuffled_rows};
pub(crate) use cells::{FINEST, Scale};
pub use columns::Column;
pub(crate) use columns::{date_text, number_text};
pub(crate) use fingerprint::ContentHash;
pub(crate) use formats::delimiter;
pub use options::{InterventionMask, OrderedLabels, ReadOptions};
#[cfg(feature = "arrow")]
pub use read::table_from_batches;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::error::Result;
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
    variables: Arc<Vec<Variable>>,
    n_rows: usize,
    source: Option<Source>,
    notes: Vec<Message>,
    warnings: Vec<Message>,
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
    /// A table of these variables; for columns whose kinds are not known yet, see [`Table::from_columns`].
    ///
    /// Their lengths must be equal, their names unique and not empty, their numbers finite (NaN where missing); there must be
    /// at least 10 rows and 2 variables, and every variable needs an observed cell. All problems are reported together.
    /// The kind of a column is taken from its values, so no column is suspected to be an identifier, as those of a file are.
    ///
    /// ```
    /// use prequential::{Table, Values, Variable};
    /// let column = |name: &str, scale: f64| Variable {
    ///     name: name.into(),
    ///     values: Values::Numbers((0..200).map(|row| (scale * f64::from(row)).sin()).collect()),
    ///     intervened: None,
    /// };
    /// let table = Table::new(vec![column("a", 1.0), column("b", 2.0)])?;
    /// assert_eq!((table.n_rows(), table.n_vars()), (200, 2));
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn new(variables: Vec<Variable>) -> Result<Table> {
        rules::accept(variables)
    }

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
