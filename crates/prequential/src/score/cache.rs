//! Families scored when they are first asked for, and remembered.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::Instant;

use super::code_lengths::FamilyLengths;
use super::curves::MeanSd;
use super::scorer::{FamilyCode, FamilyScorer, children_of, each_parent_set};
use super::scores::moments;
use super::workers::{Job, Workers, unpack};
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::{Stop, StopReason};
use crate::estimator::Effort;
use crate::graph::{Family, NodeSet};

/// Keeps the codes of families beyond the run.
pub(crate) trait CodeStore: Sync {
    /// All that is kept of families with these parents.
    fn recall(&self, parents: &NodeSet) -> Result<Vec<StoredScore>>;

    /// Keeps codes of families with these parents, at once.
    fn keep(&self, parents: &NodeSet, codes: &[StoredScore]) -> Result<()>;
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

/// What need not be done again.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reused {
    /// Families that were not scored because their codes were kept.
    pub(crate) n_families: usize,
    /// What it once took to make the codes that were kept.
    pub(crate) effort: Effort,
}

/// Scores families when they are first asked for, in parallel, and remembers them.
///
/// The code lengths do not depend on the order in which families are asked for, nor on what else is asked for with them.
pub(crate) struct ScoreCache<'a> {
    /// One per row order.
    scorers: Vec<FamilyScorer>,
    observer: &'a dyn Observer,
    stop: Stop<'a>,
    /// Where codes are kept beyond the run.
    store: Option<Box<dyn CodeStore>>,
    known: RwLock<HashMap<Family, Entry>>,
    /// No more are known than there is memory for.
    max_families: usize,
    /// Why families that were asked for were not scored, once that has happened.
    refused: OnceLock<StopReason>,
    /// Who scores, if not the threads of this process.
    remote: Option<RemoteWorkers>,
}

/// Remote workers, and what they are to know.
#[derive(Debug, Clone)]
pub(crate) struct RemoteWorkers {
    pub(crate) workers: Arc<dyn Workers>,
    /// Whether codes have networks.
    pub(crate) networks: bool,
    /// Whose codes they are.
    pub(crate) key: String,
}

struct Entry {
    length: Nats,
    /// One per row order.
    codes: Vec<FamilyCode>,
    /// Whether all of them were kept.
    is_reused: bool,
    /// What it once took to make those that were kept.
    reused_effort: Effort,
}

