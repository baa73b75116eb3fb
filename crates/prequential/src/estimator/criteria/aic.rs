//! Akaike's information criterion of labels.

use super::{Criterion, Penalty, Shape};

/// Akaike's information criterion: one nat for every share that is fitted (Akaike 1973).
pub type Aic = Criterion<OneNat>;

/// One nat for each parameter.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OneNat;

impl Penalty for OneNat {
    const NAME: &'static str = "aic";
    const SUMMARY: &'static str =
        "Akaike's information criterion of labels, a rival to compare with; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        shape.n_parameters()
    }
}
