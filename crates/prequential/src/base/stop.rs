//! A token that stops a run early; once set, it stays set.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::observer::Observer;
pub use super::observer::StopReason;

/// Tells a run to stop, from any thread. Clones are the same token; once set, it stays set and keeps its first reason.
///
/// It is an [`Observer`] that does nothing else:
///
/// ```
/// use prequential::{Plan, Settings, StopReason, StopToken};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(500, 1)?.table;
/// let stop = StopToken::new();
/// stop.stop(StopReason::Interrupted); // from a handler of Ctrl-C, say
/// let learned = Plan::new(&table, &Settings::default())?.learn(&stop)?;
/// assert!(learned.partial.is_some() && !learned.answer.found.is_proven);
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopToken {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Why, and since when.
    set: OnceLock<(StopReason, Instant)>,
    deadline: Option<Instant>,
}

impl StopToken {
    /// Not set.
    pub fn new() -> StopToken {
        StopToken::default()
    }

    /// A token that sets itself after this time.
    pub fn with_time_limit(limit: Duration) -> StopToken {
        let shared = Shared { set: OnceLock::new(), deadline: Instant::now().checked_add(limit) };
        StopToken { shared: Arc::new(shared) }
    }

    /// Sets it, unless it is set already.
    pub fn stop(&self, reason: StopReason) {
        self.shared.set.get_or_init(|| (reason, Instant::now()));
    }

    /// Why to stop, if it is set.
    pub fn reason(&self) -> Option<StopReason> {
        self.set().map(|(reason, _)| reason)
    }

    fn set(&self) -> Option<(StopReason, Instant)> {
        if self.shared.set.get().is_none() && self.shared.deadline.is_some_and(|end| Instant::now() >= end) {
            self.stop(StopReason::TimeLimit);
        }
        self.shared.set.get().copied()
    }
}

impl Observer for StopToken {
    fn stop(&self) -> Option<StopReason> {
        self.reason()
    }
}

/// The stop condition that all parts of a run check often, in the middle of long work.
///
/// The observer is asked until it first says so; from then on the run's own token answers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stop<'a> {
    watched: Option<(&'a StopToken, &'a dyn Observer)>,
    grace: Duration,
}

impl<'a> Stop<'a> {
    /// Never stops.
    pub(crate) fn never() -> Stop<'static> {
        Stop::default()
    }

    /// Stops when `token` is set, which happens as soon as `observer` says so.
    pub(crate) fn when(token: &'a StopToken, observer: &'a dyn Observer) -> Stop<'a> {
        Stop { watched: Some((token, observer)), grace: Duration::ZERO }
    }

    /// A stop some time later: for work that is usually finished by then and improves the answer.
    pub(crate) fn later(self, grace: Duration) -> Stop<'a> {
        Stop { grace, ..self }
    }

    /// The reason to stop now, if there is one; it does not change.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        let (token, observer) = self.watched?;
        if token.set().is_none() {
            observer.stop().into_iter().for_each(|reason| token.stop(reason));
        }
        token.set().filter(|(_, since)| since.elapsed() >= self.grace).map(|(reason, _)| reason)
    }

    /// Whether to stop now.
    pub(crate) fn now(&self) -> bool {
        self.reason().is_some()
    }
}

impl fmt::Debug for Stop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stop({:?})", self.reason())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Says yes to the first question, and no ever after.
    #[derive(Default)]
    struct Fickle {
        asked: AtomicBool,
    }

    impl Observer for Fickle {
        fn stop(&self) -> Option<StopReason> {
            (!self.asked.swap(true, Ordering::Relaxed)).then_some(StopReason::Interrupted)
        }
    }

    #[test]
    fn whoever_said_stop_once_has_said_it_for_good() {
        let (token, observer) = (StopToken::new(), Fickle::default());
        let stop = Stop::when(&token, &observer);
        assert!(stop.now() && stop.now() && observer.stop().is_none());
        assert_eq!(token.clone().reason(), Some(StopReason::Interrupted));
        token.stop(StopReason::TimeLimit);
        assert_eq!(stop.reason(), Some(StopReason::Interrupted));
    }

    #[test]
    fn a_time_limit_sets_the_token_by_itself() {
        assert_eq!(StopToken::with_time_limit(Duration::ZERO).reason(), Some(StopReason::TimeLimit));
        assert_eq!(StopToken::with_time_limit(Duration::from_secs(3600)).reason(), None);
        assert_eq!(StopToken::with_time_limit(Duration::MAX).reason(), None);
    }

    #[test]
    fn later_is_after_the_grace_and_only_if_somebody_says_stop() {
        let (token, unset) = (StopToken::new(), StopToken::new());
        token.stop(StopReason::Interrupted);
        assert!(Stop::when(&token, &()).later(Duration::ZERO).now());
        assert!(!Stop::when(&token, &()).later(Duration::from_secs(3600)).now());
        assert!(!Stop::when(&unset, &()).now() && !Stop::never().now());
    }
}
