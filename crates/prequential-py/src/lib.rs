//! The native part of the Python package: converts arguments, calls the library, converts results.
//!
//! Signatures, documentation and everything that is not time-critical is in `python/prequential`.

mod errors;
mod graphs;
mod options;
mod results;
mod run;
mod simulated;
mod table;
mod wording;
mod workers;

/// The native part of `prequential`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::graphs::{compare, parse_graph, write_graph};
    #[pymodule_export]
    use super::options::{check_names, options};
    #[pymodule_export]
    use super::results::{PyLearned, PyScored};
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::simulated::simulate;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::workers::Worker;
}
