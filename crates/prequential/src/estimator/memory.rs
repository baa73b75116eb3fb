//! The memory of coding by experts: allocations for columns, and for the parent sets in progress.

use super::experts::{ExpertList, MAX_BYTES, TableSize};
use super::method::Memory;
use super::prequential::RefitSchedule;
use crate::table::Quantised;

/// Bytes of a number in each row: its cell in compressed units, its mass under the reference, its marginal loss.
const BYTES_OF_NUMBER: f64 = 24.0 + 8.0 + 8.0;

/// Bytes of a number in each epoch that sees the row: its cell by rank and its score.
const BYTES_OF_RANK: f64 = 24.0 + 4.0;

/// Bytes of a row's PIT cell and bins, if values repeat; since that is not known in advance, they are always
/// counted.
const BYTES_OF_BINS: f64 = 48.0 + 2.0 * 4.0;

/// Bytes of a row in its mixture.
const BYTES_OF_LOSSES: f64 = 3.0 * 8.0;

impl ExpertList {
    /// The memory of coding families of this table.
    pub(super) fn memory(&self, data: &Quantised) -> Memory {
        let n_rows = data.n_rows() as f64;
        let schedule = RefitSchedule::new(data.n_rows(), None);
        let n_ranked = schedule.row_ends().sum::<usize>() as f64;
        let is_number = |node: &usize| data.column(*node).numbers.is_some();
        let n_numbers = (0..data.n_columns()).filter(is_number).count() as f64;
        let n_labels = data.n_columns() as f64 - n_numbers;
        let codes = 4.0 * n_rows * data.n_columns() as f64;
        let numbers = n_numbers * ((BYTES_OF_NUMBER + BYTES_OF_BINS) * n_rows + BYTES_OF_RANK * n_ranked);
        let size = TableSize { n_rows: data.n_rows(), n_numbers, schedule };
        let bytes_of = |is_expensive: bool| -> f64 {
            let experts = self.experts.iter().filter(|(_, expert)| expert.is_expensive() == is_expensive);
            experts.map(|(_, expert)| expert.memory(&size)).sum()
        };
        let of_losses = BYTES_OF_LOSSES * n_rows * (data.n_vars() as f64 - 1.0).max(1.0);
        Memory {
            shared: codes + numbers + 8.0 * n_rows * n_labels + self.cached(data),
            per_thread: (bytes_of(false) + of_losses).max(bytes_of(true)),
        }
    }

    /// The approximate size of the loss cache: pairs, and as many larger families.
    fn cached(&self, data: &Quantised) -> f64 {
        let keeps_losses = self.experts.iter().any(|(_, expert)| expert.keeps_losses());
        if !keeps_losses || !self.has_expensive() {
            return 0.0;
        }
        let n_families = 2.0 * (data.n_vars() as f64).powi(2);
        (8.0 * data.n_rows() as f64 * n_families).min(MAX_BYTES as f64)
    }
}
