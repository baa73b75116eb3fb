//! Histograms whose bins hold about equally many earlier numbers: for densities with hard ends or that no bandwidth suits.

/// The fewest numbers per bin at a refit.
const N_PER_BIN: usize = 4;

/// A histogram with learned probabilities; the bins are refitted with every epoch.
#[derive(Debug, Clone)]
pub(super) struct Histogram {
    n_bins: usize,
    /// Half the width of a number's cell.
    half: f64,
    /// From below the smallest number to above the largest; empty before there are enough numbers.
    pub(super) edges: Vec<f64>,
    counts: Vec<f64>,
    n_counted: f64,
}

/// The share of the mass outside the bins that is spread everywhere; the rest is close to the ends.
const FAR: f64 = 0.2;

impl Histogram {
    /// With at most this many bins, for numbers whose cells have this width.
    pub(super) fn new(n_bins: usize, width: f64) -> Histogram {
        Histogram { n_bins, half: 0.5 * width, edges: Vec::new(), counts: Vec::new(), n_counted: 0.0 }
    }

    /// Refits the bins to the numbers seen, sorted.
    pub(super) fn refit(&mut self, sorted: &[f64]) {
        let n = sorted.len();
        self.edges.clear();
        if n < N_PER_BIN * self.n_bins {
            return;
        }
        let inner = (1..self.n_bins).map(|bin| {
            let last = bin * (n - 1) / self.n_bins;
            0.5 * (sorted[last] + sorted[last + 1])
        });
        let (first, last) = (sorted[0] - self.half, sorted[n - 1] + self.half);
        for edge in std::iter::once(first).chain(inner).chain([last]) {
            if self.edges.last().is_none_or(|&before| edge > before + self.half) {
                self.edges.push(edge);
            }
        }
        self.counts = vec![0.5; self.edges.len() - 1];
        self.n_counted = 0.5 * self.counts.len() as f64;
        self.learn(sorted.iter().copied());
    }

    fn bin(&self, number: f64) -> Option<usize> {
        let above = self.edges.partition_point(|&edge| edge <= number);
        (above > 0 && above < self.edges.len()).then(|| above - 1)
    }

    /// Counts numbers; the first and the last bin grow if needed.
    pub(super) fn learn(&mut self, numbers: impl Iterator<Item = f64>) {
        let [first, .., last] = &mut self.edges[..] else { return };
        let (mut least, mut greatest) = (*first, *last);
        for number in numbers {
            let inner = &self.edges[1..self.edges.len() - 1];
            self.counts[inner.partition_point(|&edge| edge <= number)] += 1.0;
            self.n_counted += 1.0;
            (least, greatest) = (least.min(number - self.half), greatest.max(number + self.half));
        }
        let last = self.edges.len() - 1;
        (self.edges[0], self.edges[last]) = (least, greatest);
    }

    /// The remaining share, of numbers that may lie anywhere.
    pub(super) fn rest(&self) -> f64 {
        if self.edges.is_empty() { 1.0 } else { FAR * self.outside() }
    }

    /// Beyond either end lies the probability 1 / (n + 1), as for the next of n exchangeable numbers.
    fn outside(&self) -> f64 {
        2.0 / (self.n_counted + 2.0)
    }

    /// The density at `number`.
    pub(super) fn density(&self, number: f64) -> f64 {
        let [first, .., last] = &self.edges[..] else { return 0.0 };
        match self.bin(number) {
            Some(bin) => self.density_of(bin),
            None => {
                let beyond = (first - number).max(number - last) / self.apart();
                0.5 * (1.0 - FAR) * self.outside() / (self.apart() * (1.0 + beyond).powi(2))
            }
        }
    }

    fn density_of(&self, bin: usize) -> f64 {
        let share = self.counts[bin] / self.n_counted;
        (1.0 - self.outside()) * share / (self.edges[bin + 1] - self.edges[bin])
    }

    /// The spacing of the numbers inside, and the scale of those beyond the ends.
    fn apart(&self) -> f64 {
        (self.edges[self.edges.len() - 1] - self.edges[0]) / self.n_counted
    }

