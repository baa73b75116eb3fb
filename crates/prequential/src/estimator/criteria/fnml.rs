//! Factorised normalised maximum likelihood of labels.

use super::regret::log_regret;
use super::{Criterion, Penalty, Shape};

/// Factorised normalised maximum likelihood (Silander, Roos, Kontkanen and Myllymaki 2008): for every combination of parent values the
/// regret of the best code for so many rows.
pub type Fnml = Criterion<RegretOfConfigurations>;

/// The regret of a multinomial distribution in each configuration.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegretOfConfigurations;

impl Penalty for RegretOfConfigurations {
    const NAME: &'static str = "fnml";
    const SUMMARY: &'static str =
        "Factorised normalised maximum likelihood of labels, a rival to compare with; numbers are binned";

    fn nats(shape: &Shape) -> f64 {
        shape.in_configurations.iter().map(|&n_rows| log_regret(n_rows as usize, shape.n_levels as f64)).sum()
    }
}
