//! Views of a result, from its JSON.

use pyo3::prelude::*;

use crate::errors::raise;

/// The page that shows a result; `name` is the file that complaints name.
#[pyfunction]
pub(crate) fn page(json: &str, name: &str) -> PyResult<String> {
    prequential::report_html(json, name).map_err(|error| raise(&error))
}

/// The picture of the best graph of a result, as SVG.
#[pyfunction]
pub(crate) fn picture(json: &str, name: &str) -> PyResult<String> {
    prequential::report_svg(json, name).map_err(|error| raise(&error))
}

/// How the child of every edge of a result changes with the parent, as SVG.
#[pyfunction]
pub(crate) fn shapes(json: &str, name: &str) -> PyResult<String> {
    prequential::report_shapes_svg(json, name).map_err(|error| raise(&error))
}
