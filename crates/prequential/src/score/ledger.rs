//! Families scored when they are first asked for, and remembered.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard};

use super::code_lengths::FamilyLengths;
use super::families::{FamilyCode, FamilyScorer, children_of, each_parent_set};
use super::scores::{Scores, moments};
use crate::error::Result;
use crate::graph::{Family, NodeSet};
use crate::halt::Halt;
use crate::nats::Nats;
use crate::observer::{Observer, StopReason};

/// Scores families when they are first asked for, in parallel, and remembers them.
///
/// The code lengths do not depend on the order in which families are asked for, nor on what else is asked for with them.
pub(crate) struct Ledger<'a> {
    /// One per row order.
    scorers: Vec<FamilyScorer>,
    observer: &'a dyn Observer,
    known: RwLock<HashMap<Family, Entry>>,
    /// Why families that were asked for were not scored, once that has happened.
    refused: OnceLock<StopReason>,
}

struct Entry {
    length: Nats,
    /// One per row order.
    codes: Vec<FamilyCode>,
}

impl<'a> Ledger<'a> {
    /// Without entries; every family is scored by all `scorers`, one for each order of the rows.
    pub(crate) fn new(scorers: Vec<FamilyScorer>, observer: &'a dyn Observer) -> Ledger<'a> {
        assert!(!scorers.is_empty(), "rows are coded in at least one order");
        Ledger { scorers, observer, known: RwLock::default(), refused: OnceLock::new() }
    }

    /// Scores `families` even if the observer says to stop.
    pub(crate) fn insist(&self, families: &[Family]) -> Result<()> {
        self.score(self.unknown(families), &())
    }

    /// Why families that were asked for were not scored, if that has happened.
    pub(crate) fn refused(&self) -> Option<StopReason> {
        self.refused.get().copied()
    }

    /// How many families are known.
    pub(crate) fn len(&self) -> usize {
        self.known().len()
    }

    /// Scores families that are not known, until `stop` says so.
    fn score(&self, unknown: Vec<Family>, stop: &dyn Observer) -> Result<()> {
        if unknown.is_empty() {
            return Ok(());
        }
        self.observer.scoring(unknown.len());
        let n_left = AtomicUsize::new(unknown.len());
        each_parent_set(&unknown, stop, |parents, members| {
            if self.score_group(parents, &children_of(&unknown, members), Halt::when(stop))? {
                n_left.fetch_sub(members.len(), Ordering::Relaxed);
            }
            Ok(())
        })?;
        if let Some(reason) = stop.stop().filter(|_| n_left.into_inner() > 0) {
            self.refused.get_or_init(|| reason);
        }
        Ok(())
    }

    /// Everything that is known, in the order of families.
    pub(crate) fn into_scores(self) -> Scores {
        let known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut scored: Vec<(Family, Vec<FamilyCode>)> =
            known.into_iter().map(|(family, entry)| (family, entry.codes)).collect();
        scored.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Scores::new(scored, self.scorers[0].data().n_rows())
    }

    fn known(&self) -> RwLockReadGuard<'_, HashMap<Family, Entry>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of `families` that are not known, each once.
    pub(crate) fn unknown(&self, families: &[Family]) -> Vec<Family> {
        let known = self.known();
        let mut unknown: Vec<Family> =
            families.iter().filter(|family| !known.contains_key(family)).cloned().collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }

    /// Whether all of `children` were scored: not if it was halted.
    fn score_group(&self, parents: &NodeSet, children: &[usize], halt: Halt) -> Result<bool> {
        let mut by_order: Vec<std::vec::IntoIter<FamilyCode>> = Vec::with_capacity(self.scorers.len());
        for scorer in &self.scorers {
            let Some(codes) = scorer.score_group(parents, children, halt)? else { return Ok(false) };
            by_order.push(codes.into_iter());
        }
        let entries = children.iter().map(|&child| {
            let codes: Vec<FamilyCode> = by_order.iter_mut().filter_map(Iterator::next).collect();
            (Family::new(child, parents.clone()), Entry { length: Nats(moments(&codes).mean), codes })
        });
        self.known.write().unwrap_or_else(PoisonError::into_inner).extend(entries);
        self.observer.scored(children.len());
        Ok(true)
    }
}

impl FamilyLengths for Ledger<'_> {
    fn n_vars(&self) -> usize {
        self.scorers[0].data().n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.score(self.unknown(families), self.observer)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.known().get(family).map(|entry| entry.length)
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let known = self.known();
        let mut of_child: Vec<(&NodeSet, Nats)> = known
            .iter()
            .filter(|(family, _)| family.child == child)
            .map(|(family, entry)| (&family.parents, entry.length))
            .collect();
        of_child.sort_unstable_by_key(|&(parents, _)| parents);
        of_child.into_iter().for_each(|(parents, length)| visit(parents, length));
    }
}
