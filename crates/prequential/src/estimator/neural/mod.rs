//! Neural networks that predict a child from its parents.

mod buffer;
mod elementary;
mod head;
mod matmul;
mod network;
mod optimiser;
mod replay;
mod waves;

pub use optimiser::OptimiserKind;
pub(crate) use replay::ReplayNet;
pub use replay::ReplaySettings;
pub(crate) use waves::WaveInputs;
pub use waves::Waves;
