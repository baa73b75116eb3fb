//! The Bayesian information criterion of labels.

use super::{Criterion, Penalty, Shape};

/// The Bayesian information criterion: half a ln of the rows for every share that is fitted (Schwarz 1978).
pub type Bic = Criterion<HalfLogRows>;

/// Half a ln of the rows for each parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HalfLogRows;

impl Penalty for HalfLogRows {
    const NAME: &'static str = "bic";
    const SUMMARY: &'static str =
        "Bayesian information criterion of labels, a rival to compare with; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        0.5 * shape.n_parameters() * (shape.n_rows as f64).ln()
    }
}
