//! Finds pairs of variables that are jointly dependent with a third, by moments of products: cheap enough for
//! all pairs of a wide table.

use rayon::prelude::*;

use crate::simd::{Arithmetic, Kernel, vectorised};
use crate::table::{Quantised, QuantisedColumn};

/// The number of functions of a column whose products are used.
const N_FEATURES: usize = 3;

/// The most rows that are used.
const MAX_ROWS: usize = 4_096;

/// The threshold for a pair: under independence the sum of 27 squares exceeds 100 once in 10^9.
const MIN_EVIDENCE: f32 = 100.0;

/// The most pairs of a child.
const MAX_PAIRS: usize = 5;

/// Two variables and the dependence of products of their functions on functions of a third.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hint {
    child: usize,
    pair: (usize, usize),
    evidence: f32,
}

/// Per child, the pairs of variables whose products depend on it, the strongest first; pairs for which
/// `is_known` of the child and one of the two are left out.
///
/// For numbers, Legendre polynomials of ranks up to the third; for labels, the most frequent ones against the
/// rest. Rows are used without regard to coding order: this selects what to score, and codes nothing.
pub(crate) fn joint_hints(
    data: &Quantised,
    is_known: impl Fn(usize, usize) -> bool + Sync,
) -> Vec<Vec<(usize, usize)>> {
    let n_vars = data.n_vars();
    let n_rows = data.n_rows().min(MAX_ROWS);
    let features: Vec<Vec<Vec<f32>>> =
        (0..n_vars).into_par_iter().map(|node| features(data.column(node), n_rows)).collect();
    let pairs_with = |first: usize| {
        let mut hints = Vec::new();
        for second in 0..first {
            let is_open = |&child: &usize| {
                child != first && child != second && !is_known(child, first) && !is_known(child, second)
            };
            let children: Vec<usize> = (0..n_vars).filter(is_open).collect();
            let moments =
                vectorised(JointMoments { features: &features, first, second, children: &children });
            let found = children.into_iter().zip(moments).filter(|&(_, evidence)| evidence > MIN_EVIDENCE);
            hints.extend(found.map(|(child, evidence)| Hint { child, pair: (second, first), evidence }));
        }
        hints
    };
    let mut hints: Vec<Hint> = (0..n_vars).into_par_iter().flat_map_iter(pairs_with).collect();
    hints.sort_by(|a, b| b.evidence.total_cmp(&a.evidence).then(a.pair.cmp(&b.pair)));
    let child_hints = |child: usize| {
        hints.iter().filter(|hint| hint.child == child).map(|hint| hint.pair).take(MAX_PAIRS).collect()
    };
    (0..n_vars).map(child_hints).collect()
}

/// The threshold for two variables, with nine squares: exceeded once in 2,000 under independence.
const MIN_EVIDENCE_OF_TWO: f32 = 30.0;

/// The lowest threshold, however few of the rows are used: exceeded once in 100.
const MIN_EVIDENCE_OF_FEW: f32 = 22.0;

/// For each variable, how many others depend on it by the same functions: a model-free estimate of what codes
/// will find.
pub(crate) fn n_dependent(data: &Quantised) -> Vec<usize> {
    let n_rows = data.n_rows().min(MAX_ROWS);
    let columns = 0..data.n_vars();
    let features: Vec<Vec<Vec<f32>>> =
        columns.clone().into_par_iter().map(|node| features(data.column(node), n_rows)).collect();
    // A dependence in few rows is clearer in all of them; but chance must not count.
    let scaled = MIN_EVIDENCE_OF_TWO * n_rows as f32 / data.n_rows().max(1) as f32;
    let least = scaled.max(MIN_EVIDENCE_OF_FEW);
    let goes_with = |node: usize, other: usize| {
        let pairs = features[node].iter().flat_map(|a| features[other].iter().map(move |b| (a, b)));
        let evidence: f32 = pairs.map(|(a, b)| vectorised(Dot { a, b }).powi(2) / n_rows as f32).sum();
        other != node && evidence > least
    };
    let n_partners = |node: usize| (0..data.n_vars()).filter(|&other| goes_with(node, other)).count();
    columns.into_par_iter().map(n_partners).collect()
}

/// The sum of products.
struct Dot<'a> {
    a: &'a [f32],
    b: &'a [f32],
}

impl Kernel for Dot<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f32 {
        dot::<A>(self.a, self.b)
    }
}

/// For each child, the number of rows times the sum of all squared correlations of products with its functions.
struct JointMoments<'a> {
    features: &'a [Vec<Vec<f32>>],
    first: usize,
    second: usize,
    children: &'a [usize],
}

impl Kernel for JointMoments<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Vec<f32> {
        let mut evidence = vec![0.0; self.children.len()];
        for a in &self.features[self.first] {
            for b in &self.features[self.second] {
                let mut products: Vec<f32> = a.iter().zip(b).map(|(a, b)| a * b).collect();
                if !standardise(&mut products) {
                    continue;
                }
                for (evidence, &child) in evidence.iter_mut().zip(self.children) {
                    for feature in &self.features[child] {
                        let sum = dot::<A>(&products, feature);
                        *evidence += sum * sum / products.len() as f32;
                    }
                }
            }
        }
        evidence
    }
}

/// The sum of products.
#[inline(always)]
fn dot<A: Arithmetic>(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = A::splat(0.0);
    let (whole_a, whole_b) = (a.chunks_exact(A::LANES), b.chunks_exact(A::LANES));
    let rest = whole_a.remainder().iter().zip(whole_b.remainder()).map(|(a, b)| a * b).sum::<f32>();
    for (a, b) in whole_a.zip(whole_b) {
        sums = A::mul_add(A::load(a), A::load(b), sums);
    }
    let mut lanes = [0.0; 16];
    A::store(sums, &mut lanes);
    lanes.iter().sum::<f32>() + rest
}

