//! Cholesky factors of small symmetric matrices, and what they solve.
//!
//! The other eliminations of the library are other algorithms, whose order of operations is part of every code length: ridge regression
//! factors and solves in one pass over vector lanes, trees need a whole inverse, Gaussian scores the pivots from the last column on, and
//! the check for sums of columns leaves columns out as it goes.

/// The lower factor L of a symmetric, positive definite matrix L Lᵀ.
#[derive(Debug, Clone)]
pub(crate) struct Cholesky {
    n: usize,
    /// `[row][column]`; what is above the diagonal means nothing.
    factor: Vec<f64>,
}

impl Cholesky {
    /// The factor of `matrix`, `[row][column]`; pivots that rounding leaves below `least` are raised to it.
    pub(crate) fn new(mut matrix: Vec<f64>, n: usize, least: f64) -> Cholesky {
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
                let rest = matrix[i * n + j] - sum;
                matrix[i * n + j] = if i == j { rest.max(least).sqrt() } else { rest / matrix[j * n + j] };
            }
        }
        Cholesky { n, factor: matrix }
    }

    /// One row of the factor, up to the diagonal.
    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.factor[i * self.n..=i * self.n + i]
    }

    /// The logarithm of the determinant of the factor, half that of the matrix.
    pub(crate) fn log_determinant(&self) -> f64 {
        (0..self.n).map(|i| self.factor[i * self.n + i].ln()).sum()
    }

    /// The solution of (L Lᵀ) x = `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (n, l) = (self.n, &self.factor);
        let mut x = right.to_vec();
        for i in 0..n {
            let sum: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
            x[i] = (x[i] - sum) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
            x[i] = (x[i] - sum) / l[i * n + i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_has_the_determinant_and_solves_the_matrix() {
        // Determinant of [[4, 2, 1], [2, 3, 0], [1, 0, 2]]: 4 * 6 - 2 * 4 + 1 * (-3) = 13.
        let matrix = [4.0, 2.0, 1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 2.0];
        let factor = Cholesky::new(matrix.to_vec(), 3, 1e-9);
        assert!((2.0 * factor.log_determinant() - 13.0_f64.ln()).abs() < 1e-12);
        let x = factor.solve(&[1.0, -2.0, 5.0]);
        let product = |row: usize| (0..3).map(|k| matrix[row * 3 + k] * x[k]).sum::<f64>();
        for (row, right) in [1.0, -2.0, 5.0].into_iter().enumerate() {
            assert!((product(row) - right).abs() < 1e-12);
        }
        assert_eq!(factor.row(0), [2.0]);
    }

    #[test]
    fn a_pivot_that_is_nothing_is_raised() {
        let copies = Cholesky::new(vec![1.0, 1.0, 1.0, 1.0], 2, 1e-9);
        assert_eq!(copies.row(1), [1.0, 1e-9_f64.sqrt()]);
    }
}
