//! Scores the families of one table, parent set by parent set.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::contexts::{self, ActingContexts, InContext};
use super::loss_curve::{CURVE_POINTS, LossCurve, MeanSd, checkpoints};
use crate::base::error::{Error, Result};
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::estimator::{Coder, Detail, Effort, Method};
use crate::graph::{Family, NodeSet};
use crate::table::Quantised;

/// Scores families of one quantised table, its rows in coding order.
#[derive(Debug)]
pub(crate) struct FamilyScorer {
    method: Arc<dyn Method>,
    coder: Box<dyn Coder>,
    contexts: Arc<ActingContexts>,
}

/// The code of a family.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FamilyCode {
    /// Its code length.
    pub(crate) length: Nats,
    /// The code length with each single network, with the other experts; empty without networks.
    pub(crate) by_net: Vec<f64>,
    /// The learning curve for each single network or, without networks, of the code itself. Counts have none:
    /// they are fast to code again.
    pub(crate) curves: Vec<LossCurve>,
    /// Nats by which the code given contexts is shorter than the one without; `None` if the table has none.
    pub(crate) context_gain: Option<f64>,
    /// Its cost.
    pub(crate) effort: Effort,
}

/// A family's code in one order of the rows, its parents known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredScore {
    pub(crate) child: usize,
    /// The number of the row order.
    pub(crate) order: usize,
    pub(crate) code: FamilyCode,
    /// How long it took.
    pub(crate) seconds: f64,
}

/// Random numbers of different row orders have nothing in common.
const ORDERS_APART: u32 = 40;

impl FamilyScorer {
    /// The scorer of row order number `order`, in which the rows of `data` are.
    pub(crate) fn new(method: &Arc<dyn Method>, data: Quantised, seed: u64, order: usize) -> FamilyScorer {
        let contexts = Arc::new(ActingContexts::new(data.n_vars(), data.contexts()));
        let coder = method.prepare(data, seed.wrapping_add((order as u64) << ORDERS_APART));
        FamilyScorer { method: method.clone(), coder, contexts }
    }

    /// The scorer without networks; `None` if it has none, or they are not deferred.
    pub(crate) fn without_expensive_experts(&self) -> Option<FamilyScorer> {
        let (method, coder) =
            (self.method.without_expensive_experts()?, self.coder.without_expensive_experts()?);
        Some(FamilyScorer { method, coder, contexts: self.contexts.clone() })
    }

    /// The table, its rows in coding order.
    pub(crate) fn data(&self) -> &Quantised {
        self.coder.data()
    }

    /// The code of each of `children` with these parents; `None` if it was stopped.
    pub(crate) fn score_group(
        &self,
        parents: &NodeSet,
        children: &[usize],
        stop: Stop,
    ) -> Result<Option<Vec<FamilyCode>>> {
        let points = checkpoints(self.data().n_rows(), CURVE_POINTS);
        let read = |family: &Family, code: InContext| self.summary(family, code, &points);
        self.read_coded(parents, children, Detail::Length, stop, read)
    }

    /// With several contexts, the nats that each is worth to `family` in addition to the others; empty with
    /// one. `None` if it was stopped.
    pub(crate) fn worth_of_contexts(&self, family: &Family, stop: Stop) -> Option<Vec<f64>> {
        contexts::worth_of_each(&*self.coder, &self.contexts, family, stop)
    }

    /// Maps the next-step losses of each family, in row order, by `read`; the losses of few families are held
    /// at a time.
    pub(crate) fn map_losses<R: Send>(
        &self,
        families: &[Family],
        read: impl Fn(&Family, &[f64]) -> R + Sync,
    ) -> Result<Vec<R>> {
        let results = Mutex::new(Vec::with_capacity(families.len()));
        let read = |family: &Family, code: InContext| read(family, &code.coded.losses.unwrap_or_default());
        each_parent_set(families, 0, Stop::never(), |parents, members| {
            let children = children_of(families, members);
            let group = self.read_coded(parents, &children, Detail::Rows, Stop::never(), read)?;
            lock(&results).extend(members.iter().copied().zip(group.unwrap_or_default()));
            Ok(())
        })?;
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|&(i, _)| i);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// Runs `read` on the code of each child; `None` if it was stopped.
    fn read_coded<R>(
        &self,
        parents: &NodeSet,
        children: &[usize],
        detail: Detail,
        stop: Stop,
        read: impl Fn(&Family, InContext) -> R,
    ) -> Result<Option<Vec<R>>> {
        let Some(codes) = contexts::code(&*self.coder, &self.contexts, parents, children, detail, stop)
        else {
            return Ok(None);
        };
        let names = parents.len() as f64 * self.method.nats_of_parent(self.data().n_vars());
        let checked = children.iter().zip(codes).map(|(&child, mut code)| {
            code.coded.begin_with(names);
            let family = Family::new(child, parents.clone());
            match code.coded.losses.iter().flatten().position(|loss| !loss.is_finite()) {
                None => Ok(read(&family, code)),
                Some(row) => Err(self.diverged(&family, row)),
            }
        });
        checked.collect::<Result<_>>().map(Some)
    }

