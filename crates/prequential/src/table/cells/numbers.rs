//! A numeric column as it is coded: standardised by a location and a scale, at a fixed resolution.

/// Standardised numbers, each of which means a cell of the same width.
///
/// Location, scale and width are all that a code knows of a column before its first row: nothing of its
/// shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The number in each row less the location, divided by the scale; NaN where it is missing.
    pub values: Vec<f64>,
    /// The width of a cell in the same units.
    pub width: f64,
}

/// The smallest width of a cell, finer than any expert can use.
pub(crate) const FINEST: f64 = 1.0 / 16_384.0;

/// Numbers farther from the location, in units of the scale, are clamped to this distance.
const FARTHEST: f64 = 1e6;

/// Quantile levels whose difference gives the scale, and how far apart they are in a standard normal
/// distribution: the first that differ.
const SPREADS: [(f64, f64, f64); 3] = [(0.16, 0.84, 2.0), (0.025, 0.975, 4.0), (0.0, 1.0, 6.0)];

/// All that a code knows of a column of numbers before its first row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    /// The location, subtracted from every number.
    pub(crate) location: f64,
    /// The scale, by which it is then divided.
    pub(crate) scale: f64,
    /// The width of a cell afterwards.
    pub(crate) width: f64,
}

impl Scale {
    /// From a column, NaN where a cell is missing.
    pub(crate) fn of(numbers: &[f64]) -> Scale {
        let mut sorted: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else {
            return Scale { location: 0.0, scale: 1.0, width: FINEST };
        };
        let quantile = |share: f64| sorted[(last as f64 * share).round() as usize];
        let location = quantile(0.5);
        let spread = |&(low, high, units): &(f64, f64, f64)| quantile(high) / units - quantile(low) / units;
        let scale = SPREADS.iter().map(spread).find(|&scale| scale > 0.0).unwrap_or(1.0);
        let width = step(&sorted).map_or(FINEST, |step| (step / scale).max(FINEST));
        Scale { location, scale, width }
    }

    /// The standardised number.
    pub(crate) fn standard(&self, number: f64) -> f64 {
        // Adding 0 makes -0 the same number as 0.
        ((number - self.location) / self.scale).clamp(-FARTHEST, FARTHEST) + 0.0
    }
}

impl Numbers {
    /// From a column, NaN where a cell is missing.
    pub(super) fn new(numbers: &[f64]) -> Numbers {
        let scale = Scale::of(numbers);
        Numbers { values: numbers.iter().map(|&number| scale.standard(number)).collect(), width: scale.width }
    }

    /// The number of a row, rounded to the resolution at which it is coded.
    pub(crate) fn rounded(&self, row: usize) -> f64 {
        (self.values[row] / self.width).round() * self.width
    }
}

/// The largest step of which all differences are multiples, if there is one: the resolution of the column.
fn step(sorted: &[f64]) -> Option<f64> {
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0.0);
    let least = gaps.fold(f64::INFINITY, f64::min);
    let is_multiple = |number: &f64| {
        let steps = (number - sorted[0]) / least;
        (steps - steps.round()).abs() < 1e-4
    };
    (least.is_finite() && sorted.iter().all(is_multiple)).then_some(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn location_and_scale_are_robust_and_units_do_not_matter() {
        let column: Vec<f64> = (0..101).map(f64::from).chain([1e9, f64::NAN]).collect();
        let numbers = Numbers::new(&column);
        assert_eq!((numbers.values[51], numbers.values[101]), (0.0, FARTHEST));
        assert!((numbers.values[0] + 51.0 / 34.5).abs() < 1e-9 && numbers.values[102].is_nan());
        let other = Numbers::new(&column.iter().map(|x| 0.25 * x - 3.0).collect::<Vec<f64>>());
        assert!(numbers.values.iter().zip(&other.values).all(|(a, b)| a.is_nan() || (a - b).abs() < 1e-9));
    }

    #[test]
    fn the_width_of_a_cell_is_the_step_of_the_column() {
        let tenths: Vec<f64> = (0..50).map(|i| f64::from(i * i % 23) / 10.0).collect();
        let numbers = Numbers::new(&tenths);
        let places: Vec<f64> = numbers.values.iter().map(|x| x / numbers.width).collect();
        assert!(places.iter().all(|place| (place - place.round()).abs() < 1e-6), "{places:?}");
        assert!(numbers.width > 0.05);
        let irregular: Vec<f64> = (0..50).map(|i| f64::from(i).sqrt()).collect();
        assert_eq!(Numbers::new(&irregular).width, FINEST);
    }

    #[test]
    fn ties_constants_and_empty_columns_have_a_scale() {
        let zeros: Vec<f64> = (0..100).map(|i| if i < 90 { 0.0 } else { f64::from(i) }).collect();
        for column in [vec![], vec![f64::NAN; 3], vec![2.0; 9], zeros, vec![-f64::MAX, f64::MAX]] {
            let numbers = Numbers::new(&column);
            assert!(numbers.width >= FINEST && numbers.width.is_finite());
            assert!(numbers.values.iter().zip(&column).all(|(x, y)| x.is_finite() || y.is_nan()));
        }
    }
}
