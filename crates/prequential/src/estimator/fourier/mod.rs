//! Regressions on features of the parents: closed form, and for numbers one factorisation per parent set.

mod discriminant;
mod estimator;
mod features;
mod label;
mod lanes;
mod map;
mod noise;
mod number;
mod ridge;
mod settings;
mod sine;
mod tree;

pub use estimator::Fourier;
pub(super) use label::LabelPredictor;
pub(super) use number::NumberPredictor;
pub use settings::FourierSettings;
