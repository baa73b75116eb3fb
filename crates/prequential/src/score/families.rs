//! Scores the families of one table, parent set by parent set.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::counted::all_losses;
use super::curves::{CURVE_POINTS, FamilyCurve, checkpoints};
use super::modelled::{Coded, Effort, code_children};
use crate::base::error::{Error, Result};
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::Halt;
use crate::estimator::{
    Configurations, CountTables, CountedFamily, Estimator, Model, ParentInputs, Target, counted_length,
};
use crate::graph::{Family, NodeSet};
use crate::table::Quantised;

/// Scores families of one quantised table, its rows in coding order.
///
/// What depends on the parents alone is computed once per parent set and serves every child.
#[derive(Debug)]
pub(crate) struct FamilyScorer {
    data: Quantised,
    model: Model,
    tables: CountTables,
    /// Every variable as a child; empty if counts alone are asked for.
    targets: Vec<Target>,
}

/// What a family costs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FamilyCode {
    /// Its code length.
    pub(crate) length: Nats,
    /// The code length that each network alone would have given, with the other experts; empty where there are none.
    pub(crate) by_net: Vec<f64>,
    /// How the cost grows with the rows, for each network alone or, without networks, for the code itself. Counts have none:
    /// they are quick to code again.
    pub(crate) curves: Vec<FamilyCurve>,
    /// What it took.
    pub(crate) effort: Effort,
}

impl FamilyScorer {
    pub(crate) fn new(data: Quantised, model: Model) -> FamilyScorer {
        let tables = CountTables::new(model.prior, data.n_rows());
        let alone = Configurations::new(&data, []);
        let target = |node: usize| {
            let column = data.column(node);
            Target::new(column, || all_losses(&mut CountedFamily::new(&tables, &alone, column)))
        };
        let targets = match model.estimator {
            Estimator::Counts => Vec::new(),
            _ => (0..data.n_vars()).map(target).collect(),
        };
        FamilyScorer { data, model, tables, targets }
    }

    /// The table, its rows in coding order.
    pub(crate) fn data(&self) -> &Quantised {
        &self.data
    }

    /// What each of `children` costs with these parents; `None` if it was halted.
    pub(crate) fn score_group(
        &self,
        parents: &NodeSet,
        children: &[usize],
        halt: Halt,
    ) -> Result<Option<Vec<FamilyCode>>> {
        if self.model.estimator != Estimator::Counts {
            let points = checkpoints(self.data.n_rows(), CURVE_POINTS);
            let read = |family: &Family, coded: &Coded| self.summary(family, coded, &points);
            return self.read_coded(parents, children, halt, read);
        }
        let configurations = Configurations::new(&self.data, parents.iter());
        let counted = |&child: &usize| FamilyCode {
            length: Nats(counted_length(&self.tables, &configurations, self.data.column(child))),
            by_net: Vec::new(),
            curves: Vec::new(),
            effort: Effort::default(),
        };
        Ok(Some(children.iter().map(counted).collect()))
    }

    /// What `read` makes of the next-step losses of each family, in row order; the losses of few families are held at a time.
    pub(crate) fn map_losses<R: Send>(
        &self,
        families: &[Family],
        read: impl Fn(&Family, &[f64]) -> R + Sync,
    ) -> Result<Vec<R>> {
        let results = Mutex::new(Vec::with_capacity(families.len()));
        each_parent_set(families, 0, &(), |parents, members| {
            let children = children_of(families, members);
            let group = match self.model.estimator {
                Estimator::Counts => self.read_counted(parents, &children, &read),
                _ => {
                    let read = |family: &Family, coded: &Coded| read(family, &coded.losses);
                    self.read_coded(parents, &children, Halt::default(), read)?.unwrap_or_default()
                }
            };
            lock(&results).extend(members.iter().copied().zip(group));
            Ok(())
        })?;
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|&(i, _)| i);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// Runs `read` on the losses of each child by counts.
    fn read_counted<R>(
        &self,
        parents: &NodeSet,
        children: &[usize],
        read: impl Fn(&Family, &[f64]) -> R,
    ) -> Vec<R> {
        let configurations = Configurations::new(&self.data, parents.iter());
        let one = |&child: &usize| {
            let mut counts = CountedFamily::new(&self.tables, &configurations, self.data.column(child));
            read(&Family::new(child, parents.clone()), &all_losses(&mut counts))
        };
        children.iter().map(one).collect()
    }

    /// Runs `read` on what a model made of each child; `None` if it was halted.
    fn read_coded<R>(
        &self,
        parents: &NodeSet,
        children: &[usize],
        halt: Halt,
        read: impl Fn(&Family, &Coded) -> R,
    ) -> Result<Option<Vec<R>>> {
        let Some(coded) = self.code_group(parents, children, halt) else { return Ok(None) };
        let checked = children.iter().zip(&coded).map(|(&child, coded)| {
            let family = Family::new(child, parents.clone());
            match coded.losses.iter().position(|loss| !loss.is_finite()) {
                None => Ok(read(&family, coded)),
                Some(row) => Err(self.diverged(&family, row)),
            }
        });
        checked.collect::<Result<_>>().map(Some)
    }

