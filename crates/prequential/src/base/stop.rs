//! Lets work end early that nobody waits for any more.

use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::base::observer::{Observer, StopReason};

/// Whether to end early: asked now and then in the middle of long work. Once it says so it stays so, and what the work gives is dropped.
#[derive(Clone, Copy, Default)]
pub(crate) struct Halt<'a>(Option<&'a dyn Observer>);

impl<'a> Halt<'a> {
    /// When the observer says to stop.
    pub(crate) fn when(observer: &'a dyn Observer) -> Halt<'a> {
        Halt(Some(observer))
    }

    /// Whether that is so now.
    pub(crate) fn now(self) -> bool {
        self.0.is_some_and(|observer| observer.stop().is_some())
    }
}

/// Says to stop a while after another observer does: for work that is usually done by then, and the answer is better with it.
pub(crate) struct Later<'a> {
    observer: &'a dyn Observer,
    grace: Duration,
    until: OnceLock<Instant>,
}

impl<'a> Later<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, grace: Duration) -> Later<'a> {
        Later { observer, grace, until: OnceLock::new() }
    }
}

impl Observer for Later<'_> {
    fn stop(&self) -> Option<StopReason> {
        let reason = self.observer.stop()?;
        let until = self.until.get_or_init(|| Instant::now() + self.grace);
        (Instant::now() >= *until).then_some(reason)
    }
}

impl fmt::Debug for Halt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Halt({})", self.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Stopped;

    impl Observer for Stopped {
        fn stop(&self) -> Option<StopReason> {
            Some(StopReason::Interrupted)
        }
    }

    #[test]
    fn later_is_after_the_grace_and_only_if_somebody_says_stop() {
        assert!(Halt::when(&Later::new(&Stopped, Duration::ZERO)).now());
        assert!(!Halt::when(&Later::new(&Stopped, Duration::from_secs(3600))).now());
        assert!(!Halt::when(&Later::new(&(), Duration::ZERO)).now());
    }
}
