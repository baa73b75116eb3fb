//! Eight numbers for vector instructions.

/// How many numbers.
pub(super) const LANES: usize = 8;

/// Eight numbers, one cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f64; LANES]);

impl Lanes {
    pub(super) const ZERO: Lanes = Lanes([0.0; LANES]);
}
