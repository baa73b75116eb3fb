//! The public trait of local scores: any score that decomposes into families can be searched.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use rayon::prelude::*;

use super::code_lengths::FamilyLengths;
use crate::base::error::{Error, Result};
use crate::base::nats::Nats;
use crate::base::observer::Observer;
use crate::base::stop::Stop;
use crate::graph::{Family, NodeSet};

/// A decomposable score: the code length of a graph is the sum over its families.
///
/// [`search_scores`](crate::scores::search_scores) finds the best graph by any such score;
/// [`Plan::local_score`](crate::Plan::local_score) offers our score to any search. A code length is in nats,
/// and smaller is better: the negative of a log-likelihood or Bayesian score.
///
/// ```
/// use std::collections::HashMap;
/// use prequential::scores::{LocalScore, search_scores};
/// use prequential::{Exact, Family, HillClimb, Nats, Result, Search, Settings};
///
/// /// BIC of variables that are 0 or 1.
/// struct BinaryBic {
///     names: Vec<String>,
///     rows: Vec<Vec<usize>>,
/// }
///
/// impl LocalScore for BinaryBic {
///     fn names(&self) -> &[String] {
///         &self.names
///     }
///
///     fn code_length(&self, family: &Family) -> Result<Nats> {
///         let mut counts: HashMap<Vec<usize>, [f64; 2]> = HashMap::new();
///         for row in &self.rows {
///             let parents = family.parents.iter().map(|parent| row[parent]).collect();
///             counts.entry(parents).or_default()[row[family.child]] += 1.0;
///         }
///         let fit = |n: &[f64; 2]| n.iter().filter(|&&k| k > 0.0).map(|k| -k * (k / (n[0] + n[1])).ln()).sum::<f64>();
///         let n_parameters = (1 << family.parents.len()) as f64;
///         let penalty = n_parameters / 2.0 * (self.rows.len() as f64).ln();
///         Ok(Nats(counts.values().map(fit).sum::<f64>() + penalty))
///     }
/// }
///
/// // Whoever carries both an umbrella and a newspaper stays dry, nobody else does.
/// let rows = (0..400).map(|i| vec![i % 2, i / 2 % 2, usize::from(i % 4 == 3) ^ usize::from(i % 50 == 0)]).collect();
/// let score = BinaryBic { names: ["umbrella", "newspaper", "dry"].map(String::from).to_vec(), rows };
/// for search in [Search::from(Exact), HillClimb::default().into()] {
///     let settings = Settings { search, ..Settings::default() };
///     let searched = search_scores(&score, &settings, &())?;
///     assert_eq!(searched.answer.dag.edges(), [(0, 2), (1, 2)]);
/// }
/// # Ok::<(), prequential::Error>(())
/// ```
pub trait LocalScore: Sync {
    /// The variables; families refer to them by their positions.
    fn names(&self) -> &[String];

    /// The code length of one family, in nats. It must depend on the family alone; infinity excludes the
    /// family from all graphs.
    fn code_length(&self, family: &Family) -> Result<Nats>;

    /// The code lengths of several families, in their order: for scores that share work among them. By
    /// default they are scored one by one, in parallel.
    fn code_lengths(&self, families: &[Family]) -> Result<Vec<Nats>> {
        families.par_iter().map(|family| self.code_length(family)).collect()
    }

    /// All families that can be in a graph, if they are listed; otherwise searches request those that they
    /// need.
    fn table(&self) -> Option<&LocalScores> {
        None
    }
}

/// The most variables of local scores from a file: a parent set takes a bit for each.
pub(crate) const MAX_LOCAL_VARS: usize = 2_000;

/// Code lengths of families, with the names of the variables: the contents of a store, or of a file of local scores.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalScores {
    /// The variables.
    pub names: Vec<String>,
    /// Families with their code lengths; those that are not listed cannot be in a graph.
    pub lengths: BTreeMap<Family, Nats>,
}

impl FamilyLengths for LocalScores {
    fn n_vars(&self) -> usize {
        self.names.len()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.get(family).copied()
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let from_child = self.lengths.range(Family::new(child, NodeSet::new())..);
        from_child
            .take_while(|(family, _)| family.child == child)
            .for_each(|(family, &length)| visit(&family.parents, length));
    }
}

impl LocalScore for LocalScores {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn code_length(&self, family: &Family) -> Result<Nats> {
        Ok(self.lengths.get(family).copied().unwrap_or(Nats(f64::INFINITY)))
    }

    fn table(&self) -> Option<&LocalScores> {
        Some(self)
    }
}

/// Families that are scored in one batch between checks of the stop condition.
const AT_ONCE: usize = 256;

/// A cache that computes the score of every family once.
pub(crate) struct ScoredOnce<'a> {
    score: &'a dyn LocalScore,
    /// Infinite for a family that cannot be in a graph.
    known: RwLock<BTreeMap<Family, Nats>>,
    observer: &'a dyn Observer,
    stop: Stop<'a>,
}

impl<'a> ScoredOnce<'a> {
    /// An empty cache.
    pub(crate) fn new(
        score: &'a dyn LocalScore,
        observer: &'a dyn Observer,
        stop: Stop<'a>,
    ) -> ScoredOnce<'a> {
        ScoredOnce { score, known: RwLock::default(), observer, stop }
    }

    /// How many families were scored.
    pub(crate) fn len(&self) -> usize {
        self.known().len()
    }

    /// Scores `families` that are not known, until `stop`.
    fn score(&self, families: &[Family], stop: Stop) -> Result<()> {
        let unknown: BTreeSet<&Family> = {
            let known = self.known();
            families.iter().filter(|family| !known.contains_key(family)).collect()
        };
        let unknown: Vec<Family> = unknown.into_iter().cloned().collect();
        if unknown.is_empty() {
            return Ok(());
        }
        self.observer.scoring(unknown.len());
        for some in unknown.chunks(AT_ONCE) {
            if stop.now() {
                break;
            }
            let lengths = self.score.code_lengths(some)?;
            assert_eq!(lengths.len(), some.len(), "a local score has one code length for each family");
            some.iter().zip(&lengths).try_for_each(|(family, length)| self.check(family, *length))?;
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.extend(some.iter().cloned().zip(lengths));
            self.observer.scored(some.len());
        }
        Ok(())
    }

    /// Scores `families` even if the run is to stop.
    pub(crate) fn request_uninterruptible(&self, families: &[Family]) -> Result<()> {
        self.score(families, Stop::never())
    }

    fn check(&self, family: &Family, Nats(length): Nats) -> Result<()> {
        if length > f64::NEG_INFINITY {
            return Ok(());
        }
        let family = family.display(self.score.names());
        Err(Error::Setting {
            what: format!("the code length of `{family}` is {length}").into(),
            hint: "a local score answers in nats, or with infinity for families that cannot be in a graph"
                .into(),
        })
    }

    fn known(&self) -> RwLockReadGuard<'_, BTreeMap<Family, Nats>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FamilyLengths for ScoredOnce<'_> {
    fn n_vars(&self) -> usize {
        self.score.names().len()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.score(families, self.stop)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.known().get(family).copied().filter(|length| length.0 < f64::INFINITY)
    }

    fn found(&self, code_length: Nats) {
        self.observer.found(code_length);
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let known = self.known();
        let from_child = known.range(Family::new(child, NodeSet::new())..);
        from_child
            .take_while(|(family, _)| family.child == child)
            .filter(|(_, length)| length.0 < f64::INFINITY)
            .for_each(|(family, &length)| visit(&family.parents, length));
    }
}
