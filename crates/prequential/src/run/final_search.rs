//! The end of a stopped run: a short continuation of its search, and a final search of the cached families.

use std::time::Duration;

use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::{Stop, StopToken};
use crate::graph::{Family, NodeSet};
use crate::score::FamilyLengths;
use crate::search::{Problem, SearchMethod, SearchResult};

/// How long a search may continue after a stop.
pub(super) const SEARCH_GRACE: Duration = Duration::from_millis(500);

/// How long the final search may take: many times the time to look up some thousand families of 50 variables.
const FINAL_SEARCH_TIME: Duration = Duration::from_millis(600);

/// Finds the best graph of `problem`, within the time left to a stopped run.
pub(super) fn search_with_grace(method: &dyn SearchMethod, problem: &Problem) -> Result<SearchResult> {
    method.find(&Problem { stop: problem.stop.later(SEARCH_GRACE), ..*problem })
}

/// The better of the result of the stopped search and of a final search, with all its restarts, among the
/// cached families.
///
/// Families in progress at the stop may use up all the time left to the search. So it has had few restarts,
/// or none, and on wide tables only candidate parents; but looking up cached families costs next to nothing.
pub(super) fn search_cached_families(
    found: SearchResult,
    method: &dyn SearchMethod,
    problem: &Problem,
) -> Result<SearchResult> {
    let token = StopToken::with_time_limit(FINAL_SEARCH_TIME);
    let cached = CachedLengths { lengths: problem.lengths };
    let (lengths, stop) = (&cached, Stop::when(&token, &()));
    let mut again = method.find(&Problem { lengths, candidates: None, start: None, stop, ..*problem })?;
    again.report.is_stopped = true;
    Ok(if again.code_length < found.code_length { again } else { found })
}

/// The cached code lengths only.
struct CachedLengths<'a> {
    lengths: &'a dyn FamilyLengths,
}

impl FamilyLengths for CachedLengths<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family)
    }

    fn found(&self, code_length: Nats) {
        self.lengths.found(code_length);
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths.for_each(child, visit);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::base::stop::StopReason;
    use crate::score::CodeLengths;
    use crate::search::{ClimbSettings, Constraints, Limits, Order, order_search};

    const N_VARS: usize = 7;

    /// Random code lengths that count the requested families.
    struct CountingLengths {
        lengths: CodeLengths,
        n_requested: AtomicUsize,
    }

    impl CountingLengths {
        fn new(seed: u64) -> CountingLengths {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut lengths = CodeLengths::new(N_VARS, 2);
            for family in Constraints::none(N_VARS).with_max_parents(2).families() {
                lengths.set(&family, Nats(rng.random_range(0.0..100.0)));
            }
            CountingLengths { lengths, n_requested: AtomicUsize::new(0) }
        }
    }

    impl FamilyLengths for CountingLengths {
        fn n_vars(&self) -> usize {
            N_VARS
        }

        fn request(&self, families: &[Family]) -> Result<()> {
            self.n_requested.fetch_add(families.len(), Ordering::Relaxed);
            Ok(())
        }

        fn code_length(&self, family: &Family) -> Option<Nats> {
            self.lengths.code_length(family)
        }

        fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
            self.lengths.for_each(child, visit);
        }
    }

    #[test]
    fn a_search_that_was_stopped_at_once_ends_with_the_best_that_all_its_starts_find_among_what_is_known() {
        let (constraints, limits) = (Constraints::none(N_VARS).with_max_parents(2), Limits::default());
        let token = StopToken::new();
        token.stop(StopReason::TimeLimit);
        let mut n_better = 0;
        for seed in 0..10 {
            let lengths = CountingLengths::new(seed);
            let stop = Stop::when(&token, &());
            let problem = Problem {
                lengths: &lengths,
                constraints: &constraints,
                limits: &limits,
                top: 3,
                n_near: 0,
                candidates: None,
                start: None,
                seed,
                stop,
            };
            let stopped = Order::default().find(&problem).unwrap();
            let (before, n_requested) = (stopped.code_length, lengths.n_requested.load(Ordering::Relaxed));
            let best = search_cached_families(stopped, &Order::default(), &problem).unwrap();
            assert_eq!(lengths.n_requested.load(Ordering::Relaxed), n_requested, "nothing is scored");
            assert!(best.report.is_stopped && !best.report.is_proven);
            let settings = ClimbSettings { seed, ..ClimbSettings::default() };
            let whole = order_search(&lengths, &constraints, &settings).unwrap().best(1)[0].1;
            assert!((best.code_length - whole).0.abs() < 1e-9);
            n_better += usize::from(best.code_length < before);
        }
        assert!(n_better > 5, "{n_better}");
    }
}
