//! Lets work end early that nobody waits for any more.

use std::fmt;

use crate::observer::Observer;

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

impl fmt::Debug for Halt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Halt({})", self.now())
    }
}
