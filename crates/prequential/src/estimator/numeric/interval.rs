//! Cells of a number as intervals of a coordinate.

/// The coordinates in which a number is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::estimator) enum Coordinate {
    /// Its standardised self.
    Original,
    /// asinh of it.
    Compressed,
    /// Its normal score among the rows before the epoch.
    Rank,
}

/// A number's cell in some coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::estimator) struct Interval {
    pub(in crate::estimator) low: f64,
    pub(in crate::estimator) width: f64,
    /// The value of the cell: its middle, for wide cells of ranks the mean.
    pub(in crate::estimator) middle: f64,
}

/// The PIT cell of a number under a code with fewer parents or none.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::estimator) struct PitCell {
    /// Its rank at that time: between the shares below and above it.
    pub(in crate::estimator) rank: Interval,
    /// Its share of the bin that it lies in.
    pub(in crate::estimator) within: f64,
}
