//! Neural networks (multilayer perceptrons) that predict a child from its parents.

mod blockwise;
mod buffer;
mod checks;
mod elementary;
mod fourier_features;
mod head;
mod layers;
mod matmul;
mod optimiser;
mod outcomes;
mod replay;
mod settings;
mod training;
mod waves;

pub(crate) use blockwise::{BlockwiseCode, code_blockwise};
pub(super) use checks::check_networks;
pub use optimiser::OptimiserKind;
pub(crate) use replay::ReplayNet;
pub use settings::{BlockwiseSettings, ReplaySettings, Schedule};
pub(crate) use waves::WaveInputs;
pub use waves::Waves;
