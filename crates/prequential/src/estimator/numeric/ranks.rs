//! Normal scores of numbers among the rows before an epoch (van der Waerden 1952).

use super::censoring::CensoringLimits;
use super::interval::Interval;
use crate::base::normal;

/// The empirical distribution function of a column from the rows before an epoch, piecewise linear between
/// nodes.
#[derive(Debug, Clone)]
pub(super) struct RankMap {
    nodes: Vec<f64>,
    shares: Vec<f64>,
    /// Numbers that have a cell of their own, in order.
    atoms: Vec<f64>,
    limits: CensoringLimits,
}

/// Intervals narrower than this share of the density have the density of their middle.
const NARROW: f64 = 0.02;

/// Shares are this far from 0 and 1.
const LEAST: f64 = 1e-13;

impl RankMap {
    /// With this mass between each node and the next.
    pub(super) fn new(nodes: Vec<f64>, masses: &[f64], atoms: Vec<f64>, limits: CensoringLimits) -> RankMap {
        let total: f64 = masses.iter().sum();
        let mut sum = 0.0;
        let below = masses.iter().map(|mass| {
            sum += mass / total;
            sum
        });
        let shares = std::iter::once(0.0).chain(below).collect();
        RankMap { nodes, shares, atoms, limits }
    }

    /// Whether some numbers have cells of their own.
    pub(super) fn has_atoms(&self) -> bool {
        !self.atoms.is_empty()
    }

    /// Censoring limits: numbers at which those before the epoch pile up.
    pub(super) fn limits(&self) -> CensoringLimits {
        self.limits
    }

    /// The share below `number`.
    pub(super) fn share(&self, number: f64) -> f64 {
        let above = self.nodes.partition_point(|&node| node <= number);
        if above == 0 {
            return 0.0;
        }
        let (Some(&right), left) = (self.nodes.get(above), self.nodes[above - 1]) else { return 1.0 };
        let part = (number - left) / (right - left);
        self.shares[above - 1] + part * (self.shares[above] - self.shares[above - 1])
    }

    /// The cell of `width` around `number` as normal scores.
    pub(super) fn cell(&self, number: f64, width: f64) -> Interval {
        score_cell(self.share(number - 0.5 * width), self.share(number + 0.5 * width))
    }

    /// The normal score of what lies below `edge`, the edge between two cells of a code. Of numbers that have cells of their own, which are
    /// `2 half` wide, all goes to the cell of the code that the number lies in.
    pub(super) fn score_below(&self, edge: f64, half: f64) -> f64 {
        let next = self.atoms.partition_point(|&atom| atom < edge);
        let above = self.atoms.get(next).map_or(f64::INFINITY, |atom| atom - edge);
        let below = next.checked_sub(1).map_or(f64::INFINITY, |last| edge - self.atoms[last]);
        let moved = match (above <= below, above.min(below) < half) {
            (_, false) => edge,
            (true, _) => edge + above - half,
            (false, _) => edge - below + half,
        };
        score(self.share(moved))
    }

    /// The cells between each of `nodes` and the next, as normal scores.
    pub(super) fn cells(&self, nodes: &[f64]) -> Vec<Interval> {
        let shares: Vec<f64> = nodes.iter().map(|&node| self.share(node)).collect();
        shares.windows(2).map(|pair| score_cell(pair[0], pair[1])).collect()
    }
}

/// The normal score of a share.
pub(super) fn score(share: f64) -> f64 {
    normal::quantile(share.clamp(LEAST, 1.0 - LEAST))
}

/// The cell between two shares as normal scores.
pub(super) fn score_cell(below: f64, above: f64) -> Interval {
    let mass = (above - below).max(LEAST);
    let middle = score(0.5 * (below + above));
    if mass < NARROW * normal::density(middle) {
        let width = mass / normal::density(middle);
        return Interval { low: middle - 0.5 * width, width, middle };
    }
    let (low, high) = (score(below), score(above));
    Interval { low, width: high - low, middle: (normal::density(low) - normal::density(high)) / mass }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_ranks_have_the_mass_of_the_map() {
        // An atom of 0.3 at 0.5, and 0.7 spread evenly between -2 and 2.
        let nodes = vec![-2.0, 0.4995, 0.5005, 2.0];
        let map = RankMap::new(
            nodes,
            &[0.7 * 2.4995 / 4.0, 0.3 + 0.7 * 1e-3 / 4.0, 0.7 * 1.4995 / 4.0],
            vec![0.5],
            CensoringLimits::of(&[]),
        );
        assert!(map.share(-2.0) == 0.0 && map.share(2.5) == 1.0);
        assert!((map.share(0.0) - 0.35).abs() < 1e-12);
        for number in [-1.7, 0.1, 0.5, 1.9] {
            let cell = map.cell(number, 1e-3);
            let mass = normal::cdf(cell.low + cell.width) - normal::cdf(cell.low);
            let exact = map.share(number + 5e-4) - map.share(number - 5e-4);
            assert!((mass - exact).abs() < 1e-6 + 1e-3 * exact, "{number}: {mass} {exact}");
            assert!(cell.low < cell.middle && cell.middle < cell.low + cell.width);
        }
    }

    #[test]
    fn what_comes_again_goes_to_the_cell_that_it_lies_in() {
        let nodes = vec![-2.0, 0.4995, 0.5005, 2.0];
        let map = RankMap::new(nodes, &[0.4, 0.3, 0.3], vec![0.5], CensoringLimits::of(&[]));
        let share = |edge: f64| normal::cdf(map.score_below(edge, 5e-4));
        // The number lies just above or just below an edge that would halve its cell.
        assert!((share(0.5) - 0.4).abs() < 1e-9 && (share(0.4999) - 0.4).abs() < 1e-9);
        assert!((share(0.5001) - 0.7).abs() < 1e-9 && (share(0.501) - map.share(0.501)).abs() < 1e-12);
    }
}
