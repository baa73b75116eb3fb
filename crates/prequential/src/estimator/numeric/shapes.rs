//! Densities of standardised residuals: Student's t, a heavy-tailed mixture, and two kernel density estimates (Parzen 1962).

use std::ops::Range;
use std::sync::LazyLock;

use crate::simd::{Arithmetic, Kernel, vectorised};

/// How far the tables reach on either side of 0.
pub(super) const REACH: f64 = 8.0;

/// Nodes per unit.
pub(super) const PER_UNIT: f64 = 32.0;

pub(super) const N_NODES: usize = 2 * (REACH * PER_UNIT) as usize + 1;

/// How many shapes there are.
pub(in crate::estimator) const N_SHAPES: usize = 4;

/// One number per shape: normal, heavy, learned, finely learned.
pub(in crate::estimator) type PerShape = [f64; N_SHAPES];

/// Weight and standard deviation of the two normal distributions that make up the heavy shape.
const HEAVY: [(f64, f64); 2] = [(0.65, 0.75), (0.35, 1.8)];

/// The standard deviation of the wide component of learned shapes, beyond all residuals seen.
const WIDE: f64 = 3.0;

/// Residuals that must have been seen before a shape is learned.
const N_FIRST: f64 = 8.0;

/// The bandwidth of the finely learned shape, relative to the normal reference rule.
const FINE: f64 = 0.35;

/// Intervals narrower than this have the density of their middle.
const NARROW: f64 = 0.1;

/// The shapes of one kind of residual.
///
/// Every density is a sum of tables of which only one is its own, so that learning, which takes most of the
/// time, writes little.
#[derive(Debug, Clone)]
pub(in crate::estimator) struct Shapes {
    /// Earlier residuals, each divided between the nodes on either side of it.
    counts: Vec<f64>,
    /// The nodes that have any.
    span: Range<usize>,
    n_residuals: f64,
    /// How many of them lie within the tables, and how far from 0 these are in all.
    n_within: f64,
    distance: f64,
    /// Which of the tables of Student's distribution is the normal shape.
    student: usize,
    weights: Weights,
    /// The residuals smoothed with each width.
    learnt: Vec<PerWidth>,
    /// Sums of these below each node; empty if no cell is wide.
    learnt_below: Vec<PerWidth>,
}

/// One number per width.
type PerWidth = [f64; 2];

/// The components of learned shapes.
#[derive(Debug, Clone, Copy)]
struct Weights {
    smoothed: f64,
    normal: f64,
    wide: f64,
}

/// Constant tables, at each node.
struct Tables {
    densities: Fixed,
    /// Shares below the node.
    shares: Fixed,
}

/// Tables of Student's distribution before the normal one.
const N_STUDENTS: usize = 72;

/// Densities, or shares.
struct Fixed {
    others: Vec<Others>,
    /// Student's distribution, its degrees of freedom growing by a factor of e^(1/8), and the normal one.
    student: Vec<Vec<f64>>,
}

/// The heavy shape, and the components of learned shapes besides residuals: a normal and a wide one.
type Others = [f64; 3];

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let table = |density: &dyn Fn(f64) -> f64| (0..N_NODES).map(|i| density(node(i))).collect::<Vec<f64>>();
    let heavy = |z: f64| HEAVY.iter().map(|&(weight, sd)| weight * normal(z, sd)).sum();
    let students = (0..N_STUDENTS).map(|i| table(&|z| student(z, (i as f64 / 8.0).exp())));
    let student: Vec<Vec<f64>> = students.chain([table(&|z| normal(z, 1.0))]).collect();
    let others = |i: usize| [heavy(node(i)), normal(node(i), 1.0), normal(node(i), WIDE)];
    let others: Vec<Others> = (0..N_NODES).map(others).collect();
    let one = |table: &Vec<f64>| {
        let single: Vec<[f64; 1]> = table.iter().map(|&density| [density]).collect();
        sums_below(&single).into_iter().map(|[sum]| sum).collect()
    };
    let shares = Fixed { others: sums_below(&others), student: student.iter().map(one).collect() };
    Tables { densities: Fixed { others, student }, shares }
});

