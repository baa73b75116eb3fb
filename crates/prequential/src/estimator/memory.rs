//! Bytes that coding by experts takes: what is allocated for columns, and for the parent sets at work.

use super::experts::{ExpertSettings, Networks};
use super::fourier::FourierSettings;
use super::loss_cache::MAX_BYTES;
use super::method::Memory;
use super::neural::{Schedule, WaveInputs};
use super::prequential::{CHUNK_GROWTH_FACTOR, RefitSchedule, growing_chunks};
use crate::table::Quantised;

/// Of a number in each row: its cell in compressed units, what the reference gives it, its own code.
const BYTES_OF_NUMBER: f64 = 24.0 + 8.0 + 8.0;

/// The same in each epoch that sees the row: its cell by rank and its score.
const BYTES_OF_RANK: f64 = 24.0 + 4.0;

/// Where a row lies when it is coded, and in which bins, if numbers come again; nobody knows that before, so it counts for all.
const BYTES_OF_BINS: f64 = 48.0 + 2.0 * 4.0;

/// Tables of shapes around one response, with constant noise and with regressed noise.
const BYTES_OF_NOISE: f64 = 2.0 * 513.0 * 8.0 * (1.0 + 2.0);

/// What a row teaches of one response's noise, and what is held of it until its chunk is learnt.
const BYTES_OF_LESSON: f64 = 4.0;
const BYTES_OF_RESIDUAL: f64 = 24.0;

/// A row in the tree of a child, and in what is mixed of it.
const BYTES_IN_TREE: f64 = 6.0;
const BYTES_OF_LOSSES: f64 = 3.0 * 8.0;

/// A row's outcome for a network, and what it costs.
const BYTES_OF_OUTCOME: f64 = 24.0 + 3.0 * 8.0;

impl ExpertSettings {
    /// What coding families of this table takes.
    pub(super) fn memory(&self, data: &Quantised) -> Memory {
        let n_rows = data.n_rows() as f64;
        let epochs = RefitSchedule::new(data.n_rows(), None);
        let n_ranked = epochs.row_ends().sum::<usize>() as f64;
        let is_number = |node: &usize| data.column(*node).numbers.is_some();
        let n_numbers = (0..data.n_columns()).filter(is_number).count() as f64;
        let n_labels = data.n_columns() as f64 - n_numbers;
        let codes = 4.0 * n_rows * data.n_columns() as f64;
        let numbers = n_numbers * ((BYTES_OF_NUMBER + BYTES_OF_BINS) * n_rows + BYTES_OF_RANK * n_ranked);
        let regressions = self
            .regressions
            .as_ref()
            .map_or(0.0, |settings| of_regressions(settings, &epochs, n_numbers - 1.0) + 2.0 * 8.0 * n_rows);
        let networks = self.networks.as_ref().map_or(0.0, |networks| of_networks(networks, &epochs));
        let of_losses = BYTES_OF_LOSSES * n_rows * (data.n_vars() as f64 - 1.0).max(1.0);
        Memory {
            shared: codes + numbers + 8.0 * n_rows * n_labels + self.kept(data),
            per_thread: (regressions + of_losses).max(networks),
        }
    }
}

impl ExpertSettings {
    /// What is kept of regressions until networks are trained, about: pairs, and as many larger families.
    fn kept(&self, data: &Quantised) -> f64 {
        let n_families = 2.0 * (data.n_vars() as f64).powi(2);
        match self.regressions.is_some() && self.networks.is_some() {
            true => (8.0 * data.n_rows() as f64 * n_families).min(MAX_BYTES as f64),
            false => 0.0,
        }
    }
}

/// One parent and all others its children: the largest group that is at work at a time.
fn of_regressions(settings: &FourierSettings, epochs: &RefitSchedule, n_children: f64) -> f64 {
    let n_scales = settings.scales.len();
    // In original units; by ranks, of two coordinates each, with products if there are waves.
    let n_maps = (1 + n_scales) + 2 * (1 + usize::from(n_scales > 0) + n_scales);
    let n_noises = n_maps as f64 * n_children.max(0.0);
    let n_chunk =
        growing_chunks(epochs, CHUNK_GROWTH_FACTOR, 1).map(|chunk| chunk.len()).max().unwrap_or(0) as f64;
    // Nothing is kept of the last epoch.
    let n_kept = epochs.number().checked_sub(2).map_or(0, |epoch| epochs.end_of(epoch)) as f64;
    let of_noise = BYTES_OF_NOISE + BYTES_OF_LESSON * n_kept + BYTES_OF_RESIDUAL * n_chunk;
    let tree = if n_scales > 0 { BYTES_IN_TREE * epochs.n_coded() as f64 } else { 0.0 };
    n_noises * of_noise + n_children.max(0.0) * tree
}

/// One family of three parents.
fn of_networks(networks: &Networks, epochs: &RefitSchedule) -> f64 {
    let n_rows = epochs.n_coded() as f64;
    let inputs = match &networks.schedule {
        Schedule::Replay(settings) => WaveInputs::bytes(&settings.waves, 3, epochs.row_ends()),
        Schedule::Blockwise(_) => 3.0 * 8.0 * n_rows,
    };
    inputs + BYTES_OF_OUTCOME * n_rows
}
