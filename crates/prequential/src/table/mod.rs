//! Tables: named columns of numbers or labels, with missing cells and interventions.

mod cells;
mod columns;
mod fingerprint;
mod formats;
mod options;
mod read;
mod rules;
#[cfg(test)]
pub(crate) mod test_tables;
mod variables;
mod wording;
mod write;

pub use cells::{Binning, Numbers, ParentValues, Quantisation, Quantised, QuantisedColumn, shuffled_rows};
pub(crate) use cells::{FINEST, Scale};
pub use columns::Column;
pub(crate) use columns::{date_text, number_text};
pub(crate) use fingerprint::ContentHash;
pub(crate) use formats::delimiter;
pub use options::{InterventionMask, OrderedLabels, ReadOptions};
#[cfg(feature = "arrow")]
pub use read::table_from_batches;
pub use variables::{Kind, MISSING, Source, Table, Values, Variable};
