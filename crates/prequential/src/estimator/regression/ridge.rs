//! Bayesian ridge regression of many responses on the same features: one Cholesky factor serves them all.
//!
//! Features and responses are rows of one symmetric matrix, of which the part left of the features' columns is kept: below the
//! precision of the weights stand the moments. Eliminating the features turns the former into its Cholesky factor and the
//! latter into whitened weights, by the same loop that whitens the features of new rows.

use super::lanes::{LANES, Lanes};
use crate::simd::{Arithmetic, Kernel, vectorised};

/// Rows of the factor that are eliminated together: with twice eight lanes, more sums than hide the time that one addition takes.
const TILE: usize = 4;

/// One column of a tile.
type Quad = [f64; TILE];

/// Observed rows that are added together, short enough to stay in the nearest cache.
const N_ADDED: usize = 32;

/// The regression of several responses on the same features, with a normal prior on every weight and unit noise.
#[derive(Debug, Clone)]
pub(super) struct Ridge {
    /// Features, padded with zeros.
    n_padded: usize,
    /// Tiles that hold features, up to the last one that holds any.
    n_tiles: usize,
    /// Responses, padded likewise.
    n_responses: usize,
    /// `[panel][feature]`, lane by lane a row of the matrix: first the features' rows, then the responses'.
    products: Vec<Lanes>,
    /// The rows after elimination, `[tile][feature]`.
    factor: Vec<Quad>,
    /// Of the factor's diagonal.
    inverses: Vec<f64>,
}

impl Ridge {
    /// Before any row, with this prior precision of every weight.
    pub(super) fn new(n_features: usize, n_responses: usize, prior_precision: f64) -> Ridge {
        let n_padded = n_features.next_multiple_of(LANES);
        let n_responses = n_responses.next_multiple_of(LANES);
        let n_panels = (n_padded + n_responses) / LANES;
        let mut products = vec![Lanes::ZERO; n_panels * n_padded];
        for i in 0..n_padded {
            products[i / LANES * n_padded + i].0[i % LANES] = prior_precision;
        }
        let factor = vec![[0.0; TILE]; n_panels * LANES / TILE * n_padded];
        let n_tiles = n_features.div_ceil(TILE);
        Ridge { n_padded, n_tiles, n_responses, products, factor, inverses: vec![0.0; n_padded] }
    }

    /// Features per row, with the padding that fills whole lanes.
    pub(super) fn n_padded(&self) -> usize {
        self.n_padded
    }

    /// Responses per row, with the padding that fills whole lanes.
    pub(super) fn n_responses(&self) -> usize {
        self.n_responses
    }

    /// Learns from rows of features, padding, responses and padding.
    pub(super) fn add(&mut self, rows: &[Lanes]) {
        vectorised(AddRows { n_padded: self.n_padded, products: &mut self.products, rows });
    }

    /// Prepares for predictions, after rows were added.
    pub(super) fn factorise(&mut self) {
        vectorised(Factorise { ridge: self });
    }

    /// Predicts `P` times eight rows, given feature by feature in `panel`, which is overwritten: writes the mean of each response, and
    /// returns each row's leverage, by which the variance of a prediction exceeds that of the noise.
    #[inline(always)]
    pub(super) fn predict<A: Arithmetic, const P: usize>(
        &self,
        panel: &mut [[Lanes; P]],
        means: &mut [[Lanes; P]],
    ) -> [Lanes; P] {
        for tile in 0..self.n_tiles {
            self.whiten_tile::<A, P>(tile, panel);
        }
        let white = &panel[..self.n_tiles * TILE];
        let mut leverage = [Lanes::ZERO; P];
        for w in white {
            for p in 0..P {
                for lane in 0..LANES {
                    leverage[p].0[lane] = A::mul_add64(w[p].0[lane], w[p].0[lane], leverage[p].0[lane]);
                }
            }
        }
        let first = self.n_padded / TILE;
        for (tile, means) in means.chunks_exact_mut(TILE).enumerate() {
            let mut sums = [[Lanes::ZERO; P]; TILE];
            subtract::<A, P>(&self.factor[(first + tile) * self.n_padded..], white, &mut sums);
            for t in 0..TILE {
                for p in 0..P {
                    means[t][p] = Lanes(sums[t][p].0.map(|sum| -sum));
                }
            }
        }
        leverage
    }

