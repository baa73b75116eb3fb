//! Neural networks that predict a child from its parents.

mod blockwise;
mod buffer;
mod elementary;
mod fourier_features;
mod head;
mod matmul;
mod network;
mod optimiser;
mod replay;
mod training;
mod waves;

pub use blockwise::BlockwiseSettings;
pub(crate) use blockwise::{BlockwiseCode, code_blockwise};
pub use optimiser::OptimiserKind;
pub(crate) use replay::ReplayNet;
pub use replay::ReplaySettings;
pub(crate) use waves::WaveInputs;
pub use waves::Waves;
