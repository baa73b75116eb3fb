//! Data in: named columns of numbers or labels, with missing cells and interventions.

#[cfg(feature = "arrow")]
mod arrow;
mod csv;
#[cfg(feature = "arrow")]
mod decode;
mod diagnosis;
mod disguise;
mod duplicates;
mod foreign;
mod input;
mod interner;
mod interventions;
mod kinds;
mod line_ends;
mod options;
#[cfg(feature = "arrow")]
mod parquet;
mod quantise;
mod raw;
mod read;
mod row_order;
mod scale;
mod select;
mod wording;
mod write;

pub use options::ReadOptions;
pub use quantise::{Binning, Inputs, Quantisation, Quantised, QuantisedColumn};
pub use row_order::shuffled_rows;
pub use scale::Scale;

use crate::base::error::{Error, Result};
use diagnosis::Candidate;
use kinds::Declared;
use wording::{Places, problem};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path as the user gave it, `-` for standard input.
    pub path: String,
    /// SHA-256 of the bytes read, in hexadecimal.
    pub sha256: String,
    /// The options it was read with.
    pub options: ReadOptions,
    /// SHA-256 of the file `options.intervention_mask`, if there is one.
    pub mask_sha256: Option<String>,
}

/// A table: variables of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    variables: Vec<Variable>,
    n_rows: usize,
    source: Option<Source>,
    warnings: Vec<String>,
}

impl Variable {
    /// What the column holds.
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
    /// A table of these variables.
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
        let places = Places::default();
        let n_rows = variables.first().map_or(0, Variable::n_rows);
        let mut problems = diagnosis::broken_promises(&variables);
        if variables.len() < 2 {
            let what = format!(
                "the table has {}, expected at least 2",
                crate::base::format::plural(variables.len(), "variable")
            );
            problems.push(problem(what, "add variables"));
        }
        let declared = |variable: Variable| {
            let declared = match variable.kind() {
                Kind::Categorical => Declared::Labels,
                Kind::Continuous => Declared::Numbers,
            };
            Candidate { variable, declared }
        };
        let candidates: Vec<Candidate> = variables.into_iter().map(declared).collect();
        problems.extend(diagnosis::problems(&candidates, n_rows, &places));
        if !problems.is_empty() {
            return Err(Error::Table { problems });
        }
        let variables: Vec<Variable> = candidates.into_iter().map(|candidate| candidate.variable).collect();
        let warnings = diagnosis::warnings(&variables, n_rows, &places);
        Ok(Table { variables, n_rows, source: None, warnings })
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

    /// What looks odd about the table but does not stop the work.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
