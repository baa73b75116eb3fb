//! Censoring limits (Tobin 1958): floors, ceilings, or both ends of a scale, where numbers pile up.
//!
//! A prediction of a regression beyond such a limit counts as the limit (Tobin 1958): its cell extends to
//! infinity.

use super::interval::Interval;

/// How often the smallest or largest number must occur to be a censoring limit: a count, and a share of the
/// rows.
const N_LEAST: usize = 6;
const SHARE_LEAST: f64 = 0.04;

/// The smallest and largest of the numbers seen, if they occurred often; infinite otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CensoringLimits {
    low: f64,
    high: f64,
}

/// Where censored cells end, in standard deviations of the column: beyond all numbers.
pub(super) const FAR: f64 = 1e4;

impl CensoringLimits {
    /// From sorted numbers.
    pub(super) fn of(sorted: &[f64]) -> CensoringLimits {
        let n_needed = N_LEAST.max((SHARE_LEAST * sorted.len() as f64).ceil() as usize);
        let is_end = |end: f64| sorted.iter().filter(|&&number| number == end).count() >= n_needed;
        let (first, last) = (sorted.first().copied(), sorted.last().copied());
        if first == last {
            return CensoringLimits { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        CensoringLimits {
            low: first.filter(|&end| is_end(end)).unwrap_or(f64::NEG_INFINITY),
            high: last.filter(|&end| is_end(end)).unwrap_or(f64::INFINITY),
        }
    }

    /// Whether there are any.
    pub(super) fn are_finite(&self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }

    /// The `cell` of a number in some coordinate, extended to infinity if the number is a censoring limit.
    #[inline(always)]
    pub(super) fn censor(&self, number: f64, cell: Interval) -> Interval {
        if number > self.low && number < self.high {
            return cell;
        }
        let Interval { low, width, middle } = cell;
        if number == self.low {
            return Interval { low: -FAR, width: low + width + FAR, middle };
        }
        if number == self.high {
            return Interval { low, width: FAR - low, middle };
        }
        // No mass was expected beyond a limit.
        Interval { width: 0.0, ..cell }
    }

    /// The position of an edge between cells, moved to infinity if it lies beyond a censoring limit.
    pub(super) fn edge(&self, edge: f64, at: f64) -> f64 {
        match edge {
            _ if edge <= self.low => -FAR,
            _ if edge >= self.high => FAR,
            _ => at,
        }
    }
}

impl Interval {
    /// Whether it reaches beyond all numbers: what lies there is not known.
    #[inline(always)]
    pub(in crate::estimator) fn is_censored(&self) -> bool {
        self.width > 0.5 * FAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(number: f64) -> Interval {
        Interval { low: number - 0.5, width: 1.0, middle: number }
    }

    #[test]
    fn an_end_is_where_numbers_pile_up() {
        let floored: Vec<f64> = (0..100).map(|i| f64::from(i - 20).max(0.0)).collect();
        assert_eq!(CensoringLimits::of(&floored), CensoringLimits { low: 0.0, high: f64::INFINITY });
        let answers: Vec<f64> = (0..100).map(|i| f64::from(i / 20)).collect();
        assert_eq!(CensoringLimits::of(&answers), CensoringLimits { low: 0.0, high: 4.0 });
        let spread: Vec<f64> = (0..100).map(f64::from).collect();
        for others in [&spread[..], &[], &[1.0; 50]] {
            assert!(!CensoringLimits::of(others).are_finite());
        }
    }

    #[test]
    fn cells_at_the_ends_reach_beyond_them_and_those_inside_stay() {
        let limits = CensoringLimits { low: 1.0, high: 5.0 };
        let (least, greatest) = (limits.censor(1.0, cell(1.0)), limits.censor(5.0, cell(5.0)));
        assert!(least.is_censored() && greatest.is_censored());
        assert!((least.low + least.width - 1.5).abs() < 1e-9 && greatest.low == 4.5);
        assert_eq!(limits.censor(3.0, cell(3.0)), cell(3.0));
        assert_eq!((limits.censor(0.0, cell(0.0)).width, limits.censor(6.0, cell(6.0)).width), (0.0, 0.0));
        // Together they tile the line once.
        let total: f64 =
            (0..7).map(|number| limits.censor(f64::from(number), cell(f64::from(number))).width).sum();
        assert!((total - 2.0 * FAR).abs() < 1e-9);
    }
}
