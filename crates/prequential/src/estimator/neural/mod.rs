//! Neural networks that predict a child from its parents.

mod blockwise;
mod buffer;
mod checks;
mod elementary;
mod estimator;
mod fourier_features;
mod head;
mod matmul;
mod network;
mod optimiser;
mod outcomes;
mod replay;
mod training;
mod waves;

pub use blockwise::BlockwiseSettings;
pub(crate) use blockwise::{BlockwiseCode, code_blockwise};
pub(super) use checks::check_networks;
pub(super) use estimator::{N_NETWORKS, cost, if_diverged};
pub use estimator::{Neural, Schedule};
pub use optimiser::OptimiserKind;
pub(crate) use replay::ReplayNet;
pub use replay::ReplaySettings;
pub(crate) use waves::WaveInputs;
pub use waves::Waves;
