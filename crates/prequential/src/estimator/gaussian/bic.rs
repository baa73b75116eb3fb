//! The Bayesian information criterion of linear regressions.

use super::moments::pivots;
use super::{Gaussian, Moments, NormalScore};

/// The Bayesian information criterion of linear regressions with normal noise: what most linear rivals minimise.
pub type GaussianBic = Gaussian<HalfLogRows>;

/// Half a ln of the rows for each slope, the intercept and the variance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HalfLogRows;

impl NormalScore for HalfLogRows {
    const NAME: &'static str = "gaussian-bic";
    const SUMMARY: &'static str = "Bayesian information criterion of linear regressions with normal noise, a rival to compare with; numbers only";

    fn nats(moments: &Moments, _n_vars: usize) -> f64 {
        let n_rows = moments.n_rows;
        if n_rows == 0.0 {
            return 0.0;
        }
        let rest = pivots(moments.scatter.clone(), moments.n_columns())[0] / n_rows;
        let variance = rest.max(moments.least_variance);
        let n_parameters = (moments.n_columns() + 1) as f64;
        0.5 * n_rows * ((std::f64::consts::TAU * variance).ln() + rest / variance)
            + 0.5 * n_parameters * n_rows.ln()
    }
}
