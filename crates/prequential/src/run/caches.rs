//! Caches of code lengths for a run: who scores, and where codes are stored.

use std::sync::Arc;

use super::plan::Plan;
#[cfg(not(feature = "store"))]
use crate::base::error::Error;
use crate::base::error::Result;
use crate::base::observer::Observer;
use crate::base::stop::Stop;
use crate::estimator::Method;
use crate::score::{CodeStore, FamilyScorer, RemoteWorkers, ScoreCache, TwoStageCache};

impl Plan {
    /// A cache with only the contents of the store.
    pub(crate) fn open_cache<'a>(
        &self,
        observer: &'a dyn Observer,
        stop: Stop<'a>,
    ) -> Result<ScoreCache<'a>> {
        let store = self.open_store(&self.estimator)?;
        let cache = ScoreCache::new(self.scorers(), observer, stop, store, self.max_families());
        Ok(cache.with_remote_workers(self.remote(true)))
    }

    /// A cache in two stages if expensive experts are gated: they are trained on request.
    pub(crate) fn open_two_stage<'a>(
        &self,
        observer: &'a dyn Observer,
        stop: Stop<'a>,
    ) -> Result<TwoStageCache<'a>> {
        let Some(cheap_estimator) = self.expensive.cheap_estimator() else {
            return Ok(TwoStageCache::new(None, self.open_cache(observer, stop)?));
        };
        let (full, max) = (self.scorers(), self.max_families());
        let cheap: Option<Vec<FamilyScorer>> =
            full.iter().map(FamilyScorer::without_expensive_experts).collect();
        let open = |scorers, method, networks| -> Result<ScoreCache<'a>> {
            let cache = ScoreCache::new(scorers, observer, stop, self.open_store(method)?, max);
            Ok(cache.with_remote_workers(self.remote(networks)))
        };
        let cheap = cheap.map(|scorers| open(scorers, cheap_estimator, false)).transpose()?;
        Ok(TwoStageCache::new(cheap, open(full, &self.estimator, true)?))
    }

    /// Remote workers, if there are any.
    fn remote(&self, networks: bool) -> Option<RemoteWorkers> {
        let workers = self.workers.clone()?;
        Some(RemoteWorkers { workers, networks, identity: self.code_identity() })
    }

    /// The scorers of families, one for each order of the rows.
    pub(crate) fn scorers(&self) -> Vec<FamilyScorer> {
        let scorer = |order| {
            let data = self.data.reordered(&self.order_of_rows(order));
            FamilyScorer::new(&self.estimator, data, self.seed, order)
        };
        (0..self.permutations).map(scorer).collect()
    }

    /// The store of an estimator's code lengths, if there is one.
    #[cfg(feature = "store")]
    fn open_store(&self, estimator: &Arc<dyn Method>) -> Result<Option<Box<dyn CodeStore>>> {
        use crate::score::OpenStore;
        let Some(path) = &self.store else { return Ok(None) };
        let plan = Plan { estimator: estimator.clone(), ..self.clone() };
        Ok(Some(Box::new(OpenStore::open(path, &self.identity, &plan.code_identity())?)))
    }

    #[cfg(not(feature = "store"))]
    fn open_store(&self, _estimator: &Arc<dyn Method>) -> Result<Option<Box<dyn CodeStore>>> {
        let Some(path) = &self.store else { return Ok(None) };
        Err(Error::Store {
            path: path.clone(),
            problem: "this build of prequential cannot store code lengths".into(),
            hint: "build it with the feature `store`".into(),
        })
    }
}
