//! Distribution functions of residual shapes, as tables.

use std::sync::LazyLock;

use super::shapes::{
    N_NODES, N_SHAPES, PER_UNIT, PerShape, REACH, Shapes, node, student_densities, student_table,
};

/// Areas below densities that are straight between nodes, and fall as a third power beyond the last.
///
/// Every density is divided by its area, so that the total mass is 1.
#[derive(Debug, Clone)]
struct TabulatedCdf<const N: usize> {
    densities: Vec<[f64; N]>,
    below: Vec<[f64; N]>,
}

impl<const N: usize> TabulatedCdf<N> {
    fn new(mut densities: Vec<[f64; N]>) -> TabulatedCdf<N> {
        let mut below = Vec::with_capacity(N_NODES);
        let mut sum: [f64; N] = densities[0].map(|density| tail(density, REACH));
        below.push(sum);
        for pair in densities.windows(2) {
            sum = std::array::from_fn(|i| sum[i] + 0.5 / PER_UNIT * (pair[0][i] + pair[1][i]));
            below.push(sum);
        }
        let last = densities[N_NODES - 1];
        let scale: [f64; N] = std::array::from_fn(|i| 1.0 / (sum[i] + tail(last[i], REACH)));
        for table in [&mut densities, &mut below] {
            table
                .iter_mut()
                .for_each(|at_node| at_node.iter_mut().zip(scale).for_each(|(x, scale)| *x *= scale));
        }
        TabulatedCdf { densities, below }
    }

    #[inline(always)]
    fn below(&self, z: f64) -> [f64; N] {
        if z <= -REACH {
            return self.densities[0].map(|density| tail(density, -z));
        }
        if z >= REACH {
            return self.densities[N_NODES - 1].map(|density| 1.0 - tail(density, z));
        }
        let place = (z + REACH) * PER_UNIT;
        let i = (place as usize).min(N_NODES - 2);
        let part = place - i as f64;
        let (left, right) = (&self.densities[i], &self.densities[i + 1]);
        std::array::from_fn(|n| {
            let area = part * (left[n] + 0.5 * part * (right[n] - left[n]));
            self.below[i][n] + area / PER_UNIT
        })
    }
}

/// The mass beyond `distance`, if the density falls as its third power from where the tables end.
#[inline(always)]
fn tail(density_at_end: f64, distance: f64) -> f64 {
    density_at_end * REACH.powi(3) / (2.0 * distance * distance)
}

/// The shapes of one kind of residual until the next refit.
#[derive(Debug, Clone)]
pub(in crate::estimator) struct ShapeCdfs(TabulatedCdf<N_SHAPES>);

impl ShapeCdfs {
    pub(in crate::estimator) fn new(shapes: &Shapes) -> ShapeCdfs {
        ShapeCdfs(TabulatedCdf::new((0..N_NODES).map(|i| shapes.densities_at(node(i))).collect()))
    }

    /// The share of each shape below `z`.
    #[inline(always)]
    pub(in crate::estimator) fn below(&self, z: f64) -> PerShape {
        self.0.below(z)
    }
}

static STUDENT: LazyLock<Vec<TabulatedCdf<1>>> = LazyLock::new(|| {
    let areas = |table: &Vec<f64>| TabulatedCdf::new(table.iter().map(|&density| [density]).collect());
    student_densities().iter().map(areas).collect()
});

/// Student's distribution of a number around a mean.
#[derive(Debug, Clone, Copy)]
pub(in crate::estimator) struct StudentCdf {
    mean: f64,
    scale: f64,
    table: usize,
}

impl StudentCdf {
    /// With this standard deviation and about this many degrees of freedom.
    pub(in crate::estimator) fn new(mean: f64, sd: f64, dof: f64) -> StudentCdf {
        StudentCdf { mean, scale: 1.0 / sd, table: student_table(dof) }
    }

    /// The share below `x`.
    pub(in crate::estimator) fn below(&self, x: f64) -> f64 {
        let [share] = STUDENT[self.table].below((x - self.mean) * self.scale);
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::normal::{cdf, quantile};

    #[test]
    fn shares_rise_from_0_to_1_and_their_slope_is_the_density() {
        let mut learnt = Shapes::new(false);
        (0..500).for_each(|i| learnt.add(quantile((f64::from(i) + 0.5) / 500.0).powi(3) / 3.0));
        learnt.learn(500.0);
        for shapes in [Shapes::new(true), learnt] {
            let shares = ShapeCdfs::new(&shapes);
            // Tables are lines between nodes, all of which are among these points.
            let points: Vec<f64> = (-3_840..3_840).map(|i| f64::from(i) / 128.0).collect();
            for pair in points.windows(2) {
                let (low, high) = (shares.below(pair[0]), shares.below(pair[1]));
                let density = shapes.densities_at(0.5 * (pair[0] + pair[1]));
                for shape in 0..N_SHAPES {
                    let rise = high[shape] - low[shape];
                    let expected = density[shape] / 128.0;
                    assert!(rise >= 0.0);
                    assert!(
                        (rise - expected).abs() < 0.02 * expected + 1e-9,
                        "{shape} at {}: {rise}, {expected}",
                        pair[0]
                    );
                }
            }
            assert!(shares.below(-1e9).iter().all(|&share| (0.0..1e-12).contains(&share)));
            assert!(shares.below(1e9).iter().all(|&share| (1.0 - 1e-12..=1.0).contains(&share)));
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_normal() {
        let share = StudentCdf::new(2.0, 0.5, 1e6);
        for z in [-3.0, -1.0, 0.0, 0.7, 2.5] {
            assert!((share.below(2.0 + 0.5 * z) - cdf(z)).abs() < 1e-4);
        }
    }
}
