//! Textbook scores to compare with: nats of a whole table by a formula, not a code of one row after another.

mod categorical;
mod gaussian;
mod moments;
mod regret;

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;

use crate::base::stop::Stop;
use crate::estimator::method::{Coded, Coder, Detail, Effort};
use crate::graph::NodeSet;
use crate::table::Quantised;

pub use categorical::{Aic, Bic, Fnml, Qnml};
pub use gaussian::{Bge, GaussianBic};

/// A formula for the nats of a family in the first rows of a table.
trait Formula: Debug + Send + Sync + 'static {
    /// What all children of one parent set share.
    type Parents;

    fn parents(data: &Quantised, parents: &NodeSet) -> Self::Parents;

    /// Nats of the first `n_rows` rows in which `child` is coded.
    fn nats(data: &Quantised, parents: &Self::Parents, child: usize, n_rows: usize) -> f64;
}

/// Codes families by a formula.
#[derive(Debug)]
struct FormulaCoder<F> {
    data: Quantised,
    formula: PhantomData<F>,
}

impl<F: Formula> FormulaCoder<F> {
    fn boxed(data: Quantised) -> Box<dyn Coder> {
        Box::new(FormulaCoder::<F> { data, formula: PhantomData })
    }
}

impl<F: Formula> Coder for FormulaCoder<F> {
    fn data(&self) -> &Quantised {
        &self.data
    }

    fn code(&self, parents: &NodeSet, children: &[usize], detail: Detail, _stop: Stop) -> Option<Vec<Coded>> {
        let parents = F::parents(&self.data, parents);
        let code = |&child: &usize| {
            let nats = |n_rows: usize| F::nats(&self.data, &parents, child, n_rows);
            let n_rows = self.data.column(child).n_rows_used();
            match detail {
                Detail::Length => {
                    let (by_net, effort) = (Vec::new(), Effort::default());
                    Coded { length: nats(n_rows), losses: None, by_net, effort }
                }
                Detail::Rows => Coded::of_losses(losses_of(n_rows, nats)),
            }
        };
        Some(children.iter().map(code).collect())
    }
}

/// The growth factor of the rows between two readings.
const CHUNK_GROWTH_FACTOR: f64 = 1.1;

/// Losses of `n_rows` rows that add up to `score` of all of them and, at every reading, to that of the rows before it.
///
/// A textbook score gives a number to a whole table, not to a row. It is read for 1, 2, 3, ... rows and then
/// whenever the rows have grown by a tenth; its growth is divided equally among the rows in between.
fn losses_of(n_rows: usize, score: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut losses = Vec::with_capacity(n_rows);
    let mut before = 0.0;
    for rows in readings(n_rows) {
        let now = score(rows.end);
        losses.extend(rows.clone().map(|_| (now - before) / rows.len() as f64));
        before = now;
    }
    losses
}

/// The rows between one reading and the next.
fn readings(n_rows: usize) -> impl Iterator<Item = Range<usize>> {
    let next = move |start: usize| {
        let end = ((start as f64 * CHUNK_GROWTH_FACTOR) as usize).max(start + 1).min(n_rows);
        (start < n_rows).then_some(start..end)
    };
    std::iter::successors(next(0), move |rows| next(rows.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_add_up_to_the_score_at_every_reading() {
        let score = |n_rows: usize| 3.0 * n_rows as f64 + (n_rows as f64).ln();
        for n_rows in [0, 1, 7, 1_000] {
            let losses = losses_of(n_rows, score);
            assert_eq!(losses.len(), n_rows);
            for rows in readings(n_rows) {
                let sum: f64 = losses[..rows.end].iter().sum();
                assert!((sum - score(rows.end)).abs() < 1e-9 * score(rows.end));
            }
        }
        assert!(readings(100_000).count() < 150);
    }
}
