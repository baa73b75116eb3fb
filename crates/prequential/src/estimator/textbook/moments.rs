//! Means and scatter of some columns in some rows.

/// Of a child, which comes first, and its parents.
#[derive(Debug, Clone)]
pub(crate) struct Moments {
    /// Rows.
    pub(super) n_rows: f64,
    pub(super) means: Vec<f64>,
    /// Sums of products around the means, `[column][column]`.
    pub(super) scatter: Vec<f64>,
    /// The smallest distinguishable variance: that within a cell of the child.
    pub(super) least_variance: f64,
}

impl Moments {
    /// Of the first `n_rows` of `rows`, or of all rows; `width` is that of a cell of the child.
    pub(super) fn new(columns: &[&[f64]], rows: Option<&[u32]>, n_rows: usize, width: f64) -> Moments {
        let n = columns.len();
        let mut moments = Moments {
            n_rows: n_rows as f64,
            means: vec![0.0; n],
            scatter: vec![0.0; n * n],
            least_variance: width * width / 12.0,
        };
        let row = |place: usize| rows.map_or(place, |rows| rows[place] as usize);
        for (mean, column) in moments.means.iter_mut().zip(columns) {
            *mean = (0..n_rows).map(|place| column[row(place)]).sum::<f64>() / n_rows.max(1) as f64;
        }
        for i in 0..n {
            for j in 0..=i {
                let around = |node: usize, place: usize| columns[node][row(place)] - moments.means[node];
                let sum: f64 = (0..n_rows).map(|place| around(i, place) * around(j, place)).sum();
                moments.scatter[i * n + j] = sum;
                moments.scatter[j * n + i] = sum;
            }
        }
        moments
    }

    /// How many columns.
    pub(super) fn n_columns(&self) -> usize {
        self.means.len()
    }
}

/// The pivots (Schur complements) of a positive matrix, given the later columns: their product is the
/// determinant, and the first is the residual variance of the first column.
pub(super) fn pivots(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    let given: Vec<f64> = (0..n).map(|i| matrix[i * n + i]).collect();
    for k in (0..n).rev() {
        // Columns that are linear combinations of others leave only rounding errors.
        let pivot = matrix[k * n + k];
        if pivot <= 1e-12 * given[k] {
            matrix[k * n + k] = matrix[k * n + k].max(1e-12 * given[k]).max(f64::MIN_POSITIVE);
            continue;
        }
        for i in 0..k {
            let factor = matrix[i * n + k] / pivot;
            for j in 0..k {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
        }
    }
    (0..n).map(|i| matrix[i * n + i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_multiply_to_the_determinant_and_the_first_is_the_rest_of_a_regression() {
        // Determinant of [[4, 2, 1], [2, 3, 0], [1, 0, 2]]: 4 * 6 - 2 * 4 + 1 * (-3) = 13; of the last two: 6.
        let pivots = pivots(vec![4.0, 2.0, 1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 2.0], 3);
        assert!((pivots.iter().product::<f64>() - 13.0).abs() < 1e-12);
        assert!((pivots[0] - 13.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_parent_that_is_a_copy_of_another_explains_nothing_more() {
        let copied = pivots(vec![4.0, 2.0, 2.0, 2.0, 3.0, 3.0, 2.0, 3.0, 3.0], 3);
        let once = pivots(vec![4.0, 2.0, 2.0, 3.0], 2);
        assert!((copied[0] - once[0]).abs() < 1e-9, "{copied:?} {once:?}");
    }
}
