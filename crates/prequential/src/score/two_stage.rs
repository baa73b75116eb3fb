//! A cache in two stages: families are scored without networks first, and with networks on request.

use super::cache::{Reused, ScoreCache};
use super::code_lengths::FamilyLengths;
use super::scores::Scores;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::StopReason;
use crate::graph::{Family, NodeSet};

/// The code lengths of a run: for each family the one with networks, if they were trained for it, else the
/// one without.
///
/// Which families have networks depends on the requests, never on what a store contains.
pub(crate) struct TwoStageCache<'a> {
    /// Without networks; `None` if all families are scored in one stage.
    cheap: Option<ScoreCache<'a>>,
    full: ScoreCache<'a>,
}

impl<'a> TwoStageCache<'a> {
    /// From a cache of complete codes and, if networks can wait, one of codes without them.
    pub(crate) fn new(cheap: Option<ScoreCache<'a>>, full: ScoreCache<'a>) -> TwoStageCache<'a> {
        TwoStageCache { cheap, full }
    }

    /// The cache that scores a family when it is first requested.
    pub(crate) fn initial(&self) -> &ScoreCache<'a> {
        self.cheap.as_ref().unwrap_or(&self.full)
    }

    /// The cache that scores with networks, if they are trained on request.
    pub(crate) fn deferred(&self) -> Option<&ScoreCache<'a>> {
        self.cheap.as_ref().map(|_| &self.full)
    }

    /// What scores with all experts.
    pub(crate) fn full(&self) -> &ScoreCache<'a> {
        &self.full
    }

    /// Trains networks for `families`, as long as there is time.
    pub(crate) fn train(&self, families: &[Family]) -> Result<()> {
        self.initial().request(families)?;
        let scored: Vec<Family> =
            families.iter().filter(|family| self.initial().code_length(family).is_some()).cloned().collect();
        self.full.request(&scored)
    }

    /// Why requested families were not scored, if that happened.
    pub(crate) fn refused(&self) -> Option<StopReason> {
        self.initial().refused().or(self.full.refused())
    }

    /// How many families are known.
    pub(crate) fn len(&self) -> usize {
        self.initial().len()
    }

    /// What was reused from earlier runs.
    pub(crate) fn reused(&self) -> Reused {
        let (first, full) = (self.initial().reused(), self.full.reused());
        Reused { n_families: first.n_families, effort: full.effort }
    }

    /// Everything that is known, in the order of families.
    pub(crate) fn into_scores(self) -> Scores {
        let n_rows = self.full.n_rows();
        let mut codes = self.cheap.map(ScoreCache::into_codes).unwrap_or_default();
        // If a family has both codes, the one with networks is used.
        codes.extend(self.full.into_codes());
        Scores::new(codes.into_iter().collect(), n_rows)
    }
}

impl FamilyLengths for TwoStageCache<'_> {
    fn n_vars(&self) -> usize {
        self.full.n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.initial().request(families)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.full.code_length(family).or_else(|| self.initial().code_length(family))
    }

    fn found(&self, code_length: Nats) {
        self.full.found(code_length);
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.initial().for_each(child, &mut |parents, length| {
            let full = self.full.code_length(&Family::new(child, parents.clone()));
            visit(parents, full.unwrap_or(length));
        });
    }
}
