//! Matrix products, a tile of six rows and a few vectors of columns at a time.
//!
//! A tile's sums stay in registers while its products run. Where a factor lies scattered in memory, what the tiles need next
//! is first copied side by side. Sums run over the inner dimension in order, so that the answer does not depend on the tiles.

use super::buffer::{Buffer, LANES};
use crate::simd::{Arithmetic, Kernel};

/// Rows of a tile.
const TILE_ROWS: usize = 6;

/// Inner products are cut to this length, so that a panel of the right factor stays in the first-level cache.
const MAX_DEPTH: usize = 128;

/// The most columns of a panel: four vectors of sixteen.
const MAX_COLUMNS: usize = 64;

/// Rows of a factor that lie further apart are copied first: else they would evict one another from the caches.
const MAX_STRIDE: usize = 128;

/// A matrix inside a slice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'a> {
    values: &'a [f32],
    /// From one row to the next; of a transposed matrix, from one column to the next.
    stride: usize,
    is_transposed: bool,
}

impl<'a> Matrix<'a> {
    /// Row after row.
    #[inline(always)]
    pub(crate) fn rows(values: &'a [f32], n_columns: usize) -> Matrix<'a> {
        Matrix { values, stride: n_columns, is_transposed: false }
    }

    /// The transpose of what is stored row after row.
    #[inline(always)]
    pub(crate) fn transposed(values: &'a [f32], n_columns: usize) -> Matrix<'a> {
        Matrix { values, stride: n_columns, is_transposed: true }
    }
}

/// The initial value of a product.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Start<'a> {
    Zero,
    /// Equal in every row.
    Row(&'a [f32]),
    /// The present content.
    Sums,
}

/// Buffers for copies of factors.
#[derive(Debug)]
pub(crate) struct Packing {
    /// Tiles of the left factor, `[tile][inner place][row]`.
    left: Buffer,
    /// A panel of the right factor, `[inner place][column]`.
    right: Buffer,
}

impl Packing {
    /// For products of at most this many rows.
    pub(crate) fn new(max_rows: usize) -> Packing {
        Packing { left: Buffer::zeros(max_rows * MAX_DEPTH), right: Buffer::zeros(MAX_DEPTH * MAX_COLUMNS) }
    }
}

/// A product: c = start + a b.
#[derive(Debug)]
pub(crate) struct MatrixProduct<'a> {
    /// Rows, the inner dimension, and columns, a multiple of [`LANES`].
    pub(crate) sizes: (usize, usize, usize),
    pub(crate) a: Matrix<'a>,
    pub(crate) b: Matrix<'a>,
    pub(crate) start: Start<'a>,
    /// Row after row.
    pub(crate) c: &'a mut [f32],
    pub(crate) packing: &'a mut Packing,
}

impl Kernel for MatrixProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let MatrixProduct { sizes: (n_rows, depth, n_columns), a, b, start, c, packing } = self;
        assert!(n_columns.is_multiple_of(LANES), "widths are padded");
        // Without products only the initial value remains.
        for first in (0..depth.max(1)).step_by(MAX_DEPTH) {
            let len = (depth - first).min(MAX_DEPTH);
            let start = if first == 0 { start } else { Start::Sums };
            let is_packed = a.is_transposed && a.stride > MAX_STRIDE;
            if is_packed {
                pack_left(a, first, len, n_rows, &mut packing.left);
            }
            let packed = if is_packed { Some(&packing.left[..]) } else { None };
            Block { n_rows, n_columns, first, len, column: 0, a, packed, b, start, c: &mut *c }
                .add_all::<A>(&mut packing.right);
        }
    }
}

/// Copies rows of the left factor so that what a tile needs lies side by side.
#[inline(always)]
fn pack_left(a: Matrix, first: usize, len: usize, n_rows: usize, packed: &mut [f32]) {
    for k in 0..len {
        let source = &a.values[(first + k) * a.stride..][..n_rows];
        let (tiles, rest) = source.as_chunks::<TILE_ROWS>();
        for (tile, values) in tiles.iter().enumerate() {
            packed[(tile * len + k) * TILE_ROWS..][..TILE_ROWS].copy_from_slice(values);
        }
        packed[tiles.len() * len * TILE_ROWS + k * rest.len()..][..rest.len()].copy_from_slice(rest);
    }
}

/// All rows of a few columns of a product, over a part of the inner dimension.
struct Block<'a> {
    n_rows: usize,
    n_columns: usize,
    /// The part of the inner dimension.
    first: usize,
    len: usize,
    /// The first of the columns.
    column: usize,
    a: Matrix<'a>,
    /// The left factor as `[tile][inner place][row]`, the rows left over in a tile of their own.
    packed: Option<&'a [f32]>,
    b: Matrix<'a>,
    start: Start<'a>,
    c: &'a mut [f32],
}

