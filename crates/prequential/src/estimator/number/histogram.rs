//! Bins with about equally many of the numbers before an epoch: for densities that no bandwidth suits.

use crate::table::FINEST;

/// Numbers that each bin has at least, when the bins are made.
const N_PER_BIN: usize = 4;

/// Shares of bins that are learnt; the bins themselves are renewed with every epoch.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    n_bins: usize,
    /// From below all numbers to above; none before there are enough numbers.
    pub(super) edges: Vec<f64>,
    counts: Vec<f64>,
    n_counted: f64,
}

impl Histogram {
    /// With at most so many bins.
    pub(super) fn new(n_bins: usize) -> Histogram {
        Histogram { n_bins, edges: Vec::new(), counts: Vec::new(), n_counted: 0.0 }
    }

    /// Makes the bins anew for the numbers seen, in order.
    pub(super) fn renew(&mut self, sorted: &[f64]) {
        let n = sorted.len();
        self.edges.clear();
        if n < N_PER_BIN * self.n_bins {
            return;
        }
        let inner = (1..self.n_bins).map(|bin| {
            let last = bin * (n - 1) / self.n_bins;
            0.5 * (sorted[last] + sorted[last + 1])
        });
        let (first, last) = (sorted[0] - FINEST, sorted[n - 1] + FINEST);
        for edge in std::iter::once(first).chain(inner).chain([last]) {
            if self.edges.last().is_none_or(|&before| edge > before + FINEST) {
                self.edges.push(edge);
            }
        }
        self.counts = vec![0.5; self.edges.len() - 1];
        self.n_counted = 0.5 * self.counts.len() as f64;
        sorted.iter().for_each(|&number| self.add(number));
    }

    fn bin(&self, number: f64) -> Option<usize> {
        let above = self.edges.partition_point(|&edge| edge <= number);
        (above > 0 && above < self.edges.len()).then(|| above - 1)
    }

    /// Counts a number.
    pub(super) fn add(&mut self, number: f64) {
        self.n_counted += 1.0;
        if let Some(bin) = self.bin(number) {
            self.counts[bin] += 1.0;
        }
    }

    /// The density of the bins at `number`, and what share is left for numbers outside them.
    pub(super) fn density(&self, number: f64) -> (f64, f64) {
        if self.edges.is_empty() {
            return (0.0, 1.0);
        }
        let outside = 2.0 / (self.n_counted + 2.0);
        let density = |bin: usize| self.counts[bin] / (self.edges[bin + 1] - self.edges[bin]);
        let inside = self.bin(number).map_or(0.0, density) / self.n_counted;
        ((1.0 - outside) * inside, outside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_have_mass_1_and_follow_the_numbers() {
        let mut histogram = Histogram::new(16);
        assert_eq!(histogram.density(0.3), (0.0, 1.0));
        let sorted: Vec<f64> = (0..1_000).map(|i| (f64::from(i) / 1_000.0).powi(3)).collect();
        histogram.renew(&sorted);
        let mass: f64 = (0..100_000).map(|i| histogram.density(f64::from(i) * 2e-5 - 0.5).0 * 2e-5).sum();
        assert!((mass + histogram.density(9.0).1 - 1.0).abs() < 0.01, "{mass}");
        assert!(histogram.density(1e-5).0 > 10.0 * histogram.density(0.5).0);
        // Ties are no obstacle.
        histogram.renew(&vec![1.0; 100]);
        assert!(histogram.density(1.0).0.is_finite());
    }
}
