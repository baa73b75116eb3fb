//! Reads a table from a file or from memory: typed columns, then one set of rules.

use std::path::Path;

use super::columns::{Column, InputTable};
use super::formats::{self, Input};
use super::options::{InterventionMask, ReadOptions};
use super::{Source, Table, Variable, rules};
use crate::base::error::Result;

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

    /// Reads a CSV, Parquet or Arrow file, each also compressed with gzip; `-` reads CSV from standard input.
    ///
    /// A column is continuous if all its cells are numbers and there are more than 6 different ones, otherwise
    /// categorical; [`ReadOptions`] overrides this. Dates (in text files: `2021-03-04`, or `2021-03-04 12:34:56`) are
    /// numbers too: days since 1970-01-01, the time of day as a fraction; few different ones are labels.
    /// The format is the one that the first bytes show; if they show none, the name does. All problems of the table are
    /// reported together.
    ///
    /// ```
    /// use prequential::{ReadOptions, Table};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("weather.csv");
    /// let rows: String = (0..120).map(|day| format!("{},{}\n", day % 3, day % 2)).collect();
    /// std::fs::write(&path, format!("sky,rain\n{rows}")).unwrap();
    /// let table = Table::read(&path, &ReadOptions::default())?;
    /// assert_eq!((table.n_rows(), table.names()), (120, vec!["sky".to_string(), "rain".to_string()]));
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Table> {
        let path = path.as_ref();
        from_input(Input::open(path)?, options)
    }

    /// Reads a table from the bytes of a file called `name`, which serves to choose the format and to word the errors.
    ///
    /// The only file that may be opened is an [`InterventionMask::File`] that `options` name.
    pub fn from_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Table> {
        from_input(Input::new(name.to_string(), Box::new(bytes))?, options)
    }

    /// A table of columns in memory, by the same rules as a file with these columns: kinds, identifiers, missing cells,
    /// interventions, warnings.
    pub fn from_columns(columns: Vec<Column>, options: &ReadOptions) -> Result<Table> {
        let input = formats::from_columns(columns, &|header| rules::kept(header, options))?;
        let (mask, _) = read_mask(options)?;
        rules::understand(input, mask, options)
    }
}

/// A table of Arrow batches in memory, by the same rules as a file with these columns; `batches` all have the `schema`.
///
/// The one place where types of another crate are public: they are those of `arrow` 60, and a new version of it is a new version of ours.
#[cfg(feature = "arrow")]
pub fn table_from_batches(
    schema: arrow_schema::SchemaRef,
    batches: impl Iterator<Item = std::result::Result<arrow_array::RecordBatch, arrow_schema::ArrowError>>,
    options: &ReadOptions,
) -> Result<Table> {
    let input = formats::from_batches(schema, batches, &|header| rules::kept(header, options))?;
    let (mask, _) = read_mask(options)?;
    rules::understand(input, mask, options)
}

fn from_input(mut input: Input, options: &ReadOptions) -> Result<Table> {
    let columns = formats::read(&mut input, &|header| rules::kept(header, options))?;
    let (path, sha256) = (input.path.clone(), input.fingerprint()?);
    let (mask, mask_sha256) = read_mask(options)?;
    let mut table = rules::understand(columns, mask, options)?;
    table.source = Some(Source { path, sha256, options: options.clone(), mask_sha256 });
    Ok(table)
}

/// The mask that the options give, and the SHA-256 of its file if it is one.
fn read_mask(options: &ReadOptions) -> Result<(Option<InputTable>, Option<String>)> {
    let all = |header: &[String]| Ok(vec![true; header.len()]);
    Ok(match &options.intervention_mask {
        None => (None, None),
        Some(InterventionMask::Columns(columns)) => {
            (Some(formats::from_columns(columns.clone(), &all)?), None)
        }
        Some(InterventionMask::File(path)) => {
            let mut input = Input::open(path)?;
            let mask = formats::read(&mut input, &all)?;
            (Some(mask), Some(input.fingerprint()?))
        }
    })
}
