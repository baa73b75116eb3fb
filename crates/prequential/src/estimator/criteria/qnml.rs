//! Quotient normalised maximum likelihood of labels.

use super::regret::log_regret;
use super::{Criterion, Penalty, Shape};

/// Quotient normalised maximum likelihood (Silander, Leppa-aho, Jaasaari and Roos 2018): the regret of child and parents taken as one
/// label, less that of the parents. Graphs of one class cost the same.
pub type Qnml = Criterion<RegretOfQuotient>;

/// The regret of child and parents together, less that of the parents.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegretOfQuotient;

impl Penalty for RegretOfQuotient {
    const NAME: &'static str = "qnml";
    const SUMMARY: &'static str =
        "Quotient normalised maximum likelihood of labels, a rival to compare with; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        let together = log_regret(shape.n_rows, shape.n_configurations * shape.n_levels as f64);
        together - log_regret(shape.n_rows, shape.n_configurations)
    }
}
