//! The learning curve of one family: nats spent up to some numbers of rows; and means over row orders.

/// Mean and standard deviation over row orders or networks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanSd {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (of the population: 0 for one order).
    pub sd: f64,
}

impl MeanSd {
    /// The mean and standard deviation of these values; NaN (nothing observed) is left out.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> MeanSd {
        let known = || values.clone().filter(|value| !value.is_nan());
        let n_values = known().count() as f64;
        let mean = known().sum::<f64>() / n_values;
        let variance = known().map(|value| (value - mean).powi(2)).sum::<f64>() / n_values;
        MeanSd { mean, sd: variance.sqrt() }
    }
}

/// Checkpoints, numbers of rows at which a curve is sampled: 1, 2, 3, ... then about `per_decade` for every
/// factor of ten, to `n_rows`.
pub fn checkpoints(n_rows: usize, per_decade: usize) -> Vec<usize> {
    let step = 10f64.powf(1.0 / per_decade as f64);
    let next = |&rows: &usize| Some(((rows as f64 * step).round() as usize).max(rows + 1));
    let mut points: Vec<usize> =
        std::iter::successors(Some(1), next).take_while(|&rows| rows < n_rows).collect();
    points.push(n_rows);
    points
}

/// Checkpoints for every factor of ten in rows.
pub(crate) const CURVE_POINTS: usize = 20;

/// The learning curve of one family.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LossCurve {
    /// Nats spent on the rows before each checkpoint.
    pub(super) cumulative: Vec<f64>,
    /// Rows coded before each checkpoint.
    pub(super) n_coded: Vec<usize>,
}

impl LossCurve {
    /// The curve of these losses; `rows_used[i]` is the row of loss i.
    pub(super) fn new(losses: &[f64], rows_used: Option<&[u32]>, checkpoints: &[usize]) -> LossCurve {
        let (cumulative, n_coded) = accumulate(losses, rows_used, checkpoints);
        LossCurve { cumulative, n_coded }
    }
}

/// Sums and counts of the losses of the rows before each checkpoint; `rows_used[i]` is the row of loss i.
pub(super) fn accumulate(
    losses: &[f64],
    rows_used: Option<&[u32]>,
    checkpoints: &[usize],
) -> (Vec<f64>, Vec<usize>) {
    let row_of = |i: usize| rows_used.map_or(i, |rows| rows[i] as usize);
    let (mut sum, mut n_coded) = (0.0, 0);
    let mut sums = Vec::with_capacity(checkpoints.len());
    let mut counts = Vec::with_capacity(checkpoints.len());
    for &checkpoint in checkpoints {
        while n_coded < losses.len() && row_of(n_coded) < checkpoint {
            sum += losses[n_coded];
            n_coded += 1;
        }
        sums.push(sum);
        counts.push(n_coded);
    }
    (sums, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_increasing_and_end_at_the_last_row() {
        assert_eq!(checkpoints(1, 10), [1]);
        let points = checkpoints(5000, 20);
        assert_eq!(points[..6], [1, 2, 3, 4, 5, 6]);
        assert_eq!(points.last(), Some(&5000));
        assert!(points.windows(2).all(|pair| pair[0] < pair[1]) && points.len() < 90);
    }

    #[test]
    fn rows_that_are_not_coded_leave_the_sum_as_it_is() {
        let (sums, counts) = accumulate(&[1.0, 2.0, 4.0], Some(&[0, 3, 4]), &[1, 2, 3, 4, 5]);
        assert_eq!(sums, [1.0, 1.0, 1.0, 3.0, 7.0]);
        assert_eq!(counts, [1, 1, 1, 2, 3]);
    }
}