/// Areas under the lines between the nodes, from the first node to each.
fn sums_below<const N: usize>(table: &[[f64; N]]) -> Vec<[f64; N]> {
    let mut sum = [0.0; N];
    let area = |pair: &[[f64; N]]| {
        sum = std::array::from_fn(|i| sum[i] + 0.5 / PER_UNIT * (pair[0][i] + pair[1][i]));
        sum
    };
    std::iter::once([0.0; N]).chain(table.windows(2).map(area)).collect()
}

pub(super) fn node(i: usize) -> f64 {
    i as f64 / PER_UNIT - REACH
}

fn normal(z: f64, sd: f64) -> f64 {
    (-0.5 * (z / sd).powi(2)).exp() / (sd * std::f64::consts::TAU.sqrt())
}

fn student(z: f64, dof: f64) -> f64 {
    let height = libm::lgamma((dof + 1.0) / 2.0) - libm::lgamma(dof / 2.0);
    (height - (dof + 1.0) / 2.0 * (z * z / dof).ln_1p()).exp() / (dof * std::f64::consts::PI).sqrt()
}

/// The table of Student's distribution with about this many degrees of freedom.
pub(super) fn student_table(dof: f64) -> usize {
    ((dof.ln() * 8.0).round() as usize).min(N_STUDENTS)
}

/// Densities of Student's distributions, from few degrees of freedom to the normal one, at each node.
pub(super) fn student_densities() -> &'static [Vec<f64>] {
    &TABLES.densities.student
}

impl Shapes {
    /// Before any residual. If no cell is wide, the density at its middle is used for every cell.
    pub(in crate::estimator) fn new(has_wide_cells: bool) -> Shapes {
        let mut shapes = Shapes {
            counts: vec![0.0; N_NODES],
            span: 0..0,
            n_residuals: 0.0,
            n_within: 0.0,
            distance: 0.0,
            student: N_STUDENTS,
            weights: Weights { smoothed: 0.0, normal: 1.0, wide: 0.0 },
            learnt: vec![[0.0; 2]; N_NODES],
            learnt_below: Vec::new(),
        };
        if has_wide_cells {
            shapes.expect_wide_cells();
        }
        shapes
    }

    /// Prepares for wide cells.
    pub(in crate::estimator) fn expect_wide_cells(&mut self) {
        if self.learnt_below.is_empty() {
            self.learnt_below = sums_below(&self.learnt);
        }
    }

    /// Counts a residual.
    #[inline(always)]
    pub(in crate::estimator) fn add(&mut self, z: f64) {
        self.n_residuals += 1.0;
        let place = (z + REACH) * PER_UNIT;
        if place >= 0.0 && place < (N_NODES - 1) as f64 {
            let (i, part) = (place as usize, place.fract());
            self.counts[i] += 1.0 - part;
            self.counts[i + 1] += part;
            let is_first = self.span.is_empty();
            let start = if is_first { i } else { self.span.start.min(i) };
            self.span = start..self.span.end.max(i + 2);
            self.n_within += 1.0;
            self.distance += (1.0 - part) * node(i).abs() + part * node(i + 1).abs();
        }
    }

    /// Learns the shapes from the residuals counted. The normal one is Student's with as many degrees of
    /// freedom, the predictive distribution of a variance estimated from that many residuals.
    pub(in crate::estimator) fn learn(&mut self, dof: f64) {
        self.student = student_table(dof);
        let n = self.n_residuals;
        if n < N_FIRST {
            return;
        }
        // The share of the normal shape falls with the number of residuals.
        let (normal, wide) = (4.0 / (4.0 + n.powf(0.7)), 2.0 / (n + 4.0));
        let smoothed = (1.0 - wide) * (1.0 - normal) * PER_UNIT / n;
        self.weights = Weights { smoothed, normal: (1.0 - wide) * normal, wide };
        if self.n_within > 0.0 {
            let width = 0.9 * n.powf(-0.2) * self.spread() * PER_UNIT;
            let (counts, span, widths) = (&self.counts, self.span.clone(), [width, FINE * width]);
            vectorised(SmoothCounts { counts, span, widths, smooth: &mut self.learnt });
        }
        if !self.learnt_below.is_empty() {
            self.learnt_below = sums_below(&self.learnt);
        }
    }

