//! Scores the families of one table, parent set by parent set.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::prequential::code;
use crate::estimator::{Configurations, CountTables, CountedFamily, Predictor, Predictors, Prior};
use crate::graph::{Family, NodeSet};
use crate::nats::Nats;
use crate::observer::Observer;
use crate::table::Quantised;

/// Scores families of one quantised table, its rows in coding order.
///
/// What depends on the parents alone is computed once per parent set and serves every child.
#[derive(Debug)]
pub(crate) struct FamilyScorer<'a> {
    data: &'a Quantised,
    tables: CountTables,
}

impl<'a> FamilyScorer<'a> {
    pub(crate) fn new(data: &'a Quantised, prior: Prior) -> FamilyScorer<'a> {
        FamilyScorer { data, tables: CountTables::new(prior, data.n_rows()) }
    }

    /// The code length of each family, in their order; parent sets are scored in parallel.
    pub(crate) fn code_lengths(&self, families: &[Family], observer: &dyn Observer) -> Vec<Nats> {
        self.each_family(families, observer, |_, counts| {
            Nats(fold_losses(counts, 0.0, |sum, loss| *sum += loss))
        })
    }

    /// What `read` makes of the next-step losses of each family, in row order; the losses of few families are held at a time.
    pub(crate) fn map_losses<R: Send>(
        &self,
        families: &[Family],
        read: impl Fn(&Family, &[f64]) -> R + Sync,
    ) -> Vec<R> {
        self.each_family(families, &(), |family, counts| {
            let losses = fold_losses(counts, Vec::with_capacity(counts.n_rows()), |all, loss| all.push(loss));
            read(family, &losses)
        })
    }

    /// Runs `score` on the empty counts of each family, grouped by parent set; results are in the families' order.
    fn each_family<R: Send>(
        &self,
        families: &[Family],
        observer: &dyn Observer,
        score: impl Fn(&Family, &mut CountedFamily) -> R + Sync,
    ) -> Vec<R> {
        let mut by_parents: BTreeMap<&NodeSet, Vec<usize>> = BTreeMap::new();
        for (i, family) in families.iter().enumerate() {
            by_parents.entry(&family.parents).or_default().push(i);
        }
        let groups: Vec<(&NodeSet, Vec<usize>)> = by_parents.into_iter().collect();
        let scored = groups.into_par_iter().map(|(parents, members)| {
            let configurations = Configurations::new(self.data, parents.iter());
            let one = |i: usize| {
                let child = self.data.column(families[i].child);
                (i, score(&families[i], &mut CountedFamily::new(&self.tables, &configurations, child)))
            };
            let results: Vec<(usize, R)> = members.into_iter().map(one).collect();
            observer.scored(results.len());
            results
        });
        let mut results: Vec<(usize, R)> = scored.flatten_iter().collect();
        results.sort_unstable_by_key(|&(i, _)| i);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// Codes `family` row by row and gives every loss to `take`, in row order.
fn fold_losses<A>(family: &mut CountedFamily, start: A, take: impl Fn(&mut A, f64)) -> A {
    let n_rows = family.n_rows();
    match family.predictor() {
        Predictors::Known(uniform) => fold_rows(uniform, n_rows, start, take),
        Predictors::Tabulated(counts) => fold_rows(counts, n_rows, start, take),
        Predictors::Computed(counts) => fold_rows(counts, n_rows, start, take),
    }
}

/// Out of line: its own small function has enough registers for the sum of losses and what it is made from.
#[inline(never)]
fn fold_rows<A>(predictor: impl Predictor, n_rows: usize, start: A, take: impl Fn(&mut A, f64)) -> A {
    let mut so_far = start;
    code(predictor, (0..n_rows).map(|row| row..row + 1), |_, losses| take(&mut so_far, losses[0]));
    so_far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Table, Values, Variable};

    #[test]
    fn losses_do_not_depend_on_how_long_the_tables_of_logarithms_are() {
        let levels: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let column = |name: &str, period: u32| {
            let codes = (0..60).map(|row| row * row % period % 3).collect();
            let values = Values::Labels { levels: levels.clone(), codes };
            Variable { name: name.into(), values, intervened: None }
        };
        let data = Quantised::new(&Table::new(vec![column("x", 7), column("y", 11)]).unwrap(), 5);
        let configurations = Configurations::new(&data, [0]);
        let losses = |table_rows: usize| {
            let tables = CountTables::new(Prior::default(), table_rows);
            let mut family = CountedFamily::new(&tables, &configurations, data.column(1));
            fold_losses(&mut family, Vec::new(), |all, loss| all.push(loss))
        };
        assert_eq!(losses(60), losses(3));
        assert_eq!(losses(60).len(), 60);
    }
}
