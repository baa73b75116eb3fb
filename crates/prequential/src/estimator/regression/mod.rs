//! Closed-form regressions on features of the parents; one factorisation per parent set serves all numeric children.

mod discriminant;
mod feature_regression;
mod features;
mod label;
mod label_predictive;
mod lanes;
mod noise;
mod number;
mod number_predictive;
mod pit;
mod ridge;
mod settings;
mod sine;
mod tree;

pub(super) use label::LabelPredictor;
pub(super) use label_predictive::LabelPredictive;
pub(super) use number::NumberPredictor;
pub(super) use number_predictive::RegressionPredictive;
pub(super) use pit::PitTransform;
pub use settings::FourierSettings;
