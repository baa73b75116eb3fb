//! Shapes of standardised residuals: normal, heavy, and learnt from earlier residuals with two widths.

use std::sync::LazyLock;

use crate::simd::{Arithmetic, Kernel, vectorised};

/// How far the tables reach on either side of 0.
const REACH: f64 = 8.0;

/// Nodes per unit.
const PER_UNIT: f64 = 32.0;

const N_NODES: usize = 2 * (REACH * PER_UNIT) as usize + 1;

/// How many shapes there are.
pub(in crate::estimator) const N_SHAPES: usize = 4;

/// One number per shape: normal, heavy, learnt, finely learnt.
pub(in crate::estimator) type PerShape = [f64; N_SHAPES];

/// Weight and standard deviation of the two normal distributions that make up the heavy shape.
const HEAVY: [(f64, f64); 2] = [(0.65, 0.75), (0.35, 1.8)];

/// The standard deviation of what learnt shapes have beyond all residuals seen.
const WIDE: f64 = 3.0;

/// Residuals that must have been seen before a shape is learnt.
const N_FIRST: f64 = 8.0;

/// How much narrower than the normal reference rule the finely learnt shape is smoothed.
const FINE: f64 = 0.35;

/// Cells narrower than this have the density of their middle.
const NARROW: f64 = 0.1;

/// The shapes of one kind of residual, as tables.
#[derive(Debug, Clone)]
pub(in crate::estimator) struct Shapes {
    /// Earlier residuals, each shared between the nodes on either side of it.
    counts: Vec<f64>,
    n_residuals: f64,
    /// Density at each node.
    densities: Vec<PerShape>,
    /// Share below each node; empty if no cell is wide.
    shares: Vec<PerShape>,
}

/// Tables that are always the same.
struct Tables {
    normal: Vec<f64>,
    heavy: Vec<f64>,
    wide: Vec<f64>,
    /// Student's distribution, its degrees of freedom growing by a factor of e^(1/8), and the normal one.
    student: Vec<Vec<f64>>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let table = |density: &dyn Fn(f64) -> f64| (0..N_NODES).map(|i| density(node(i))).collect::<Vec<f64>>();
    let heavy = |z: f64| HEAVY.iter().map(|&(weight, sd)| weight * normal(z, sd)).sum();
    let students = (0..72).map(|i| table(&|z| student(z, (f64::from(i) / 8.0).exp())));
    Tables {
        normal: table(&|z| normal(z, 1.0)),
        heavy: table(&heavy),
        wide: table(&|z| normal(z, WIDE)),
        student: students.chain([table(&|z| normal(z, 1.0))]).collect(),
    }
});

fn node(i: usize) -> f64 {
    i as f64 / PER_UNIT - REACH
}

fn normal(z: f64, sd: f64) -> f64 {
    (-0.5 * (z / sd).powi(2)).exp() / (sd * std::f64::consts::TAU.sqrt())
}

fn student(z: f64, dof: f64) -> f64 {
    let height = libm::lgamma((dof + 1.0) / 2.0) - libm::lgamma(dof / 2.0);
    (height - (dof + 1.0) / 2.0 * (z * z / dof).ln_1p()).exp() / (dof * std::f64::consts::PI).sqrt()
}

impl Shapes {
    /// Before any residual. Where no cell is wide, the density of its middle will do for every cell.
    pub(in crate::estimator) fn new(has_wide_cells: bool) -> Shapes {
        let shares = if has_wide_cells { vec![[0.0; N_SHAPES]; N_NODES] } else { Vec::new() };
        let mut shapes = Shapes {
            counts: vec![0.0; N_NODES],
            n_residuals: 0.0,
            densities: vec![[0.0; N_SHAPES]; N_NODES],
            shares,
        };
        for i in 0..N_NODES {
            let normal = TABLES.normal[i];
            shapes.densities[i] = [normal, TABLES.heavy[i], normal, normal];
        }
        shapes.sum_up();
        shapes
    }

    /// Makes ready for wide cells.
    pub(in crate::estimator) fn expect_wide_cells(&mut self) {
        if self.shares.is_empty() {
            self.shares = vec![[0.0; N_SHAPES]; N_NODES];
            self.sum_up();
        }
    }

    /// Counts a residual.
    #[inline(always)]
    pub(in crate::estimator) fn add(&mut self, z: f64) {
        self.n_residuals += 1.0;
        let place = (z + REACH) * PER_UNIT;
        if place >= 0.0 && place < (N_NODES - 1) as f64 {
            let part = place.fract();
            self.counts[place as usize] += 1.0 - part;
            self.counts[place as usize + 1] += part;
        }
    }

