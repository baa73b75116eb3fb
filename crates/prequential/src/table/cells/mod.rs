//! The quantised cells that every family uses: bins and numbers on a scale, in an order of rows.

mod numbers;
mod quantise;
mod row_order;

pub use numbers::Numbers;
pub(crate) use numbers::{FINEST, Scale};
pub use quantise::{Binning, ParentValues, Quantisation, Quantised, QuantisedColumn};
pub use row_order::shuffled_rows;