    fn summary(&self, family: &Family, coded: &Coded, points: &[usize]) -> FamilyCode {
        let rows = self.data.column(family.child).rows_used.as_deref();
        let alone = if coded.by_net.is_empty() { std::slice::from_ref(&coded.losses) } else { &coded.by_net };
        FamilyCode {
            length: Nats(coded.losses.iter().sum()),
            by_net: coded.by_net.iter().map(|losses| losses.iter().sum()).collect(),
            curves: alone.iter().map(|losses| FamilyCurve::new(losses, rows, points)).collect(),
            effort: coded.effort,
        }
    }

    fn diverged(&self, family: &Family, row: usize) -> Error {
        let rates: Vec<String> = self.model.learning_rates().iter().map(|rate| format!("{rate:?}")).collect();
        let sees_raw = family.parents.iter().any(|parent| self.data.column(parent).raw.is_some());
        let hint = match self.model.estimator.has_networks() {
            true if sees_raw => format!(
                "networks of `--preset paper` see raw numbers: take logarithms of columns with heavy tails, leave the preset out, or lower \
                 `--learning-rate` (now {})",
                rates.join(",")
            ),
            true => format!(
                "lower `--learning-rate` (now {}), or score this run with `--estimator fourier`",
                rates.join(",")
            ),
            false => {
                "score this run with `--estimator counts`, and look for extreme numbers in these columns"
                    .to_string()
            }
        };
        Error::Diverged {
            estimator: self.model.estimator.to_string(),
            family: family.display(self.data.names()),
            row: row + 1,
            n_rows: self.data.column(family.child).n_rows_used(),
            hint: hint.into(),
        }
    }

    /// Losses of counts, where they are an expert of the mixture: for labels with labels as parents. What comes before
    /// anything is learnt costs what it costs without parents.
    fn counted_expert(&self, configurations: &Configurations, child: usize) -> Option<Vec<f64>> {
        if !self.is_label(child) {
            return None;
        }
        let mut losses =
            all_losses(&mut CountedFamily::new(&self.tables, configurations, self.data.column(child)));
        let opening = self.targets[child].opening();
        losses[..opening.len()].copy_from_slice(opening);
        Some(losses)
    }

    fn is_label(&self, node: usize) -> bool {
        self.data.column(node).scale.is_none()
    }

    /// Codes these children of one parent set; those coded in the same rows share the work.
    fn code_group(&self, parents: &NodeSet, children: &[usize], halt: Halt) -> Option<Vec<Coded>> {
        if parents.is_empty() && !self.model.learns_marginals() {
            let alone = |&child: &usize| Coded {
                losses: self.targets[child].marginal_losses.clone(),
                by_net: Vec::new(),
                effort: Effort::default(),
            };
            return Some(children.iter().map(alone).collect());
        }
        let all_labels =
            self.model.estimator == Estimator::Mix && parents.iter().all(|node| self.is_label(node));
        let configurations = all_labels.then(|| Configurations::new(&self.data, parents.iter()));
        let mut by_rows: BTreeMap<Option<&[u32]>, Vec<usize>> = BTreeMap::new();
        for (place, &child) in children.iter().enumerate() {
            by_rows.entry(self.data.column(child).rows_used.as_deref()).or_default().push(place);
        }
        let mut coded: Vec<Option<Coded>> = vec![None; children.len()];
        for (rows, places) in by_rows {
            let inputs = ParentInputs::new(&self.data, parents, rows);
            let targets: Vec<&Target> = places.iter().map(|&place| &self.targets[children[place]]).collect();
            let counted = |&place: &usize| self.counted_expert(configurations.as_ref()?, children[place]);
            let counted: Vec<Option<Vec<f64>>> = places.iter().map(counted).collect();
            let of_places = code_children(&self.model, &inputs, &targets, &counted, halt)?;
            for (place, one) in places.into_iter().zip(of_places) {
                coded[place] = Some(one);
            }
        }
        Some(coded.into_iter().flatten().collect())
    }
}

/// Runs `score` on every parent set and the places of its families: in parallel, smaller sets first, until the observer
/// says to stop or one fails. Sets of one size are gone round from `start`, a fraction of 2^32.
pub(super) fn each_parent_set(
    families: &[Family],
    start: u32,
    observer: &dyn Observer,
    score: impl Fn(&NodeSet, &[usize]) -> Result<()> + Sync,
) -> Result<()> {
    let mut by_parents: BTreeMap<&NodeSet, Vec<usize>> = BTreeMap::new();
    for (i, family) in families.iter().enumerate() {
        by_parents.entry(&family.parents).or_default().push(i);
    }
    let mut groups: Vec<(&NodeSet, Vec<usize>)> = by_parents.into_iter().collect();
    for of_one_size in groups.chunk_by_mut(|(a, _), (b, _)| a.len() == b.len()) {
        of_one_size.rotate_left(((u64::from(start) * of_one_size.len() as u64) >> 32) as usize);
    }
    // A queue instead of rayon's halves: a run that is stopped has scored the smaller sets, not the beginnings of two halves.
    let next = AtomicUsize::new(0);
    let work = |_| {
        while let Some((parents, members)) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            if observer.stop().is_some() {
                break;
            }
            score(parents, members).inspect_err(|_| next.store(groups.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).map(work).collect()
}

/// The children of the families in these places.
pub(super) fn children_of(families: &[Family], members: &[usize]) -> Vec<usize> {
    members.iter().map(|&i| families[i].child).collect()
}

/// What a mutex holds; a panic elsewhere ends the work anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