    fn summary(&self, family: &Family, code: InContext, points: &[usize]) -> FamilyCode {
        let InContext { coded, context_gain } = code;
        let rows = self.data().column(family.child).rows_used.as_deref();
        let alone = if coded.by_net.is_empty() { coded.losses.as_slice() } else { &coded.by_net };
        FamilyCode {
            length: Nats(coded.length),
            by_net: coded.by_net.iter().map(|losses| losses.iter().sum()).collect(),
            curves: alone.iter().map(|losses| LossCurve::new(losses, rows, points)).collect(),
            context_gain,
            effort: coded.effort,
        }
    }

    fn diverged(&self, family: &Family, row: usize) -> Error {
        let sees_raw = family.parents.iter().any(|parent| self.data().column(parent).raw.is_some());
        Error::Diverged {
            estimator: self.method.name().to_string(),
            family: family.display(self.data().names()),
            row: row + 1,
            n_rows: self.data().column(family.child).n_rows_used(),
            hint: self.method.if_diverged(sees_raw),
        }
    }
}

/// The code length of each of `families`: the mean over what `scorers`, one for each order of the rows, make of it.
pub(crate) fn code_lengths(scorers: &[FamilyScorer], families: &[Family]) -> Result<Vec<Nats>> {
    let lengths = Mutex::new(vec![Nats::default(); families.len()]);
    each_parent_set(families, 0, Stop::never(), |parents, members| {
        let children = children_of(families, members);
        let score = |scorer: &FamilyScorer| scorer.score_group(parents, &children, Stop::never());
        let orders = scorers.iter().map(score).collect::<Result<Vec<_>>>()?;
        let orders: Vec<Vec<FamilyCode>> = orders.into_iter().flatten().collect();
        let mut lengths = lock(&lengths);
        for (place, &member) in members.iter().enumerate() {
            lengths[member] = Nats(MeanSd::of(orders.iter().map(|codes| codes[place].length.0)).mean);
        }
        Ok(())
    })?;
    Ok(lengths.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Runs `score` on every parent set and the positions of its families: in parallel, smaller sets first, until
/// it is stopped or one fails. Sets of one size are visited cyclically from `start`, a fraction of 2^32.
pub(super) fn each_parent_set(
    families: &[Family],
    start: u32,
    stop: Stop,
    score: impl Fn(&NodeSet, &[usize]) -> Result<()> + Sync,
) -> Result<()> {
    let mut by_parents: BTreeMap<&NodeSet, Vec<usize>> = BTreeMap::new();
    for (i, family) in families.iter().enumerate() {
        by_parents.entry(&family.parents).or_default().push(i);
    }
    let mut groups: Vec<(&NodeSet, Vec<usize>)> = by_parents.into_iter().collect();
    for same_size in groups.chunk_by_mut(|(a, _), (b, _)| a.len() == b.len()) {
        same_size.rotate_left(((u64::from(start) * same_size.len() as u64) >> 32) as usize);
    }
    // A queue instead of rayon's halves: a run that is stopped has scored the smaller sets, not the beginnings of two halves.
    let next = AtomicUsize::new(0);
    let work = |_| {
        while let Some((parents, members)) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop.now() {
                break;
            }
            score(parents, members).inspect_err(|_| next.store(groups.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).map(work).collect()
}

/// The children of the families at these positions.
pub(super) fn children_of(families: &[Family], members: &[usize]) -> Vec<usize> {
    members.iter().map(|&i| families[i].child).collect()
}

/// The content of a mutex; a panic elsewhere ends the work anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