impl<'a> ScoreCache<'a> {
    /// Without entries, and never with more than `max_families`; every family is scored by all `scorers`, one for each order of the rows.
    pub(crate) fn new(
        scorers: Vec<FamilyScorer>,
        observer: &'a dyn Observer,
        stop: Stop<'a>,
        store: Option<Box<dyn CodeStore>>,
        max_families: usize,
    ) -> ScoreCache<'a> {
        assert!(!scorers.is_empty(), "rows are coded in at least one order");
        ScoreCache {
            scorers,
            observer,
            stop,
            store,
            known: RwLock::default(),
            max_families,
            refused: OnceLock::new(),
            remote: None,
        }
    }

    /// The same, families scored by remote workers.
    pub(crate) fn with_remote_workers(self, remote: Option<RemoteWorkers>) -> ScoreCache<'a> {
        ScoreCache { remote, ..self }
    }

    /// Scores `families` even if the run is to stop.
    pub(crate) fn request_uninterruptible(&self, families: &[Family]) -> Result<()> {
        self.score(self.unscored(families)?, Stop::never())
    }

    /// Why families that were asked for were not scored, if that has happened.
    pub(crate) fn refused(&self) -> Option<StopReason> {
        self.refused.get().copied()
    }

    /// How many families are known.
    pub(crate) fn len(&self) -> usize {
        self.known().len()
    }

    /// What was kept from earlier runs and served in this one.
    pub(crate) fn reused(&self) -> Reused {
        let known = self.known();
        Reused {
            n_families: known.values().filter(|entry| entry.is_reused).count(),
            effort: known.values().map(|entry| entry.reused_effort).sum(),
        }
    }

    /// Scores families that are not known, until `stop` says so.
    fn score(&self, unknown: Vec<Family>, stop: Stop) -> Result<()> {
        if unknown.is_empty() {
            return Ok(());
        }
        self.observer.scoring(unknown.len());
        let n_left = AtomicUsize::new(unknown.len());
        match &self.remote {
            Some(remote) => self.score_remotely(remote, &unknown, &n_left, stop)?,
            None => each_parent_set(&unknown, self.start(), stop, |parents, members| {
                if self.score_group(parents, &children_of(&unknown, members), stop)? {
                    n_left.fetch_sub(members.len(), Ordering::Relaxed);
                }
                Ok(())
            })?,
        }
        if let Some(reason) = stop.reason().filter(|_| n_left.into_inner() > 0) {
            self.refused.get_or_init(|| reason);
        }
        Ok(())
    }

    /// The same by remote workers; what they score is kept here.
    fn score_remotely(
        &self,
        remote: &RemoteWorkers,
        unknown: &[Family],
        n_left: &AtomicUsize,
        stop: Stop,
    ) -> Result<()> {
        let mut by_parents: BTreeMap<&NodeSet, Vec<usize>> = BTreeMap::new();
        for family in unknown {
            by_parents.entry(&family.parents).or_default().push(family.child);
        }
        let groups: Vec<(&NodeSet, Vec<usize>)> = by_parents.into_iter().collect();
        let jobs: Vec<Job> = groups.iter().map(|(parents, children)| Job::new(parents, children)).collect();
        let done = |place: usize, bytes: &[u8]| {
            let (parents, children) = &groups[place];
            let fresh = unpack(&remote.key, bytes)?;
            if let Some(store) = &self.store {
                store.keep(parents, &fresh)?;
            }
            let mut codes = GroupCodes::from_kept(Vec::new(), children, self.scorers.len());
            codes.add(fresh, false);
            self.enter(parents, codes);
            self.observer.scored(children.len());
            n_left.fetch_sub(children.len(), Ordering::Relaxed);
            Ok(())
        };
        remote.workers.score(&jobs, remote.networks, &done, &|| stop.now())
    }

    /// Where to begin among the parent sets: processes that share a store and go the same way round meet each other's work instead of
    /// doing the same at the same time. The golden section keeps process numbers that follow one another far apart.
    fn start(&self) -> u32 {
        self.store.as_ref().map_or(0, |_| std::process::id().wrapping_mul(0x9E37_79B9))
    }

    /// Of several contexts, nats that each is worth to `family` beside the others; empty of one, and after a stop.
    pub(crate) fn worth_of_contexts(&self, family: &Family) -> Vec<Nats> {
        let worth = |scorer: &FamilyScorer| scorer.worth_of_contexts(family, self.stop);
        let Some(orders) = self.scorers.iter().map(worth).collect::<Option<Vec<Vec<f64>>>>() else {
            return Vec::new();
        };
        let mean = |column: usize| Nats(MeanSd::of(orders.iter().map(|worth| worth[column])).mean);
        (0..orders[0].len()).map(mean).collect()
    }

    /// How many rows the table has.
    pub(crate) fn n_rows(&self) -> usize {
        self.scorers[0].data().n_rows()
    }

    /// Everything that is known, one code for each order of the rows.
    pub(super) fn into_codes(self) -> BTreeMap<Family, Vec<FamilyCode>> {
        let known = self.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        known.into_iter().map(|(family, entry)| (family, entry.codes)).collect()
    }

    fn known(&self) -> RwLockReadGuard<'_, HashMap<Family, Entry>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of `families` that are not known, each once.
    fn unknown(&self, families: &[Family]) -> Vec<Family> {
        let known = self.known();
        let mut unknown: Vec<Family> =
            families.iter().filter(|family| !known.contains_key(family)).cloned().collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }

    /// Those of `families` that must be scored, each once; what is kept of the others is known from now on.
    pub(crate) fn unscored(&self, families: &[Family]) -> Result<Vec<Family>> {
        self.not_kept(self.unknown(families))
    }

    /// Those of unknown families that must be scored; the others are known from now on.
    fn not_kept(&self, families: Vec<Family>) -> Result<Vec<Family>> {
        let Some(store) = &self.store else { return Ok(families) };
        let mut by_parents: BTreeMap<&NodeSet, Vec<usize>> = BTreeMap::new();
        for family in &families {
            by_parents.entry(&family.parents).or_default().push(family.child);
        }
        for (parents, children) in by_parents {
            let mut codes = GroupCodes::from_kept(store.recall(parents)?, &children, self.scorers.len());
            codes.0.retain(|_, orders| orders.iter().all(Option::is_some));
            self.enter(parents, codes);
        }
        Ok(self.unknown(&families))
    }

    /// Scores what is not kept of these families; another process may have kept some of them by now. Whether all were scored: not
    /// if it was halted.
    fn score_group(&self, parents: &NodeSet, children: &[usize], stop: Stop) -> Result<bool> {
        let kept = self.store.as_ref().map_or_else(|| Ok(Vec::new()), |store| store.recall(parents))?;
        let mut codes = GroupCodes::from_kept(kept, children, self.scorers.len());
        for (order, scorer) in self.scorers.iter().enumerate() {
            let missing = codes.without(order);
            if missing.is_empty() {
                continue;
            }
            let start = Instant::now();
            let Some(scored) = scorer.score_group(parents, &missing, stop)? else { return Ok(false) };
            let seconds = start.elapsed().as_secs_f64() / missing.len() as f64;
            let scored = missing.into_iter().zip(scored);
            let fresh: Vec<StoredScore> =
                scored.map(|(child, code)| StoredScore { child, order, code, seconds }).collect();
            if let Some(store) = &self.store {
                store.keep(parents, &fresh)?;
            }
            codes.add(fresh, false);
        }
        self.enter(parents, codes);
        self.observer.scored(children.len());
        Ok(true)
    }

    /// Makes families known whose codes are complete.
    fn enter(&self, parents: &NodeSet, codes: GroupCodes) {
        let entries = codes.0.into_iter().map(|(child, orders)| {
            let is_reused = orders.iter().flatten().all(|one| one.is_reused);
            let reused_effort = orders.iter().flatten().map(OrderCode::reused_effort).sum();
            let codes: Vec<FamilyCode> = orders.into_iter().flatten().map(|one| one.code).collect();
            let length = Nats(moments(&codes).mean);
            (Family::new(child, parents.clone()), Entry { length, codes, is_reused, reused_effort })
        });
        self.known.write().unwrap_or_else(PoisonError::into_inner).extend(entries);
    }
}

