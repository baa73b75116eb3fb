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
pub(crate) struct GradedCache<'a> {
    /// Without networks; `None` where all families are scored at once as they are meant to be.
    quick: Option<ScoreCache<'a>>,
    whole: ScoreCache<'a>,
}

impl<'a> GradedCache<'a> {
    /// Of a cache of whole codes and, if networks can wait, one of codes without them.
    pub(crate) fn new(quick: Option<ScoreCache<'a>>, whole: ScoreCache<'a>) -> GradedCache<'a> {
        GradedCache { quick, whole }
    }

    /// What scores a family when it is first asked for.
    pub(crate) fn first(&self) -> &ScoreCache<'a> {
        self.quick.as_ref().unwrap_or(&self.whole)
    }

    /// What scores with networks, if they wait until they are asked for.
    pub(crate) fn waiting(&self) -> Option<&ScoreCache<'a>> {
        self.quick.as_ref().map(|_| &self.whole)
    }

    /// Trains networks for `families`, as far as there is time.
    pub(crate) fn train(&self, families: &[Family]) -> Result<()> {
        self.first().request(families)?;
        let scored: Vec<Family> =
            families.iter().filter(|family| self.first().code_length(family).is_some()).cloned().collect();
        self.whole.request(&scored)
    }

    /// How many nats networks gain in `family`, if they were trained for it.
    pub(crate) fn gain(&self, family: &Family) -> Option<f64> {
        let quick = self.quick.as_ref()?.code_length(family)?;
        Some((quick - self.whole.code_length(family)?).0)
    }

    /// Why families that were asked for were not scored, if that has happened.
    pub(crate) fn refused(&self) -> Option<StopReason> {
        self.first().refused().or(self.whole.refused())
    }

    /// How many families are known.
    pub(crate) fn len(&self) -> usize {
        self.first().len()
    }

    /// What was kept from earlier runs and served in this one.
    pub(crate) fn reused(&self) -> Reused {
        let (first, whole) = (self.first().reused(), self.whole.reused());
        Reused { n_families: first.n_families, effort: whole.effort }
    }

    /// Everything that is known, in the order of families.
    pub(crate) fn into_scores(self) -> Scores {
        let n_rows = self.whole.n_rows();
        let mut codes = self.quick.map(ScoreCache::into_codes).unwrap_or_default();
        // Of families with both codes, the later one stays: that with networks.
        codes.extend(self.whole.into_codes());
        Scores::new(codes.into_iter().collect(), n_rows)
    }
}

impl FamilyLengths for GradedCache<'_> {
    fn n_vars(&self) -> usize {
        self.whole.n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.first().request(families)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.whole.code_length(family).or_else(|| self.first().code_length(family))
    }

    fn found(&self, code_length: Nats) {
        self.whole.found(code_length);
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.first().for_each(child, &mut |parents, length| {
            let whole = self.whole.code_length(&Family::new(child, parents.clone()));
            visit(parents, whole.unwrap_or(length));
        });
    }
}