/// Functions of a column with mean 0 and variance 1 in the first rows; 0 where a cell is missing.
fn features(column: &QuantisedColumn, n_rows: usize) -> Vec<Vec<f32>> {
    let raw: Vec<Vec<f32>> = match &column.numbers {
        Some(numbers) => rank_features(&numbers.values[..n_rows]),
        None => label_features(&column.codes[..n_rows], column.n_levels),
    };
    raw.into_iter().filter_map(|mut feature| standardise(&mut feature).then_some(feature)).collect()
}

/// Legendre polynomials of the ranks, which are spread from -1 to 1; equal numbers have equal ranks.
fn rank_features(values: &[f64]) -> Vec<Vec<f32>> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let n_known = order.len() as f32;
    let mut ranks = vec![f32::NAN; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let middle = first as f32 + equal.len() as f32 / 2.0;
        equal.iter().for_each(|&row| ranks[row] = 2.0 * middle / n_known - 1.0);
        first += equal.len();
    }
    let polynomials: [fn(f32) -> f32; N_FEATURES] =
        [|x| x, |x| 1.5 * x * x - 0.5, |x| 2.5 * x * x * x - 1.5 * x];
    polynomials.iter().map(|polynomial| ranks.iter().map(|&rank| polynomial(rank)).collect()).collect()
}

/// Indicators of the most frequent labels.
fn label_features(codes: &[u32], n_levels: usize) -> Vec<Vec<f32>> {
    let mut counts = vec![0usize; n_levels + 1];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    let mut levels: Vec<usize> = (0..n_levels).filter(|&level| counts[level] > 0).collect();
    levels.sort_by_key(|&level| std::cmp::Reverse(counts[level]));
    // The last indicator follows from the others.
    levels.truncate(N_FEATURES.min(levels.len().saturating_sub(1)));
    let is_level = |level: usize| move |&code: &u32| if code as usize == level { 1.0 } else { 0.0 };
    let known = |(value, &code): (f32, &u32)| if code as usize == n_levels { f32::NAN } else { value };
    let feature =
        |level: usize| codes.iter().map(is_level(level)).zip(codes).map(known).collect::<Vec<f32>>();
    levels.into_iter().map(feature).collect()
}

/// Standardises, with 0 for missing cells; false if all are equal.
#[inline(always)]
fn standardise(values: &mut [f32]) -> bool {
    let known = || values.iter().filter(|value| !value.is_nan()).map(|&value| f64::from(value));
    let n_known = known().count().max(1) as f64;
    let mean = known().sum::<f64>() / n_known;
    let variance = known().map(|value| (value - mean).powi(2)).sum::<f64>() / n_known;
    if variance < 1e-12 {
        return false;
    }
    let (mean, scale) = (mean as f32, 1.0 / variance.sqrt() as f32);
    let standard = |value: f32| if value.is_nan() { 0.0 } else { (value - mean) * scale };
    values.iter_mut().for_each(|value| *value = standard(*value));
    true
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::table::{Quantisation, Table, Values, Variable};

    fn quantised(columns: Vec<Values>) -> Quantised {
        let variable =
            |(i, values): (usize, Values)| Variable { name: format!("x{i}"), values, intervened: None };
        let table = Table::new(columns.into_iter().enumerate().map(variable).collect()).unwrap();
        Quantised::with(
            &table,
            &Quantisation { n_bins: 2, binning: Default::default(), parent_values: Default::default() },
        )
    }

    #[test]
    fn a_product_and_an_exclusive_or_are_found_and_nothing_else() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let n_rows = 1_000;
        let mut numbers = || (0..n_rows).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f64>>();
        let (a, b, c, d) = (numbers(), numbers(), numbers(), numbers());
        let product = (0..n_rows).map(|row| (3.0 * a[row] * b[row]).sin() + 0.5 * d[row]).collect();
        let sign = |x: f64| u32::from(x > 0.0);
        let either = (0..n_rows).map(|row| sign(c[row]) ^ sign(a[row])).collect();
        let labels = |codes| Values::Labels { levels: vec!["no".into(), "yes".into()], codes };
        let signs = c.iter().map(|&c| sign(c)).collect();
        let columns = vec![
            Values::Numbers(a),
            Values::Numbers(b),
            Values::Numbers(product),
            labels(signs),
            labels(either),
            Values::Numbers(numbers()),
        ];
        let hints = joint_hints(&quantised(columns), |_, _| false);
        assert_eq!(hints[2], [(0, 1)]);
        assert_eq!(hints[4], [(0, 3)]);
        assert_eq!(hints[5], []);
        // A product depends on both factors and the third variable: this has no direction.
        assert_eq!(hints[1], [(0, 2)]);
    }

    #[test]
    fn what_is_known_and_what_is_missing_gives_no_hints() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut column = |n_missing: usize| {
            let number = |row: usize| if row < n_missing { f64::NAN } else { rng.random_range(-1.0..1.0) };
            (0..600).map(number).collect::<Vec<f64>>()
        };
        let (a, b) = (column(100), column(0));
        let c: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
        let columns = || [a.clone(), b.clone(), c.clone(), vec![1.0; 600]].map(Values::Numbers).to_vec();
        assert_eq!(joint_hints(&quantised(columns()), |_, _| false)[2], [(0, 1)]);
        let none = joint_hints(&quantised(columns()), |child, other| (child, other) == (2, 0));
        assert_eq!(none[2], []);
    }
}
