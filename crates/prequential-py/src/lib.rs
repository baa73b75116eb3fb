//! The part of the Python package that is written in Rust: converts what Python gives, calls the library, gives back what it says.
//!
//! Signatures, documentation and everything that needs no speed is in `python/prequential`.

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
