//! The cells as every family sees them: quantised, on a scale, in an order of rows.

mod quantise;
mod row_order;
mod scale;

pub use quantise::{Binning, Inputs, Quantisation, Quantised, QuantisedColumn};
pub use row_order::shuffled_rows;
pub use scale::Scale;
