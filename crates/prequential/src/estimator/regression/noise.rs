//! Noise around one response: constant, or location-scale with a regressed log-variance (Harvey 1976).

use crate::base::normal;
use crate::estimator::numeric::{Interval, N_SHAPES, ShapeCdfs, Shapes};
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Bounds of a predicted log-variance.
const LOG_VARIANCES: (f64, f64) = (-6.0, 6.0);

/// Squared residuals are clamped at this multiple of their expectation, because tails may be heavy.
const MOST_SURPRISING: f64 = 6.0;

/// The largest lead of bins or cells, in nats, so that the others can recover.
const MOST_SURE: f64 = 12.0;

/// The two noise models.
#[derive(Debug)]
struct NoiseScale {
    /// Squared residuals, and how many, with two before them of variance 1.
    squares: f64,
    n_squares: f64,
    shapes: Shapes,
}

/// The noise around one response.
#[derive(Debug)]
pub(super) struct Noise {
    constant: NoiseScale,
    /// After division by the predicted standard deviation.
    scaled: NoiseScale,
    /// How fast old squared residuals are forgotten: Fourier features fit badly at first.
    memory: f64,
    /// The working responses of the log-variance, from row `first_lesson` on.
    lessons: Vec<f32>,
    first_lesson: usize,
    /// The imputed position of every such row in its censored cell, NaN for the others; empty if there was
    /// none.
    imputed: Vec<f32>,
    /// The lead of bins over cells, in nats.
    lead_of_bins: f64,
}

/// The mean prediction of one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResponseForecast {
    pub(super) mean: f64,
    pub(super) log_variance: f64,
    pub(super) leverage: f64,
}

/// The factors of the residuals of one row, for both noise models.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    pub(super) constant: f64,
    pub(super) scaled: f64,
    /// The predicted log-variance.
    log_variance: f64,
}

impl ResponseForecast {
    /// With these standard deviations in all rows, those of [`Noise::sds`].
    #[inline(always)]
    pub(super) fn units(&self, sds: [f64; 2]) -> Units {
        // If little is known, the variance is assumed constant.
        let log_variance =
            (self.log_variance / (1.0 + self.leverage)).clamp(LOG_VARIANCES.0, LOG_VARIANCES.1);
        let root = (1.0 + self.leverage).sqrt();
        let (constant, scaled) = (1.0 / (sds[0] * root), 1.0 / (sds[1] * root * (0.5 * log_variance).exp()));
        Units { constant, scaled, log_variance }
    }
}

/// Residuals of one row, standardised by either noise model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Residual {
    constant: f64,
    scaled: f64,
    /// The predicted log-variance.
    log_variance: f64,
    /// The imputed position of the row in a censored cell; NaN if it is not censored.
    imputed: f64,
    /// The lead of its bin over its cell, in nats; 0 without bins.
    lead_of_bin: f64,
}

/// The experts of one response: every shape, with either noise model.
pub(super) const N_EXPERTS: usize = 2 * N_SHAPES;

/// Prior weights of these experts: simple ones are favoured.
pub(super) const PRIOR: [f64; N_EXPERTS] = [16.0, 4.0, 4.0, 2.0, 4.0, 2.0, 2.0, 1.0];

impl NoiseScale {
    fn new() -> NoiseScale {
        NoiseScale { squares: 2.0, n_squares: 2.0, shapes: Shapes::new(false) }
    }

    fn sd(&self) -> f64 {
        (self.squares / self.n_squares).sqrt()
    }

    #[inline(always)]
    fn learn(&mut self, residuals: impl Iterator<Item = f64>, keep: f64) {
        let sd = self.sd();
        self.squares *= keep;
        self.n_squares *= keep;
        for residual in residuals {
            self.squares += (residual * sd).powi(2);
            self.n_squares += 1.0;
            self.shapes.add(residual);
        }
        self.shapes.learn(self.n_squares);
    }
}