    /// Solves for the features of one tile, those before being solved: L w = x.
    #[inline(always)]
    fn whiten_tile<A: Arithmetic, const P: usize>(&self, tile: usize, panel: &mut [[Lanes; P]]) {
        let i = tile * TILE;
        let (done, rest) = panel.split_at_mut(i);
        let quads = &self.factor[tile * self.n_padded..][..i + TILE];
        let mut sums = [rest[0], rest[1], rest[2], rest[3]];
        subtract::<A, P>(&quads[..i], done, &mut sums);
        for t in 0..TILE {
            for p in 0..P {
                sums[t][p] = Lanes(sums[t][p].0.map(|sum| sum * self.inverses[i + t]));
            }
            for s in t + 1..TILE {
                subtract_one::<A, P>(quads[i + t][s], sums[t], &mut sums[s]);
            }
        }
        rest[..TILE].copy_from_slice(&sums);
    }

    /// Factorises the diagonal tile, whose rows are lanes of the panel from `first_lane` on.
    #[inline(always)]
    fn factorise_tile<A: Arithmetic>(&mut self, tile: usize, first_lane: usize, panel: &mut [[Lanes; 1]]) {
        let i = tile * TILE;
        let (done, rest) = panel.split_at_mut(i);
        let mut sums = [rest[0], rest[1], rest[2], rest[3]];
        subtract::<A, 1>(&self.factor[tile * self.n_padded..][..i], done, &mut sums);
        for t in 0..TILE {
            let inverse = 1.0 / sums[t][0].0[first_lane + t].sqrt();
            self.inverses[i + t] = inverse;
            sums[t][0] = Lanes(sums[t][0].0.map(|sum| sum * inverse));
            for s in t + 1..TILE {
                subtract_one::<A, 1>(sums[t][0].0[first_lane + s], sums[t], &mut sums[s]);
            }
        }
        rest[..TILE].copy_from_slice(&sums);
    }

    /// Enters eliminated features of the rows in one panel into the factor.
    #[inline(always)]
    fn store(&mut self, number: usize, panel: &[[Lanes; 1]], features: std::ops::Range<usize>) {
        for half in 0..LANES / TILE {
            let tile = number * LANES / TILE + half;
            for i in features.clone() {
                let lanes = &panel[i][0].0[half * TILE..][..TILE];
                self.factor[tile * self.n_padded + i].copy_from_slice(lanes);
            }
        }
    }
}

/// Subtracts from each sum the products of its row of the factor with what is solved.
#[inline(always)]
fn subtract<A: Arithmetic, const P: usize>(
    quads: &[Quad],
    solved: &[[Lanes; P]],
    sums: &mut [[Lanes; P]; TILE],
) {
    for (quad, solved) in quads.iter().zip(solved) {
        for t in 0..TILE {
            subtract_one::<A, P>(quad[t], *solved, &mut sums[t]);
        }
    }
}

#[inline(always)]
fn subtract_one<A: Arithmetic, const P: usize>(factor: f64, solved: [Lanes; P], sum: &mut [Lanes; P]) {
    for p in 0..P {
        for lane in 0..LANES {
            sum[p].0[lane] = A::mul_add64(-factor, solved[p].0[lane], sum[p].0[lane]);
        }
    }
}

struct AddRows<'a> {
    n_padded: usize,
    products: &'a mut [Lanes],
    rows: &'a [Lanes],
}

impl Kernel for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let n_panels = self.products.len() / self.n_padded;
        for block in self.rows.chunks(N_ADDED * n_panels) {
            for (number, panel) in self.products.chunks_exact_mut(self.n_padded).enumerate() {
                // Right of the diagonal the matrix repeats itself.
                let limit = ((number + 1) * LANES).min(self.n_padded);
                for (tile, products) in panel[..limit].chunks_exact_mut(TILE).enumerate() {
                    let mut sums = [products[0].0, products[1].0, products[2].0, products[3].0];
                    for row in block.chunks_exact(n_panels) {
                        let (left, right) = (&row[number].0, &row[tile * TILE / LANES].0);
                        for t in 0..TILE {
                            let factor = right[tile * TILE % LANES + t];
                            for lane in 0..LANES {
                                sums[t][lane] = A::mul_add64(factor, left[lane], sums[t][lane]);
                            }
                        }
                    }
                    for t in 0..TILE {
                        products[t] = Lanes(sums[t]);
                    }
                }
            }
        }
    }
}

struct Factorise<'a> {
    ridge: &'a mut Ridge,
}

