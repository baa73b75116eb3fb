//! Sorted and rounded numbers, and their quantiles.

/// The value below which `share` of the sorted numbers lie.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, part) = (place as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    // Not a difference, which may overflow.
    sorted[below] * (1.0 - part) + sorted[above] * part
}

/// The numbers in order.
pub(super) fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// To six digits: more is no part of a shape.
pub(super) fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}