impl Noise {
    /// Before any row. With `memory` 0 all squared residuals have equal weight; with 1 about half of them
    /// count.
    pub(super) fn new(memory: f64) -> Noise {
        Noise {
            constant: NoiseScale::new(),
            scaled: NoiseScale::new(),
            memory,
            lessons: Vec::new(),
            first_lesson: 0,
            imputed: Vec::new(),
            lead_of_bins: 0.0,
        }
    }

    /// Prepares for wide cells.
    pub(super) fn expect_wide_cells(&mut self) {
        self.constant.shapes.expect_wide_cells();
        self.scaled.shapes.expect_wide_cells();
    }

    /// The shapes of both noise models until the next refit.
    pub(super) fn shares(&self) -> [ShapeCdfs; 2] {
        [&self.constant, &self.scaled].map(|scale| ShapeCdfs::new(&scale.shapes))
    }

    /// Standard deviations of both noise models in all rows, before their leverage.
    pub(super) fn sds(&self) -> [f64; 2] {
        [self.constant.sd(), self.scaled.sd()]
    }

    /// The mass of a cell by every expert, and the residual; `sds` are those of [`Noise::sds`]. In a censored
    /// cell the row is imputed at the quantile `part` of the predicted distribution within the cell.
    #[inline(always)]
    pub(super) fn predict(
        &self,
        cell: Interval,
        part: f64,
        forecast: ResponseForecast,
        sds: [f64; 2],
    ) -> ([f64; N_EXPERTS], Residual) {
        let Units { constant, scaled, log_variance } = forecast.units(sds);
        let (low, residual) = (cell.low - forecast.mean, cell.middle - forecast.mean);
        let of_constant = self.constant.shapes.masses(low * constant, cell.width * constant);
        let of_scaled = self.scaled.shapes.masses(low * scaled, cell.width * scaled);
        let masses = std::array::from_fn(|expert| match expert < N_SHAPES {
            true => of_constant[expert],
            false => of_scaled[expert - N_SHAPES],
        });
        if cell.is_censored() {
            let z = |scale: f64| imputed(low * scale, cell.width * scale, part);
            let (of_constant, of_scaled) = (z(constant), z(scaled));
            let imputed = forecast.mean + of_constant / constant;
            let (constant, scaled) = (of_constant, of_scaled);
            return (masses, Residual { constant, scaled, log_variance, imputed, lead_of_bin: 0.0 });
        }
        let (constant, scaled) = (residual * constant, residual * scaled);
        (masses, Residual { constant, scaled, log_variance, imputed: f64::NAN, lead_of_bin: 0.0 })
    }

    /// The weight of bins in every prediction, if there are any.
    pub(super) fn share_of_bins(&self) -> f64 {
        1.0 / (1.0 + (-self.lead_of_bins).exp())
    }

    /// Mixes every expert's mass of the row's bin, of which the row has the share `within`, into the masses
    /// of its cell.
    #[inline(always)]
    pub(super) fn mix_bin(
        &self,
        bin: Interval,
        within: f64,
        forecast: ResponseForecast,
        sds: [f64; 2],
        masses: &mut [f64; N_EXPERTS],
        residual: &mut Residual,
    ) {
        let (of_bin, _) = self.predict(bin, 0.5, forecast, sds);
        let share = self.share_of_bins();
        let (mut sum_of_bin, mut sum) = (1e-300, 1e-300);
        for (mass, of_bin) in masses.iter_mut().zip(of_bin) {
            sum += *mass;
            sum_of_bin += of_bin * within;
            *mass = (1.0 - share) * *mass + share * of_bin * within;
        }
        residual.lead_of_bin = (sum_of_bin / sum).ln();
    }

    /// Learns from the residuals of rows that were just predicted, `n_before` rows being known before.
    pub(super) fn learn(&mut self, residuals: &[Residual], n_before: usize) {
        vectorised(LearnNoise { noise: self, residuals, n_before });
    }