/// The codes of some children of one parent set: per child, one for each order of the rows.
struct GroupCodes(BTreeMap<usize, Vec<Option<OrderCode>>>);

struct OrderCode {
    code: FamilyCode,
    /// Whether it was kept by an earlier run or by another process.
    is_reused: bool,
}

impl OrderCode {
    fn reused_effort(&self) -> Effort {
        if self.is_reused { self.code.effort } else { Effort::default() }
    }
}

impl GroupCodes {
    /// What is kept of `children`; further row orders and other children are left out.
    fn from_kept(kept: Vec<StoredScore>, children: &[usize], n_orders: usize) -> GroupCodes {
        let nothing = || (0..n_orders).map(|_| None).collect();
        let mut codes = GroupCodes(children.iter().map(|&child| (child, nothing())).collect());
        codes.add(kept, true);
        codes
    }

    fn add(&mut self, codes: Vec<StoredScore>, is_reused: bool) {
        for StoredScore { child, order, code, .. } in codes {
            if let Some(place) = self.0.get_mut(&child).and_then(|orders| orders.get_mut(order)) {
                *place = Some(OrderCode { code, is_reused });
            }
        }
    }

    /// The children that have no code in this order of the rows.
    fn without(&self, order: usize) -> Vec<usize> {
        self.0.iter().filter(|(_, orders)| orders[order].is_none()).map(|(&child, _)| child).collect()
    }
}

impl FamilyLengths for ScoreCache<'_> {
    fn n_vars(&self) -> usize {
        self.scorers[0].data().n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        let unknown = self.unknown(families);
        if self.len() + unknown.len() > self.max_families {
            self.refused.get_or_init(|| StopReason::MemoryLimit);
        }
        // What was refused for want of memory stays so: what a search finds must not depend on how it asks.
        if self.refused() == Some(StopReason::MemoryLimit) {
            return Ok(());
        }
        self.score(self.not_kept(unknown)?, self.stop)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.known().get(family).map(|entry| entry.length)
    }

    fn found(&self, code_length: Nats) {
        self.observer.found(code_length);
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let known = self.known();
        let mut sorted: Vec<(&NodeSet, Nats)> = known
            .iter()
            .filter(|(family, _)| family.child == child)
            .map(|(family, entry)| (&family.parents, entry.length))
            .collect();
        sorted.sort_unstable_by_key(|&(parents, _)| parents);
        sorted.into_iter().for_each(|(parents, length)| visit(parents, length));
    }
}
