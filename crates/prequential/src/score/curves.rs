//! Learning curves: next-step and cumulative losses by the number of rows, averaged over row orders or
//! networks.

use std::sync::Arc;

use rayon::prelude::*;

use super::loss_curve::{CURVE_POINTS, LossCurve, MeanSd, accumulate, checkpoints};
use super::scorer::FamilyScorer;
use crate::base::error::Result;
use crate::estimator::{Counts, Method, Prior};
use crate::graph::{Dag, Family};
use crate::table::Quantised;

/// Cumulative code lengths of some families at some numbers of rows, for one or more row orders.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Curves {
    families: Vec<Family>,
    checkpoints: Vec<usize>,
    /// Per row order or, with networks, per network.
    orders: Vec<OneOrder>,
}

/// Curves of one row order.
#[derive(Debug, Clone)]
struct OneOrder {
    /// `[family][checkpoint]`: nats spent on the rows before the checkpoint.
    cumulative: Vec<Vec<f64>>,
    /// `[family][checkpoint]`: rows coded before the checkpoint.
    n_coded: Vec<Vec<usize>>,
}

impl Curves {
    /// Counts `families` in `n_orders` orders of rows, with this prior.
    pub fn by_counts(
        data: &Quantised,
        prior: Prior,
        families: &[Family],
        checkpoints: &[usize],
        n_orders: usize,
        order_of_rows: impl Fn(usize) -> Vec<u32> + Sync,
    ) -> Result<Curves> {
        let counts: Arc<dyn Method> = Arc::new(Counts { prior, ..Counts::default() });
        Curves::new(data, &counts, 0, families, checkpoints, n_orders, order_of_rows)
    }

    /// Codes `families` in `n_orders` orders of rows, in parallel; order number i holds row `order_of_rows(i)[place]` in each
    /// place, and has random numbers of its own.
    pub(crate) fn new(
        data: &Quantised,
        method: &Arc<dyn Method>,
        seed: u64,
        families: &[Family],
        checkpoints: &[usize],
        n_orders: usize,
        order_of_rows: impl Fn(usize) -> Vec<u32> + Sync,
    ) -> Result<Curves> {
        let code_order = |i| {
            let scorer = FamilyScorer::new(method, data.reordered(&order_of_rows(i)), seed, i);
            OneOrder::new(&scorer, families, checkpoints)
        };
        let orders = (0..n_orders).into_par_iter().map(code_order).collect::<Result<_>>()?;
        Ok(Curves { families: families.to_vec(), checkpoints: checkpoints.to_vec(), orders })
    }

    /// From curves recorded while `families` were scored, `[family][order]`, with [`CURVE_POINTS`] per factor
    /// of ten.
    pub(crate) fn kept(
        families: &[Family],
        n_rows: usize,
        curves: Vec<Vec<LossCurve>>,
        n_orders: usize,
    ) -> Curves {
        let empty = || OneOrder { cumulative: Vec::new(), n_coded: Vec::new() };
        let mut orders: Vec<OneOrder> = (0..n_orders).map(|_| empty()).collect();
        for family_curves in curves {
            for (order, curve) in orders.iter_mut().zip(family_curves) {
                order.cumulative.push(curve.cumulative);
                order.n_coded.push(curve.n_coded);
            }
        }
        Curves { families: families.to_vec(), checkpoints: checkpoints(n_rows, CURVE_POINTS), orders }
    }

    /// The curves of some of the families only, in their order.
    ///
    /// # Panics
    /// If the curves lack one of them.
    pub(crate) fn restricted_to(&self, families: &[Family]) -> Curves {
        let places: Vec<usize> = families.iter().map(|family| self.place(family)).collect();
        let order = |order: &OneOrder| OneOrder {
            cumulative: places.iter().map(|&place| order.cumulative[place].clone()).collect(),
            n_coded: places.iter().map(|&place| order.n_coded[place].clone()).collect(),
        };
        Curves {
            families: families.to_vec(),
            checkpoints: self.checkpoints.clone(),
            orders: self.orders.iter().map(order).collect(),
        }
    }

    /// The families, in the order in which they were given.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The numbers of rows at which the curves are read.
    pub fn checkpoints(&self) -> &[usize] {
        &self.checkpoints
    }

    /// Mean next-step loss of family number `family` over the rows since `window` checkpoints before; NaN where none was
    /// coded.
    pub fn next_step(&self, family: usize, window: usize) -> Vec<MeanSd> {
        self.moments(|order, i| {
            let (nats, rows) = (&order.cumulative[family], &order.n_coded[family]);
            let (nats_before, rows_before) =
                i.checked_sub(window).map_or((0.0, 0), |start| (nats[start], rows[start]));
            (nats[i] - nats_before) / (rows[i] - rows_before) as f64
        })
    }

    /// Nats spent on family number `family` up to each checkpoint.
    pub fn cumulative(&self, family: usize) -> Vec<MeanSd> {
        self.moments(|order, i| order.cumulative[family][i])
    }

    /// The excess of `dag` over `reference`, in nats, at each checkpoint.
    ///
    /// # Panics
    /// If the curves lack one of their families.
    pub fn excess(&self, dag: &Dag, reference: &Dag) -> Vec<MeanSd> {
        let (ours, theirs) = (self.members(dag), self.members(reference));
        let total = |order: &OneOrder, members: &[usize], i: usize| -> f64 {
            members.iter().map(|&family| order.cumulative[family][i]).sum()
        };
        self.moments(|order, i| total(order, &ours, i) - total(order, &theirs, i))
    }

    fn members(&self, dag: &Dag) -> Vec<usize> {
        dag.families().map(|family| self.place(&family)).collect()
    }

    /// The number of a family among those given.
    ///
    /// # Panics
    /// If the curves lack it.
    pub fn place(&self, family: &Family) -> usize {
        let found = self.families.iter().position(|known| known == family);
        found.unwrap_or_else(|| panic!("no curve for {family:?}"))
    }

    fn moments(&self, value: impl Fn(&OneOrder, usize) -> f64) -> Vec<MeanSd> {
        let at = |i| MeanSd::of(self.orders.iter().map(|order| value(order, i)));
        (0..self.checkpoints.len()).map(at).collect()
    }
}

impl OneOrder {
    fn new(scorer: &FamilyScorer, families: &[Family], checkpoints: &[usize]) -> Result<OneOrder> {
        let curve = |family: &Family, losses: &[f64]| {
            accumulate(losses, scorer.data().column(family.child).rows_used.as_deref(), checkpoints)
        };
        let (cumulative, n_coded) = scorer.map_losses(families, curve)?.into_iter().unzip();
        Ok(OneOrder { cumulative, n_coded })
    }
}
