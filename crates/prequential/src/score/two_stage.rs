//! Families scored without networks when they are first asked for, and with networks where that is asked for besides.

use super::cache::{Reused, ScoreCache};
use super::code_lengths::FamilyLengths;
use super::scores::Scores;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::StopReason;
use crate::graph::{Family, NodeSet};

/// The code lengths of a run: of each family the one with networks, if they were trained for it, or else the one without.
///
/// Which families have networks follows from what was asked for, never from what a store happens to keep.
pub(crate) struct TwoStageCache<'a> {
    /// Without networks; `None` where all families are scored at once as they are meant to be.
    cheap: Option<ScoreCache<'a>>,
    full: ScoreCache<'a>,
}

impl<'a> TwoStageCache<'a> {
    /// Of a cache of whole codes and, if networks can wait, one of codes without them.
    pub(crate) fn new(cheap: Option<ScoreCache<'a>>, full: ScoreCache<'a>) -> TwoStageCache<'a> {
        TwoStageCache { cheap, full }
    }

    /// What scores a family when it is first asked for.
    pub(crate) fn initial(&self) -> &ScoreCache<'a> {
        self.cheap.as_ref().unwrap_or(&self.full)
    }

    /// What scores with networks, if they wait until they are asked for.
    pub(crate) fn deferred(&self) -> Option<&ScoreCache<'a>> {
        self.cheap.as_ref().map(|_| &self.full)
    }

    /// Trains networks for `families`, as far as there is time.
    pub(crate) fn train(&self, families: &[Family]) -> Result<()> {
        self.initial().request(families)?;
        let scored: Vec<Family> =
            families.iter().filter(|family| self.initial().code_length(family).is_some()).cloned().collect();
        self.full.request(&scored)
    }

    /// How many nats networks gain in `family`, if they were trained for it.
    pub(crate) fn gain(&self, family: &Family) -> Option<f64> {
        let cheap = self.cheap.as_ref()?.code_length(family)?;
        Some((cheap - self.full.code_length(family)?).0)
    }

    /// Why families that were asked for were not scored, if that has happened.
    pub(crate) fn refused(&self) -> Option<StopReason> {
        self.initial().refused().or(self.full.refused())
    }

    /// How many families are known.
    pub(crate) fn len(&self) -> usize {
        self.initial().len()
    }

    /// What was kept from earlier runs and served in this one.
    pub(crate) fn reused(&self) -> Reused {
        let (first, full) = (self.initial().reused(), self.full.reused());
        Reused { n_families: first.n_families, effort: full.effort }
    }

    /// Everything that is known, in the order of families.
    pub(crate) fn into_scores(self) -> Scores {
        let n_rows = self.full.n_rows();
        let mut codes = self.cheap.map(ScoreCache::into_codes).unwrap_or_default();
        // Of families with both codes, the later one stays: that with networks.
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
