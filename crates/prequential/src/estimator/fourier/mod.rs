//! Regressions on features of the parents: closed form, and for numbers one factorisation per parent set.

mod discriminant;
mod estimator;
mod feature_regression;
mod features;
mod label;
mod label_outlook;
mod lanes;
mod noise;
mod number;
mod number_outlook;
mod placing;
mod ridge;
mod settings;
mod sine;
mod tree;

pub use estimator::Fourier;
pub(super) use label::LabelPredictor;
pub(super) use label_outlook::LabelOutlook;
pub(super) use number::NumberPredictor;
pub(super) use number_outlook::RegressionOutlook;
pub(super) use placing::Placing;
pub use settings::FourierSettings;