    /// The mass of the cell around `number`.
    pub(super) fn mass(&self, number: f64) -> f64 {
        let [first, .., last] = self.edges[..] else { return 0.0 };
        let (low, high) = (number - self.half, number + self.half);
        let beyond =
            |distance: f64| 0.5 * (1.0 - FAR) * self.outside() / (1.0 + distance.max(0.0) / self.apart());
        let mut mass =
            (beyond(first - high) - beyond(first - low)) + (beyond(low - last) - beyond(high - last));
        let mut bin = self.edges.partition_point(|&edge| edge <= low).saturating_sub(1);
        while bin + 1 < self.edges.len() && self.edges[bin] < high {
            let inside = high.min(self.edges[bin + 1]) - low.max(self.edges[bin]);
            mass += self.density_of(bin) * inside.max(0.0);
            bin += 1;
        }
        mass
    }
}

/// The distribution function of bins, until the next refit.
#[derive(Debug, Clone)]
pub(super) struct HistogramCdf {
    /// Counts below each edge.
    below: Vec<f64>,
}

impl HistogramCdf {
    pub(super) fn new(bins: &Histogram) -> HistogramCdf {
        let mut sum = 0.0;
        let counts = bins.counts.iter().map(|count| {
            sum += count;
            sum
        });
        HistogramCdf { below: std::iter::once(0.0).chain(counts).collect() }
    }

    /// The share of `bins` below `number`, if what may lie anywhere has this share of the reference below it.
    pub(super) fn below(&self, bins: &Histogram, number: f64, reference: f64) -> f64 {
        let anywhere = bins.rest() * reference;
        let [first, .., last] = bins.edges[..] else { return anywhere };
        let beyond = |distance: f64| 0.5 * (1.0 - FAR) * bins.outside() / (1.0 + distance / bins.apart());
        anywhere
            + match bins.bin(number) {
                Some(bin) => {
                    let inside = bins.density_of(bin) * (number - bins.edges[bin]);
                    beyond(0.0) + (1.0 - bins.outside()) * self.below[bin] / bins.n_counted + inside
                }
                None if number < first => beyond(first - number),
                None => 1.0 - bins.rest() - beyond(number - last),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_below_are_sums_of_masses() {
        let sorted: Vec<f64> = (0..1_000).map(|i| (f64::from(i) / 1_000.0).powi(3)).collect();
        for n_bins in [1, 16] {
            let mut histogram = Histogram::new(n_bins, 1e-3);
            histogram.refit(&sorted);
            histogram.learn([1.7, -0.4].into_iter());
            let shares = HistogramCdf::new(&histogram);
            for i in -4_000..4_000 {
                let number = f64::from(i) * 1e-3 + 1e-4;
                let rise = shares.below(&histogram, number + 5e-4, 0.0)
                    - shares.below(&histogram, number - 5e-4, 0.0);
                assert!((rise - histogram.mass(number)).abs() < 1e-12, "{number}");
            }
            assert!(
                (shares.below(&histogram, 1e12, 1.0) - 1.0).abs() < 1e-9
                    && shares.below(&histogram, -1e12, 0.0) < 1e-9
            );
        }
    }

    #[test]
    fn bins_have_mass_1_and_follow_the_numbers() {
        let mut histogram = Histogram::new(16, 1e-4);
        assert_eq!((histogram.density(0.3), histogram.rest()), (0.0, 1.0));
        let sorted: Vec<f64> = (0..1_000).map(|i| (f64::from(i) / 1_000.0).powi(3)).collect();
        histogram.refit(&sorted);
        let mass: f64 = (0..80_000).map(|i| histogram.mass(f64::from(i) * 1e-4 - 4.0)).sum();
        assert!((mass + histogram.rest() - 1.0).abs() < 0.001, "{mass}");
        assert!(histogram.density(1e-5) > 10.0 * histogram.density(0.5));
    }

    #[test]
    fn the_values_of_an_ordered_scale_have_mass_1() {
        let sorted: Vec<f64> = (0..500).map(|i| f64::from(i / 150)).collect();
        for n_bins in [1, 4, 16, 64] {
            let mut histogram = Histogram::new(n_bins, 1.0);
            histogram.refit(&sorted);
            histogram.learn([7.0, -1.0, 2.0].into_iter());
            let mass: f64 = (-1_000..1_000).map(|i| histogram.mass(f64::from(i))).sum();
            assert!((mass + histogram.rest() - 1.0).abs() < 1e-3, "{n_bins}: {mass}");
        }
    }
}