    /// How far the residuals spread on average, in units of a standard normal distribution; at most 1.
    fn spread(&self) -> f64 {
        ((std::f64::consts::PI / 2.0).sqrt() * self.distance / self.n_within).clamp(1e-3, 1.0)
    }

    /// The mass of each shape between `low` and `low + width`.
    #[inline(always)]
    pub(in crate::estimator) fn masses(&self, low: f64, width: f64) -> PerShape {
        if width < NARROW || self.learnt_below.is_empty() {
            return self.densities_at(low + 0.5 * width).map(|density| (density * width).min(1.0));
        }
        let share = |z: f64| self.interpolated(&TABLES.shares, &self.learnt_below, z);
        let (below, above) = (share(low), share(low + width));
        std::array::from_fn(|shape| above[shape] - below[shape])
    }

    /// The density of each shape at `z`.
    #[inline(always)]
    pub(in crate::estimator) fn densities_at(&self, z: f64) -> PerShape {
        let densities = self.interpolated(&TABLES.densities, &self.learnt, z);
        // Beyond the table no tail is heavier than that of Student's distribution with two degrees of freedom.
        let distance = z.abs();
        if distance > REACH {
            densities.map(|density| density * (REACH / distance).powi(3))
        } else {
            densities
        }
    }

    /// The value of each shape's table at `z`.
    #[inline(always)]
    fn interpolated(&self, fixed: &Fixed, learnt: &[PerWidth], z: f64) -> PerShape {
        const LAST: f64 = (N_NODES - 1) as f64;
        // NaN becomes 0 here and shows up again in the squares of the residuals.
        let place = ((z + REACH) * PER_UNIT).clamp(0.0, LAST - 1e-9);
        let (i, part) = (place as usize, place.fract());
        let between = |left: f64, right: f64| left + part * (right - left);
        let [heavy, normal, wide]: Others =
            std::array::from_fn(|other| between(fixed.others[i][other], fixed.others[i + 1][other]));
        let student = &fixed.student[self.student];
        let rest = self.weights.normal * normal + self.weights.wide * wide;
        let [learnt, fine]: PerWidth = std::array::from_fn(|width| {
            self.weights.smoothed * between(learnt[i][width], learnt[i + 1][width]) + rest
        });
        [between(student[i], student[i + 1]), heavy, learnt, fine]
    }
}

/// Smooths counts with two bandwidths, in nodes: the standard deviations of the approximated normal kernels.
struct SmoothCounts<'a> {
    counts: &'a [f64],
    /// Where there are any.
    span: Range<usize>,
    widths: PerWidth,
    smooth: &'a mut [PerWidth],
}

/// Further than this no neighbour is, and there is nothing so far beyond the tables.
const FARTHEST: usize = 64;

/// One number per node, and beyond them.
type Nodes = [f64; N_NODES + 2 * FARTHEST];

impl Kernel for SmoothCounts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let SmoothCounts { counts, span, widths, smooth } = self;
        let reach = widths.map(|width| passes(width).sum::<usize>()).into_iter().fold(0, usize::max);
        let range = span.start.saturating_sub(reach)..(span.end + reach).min(N_NODES);
        let inner = range.start + FARTHEST..range.end + FARTHEST;
        let (mut first, mut second, mut third): (Nodes, Nodes, Nodes) = ([0.0; _], [0.0; _], [0.0; _]);
        let (mut now, mut next, mut other) = (&mut first, &mut second, &mut third);
        now[inner.clone()].copy_from_slice(&counts[range.clone()]);
        let [mut broad, mut fine] = widths.map(|width| passes(width).peekable());
        // They begin alike.
        while broad.peek().is_some() && broad.peek() == fine.peek() {
            fine.next();
            smooth_once(now, next, inner.clone(), broad.next().unwrap_or(0));
            std::mem::swap(&mut now, &mut next);
        }
        other[inner.clone()].copy_from_slice(&now[inner.clone()]);
        for distance in broad {
            smooth_once(now, next, inner.clone(), distance);
            std::mem::swap(&mut now, &mut next);
        }
        for distance in fine {
            smooth_once(other, next, inner.clone(), distance);
            std::mem::swap(&mut other, &mut next);
        }
        smooth[..range.start].fill([0.0; 2]);
        smooth[range.end..].fill([0.0; 2]);
        for ((smooth, broad), fine) in smooth[range].iter_mut().zip(&now[inner.clone()]).zip(&other[inner]) {
            *smooth = [*broad, *fine];
        }
    }
}

