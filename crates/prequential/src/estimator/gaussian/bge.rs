//! The Bayesian score of linear regressions with normal noise, alike for all graphs of a class.

use super::moments::pivots;
use super::{Gaussian, Moments, NormalScore};

/// The BGe score: the marginal likelihood of linear regressions with normal noise under a normal-Wishart prior, the same for all graphs of a
/// class (Geiger and Heckerman 2002, as corrected by Kuipers, Moffa and Heckerman 2014).
///
/// The prior is the usual one: mean 0 with the weight of 1 row, n + 2 degrees of freedom for n variables, and T = t I with
/// t = 1 / 2, all in units of each column's location and scale.
pub type Bge = Gaussian<NormalWishart>;

/// The marginal likelihood under a normal-Wishart prior.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NormalWishart;

/// Rows that the prior mean counts for.
const N_OF_MEAN: f64 = 1.0;

impl NormalScore for NormalWishart {
    const NAME: &'static str = "bge";
    const SUMMARY: &'static str =
        "Bayesian score of linear regressions with normal noise (BGe), a rival to compare with; numbers only";

    fn nats(moments: &Moments, n_vars: usize) -> f64 {
        let n_columns = moments.n_columns();
        let posterior = posterior_matrix(moments, prior_height(n_vars));
        let pivots = pivots(posterior, n_columns);
        let joint = marginal(&pivots, moments.n_rows, n_vars);
        joint - marginal(&pivots[1..], moments.n_rows, n_vars)
    }
}

/// Degrees of freedom of the prior.
fn dof(n_vars: usize) -> f64 {
    n_vars as f64 + N_OF_MEAN + 1.0
}

/// t in the prior matrix t I.
fn prior_height(n_vars: usize) -> f64 {
    N_OF_MEAN * (dof(n_vars) - n_vars as f64 - 1.0) / (N_OF_MEAN + 1.0)
}

/// The prior matrix, the scatter, and what the means are away from 0.
fn posterior_matrix(moments: &Moments, height: f64) -> Vec<f64> {
    let n = moments.n_columns();
    let weight = moments.n_rows * N_OF_MEAN / (moments.n_rows + N_OF_MEAN);
    let cell = |(place, scatter): (usize, &f64)| {
        let (i, j) = (place / n, place % n);
        let prior = if i == j { height } else { 0.0 };
        prior + scatter + weight * moments.means[i] * moments.means[j]
    };
    moments.scatter.iter().enumerate().map(cell).collect()
}

/// Minus ln of the marginal likelihood of some columns, of whose posterior matrix these are the pivots.
fn marginal(pivots: &[f64], n_rows: f64, n_vars: usize) -> f64 {
    let n_columns = pivots.len() as f64;
    let dof = dof(n_vars) - n_vars as f64 + n_columns;
    let log_determinant: f64 = pivots.iter().map(|pivot| pivot.ln()).sum();
    let log_prior_determinant = n_columns * prior_height(n_vars).ln();
    let gammas: f64 = (0..pivots.len())
        .map(|i| libm::lgamma(0.5 * (n_rows + dof - i as f64)) - libm::lgamma(0.5 * (dof - i as f64)))
        .sum();
    0.5 * n_columns * ((n_rows + N_OF_MEAN) / N_OF_MEAN).ln()
        + 0.5 * n_columns * n_rows * std::f64::consts::PI.ln()
        - gammas
        - 0.5 * dof * log_prior_determinant
        + 0.5 * (n_rows + dof) * log_determinant
}