    /// Learns the shapes from the residuals counted. The normal one is Student's with so many degrees of freedom, which is what
    /// a variance learnt from as many residuals makes of it.
    pub(in crate::estimator) fn learn(&mut self, dof: f64) {
        vectorised(Learn { shapes: self, dof });
        self.sum_up();
    }

    fn sum_up(&mut self) {
        let mut sum = [0.0; N_SHAPES];
        for i in 1..self.shares.len() {
            for shape in 0..N_SHAPES {
                sum[shape] += 0.5 / PER_UNIT * (self.densities[i - 1][shape] + self.densities[i][shape]);
            }
            self.shares[i] = sum;
        }
    }

    /// How far the residuals spread on average, in units of a standard normal distribution; at most 1.
    fn spread(&self) -> f64 {
        let total: f64 = self.counts.iter().sum();
        let distance: f64 = self.counts.iter().enumerate().map(|(i, count)| count * node(i).abs()).sum();
        ((std::f64::consts::PI / 2.0).sqrt() * distance / total).clamp(1e-3, 1.0)
    }

    /// The mass of each shape between `low` and `low + width`.
    #[inline(always)]
    pub(in crate::estimator) fn masses(&self, low: f64, width: f64) -> PerShape {
        if width < NARROW || self.shares.is_empty() {
            return self.densities_at(low + 0.5 * width).map(|density| (density * width).min(1.0));
        }
        let (below, above) = (interpolated(&self.shares, low), interpolated(&self.shares, low + width));
        std::array::from_fn(|shape| above[shape] - below[shape])
    }

    /// The density of each shape at `z`.
    #[inline(always)]
    pub(in crate::estimator) fn densities_at(&self, z: f64) -> PerShape {
        let densities = interpolated(&self.densities, z);
        // Beyond the table no tail is heavier than that of Student's distribution with two degrees of freedom.
        let distance = z.abs();
        if distance > REACH {
            densities.map(|density| density * (REACH / distance).powi(3))
        } else {
            densities
        }
    }
}

#[inline(always)]
fn interpolated(table: &[PerShape], z: f64) -> PerShape {
    const LAST: f64 = (N_NODES - 1) as f64;
    // NaN becomes 0 here and is seen again in the squares of the residuals.
    let place = ((z + REACH) * PER_UNIT).clamp(0.0, LAST - 1e-9);
    let (i, part) = (place as usize, place.fract());
    let (left, right) = (&table[i], &table[i + 1]);
    std::array::from_fn(|shape| left[shape] + part * (right[shape] - left[shape]))
}

/// Makes the densities anew.
struct Learn<'a> {
    shapes: &'a mut Shapes,
    dof: f64,
}

impl Kernel for Learn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let tables = &*TABLES;
        let place = ((self.dof.ln() * 8.0).round() as usize).min(tables.student.len() - 1);
        let student = &tables.student[place][..N_NODES];
        let Shapes { counts, n_residuals, densities, .. } = &*self.shapes;
        let n = *n_residuals;
        if n < N_FIRST {
            let densities = self.shapes.densities.iter_mut().zip(student);
            densities.for_each(|(densities, &density)| densities[0] = density);
            return;
        }
        debug_assert_eq!(densities.len(), N_NODES, "one density per node");
        let width = 0.9 * n.powf(-0.2) * self.shapes.spread() * PER_UNIT;
        let (learnt, fine) = (smoothed(counts, width), smoothed(counts, FINE * width));
        // A share of the normal shape falls as residuals come in.
        let (prior, wide) = (4.0 / (4.0 + n.powf(0.7)), 2.0 / (n + 4.0));
        let (kept, prior) = ((1.0 - wide) * (1.0 - prior) * PER_UNIT / n, (1.0 - wide) * prior);
        for (i, densities) in self.shapes.densities.iter_mut().enumerate() {
            let rest = prior * tables.normal[i] + wide * tables.wide[i];
            *densities = [student[i], tables.heavy[i], kept * learnt[i] + rest, kept * fine[i] + rest];
        }
    }
}

/// Means of neighbours that are twice as far each time, together about as wide as a normal distribution with this standard
/// deviation, in nodes: each pass is a loop without dependencies, which running sums are not.
#[inline(always)]
fn smoothed(counts: &[f64], sd: f64) -> Vec<f64> {
    let (mut now, mut next) = (counts.to_vec(), vec![0.0; counts.len()]);
    let mut left = sd * sd;
    let variance = |distance: usize| 0.5 * (distance * distance) as f64;
    // Twice as far with each pass, then back.
    let (mut distance, mut is_way_out) = (1, true);
    while distance > 0 {
        if left >= 0.6 * variance(distance) && (distance < 64 || !is_way_out) {
            smooth_once(&now, &mut next, distance);
            std::mem::swap(&mut now, &mut next);
            left -= variance(distance);
            distance *= if is_way_out { 2 } else { 1 };
        } else {
            is_way_out = false;
            distance /= 2;
        }
    }
    now
}