    #[inline(always)]
    fn learn_here(&mut self, residuals: &[Residual], n_before: usize) {
        let grown = n_before.max(1) as f64 / (n_before + residuals.len()) as f64;
        let keep = grown.powf(self.memory);
        let lesson = |residual: &Residual| {
            // The Fisher scoring step: the relative excess of the squared residual.
            let surprise = (residual.scaled * residual.scaled - 1.0).min(MOST_SURPRISING);
            (residual.log_variance + surprise) as f32
        };
        let lead: f64 = residuals.iter().map(|residual| residual.lead_of_bin).sum();
        self.lead_of_bins = (self.lead_of_bins + lead).clamp(-MOST_SURE, MOST_SURE);
        self.lessons.reserve_exact(residuals.len());
        self.lessons.extend(residuals.iter().map(lesson));
        if !self.imputed.is_empty() || residuals.iter().any(|residual| !residual.imputed.is_nan()) {
            self.imputed.resize(self.lessons.len() - residuals.len(), f32::NAN);
            self.imputed.extend(residuals.iter().map(|residual| residual.imputed as f32));
        }
        self.constant.learn(residuals.iter().map(|residual| residual.constant), keep);
        self.scaled.learn(residuals.iter().map(|residual| residual.scaled), keep);
    }

    /// The working response of the log-variance of an observed row.
    #[inline(always)]
    pub(super) fn lesson(&self, row: usize) -> f64 {
        f64::from(self.lessons[row - self.first_lesson])
    }

    /// The imputed position of an observed row in its censored cell, if it is censored.
    #[inline(always)]
    pub(super) fn imputed(&self, row: usize) -> Option<f64> {
        self.imputed
            .get(row - self.first_lesson)
            .filter(|imputed| !imputed.is_nan())
            .map(|&imputed| f64::from(imputed))
    }

    /// Whether any observed row is censored.
    pub(super) fn has_imputed(&self) -> bool {
        !self.imputed.is_empty()
    }

    /// Imputes the position of an observed censored row again, by the current prediction; does nothing if it
    /// is not censored.
    pub(super) fn impute_again(&mut self, row: usize, cell: Interval, part: f64, forecast: ResponseForecast) {
        if cell.is_censored() {
            let (_, residual) = self.predict(cell, part, forecast, self.sds());
            self.imputed[row - self.first_lesson] = residual.imputed as f32;
        }
    }

    /// Drops the working responses of the first `n_rows`: they will not be used again.
    pub(super) fn forget(&mut self, n_rows: usize) {
        (self.lessons, self.imputed, self.first_lesson) = (Vec::new(), Vec::new(), n_rows);
    }
}

/// Learns with the machine's instructions for rounding: without them they are function calls.
struct LearnNoise<'a> {
    noise: &'a mut Noise,
    residuals: &'a [Residual],
    n_before: usize,
}

impl Kernel for LearnNoise<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        self.noise.learn_here(self.residuals, self.n_before);
    }
}

/// The quantile `part` of a standard normal distribution truncated to `low`..`low + width`.
fn imputed(low: f64, width: f64, part: f64) -> f64 {
    // On the side of the nearer tail, where shares are exact.
    let sign = if low + 0.5 * width > 0.0 { -1.0 } else { 1.0 };
    let (from, to) = if sign < 0.0 { (-low - width, -low) } else { (low, low + width) };
    let (below, above) = (normal::cdf(from), normal::cdf(to));
    sign * normal::quantile((below + part * (above - below)).max(LEAST_SHARE)).clamp(from, to)
}

/// Draws lie no farther out than this share of the normal distribution, unless their cell does.
const LEAST_SHARE: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_spread_over_what_lies_in_the_cell() {
        for (low, width) in [(-1e4, 1e4 + 0.7), (0.4, 1e4), (-1e4, 1e4 - 3.0), (3.0, 1e4)] {
            let inside: Vec<f64> = (1..100).map(|i| imputed(low, width, f64::from(i) / 100.0)).collect();
            assert!(inside.iter().all(|z| *z >= low && *z <= low + width && z.abs() < 7.1));
            let below = inside.iter().filter(|&&z| z < imputed(low, width, 0.5)).count();
            assert_eq!(below, 49, "{low} {width}");
        }
        assert!(imputed(-1e4, 2e4, 0.5).abs() < 1e-9);
        assert_eq!(imputed(20.0, 1e4, 0.5), 20.0);
    }
}
