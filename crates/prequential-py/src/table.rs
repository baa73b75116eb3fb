//! Converts Python tables: by the Arrow C interface, or column by column from buffers and lists.

use std::path::PathBuf;

use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow;
use prequential::tables::{InterventionMask, table_from_batches};
use prequential::{Column, ReadOptions, Values, Variable};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

use crate::errors::{mistake, raise};
use crate::options::read;
use crate::wording::Keywords;

/// A table that the library has accepted.
#[pyclass(frozen, module = "prequential._native")]
pub(crate) struct Table {
    pub(crate) table: prequential::Table,
}

/// A column from Python: its name, the type of its cells, and the cells.
type RawColumn<'py> = (String, String, Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl Table {
    /// Reads a file.
    #[staticmethod]
    #[pyo3(signature = (path, options, mask))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        options: &str,
        mask: Option<Vec<RawColumn<'_>>>,
    ) -> PyResult<Table> {
        let options = read_options(options, mask)?;
        accepted(py.detach(|| prequential::Table::read(&path, &options)))
    }

    /// Takes whatever offers `__arrow_c_stream__`.
    #[staticmethod]
    #[pyo3(signature = (stream, options, mask))]
    fn from_arrow(
        py: Python<'_>,
        stream: &Bound<'_, PyAny>,
        options: &str,
        mask: Option<Vec<RawColumn<'_>>>,
    ) -> PyResult<Table> {
        let options = read_options(options, mask)?;
        let reader = RecordBatchStreamReader::from_pyarrow_bound(stream)?;
        accepted(py.detach(|| table_from_batches(reader.schema(), reader, &options)))
    }

    /// Takes columns one by one.
    #[staticmethod]
    #[pyo3(signature = (columns, options, mask))]
    fn from_columns(
        py: Python<'_>,
        columns: Vec<RawColumn<'_>>,
        options: &str,
        mask: Option<Vec<RawColumn<'_>>>,
    ) -> PyResult<Table> {
        let options = read_options(options, mask)?;
        let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
        accepted(py.detach(|| prequential::Table::from_columns(columns, &options)))
    }

    /// The state for pickling.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (State,))> {
        let state = self.table.variables().iter().map(RawVariable::of).collect();
        Ok((py.get_type::<Table>().getattr("from_state")?, (state,)))
    }

    /// The table from its pickled state.
    #[staticmethod]
    fn from_state(state: State) -> PyResult<Table> {
        accepted(prequential::Table::new(state.into_iter().map(RawVariable::variable).collect()))
    }

    /// The names of the variables.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.table.names()
    }

    /// How many rows there are.
    #[getter]
    fn n_rows(&self) -> usize {
        self.table.n_rows()
    }

    /// Warnings about the table.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.table.warnings().iter().map(|warning| warning.worded(&Keywords)).collect()
    }
}

/// The variables of a table.
type State = Vec<RawVariable>;

/// A variable as bytes: its name, its cells, the levels of labels, and which cells were set.
#[derive(FromPyObject, IntoPyObject)]
struct RawVariable(String, Vec<u8>, Option<Vec<String>>, Option<Vec<u8>>);

impl RawVariable {
    fn of(variable: &Variable) -> RawVariable {
        let (cells, levels) = match &variable.values {
            Values::Numbers(numbers) => (numbers.iter().flat_map(|cell| cell.to_le_bytes()).collect(), None),
            Values::Labels { levels, codes } => {
                (codes.iter().flat_map(|code| code.to_le_bytes()).collect(), Some(levels.clone()))
            }
        };
        let set = variable.intervened.as_ref().map(|set| set.iter().map(|&set| u8::from(set)).collect());
        RawVariable(variable.name.clone(), cells, levels, set)
    }

    fn variable(self) -> Variable {
        let RawVariable(name, cells, levels, set) = self;
        let values = match levels {
            None => Values::Numbers(chunks(&cells).map(f64::from_le_bytes).collect()),
            Some(levels) => {
                Values::Labels { levels, codes: chunks(&cells).map(u32::from_le_bytes).collect() }
            }
        };
        Variable { name, values, intervened: set.map(|set| set.into_iter().map(|set| set != 0).collect()) }
    }
}

fn chunks<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    bytes.as_chunks().0.iter().copied()
}

fn accepted(table: prequential::Result<prequential::Table>) -> PyResult<Table> {
    table.map(|table| Table { table }).map_err(|error| raise(&error))
}

fn read_options(json: &str, mask: Option<Vec<RawColumn<'_>>>) -> PyResult<ReadOptions> {
    let mut options = read(json)?.read_options();
    if let Some(columns) = mask {
        let columns = columns.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
        options.intervention_mask = Some(InterventionMask::Columns(columns));
    }
    Ok(options)
}

/// A column of the library; `more` is what its cells need besides.
fn column((name, kind, cells, more): RawColumn<'_>) -> PyResult<Column> {
    Ok(match kind.as_str() {
        "numbers" => Column::numbers(name, buffer(&cells)?),
        "single" => Column::single_numbers(name, &buffer(&cells)?),
        "integers" => {
            let integers = with_missing(buffer::<i64>(&cells)?, &more)?;
            Column::integers(name, integers.into_iter().map(|cell| cell.map(i128::from)))
        }
        "booleans" => {
            let booleans = with_missing(buffer::<u8>(&cells)?, &more)?;
            Column::booleans(name, booleans.into_iter().map(|cell| cell.map(|cell| cell != 0)).collect())
        }
        "times" => Column::times(
            name,
            with_missing(buffer(&cells)?, &Bound::clone(&more.get_item(0)?))?,
            more.get_item(1)?.extract()?,
        ),
        "texts" => Column::texts(name, cells.extract::<Vec<Option<String>>>()?),
        "categories" => {
            let levels: Vec<String> = more.extract()?;
            let codes = buffer::<i64>(&cells)?.into_iter().map(|code| usize::try_from(code).ok());
            Column::categories(name, &levels, codes)
        }
        other => {
            return Err(mistake(
                &format!("there are no columns of kind `{other}`"),
                "this is a mistake of `prequential`",
            ));
        }
    })
}

fn buffer<T: pyo3::buffer::Element>(cells: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    PyBuffer::get(cells)?.to_vec(cells.py())
}

/// The cells, without those that `missing`, one byte a row, marks; `None` marks none.
fn with_missing<T>(cells: Vec<T>, missing: &Bound<'_, PyAny>) -> PyResult<Vec<Option<T>>> {
    if missing.is_none() {
        return Ok(cells.into_iter().map(Some).collect());
    }
    let missing: Vec<u8> = buffer(missing)?;
    Ok(cells.into_iter().zip(missing).map(|(cell, missing)| (missing == 0).then_some(cell)).collect())
}
