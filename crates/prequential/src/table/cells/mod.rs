//! The cells as every family sees them: quantised, on a scale, in an order of rows.

mod numbers;
mod quantise;
mod row_order;

pub(crate) use numbers::FINEST;
pub use numbers::Numbers;
pub use quantise::{Binning, Inputs, Quantisation, Quantised, QuantisedColumn};
pub use row_order::shuffled_rows;
