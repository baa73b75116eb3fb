//! The cache of family scores: families are scored when they are first requested.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::Instant;

use super::code_lengths::FamilyLengths;
use super::identity::CodeIdentity;
use super::loss_curve::MeanSd;
use super::scorer::{FamilyCode, FamilyScorer, StoredScore, children_of, each_parent_set};
use super::scores::moments;
use super::workers::{Job, Workers, incomplete, unpack};
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::{Stop, StopReason};
use crate::estimator::Effort;
use crate::graph::{Family, NodeSet};

/// Storage that keeps the codes of families beyond the run.
pub(crate) trait CodeStore: Sync {
    /// All stored codes of families with these parents.
    fn recall(&self, parents: &NodeSet) -> Result<Vec<StoredScore>>;

    /// Stores codes of families with these parents immediately.
    fn keep(&self, parents: &NodeSet, codes: &[StoredScore]) -> Result<()>;
}

/// What was reused.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reused {
    /// Families that were not scored because their codes were stored.
    pub(crate) n_families: usize,
    /// The original cost of the stored codes.
    pub(crate) effort: Effort,
}

/// Scores families when they are first requested, in parallel, and caches them.
///
/// The code lengths do not depend on the order in which families are requested, nor on what is requested with
/// them.
pub(crate) struct ScoreCache<'a> {
    /// One per row order.
    scorers: Vec<FamilyScorer>,
    observer: &'a dyn Observer,
    stop: Stop<'a>,
    /// Where codes are stored beyond the run.
    store: Option<Box<dyn CodeStore>>,
    known: RwLock<HashMap<Family, Entry>>,
    /// The most families that memory allows.
    max_families: usize,
    /// Why requested families were not scored, if that happened.
    refused: OnceLock<StopReason>,
    /// The remote workers, if the threads of this process do not score.
    remote: Option<RemoteWorkers>,
}

/// Remote workers, and what they are to know.
#[derive(Debug, Clone)]
pub(crate) struct RemoteWorkers {
    pub(crate) workers: Arc<dyn Workers>,
    /// Whether codes have networks.
    pub(crate) networks: bool,
    /// What their codes must depend on.
    pub(crate) identity: CodeIdentity,
}

struct Entry {
    length: Nats,
    /// One per row order.
    codes: Vec<FamilyCode>,
    /// Whether all of them were stored.
    is_reused: bool,
    /// The original cost of those that were stored.
    reused_effort: Effort,
}

impl<'a> ScoreCache<'a> {
    /// An empty cache of at most `max_families`; every family is scored by all `scorers`, one for each order
    /// of the rows.
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

    /// A cache whose families are scored by remote workers.
    pub(crate) fn with_remote_workers(self, remote: Option<RemoteWorkers>) -> ScoreCache<'a> {
        ScoreCache { remote, ..self }
    }

    /// Scores `families` even if the run is to stop.
    pub(crate) fn request_uninterruptible(&self, families: &[Family]) -> Result<()> {
        self.score(self.unscored(families)?, Stop::never())
    }

    /// Why requested families were not scored, if that happened.
    pub(crate) fn refused(&self) -> Option<StopReason> {
        self.refused.get().copied()
    }

    /// How many families are known.
    pub(crate) fn len(&self) -> usize {
        self.known().len()
    }

    /// What was reused from earlier runs.
    pub(crate) fn reused(&self) -> Reused {
        let known = self.known();
        Reused {
            n_families: known.values().filter(|entry| entry.is_reused).count(),
            effort: known.values().map(|entry| entry.reused_effort).sum(),
        }
    }

    /// Scores families that are not known, until `stop`.
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

    /// Has families scored by remote workers; their codes are stored here.
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
            let fresh = unpack(&remote.identity, bytes)?;
            let mut codes = GroupCodes::from_kept(Vec::new(), children, self.scorers.len());
            codes.add(fresh.clone(), false);
            if (0..self.scorers.len()).any(|order| !codes.without(order).is_empty()) {
                return Err(incomplete());
            }
            if let Some(store) = &self.store {
                store.keep(parents, &fresh)?;
            }
            self.enter(parents, codes);
            self.observer.scored(children.len());
            n_left.fetch_sub(children.len(), Ordering::Relaxed);
            Ok(())
        };
        remote.workers.score(&jobs, remote.networks, &done, &|| stop.now())
    }

    /// Where to start among the parent sets: processes that share a store find each other's results instead
    /// of doing the same work at the same time. The golden section keeps consecutive process numbers far
    /// apart.
    fn start(&self) -> u32 {
        self.store.as_ref().map_or(0, |_| std::process::id().wrapping_mul(0x9E37_79B9))
    }

    /// With several contexts, the nats that each is worth to `family` in addition to the others; empty with
    /// one, and after a stop.
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

    /// Those of `families` that must be scored, each once; stored codes of the others are loaded.
    pub(crate) fn unscored(&self, families: &[Family]) -> Result<Vec<Family>> {
        self.not_kept(self.unknown(families))
    }

    /// Those of unknown families that must be scored; the others are loaded.
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

    /// Scores those of these families that are not stored; another process may have stored some by now.
    /// Returns whether all were scored: not if it was stopped.
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

    /// Caches families whose codes are complete.
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
    /// Whether it was stored by an earlier run or by another process.
    is_reused: bool,
}

impl OrderCode {
    fn reused_effort(&self) -> Effort {
        if self.is_reused { self.code.effort } else { Effort::default() }
    }
}

impl GroupCodes {
    /// The stored codes of `children`; further row orders and other children are left out.
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
        // What was refused for lack of memory stays refused: the result of a search must not depend on the
        // order of its requests.
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