/// The distances of the neighbours that are averaged, pass after pass, so that together they are about as
/// wide as a normal distribution with this standard deviation: twice as far with each pass, then back. Each
/// pass is a loop without dependencies, which running sums are not.
#[inline(always)]
fn passes(sd: f64) -> impl Iterator<Item = usize> {
    let variance = |distance: usize| 0.5 * (distance * distance) as f64;
    let (mut left, mut distance, mut is_way_out) = (sd * sd, 1, true);
    std::iter::from_fn(move || {
        while distance > 0 {
            if left >= 0.6 * variance(distance) && (distance < FARTHEST || !is_way_out) {
                let pass = distance;
                left -= variance(distance);
                distance *= if is_way_out { 2 } else { 1 };
                return Some(pass);
            }
            is_way_out = false;
            distance /= 2;
        }
        None
    })
}

/// Half of each number and a quarter of its neighbours at this distance.
#[inline(always)]
fn smooth_once(from: &Nodes, to: &mut Nodes, inner: Range<usize>, distance: usize) {
    let shifted = |by: usize| &from[inner.start + by - FARTHEST..inner.end + by - FARTHEST];
    let (left, middle, right) =
        (shifted(FARTHEST - distance), shifted(FARTHEST), shifted(FARTHEST + distance));
    for (((to, middle), left), right) in to[inner.clone()].iter_mut().zip(middle).zip(left).zip(right) {
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
        let mut smooth = vec![[f64::NAN; 2]; N_NODES];
        for widths in [[0.0, 0.7], [1.6, 3.0], [7.0, 20.0], [20.0, 7.0]] {
            vectorised(SmoothCounts { counts: &one, span: 256..257, widths, smooth: &mut smooth });
            for (place, sd) in widths.into_iter().enumerate() {
                let moment = |power: i32| -> f64 {
                    smooth.iter().enumerate().map(|(i, x)| x[place] * (i as f64 - 256.0).powi(power)).sum()
                };
                assert!((moment(0) - 1.0).abs() < 1e-12);
                let variance = moment(2);
                assert!((variance.sqrt() - sd).abs() < 0.25 * sd + 0.1, "{sd}: {}", variance.sqrt());
            }
        }
    }

    #[test]
    fn what_is_beyond_the_counts_changes_nothing() {
        let counts: Vec<f64> =
            (0..N_NODES).map(|i| if (490..513).contains(&i) { i as f64 } else { 0.0 }).collect();
        let smoothed = |span: Range<usize>| {
            let mut smooth = vec![[f64::NAN; 2]; N_NODES];
            vectorised(SmoothCounts { counts: &counts, span, widths: [18.0, 5.0], smooth: &mut smooth });
            smooth
        };
        assert_eq!(smoothed(490..513), smoothed(0..N_NODES));
    }

    #[test]
    fn residuals_beyond_the_tables_leave_the_normal_shape() {
        let mut shapes = Shapes::new(true);
        (0..20).for_each(|_| shapes.add(100.0));
        shapes.learn(20.0);
        let [_, _, learnt, fine] = shapes.densities_at(0.3);
        assert_eq!(learnt, fine);
        assert!((0.05..0.39).contains(&learnt), "{learnt}");
    }
}
