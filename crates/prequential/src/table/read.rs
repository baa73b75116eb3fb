//! From a file to a table: bytes, cells, columns, kinds, diagnosis.

use std::path::Path;

use super::diagnosis::{self, Candidate};
use super::input::{Format, Input};
use super::interventions::{Marks, kept_as_variable};
use super::kinds::{self, Declared};
use super::options::ReadOptions;
use super::raw::{Keep, RawTable};
use super::select::{FoundBy, Selection};
use super::wording::{option, problem, quoted};
use super::{Source, Table, Variable, csv};
use crate::base::error::{Error, Result, TableProblem};

impl Table {
    /// Reads a CSV, Parquet or Arrow file, each also packed with gzip; `-` reads CSV from standard input.
    ///
    /// A column is continuous if all its cells are numbers and there are more than 20 different ones, otherwise
    /// categorical; [`ReadOptions`] overrides this. The format is the one that the name ends in; if the ending says nothing,
    /// the first bytes do. All problems of the table are reported together.
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
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Table> {
        from_input(Input::open(path)?, options)
    }

    /// Reads a table from the bytes of a file called `name`, which serves to choose the format and to word the errors.
    pub fn from_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Table> {
        from_input(Input::new(name.to_string(), Box::new(bytes))?, options)
    }
}

fn from_input(mut input: Input, options: &ReadOptions) -> Result<Table> {
    let keep = |header: &[String]| Ok(Selection::new(header, options)?.kept(header.len()));
    let raw = read_cells(&mut input, &keep)?;
    let (path, sha256) = (input.path.clone(), input.fingerprint()?);
    let (mask, mask_sha256) = options.intervention_mask.as_deref().map(read_mask).transpose()?.unzip();
    let mut table = understand(raw, mask, options)?;
    table.source = Some(Source { path, sha256, options: options.clone(), mask_sha256 });
    Ok(table)
}

/// The cells of a mask, and the SHA-256 of its file.
fn read_mask(path: &Path) -> Result<(RawTable, String)> {
    let mut input = Input::open(path)?;
    let mask = read_cells(&mut input, &|header| Ok(vec![true; header.len()]))?;
    Ok((mask, input.fingerprint()?))
}

fn read_cells(input: &mut Input, keep: &Keep) -> Result<RawTable> {
    match input.format() {
        Format::Csv => csv::read(input, keep),
        #[cfg(feature = "arrow")]
        Format::Parquet => super::parquet::read(input, keep),
        #[cfg(feature = "arrow")]
        Format::Arrow => super::arrow::read(input, keep),
        #[cfg(not(feature = "arrow"))]
        Format::Parquet | Format::Arrow => Err(super::input::format_error(
            &input.path,
            "this build of prequential reads no Parquet and Arrow files",
            "build it with the feature `arrow`, or convert the file to CSV",
        )),
    }
}

/// Gives every cell its meaning, or reports all that has none.
fn understand(raw: RawTable, mask: Option<RawTable>, options: &ReadOptions) -> Result<Table> {
    let mut selection = Selection::new(&raw.header(), options)?;
    let mut problems = refused_columns(&raw);
    let mut marks = Marks::none(&raw);
    if let Some(mask) = mask {
        marks.add_mask(&raw, &mask)?;
    }
    if let Some(column) = selection.interventions
        && raw.columns[column.position].refused.is_none()
    {
        selection.settle(marks.add_column(&raw, column, options, &mut problems));
    }
    problems.extend(too_few_variables(&raw, &selection));
    let candidates = candidates(&raw, &selection, marks, options, &mut problems);
    problems.extend(diagnosis::problems(&candidates, raw.n_rows, &raw.places));
    if !problems.is_empty() {
        return Err(Error::Table { problems });
    }
    let possible_identifiers = diagnosis::possible_identifiers(&candidates, &raw.places);
    let variables: Vec<Variable> = candidates.into_iter().map(|candidate| candidate.variable).collect();
    let mut warnings = diagnosis::warnings(&variables, raw.n_rows, &raw.places);
    warnings.extend(possible_identifiers);
    let misnamed = selection.misnamed.map(|position| &raw.columns[position].name);
    let misnamed = variables.iter().find(|variable| misnamed == Some(&variable.name));
    warnings.extend(misnamed.map(|variable| kept_as_variable(variable, &raw)));
    Ok(Table { variables, n_rows: raw.n_rows, source: None, warnings })
}

fn candidates(
    raw: &RawTable,
    selection: &Selection,
    mut marks: Marks,
    options: &ReadOptions,
    problems: &mut Vec<TableProblem>,
) -> Vec<Candidate> {
    let mut candidates = Vec::with_capacity(selection.variables.len());
    let readable = selection.variables.iter().filter(|&&position| raw.columns[position].refused.is_none());
    for &position in readable {
        let column = &raw.columns[position];
        match kinds::values(column, &raw.places, options) {
            Ok(values) => {
                let intervened = marks.take(position);
                let variable = Variable { name: column.name.clone(), values, intervened };
                candidates.push(Candidate { variable, declared: Declared::of(&column.name, options) });
            }
            Err(problem) => problems.push(problem),
        }
    }
    candidates
}

/// The type of Arrow columns that can hold nothing but missing cells.
const NOTHING: &str = "Null";

fn refused_columns(raw: &RawTable) -> Vec<TableProblem> {
    let refused = raw.columns.iter().filter(|column| column.kept);
    let refused = refused.filter_map(|column| Some((column, column.refused.as_ref()?)));
    let described = refused.map(|(column, found)| {
        if found == NOTHING {
            return diagnosis::without_value(&column.name, &raw.places);
        }
        let what = format!(
            "{}: expected numbers, texts or truth values, found the type {found}",
            raw.places.column(&column.name)
        );
        let hint =
            format!("convert the column, or leave it out with {}", option("--ignore", &[&column.name]));
        problem(what, hint)
    });
    described.collect()
}

fn too_few_variables(raw: &RawTable, selection: &Selection) -> Option<TableProblem> {
    let found = match selection.variables.len() {
        0 => "no variable",
        1 => "1 variable",
        _ => return None,
    };
    let mut special = String::new();
    let mut hint = match raw.columns.len() {
        1 => "check that the names in the header are separated by commas, tabs or semicolons",
        _ => "name more columns with `--columns`, or fewer with `--ignore`",
    }
    .to_string();
    if let Some(column) = selection.interventions {
        let name = &raw.columns[column.position].name;
        special = format!(" ({} was taken for interventions)", quoted(name));
        if column.found_by != FoundBy::Option {
            let as_variable = option("--labels", &[name]);
            hint.push_str(&format!(
                "; if {} is a variable of its own, read it with {as_variable}",
                quoted(name)
            ));
        }
    }
    let what = format!("{} has {found}{special}, expected at least 2", raw.places.table());
    Some(problem(what, hint))
}
