//! The results of runs: documents, and their views.

use prequential::ResultDocument;
use prequential::results::ScoreDocument;
use pyo3::prelude::*;

use crate::errors::raise;

/// The result of `learn`.
#[pyclass(frozen, name = "Learned", module = "prequential._native")]
pub(crate) struct PyLearned {
    pub(crate) document: ResultDocument,
}

#[pymethods]
impl PyLearned {
    /// A result from its JSON; errors name the file `name`.
    #[staticmethod]
    fn parse(json: &str, name: &str) -> PyResult<PyLearned> {
        let document = ResultDocument::parse(json, name).map_err(|error| raise(&error))?;
        Ok(PyLearned { document })
    }

    /// The state for pickling.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        Ok((py.get_type::<PyLearned>().getattr("parse")?, (self.document.to_json(), "result.json")))
    }

    /// The whole result as JSON.
    fn to_json(&self) -> String {
        self.document.to_json()
    }

    /// The result as text for people.
    fn to_text(&self) -> String {
        self.document.to_text()
    }

    /// The page that shows the result.
    fn to_html(&self) -> String {
        self.document.to_html()
    }

    /// The picture of the best graph, as SVG.
    fn to_svg(&self) -> String {
        self.document.to_svg()
    }

    /// The shapes of all edges, as SVG.
    fn shapes_to_svg(&self) -> String {
        self.document.shapes_to_svg()
    }
}

/// Code lengths of families.
#[pyclass(frozen, name = "Scored", module = "prequential._native")]
pub(crate) struct PyScored {
    pub(crate) document: ScoreDocument,
}

#[pymethods]
impl PyScored {
    /// All families as JSON.
    fn to_json(&self) -> String {
        self.document.to_json()
    }

    /// The families as text, this many parent sets of each variable.
    fn to_text(&self, top: usize) -> String {
        self.document.to_text(top)
    }
}