/// Half of each number and a quarter of its neighbours at this distance.
#[inline(always)]
fn smooth_once(from: &[f64], to: &mut [f64], distance: usize) {
    let n = from.len();
    for i in 0..distance {
        to[i] = 0.5 * from[i] + 0.25 * from[i + distance];
        to[n - 1 - i] = 0.5 * from[n - 1 - i] + 0.25 * from[n - 1 - i - distance];
    }
    let (left, middle, right) =
        (&from[..n - 2 * distance], &from[distance..n - distance], &from[2 * distance..]);
    let inner = to[distance..n - distance].iter_mut();
    for (((to, middle), left), right) in inner.zip(middle).zip(left).zip(right) {
        *to = 0.5 * middle + 0.25 * (left + right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::normal::{cdf, quantile};

    /// Shapes that have seen evenly spaced quantiles of a distribution.
    fn learnt(n: usize, quantile: impl Fn(f64) -> f64) -> Shapes {
        let mut shapes = Shapes::new(true);
        (0..n).for_each(|i| shapes.add(quantile((i as f64 + 0.5) / n as f64)));
        shapes.learn(n as f64);
        shapes
    }

    #[test]
    fn every_shape_has_mass_1() {
        for shapes in [Shapes::new(true), learnt(5, quantile), learnt(3_000, |p| 3.0 * (p - 0.5))] {
            let masses: Vec<PerShape> =
                (0..16_000).map(|i| shapes.masses(f64::from(i) * 1e-2 - 80.0, 1e-2)).collect();
            for shape in 0..N_SHAPES {
                let sum: f64 = masses.iter().map(|masses| masses[shape]).sum();
                assert!((sum - 1.0).abs() < 0.01, "shape {shape}: {sum}");
            }
        }
    }

    #[test]
    fn wide_cells_have_the_mass_of_the_narrow_ones_in_them() {
        let shapes = learnt(2_000, |p| quantile(p).powi(3) / 4.0);
        let wide = shapes.masses(-0.7, 1.0);
        let narrow = (0..100).map(|i| shapes.masses(-0.7 + f64::from(i) / 100.0, 0.01));
        let sum = narrow.fold([0.0; N_SHAPES], |sum, masses| std::array::from_fn(|i| sum[i] + masses[i]));
        for shape in 0..N_SHAPES {
            assert!((sum[shape] - wide[shape]).abs() < 1e-3, "{sum:?} and {wide:?}");
        }
    }

    #[test]
    fn learnt_shapes_come_near_the_distribution_of_the_residuals() {
        // Uniform between -1.7 and 1.7: nothing a normal distribution comes near.
        let shapes = learnt(20_000, |p| 3.4 * (p - 0.5));
        let [normal, _, broad, fine] = shapes.densities_at(1.5);
        assert!((fine - 1.0 / 3.4).abs() < 0.01 && (broad - 1.0 / 3.4).abs() < 0.03, "{broad} {fine}");
        assert!(normal < 0.2 && shapes.densities_at(2.3)[3] < 1e-3);
        let normal = learnt(20_000, quantile);
        for z in [-2.0, -0.4, 0.0, 1.1] {
            let exact = (cdf(z + 1e-4) - cdf(z - 1e-4)) / 2e-4;
            normal
                .densities_at(z)
                .iter()
                .skip(2)
                .for_each(|d| assert!((d - exact).abs() < 0.01 * exact + 0.002));
        }
    }

    #[test]
    fn smoothing_keeps_the_sum_and_has_the_variance_asked_for() {
        let mut one = vec![0.0; N_NODES];
        one[256] = 1.0;
        for sd in [0.0, 0.7, 1.6, 3.0, 7.0, 20.0] {
            let smooth = smoothed(&one, sd);
            let moment = |power: i32| -> f64 {
                smooth.iter().enumerate().map(|(i, x)| x * (i as f64 - 256.0).powi(power)).sum()
            };
            assert!((moment(0) - 1.0).abs() < 1e-12);
            let variance = moment(2);
            assert!((variance.sqrt() - sd).abs() < 0.25 * sd + 0.1, "{sd}: {}", variance.sqrt());
        }
    }
}