impl Kernel for Factorise<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let ridge = self.ridge;
        let n_padded = ridge.n_padded;
        let n_panels = ridge.products.len() / n_padded;
        let mut panel = vec![[Lanes::ZERO]; n_padded];
        for number in 0..n_panels {
            let products = &ridge.products[number * n_padded..][..n_padded];
            panel.iter_mut().zip(products).for_each(|(lanes, products)| *lanes = [*products]);
            let before = (number * LANES).min(n_padded);
            for tile in 0..before / TILE {
                ridge.whiten_tile::<A, 1>(tile, &mut panel);
            }
            ridge.store(number, &panel, 0..before);
            if before < n_padded {
                for half in 0..LANES / TILE {
                    let first = before + half * TILE;
                    ridge.factorise_tile::<A>(first / TILE, half * TILE, &mut panel);
                    ridge.store(number, &panel, first..first + TILE);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::simd::portable;

    /// Eight equal rows, twice.
    struct PredictRidge<'a>(&'a Ridge, Vec<Lanes>);

    impl Kernel for PredictRidge<'_> {
        type Output = (Lanes, Vec<Lanes>);

        #[inline(always)]
        fn run<A: Arithmetic>(self) -> (Lanes, Vec<Lanes>) {
            let mut panel: Vec<[Lanes; 2]> = self.1.iter().map(|&lanes| [lanes; 2]).collect();
            let mut means = vec![[Lanes::ZERO; 2]; self.0.n_responses];
            let leverages = self.0.predict::<A, 2>(&mut panel, &mut means);
            let mut alone: Vec<[Lanes; 1]> = self.1.iter().map(|&lanes| [lanes]).collect();
            let mut means_alone = vec![[Lanes::ZERO]; self.0.n_responses];
            let [leverage] = self.0.predict::<A, 1>(&mut alone, &mut means_alone);
            assert_eq!(
                leverages, [leverage; 2],
                "rows that are predicted together do not know of each other"
            );
            let means_alone: Vec<Lanes> = means_alone.into_iter().map(|[mean]| mean).collect();
            assert!(means.iter().zip(&means_alone).all(|(both, alone)| *both == [*alone; 2]));
            (leverage, means_alone)
        }
    }

    /// Solves A x = b by Gaussian elimination with row exchanges.
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for i in 0..n {
            let pivot = (i..n).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs())).unwrap();
            a.swap(i, pivot);
            b.swap(i, pivot);
            for row in i + 1..n {
                let factor = a[row][i] / a[i][i];
                for j in i..n {
                    a[row][j] -= factor * a[i][j];
                }
                b[row] -= factor * b[i];
            }
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
            b[i] = (b[i] - known) / a[i][i];
        }
        b
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn means_and_variances_are_those_of_the_normal_equations() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (n_features, n_responses, n_rows) in [(1, 1, 1), (5, 3, 7), (8, 8, 50), (21, 10, 90)] {
            let mut random = |n: usize| -> Vec<f64> { (0..n).map(|_| rng.random::<f64>() - 0.4).collect() };
            let rows: Vec<(Vec<f64>, Vec<f64>)> =
                (0..n_rows).map(|_| (random(n_features), random(n_responses))).collect();
            let new: Vec<Vec<f64>> = (0..LANES).map(|_| random(n_features)).collect();
            let mut ridge = Ridge::new(n_features, n_responses, 0.05);
            let padded = |values: &[f64]| -> Vec<Lanes> {
                let lane = |part: &[f64], i: usize| part.get(i).copied().unwrap_or(0.0);
                values.chunks(LANES).map(|part| Lanes(std::array::from_fn(|i| lane(part, i)))).collect()
            };
            for (features, responses) in &rows {
                ridge.add(&[padded(features), padded(responses)].concat());
            }
            ridge.factorise();
            let precision: Vec<Vec<f64>> = (0..n_features)
                .map(|i| {
                    let prior = |j: usize| if i == j { 0.05 } else { 0.0 };
                    let sum = |j: usize| rows.iter().map(|(x, _)| x[i] * x[j]).sum::<f64>();
                    (0..n_features).map(|j| prior(j) + sum(j)).collect()
                })
                .collect();
            let mut panel = vec![Lanes::ZERO; ridge.n_padded()];
            for i in 0..n_features {
                panel[i] = Lanes(std::array::from_fn(|lane| new[lane][i]));
            }
            let fast = vectorised(PredictRidge(&ridge, panel.clone()));
            for (leverage, means) in [fast, portable(PredictRidge(&ridge, panel))] {
                for lane in 0..LANES {
                    let weights = solve(precision.clone(), new[lane].clone());
                    assert!((leverage.0[lane] - dot(&weights, &new[lane])).abs() < 1e-10);
                    for response in 0..n_responses {
                        let mean: f64 = rows.iter().map(|(x, y)| dot(&weights, x) * y[response]).sum();
                        assert!((means[response].0[lane] - mean).abs() < 1e-10);
                    }
                }
            }
        }
    }
}
