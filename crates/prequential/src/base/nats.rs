//! The unit of every code length.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Deserialize, Serialize};

/// A code length or a difference of code lengths, in nats; smaller is better.
///
/// One nat is 1 / ln 2 = 1.44 bits. A gap of `x` nats between two graphs means odds of e^x to 1.
///
/// ```
/// use prequential::Nats;
/// let gap = Nats(12.5) - Nats(10.0);
/// assert_eq!(format!("{gap} {gap:>+8}"), "2.50    +2.50");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nats(pub f64);

impl Nats {
    /// An infinite code length, that of an impossible event.
    pub const INFINITY: Nats = Nats(f64::INFINITY);
}

impl fmt::Display for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&if f.sign_plus() { format!("{:+.2}", self.0) } else { format!("{:.2}", self.0) })
    }
}

impl Add for Nats {
    type Output = Nats;
    fn add(self, other: Nats) -> Nats {
        Nats(self.0 + other.0)
    }
}

impl AddAssign for Nats {
    fn add_assign(&mut self, other: Nats) {
        self.0 += other.0;
    }
}

impl Sub for Nats {
    type Output = Nats;
    fn sub(self, other: Nats) -> Nats {
        Nats(self.0 - other.0)
    }
}

impl Neg for Nats {
    type Output = Nats;
    fn neg(self) -> Nats {
        Nats(-self.0)
    }
}

impl Sum for Nats {
    fn sum<I: Iterator<Item = Nats>>(iter: I) -> Nats {
        Nats(iter.map(|nats| nats.0).sum())
    }
}
