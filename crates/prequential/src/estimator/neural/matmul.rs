//! Products of small matrices, a tile of six rows and sixteen columns at a time.
//!
//! A tile's sums stay in registers while its products run; sixteen columns of the right factor are copied side by side first,
//! whatever their stride. Sums run over the inner dimension in order, so that the answer does not depend on the tiles.

use super::buffer::LANES;
use crate::estimator::Arithmetic;

/// Rows of a tile: with sixteen columns, twelve of the sixteen vector registers hold sums.
const TILE_ROWS: usize = 6;

/// Inner products are cut to this length, so that a panel stays in the first-level cache.
const MAX_DEPTH: usize = 256;

/// A matrix inside a slice: entry (i, j) at `i * row_stride + j * column_stride`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'a> {
    values: &'a [f32],
    row_stride: usize,
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// Row after row.
    #[inline(always)]
    pub(crate) fn rows(values: &'a [f32], n_columns: usize) -> Matrix<'a> {
        Matrix { values, row_stride: n_columns, column_stride: 1 }
    }

    /// The transpose of what is stored row after row.
    #[inline(always)]
    pub(crate) fn transposed(values: &'a [f32], n_columns: usize) -> Matrix<'a> {
        Matrix { values, row_stride: 1, column_stride: n_columns }
    }
}

/// Sixteen columns of a right factor side by side.
pub(crate) type Panel = Vec<[f32; LANES]>;

/// Room for the panels of all products.
pub(crate) fn new_panel() -> Panel {
    vec![[0.0; LANES]; MAX_DEPTH]
}

/// c = c + a b, where c has `n_rows` rows of `n_columns`, a multiple of [`LANES`], and `depth` is the inner dimension.
#[inline(always)]
pub(crate) fn add_product<A: Arithmetic>(
    (n_rows, depth, n_columns): (usize, usize, usize),
    a: Matrix,
    b: Matrix,
    c: &mut [f32],
    panel: &mut Panel,
) {
    assert!(n_columns.is_multiple_of(LANES), "widths are padded");
    for start in (0..depth).step_by(MAX_DEPTH) {
        let end = depth.min(start + MAX_DEPTH);
        for column in (0..n_columns).step_by(LANES) {
            let panel = &mut panel[..end - start];
            pack(b, start, column, panel);
            let mut row = 0;
            while row + TILE_ROWS <= n_rows {
                tile::<A, TILE_ROWS>(a, row, start, panel, c, n_columns, column);
                row += TILE_ROWS;
            }
            while row + 2 <= n_rows {
                tile::<A, 2>(a, row, start, panel, c, n_columns, column);
                row += 2;
            }
            if row < n_rows {
                tile::<A, 1>(a, row, start, panel, c, n_columns, column);
            }
        }
    }
}

/// Copies sixteen columns of `b`, from row `start` on.
#[inline(always)]
fn pack(b: Matrix, start: usize, column: usize, panel: &mut [[f32; LANES]]) {
    if b.column_stride == 1 {
        for (k, line) in panel.iter_mut().enumerate() {
            line.copy_from_slice(&b.values[(start + k) * b.row_stride + column..][..LANES]);
        }
    } else {
        for j in 0..LANES {
            let source = &b.values[(column + j) * b.column_stride + start..][..panel.len()];
            for (line, &value) in panel.iter_mut().zip(source) {
                line[j] = value;
            }
        }
    }
}

/// Adds the products of `R` rows of `a` with the panel to their place in `c`.
#[inline(always)]
fn tile<A: Arithmetic, const R: usize>(
    a: Matrix,
    row: usize,
    start: usize,
    panel: &[[f32; LANES]],
    c: &mut [f32],
    n_columns: usize,
    column: usize,
) {
    let mut sums = [[0.0f32; LANES]; R];
    for (r, sums) in sums.iter_mut().enumerate() {
        sums.copy_from_slice(&c[(row + r) * n_columns + column..][..LANES]);
    }
    if a.column_stride == 1 {
        let rows: [&[f32]; R] =
            std::array::from_fn(|r| &a.values[(row + r) * a.row_stride + start..][..panel.len()]);
        for (k, line) in panel.iter().enumerate() {
            for r in 0..R {
                add_scaled::<A>(&mut sums[r], rows[r][k], line);
            }
        }
    } else {
        for (k, line) in panel.iter().enumerate() {
            let factors = &a.values[(start + k) * a.column_stride + row..][..R];
            for r in 0..R {
                add_scaled::<A>(&mut sums[r], factors[r], line);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        c[(row + r) * n_columns + column..][..LANES].copy_from_slice(sums);
    }
}

#[inline(always)]
fn add_scaled<A: Arithmetic>(sums: &mut [f32; LANES], factor: f32, line: &[f32; LANES]) {
    for j in 0..LANES {
        sums[j] = A::mul_add32(factor, line[j], sums[j]);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::estimator::vectorised::{Kernel, portable, vectorised};

    struct Product<'a> {
        sizes: (usize, usize, usize),
        a: Matrix<'a>,
        b: Matrix<'a>,
        c: &'a mut [f32],
    }

    impl Kernel for Product<'_> {
        type Output = ();

        #[inline(always)]
        fn run<A: Arithmetic>(self) {
            add_product::<A>(self.sizes, self.a, self.b, self.c, &mut new_panel());
        }
    }

    #[test]
    fn products_equal_plain_sums_in_any_layout() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut draw = |len: usize| -> Vec<f32> { (0..len).map(|_| rng.random_range(-1.0..1.0)).collect() };
        for (n_rows, depth, n_columns) in
            [(1, 1, 16), (5, 7, 16), (48, 100, 32), (13, 300, 48), (128, 513, 64)]
        {
            let (a, b, c) = (draw(n_rows * depth), draw(depth * n_columns), draw(n_rows * n_columns));
            let transpose = |x: &[f32], n_columns: usize| -> Vec<f32> {
                let n_rows = x.len() / n_columns;
                (0..x.len()).map(|i| x[i % n_rows * n_columns + i / n_rows]).collect()
            };
            let (at, bt) = (transpose(&a, depth), transpose(&b, n_columns));
            let layouts_a = [Matrix::rows(&a, depth), Matrix::transposed(&at, n_rows)];
            let layouts_b = [Matrix::rows(&b, n_columns), Matrix::transposed(&bt, depth)];
            for (a_in, b_in) in layouts_a.into_iter().flat_map(|a| layouts_b.map(|b| (a, b))) {
                for fast in [true, false] {
                    let mut sum = c.clone();
                    let product =
                        Product { sizes: (n_rows, depth, n_columns), a: a_in, b: b_in, c: &mut sum };
                    if fast {
                        vectorised(product)
                    } else {
                        portable(product)
                    }
                    for (place, &found) in sum.iter().enumerate() {
                        let (i, j) = (place / n_columns, place % n_columns);
                        let term = |k: usize| f64::from(a[i * depth + k]) * f64::from(b[k * n_columns + j]);
                        let expected = f64::from(c[place]) + (0..depth).map(term).sum::<f64>();
                        assert!((f64::from(found) - expected).abs() < 1e-4, "{found} {expected}");
                    }
                }
            }
        }
    }
}
