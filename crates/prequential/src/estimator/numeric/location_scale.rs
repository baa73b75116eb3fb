//! A location-scale model with unknown mean and variance (Student's t), and other residual shapes around the same mean.

use super::cdf_tables::ShapeCdfs;
use super::interval::Interval;
use super::shapes::{PerShape, Shapes};

/// A normal distribution with unknown mean and variance, and other shapes around the same mean.
#[derive(Debug)]
pub(super) struct LocationScale {
    sum: f64,
    /// Numbers seen, with one pseudo-observation at 0: the location is known.
    weight: f64,
    /// Squared residuals and their number, with two pseudo-observations of variance 1: the scale is known.
    squares: f64,
    n_squares: f64,
    shapes: Shapes,
}

impl LocationScale {
    pub(super) fn new(has_wide_cells: bool) -> LocationScale {
        let shapes = Shapes::new(has_wide_cells);
        LocationScale { sum: 0.0, weight: 1.0, squares: 2.0, n_squares: 2.0, shapes }
    }

    fn mean_and_sd(&self) -> (f64, f64) {
        let variance = self.squares / self.n_squares * (1.0 + 1.0 / self.weight);
        (self.sum / self.weight, variance.sqrt())
    }

    /// The mass of every shape in a cell.
    pub(super) fn masses(&self, cell: Interval) -> PerShape {
        let (mean, sd) = self.mean_and_sd();
        self.shapes.masses((cell.low - mean) / sd, cell.width / sd)
    }

    /// The density of every shape at a point.
    pub(super) fn densities(&self, x: f64) -> PerShape {
        let (mean, sd) = self.mean_and_sd();
        self.shapes.densities_at((x - mean) / sd).map(|density| density / sd)
    }

    /// Its prediction until the next refit.
    pub(super) fn cdf_tables(&self) -> LocationScaleCdf {
        let (mean, sd) = self.mean_and_sd();
        LocationScaleCdf { mean, sd, shapes: ShapeCdfs::new(&self.shapes) }
    }

    /// Learns from what was just predicted.
    pub(super) fn learn(&mut self, numbers: impl Iterator<Item = f64>) {
        let (mean, sd) = self.mean_and_sd();
        for number in numbers {
            self.shapes.add((number - mean) / sd);
            let residual = number - self.sum / self.weight;
            self.squares += residual * residual / (1.0 + 1.0 / self.weight);
            self.n_squares += 1.0;
            self.sum += number;
            self.weight += 1.0;
        }
        self.shapes.learn(self.n_squares);
    }
}

/// A location-scale model between two chunks.
#[derive(Debug, Clone)]
pub(super) struct LocationScaleCdf {
    mean: f64,
    sd: f64,
    shapes: ShapeCdfs,
}

impl LocationScaleCdf {
    /// The share of every shape below a point.
    pub(super) fn below(&self, x: f64) -> PerShape {
        self.shapes.below((x - self.mean) / self.sd)
    }
}
