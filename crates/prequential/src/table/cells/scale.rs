//! The coordinates of a quantised column of numbers: where its levels lie, and how often they come.

use crate::base::normal;

/// Where the levels of a quantised column of numbers lie.
///
/// Side information like the bin edges themselves: made once from the whole column, the same for every graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// What stands for each level when the variable is a parent: the mean normal score of its cells, standardised.
    pub inputs: Vec<f64>,
    /// The share of each level among the rows in which the variable is coded.
    pub marginal: Vec<f64>,
    /// The edges between levels as asinh of the robustly standardised number: shape is kept, far tails are drawn in.
    /// From the least number to the greatest: one more than there are levels.
    pub compressed_edges: Vec<f64>,
}

impl Scale {
    /// Of a column with these `numbers` (NaN where missing) and the level of each (any value where missing);
    /// `rows` are the rows in which it is coded.
    pub(super) fn new(
        numbers: &[f64],
        codes: &[u32],
        n_levels: usize,
        rows: impl Iterator<Item = usize>,
    ) -> Scale {
        let mut sorted: Vec<(f64, u32)> = numbers
            .iter()
            .copied()
            .zip(codes.iter().copied())
            .filter(|(number, _)| !number.is_nan())
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut marginal = vec![0.0; n_levels];
        let n_coded = rows.map(|row| marginal[codes[row] as usize] += 1.0).count();
        marginal.iter_mut().for_each(|count| *count /= n_coded.max(1) as f64);
        Scale {
            inputs: inputs(&sorted, n_levels),
            marginal,
            compressed_edges: compressed_edges(&sorted, n_levels),
        }
    }

    /// Normal quantiles of the shares below each edge between levels; the outermost are infinite.
    pub(crate) fn normal_edges(&self) -> Vec<f64> {
        let mut below = 0.0;
        let mut edges = vec![f64::NEG_INFINITY];
        for share in &self.marginal[..self.marginal.len() - 1] {
            below += share;
            // Rounding may carry the sum of the shares past 1.
            edges.push(normal::quantile(f64::min(below, 1.0)));
        }
        edges.push(f64::INFINITY);
        edges
    }
}

/// The mean normal score of each level's cells, standardised over the cells.
fn inputs(sorted: &[(f64, u32)], n_levels: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n_levels];
    let mut counts = vec![0.0; n_levels];
    let mut n_before = 0;
    for ties in sorted.chunk_by(|a, b| a.0 == b.0) {
        // Equal numbers share their mean rank, n_before + (ties + 1) / 2.
        let rank = n_before as f64 + (ties.len() as f64 + 1.0) / 2.0;
        let level = ties[0].1 as usize;
        sums[level] += ties.len() as f64 * normal::quantile((rank - 0.5) / sorted.len() as f64);
        counts[level] += ties.len() as f64;
        n_before += ties.len();
    }
    let means: Vec<f64> = sums.iter().zip(&counts).map(|(sum, count)| sum / f64::max(*count, 1.0)).collect();
    let n_cells = sorted.len().max(1) as f64;
    let weighted = |value: &dyn Fn(f64) -> f64| {
        means.iter().zip(&counts).map(|(&mean, count)| value(mean) * count).sum::<f64>() / n_cells
    };
    let mean = weighted(&|x| x);
    let sd = weighted(&|x| (x - mean).powi(2)).sqrt();
    let unit = if sd > 0.0 { sd } else { 1.0 };
    means.into_iter().map(|x| (x - mean) / unit).collect()
}

fn compressed_edges(sorted: &[(f64, u32)], n_levels: usize) -> Vec<f64> {
    if sorted.is_empty() {
        return vec![0.0; n_levels + 1];
    }
    let quantile = |share: f64| {
        let place = share * (sorted.len() - 1) as f64;
        let (low, high) = (sorted[place.floor() as usize].0, sorted[place.ceil() as usize].0);
        // Interpolated without high - low, which may overflow.
        let weight = place.fract();
        if low == high { low } else { low * (1.0 - weight) + high * weight }
    };
    let middle = quantile(0.5);
    let spread = robust_spread(quantile(0.16), quantile(0.84), sorted);
    let mut n_below = vec![0usize; n_levels + 1];
    sorted.iter().for_each(|&(_, level)| n_below[level as usize + 1] += 1);
    let mut below = 0;
    let edge = |n: &usize| {
        below += n;
        // A number 1e300 times the spread away is as far as one can be.
        ((quantile(below as f64 / sorted.len() as f64) - middle) / spread).clamp(-1e300, 1e300).asinh()
    };
    n_below.iter().map(edge).collect()
}

/// Half the distance between the 16th and the 84th percentile; where ties make it 0, half the range, and never 0.
fn robust_spread(low: f64, high: f64, sorted: &[(f64, u32)]) -> f64 {
    let half = |low: f64, high: f64| high / 2.0 - low / 2.0;
    let range = half(sorted[0].0, sorted[sorted.len() - 1].0);
    [half(low, high), range].into_iter().find(|&spread| spread > 0.0).unwrap_or(1.0)
}