impl Block<'_> {
    /// Adds the products of all columns, a few at a time.
    #[inline(always)]
    fn add_all<A: Arithmetic>(mut self, room: &mut [f32]) {
        if A::TILE_VECTORS == 4 {
            while self.column + 4 * A::LANES <= self.n_columns {
                self.add::<A, 4>(room);
            }
        }
        while self.column + 2 * A::LANES <= self.n_columns {
            self.add::<A, 2>(room);
        }
        while self.column < self.n_columns {
            self.add::<A, 1>(room);
        }
    }

    /// Adds the products of the next `V` vectors of columns.
    #[inline(always)]
    fn add<A: Arithmetic, const V: usize>(&mut self, room: &mut [f32]) {
        let (b, width) = (self.b, V * A::LANES);
        if !b.is_transposed && (b.stride <= MAX_STRIDE || self.n_rows < 2 * TILE_ROWS) {
            let from = self.first * b.stride + self.column;
            self.tiles::<A, V>(b.values.get(from..).unwrap_or(&[]), b.stride);
        } else {
            let panel = &mut room[..self.len * width];
            pack_right(b, self.first, self.column, width, panel);
            self.tiles::<A, V>(panel, width);
        }
        self.column += width;
    }

    #[inline(always)]
    fn tiles<A: Arithmetic, const V: usize>(&mut self, right: &[f32], stride: usize) {
        let full = self.n_rows / TILE_ROWS * TILE_ROWS;
        for row in (0..full).step_by(TILE_ROWS) {
            self.tile::<A, V, TILE_ROWS>(row, row, TILE_ROWS, right, stride);
        }
        let n_left = self.n_rows - full;
        let mut row = full;
        while row + 2 <= self.n_rows {
            self.tile::<A, V, 2>(full, row, n_left, right, stride);
            row += 2;
        }
        if row < self.n_rows {
            self.tile::<A, V, 1>(full, row, n_left, right, stride);
        }
    }

    /// Adds the products of `R` rows from `row` on, which were packed with others from row `packed` on, `n_packed` in all.
    #[inline(always)]
    fn tile<A: Arithmetic, const V: usize, const R: usize>(
        &mut self,
        packed: usize,
        row: usize,
        n_packed: usize,
        right: &[f32],
        stride: usize,
    ) {
        let (width, len) = (V * A::LANES, self.len);
        let mut sums = self.start::<A, V, R>(row);
        if self.a.is_transposed {
            // Packed or not, the factors of a tile lie side by side for each inner place.
            let (values, apart) = match self.packed {
                Some(values) => (&values[packed * len + (row - packed)..], n_packed),
                None => (&self.a.values[self.first * self.a.stride + row..], self.a.stride),
            };
            for (factors, line) in values.chunks(apart).zip(right.chunks(stride)).take(len) {
                add_line::<A, V, R>(&mut sums, factors, line);
            }
        } else {
            let mut rows = [self.a.values; R];
            for r in 0..R {
                rows[r] = &self.a.values[(row + r) * self.a.stride + self.first..][..len];
            }
            for (k, line) in right.chunks(stride).take(len).enumerate() {
                let mut factors = [0.0; R];
                for r in 0..R {
                    factors[r] = rows[r][k];
                }
                add_line::<A, V, R>(&mut sums, &factors, line);
            }
        }
        for r in 0..R {
            let out = &mut self.c[(row + r) * self.n_columns + self.column..][..width];
            for v in 0..V {
                A::store(sums[r][v], &mut out[v * A::LANES..]);
            }
        }
    }

    /// The initial value of a tile.
    #[inline(always)]
    fn start<A: Arithmetic, const V: usize, const R: usize>(&self, row: usize) -> [[A::Vector; V]; R] {
        let mut sums = [[A::splat(0.0); V]; R];
        match self.start {
            Start::Zero => {}
            Start::Row(values) => sums = [load_line::<A, V>(&values[self.column..]); R],
            Start::Sums => {
                for r in 0..R {
                    sums[r] = load_line::<A, V>(&self.c[(row + r) * self.n_columns + self.column..]);
                }
            }
        }
        sums
    }
}

#[inline(always)]
fn load_line<A: Arithmetic, const V: usize>(values: &[f32]) -> [A::Vector; V] {
    let values = &values[..V * A::LANES];
    // Loops, where closures would stay functions of their own, compiled for the oldest machines.
    let mut line = [A::splat(0.0); V];
    for v in 0..V {
        line[v] = A::load(&values[v * A::LANES..]);
    }
    line
}

/// Copies `width` columns of `b`, from row `first` on.
#[inline(always)]
fn pack_right(b: Matrix, first: usize, column: usize, width: usize, panel: &mut [f32]) {
    if !b.is_transposed {
        for (k, line) in panel.chunks_exact_mut(width).enumerate() {
            line.copy_from_slice(&b.values[(first + k) * b.stride + column..][..width]);
        }
    } else {
        for j in (0..width).step_by(BLOCK) {
            pack_transposed(b, first, column, j, width, panel);
        }
    }
}

/// Columns and inner places that are transposed together.
const BLOCK: usize = 8;

/// Copies columns `j..j + BLOCK` of a panel of `b`, which lie side by side in memory along the inner dimension.
#[inline(always)]
fn pack_transposed(b: Matrix, first: usize, column: usize, j: usize, width: usize, panel: &mut [f32]) {
    let len = panel.len() / width;
    let mut sources = [b.values; BLOCK];
    for i in 0..BLOCK {
        sources[i] = &b.values[(column + j + i) * b.stride + first..][..len];
    }
    for k in 0..len {
        let line = &mut panel[k * width + j..][..BLOCK];
        for i in 0..BLOCK {
            line[i] = sources[i][k];
        }
    }
}

/// Adds to each row of a tile its factor times the line of the right factor.
#[inline(always)]
fn add_line<A: Arithmetic, const V: usize, const R: usize>(
    sums: &mut [[A::Vector; V]; R],
    factors: &[f32],
    line: &[f32],
) {
    let (factors, line) = (&factors[..R], load_line::<A, V>(line));
    for r in 0..R {
        let factor = A::splat(factors[r]);
        for v in 0..V {
            sums[r][v] = A::mul_add(factor, line[v], sums[r][v]);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::simd::{portable, vectorised};

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
                    let product = MatrixProduct {
                        sizes: (n_rows, depth, n_columns),
                        a: a_in,
                        b: b_in,
                        start: Start::Sums,
                        c: &mut sum,
                        packing: &mut Packing::new(n_rows),
                    };
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
