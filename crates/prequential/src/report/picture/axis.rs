//! Axes of small charts: where numbers go, and which of them are written there.

/// Where the numbers of an axis go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    /// The least and the largest number that is shown.
    range: (f64, f64),
    /// Where these two stand in the picture.
    ends: (f64, f64),
    is_log: bool,
}

/// Above the middle, so many times as far as below it: positive numbers are then shown by their logarithms.
const SKEWED: f64 = 6.0;

impl Axis {
    /// Of numbers that lie around these, some of which may be far out: least, middle and largest that must be seen.
    pub(super) fn around((low, middle, high): (f64, f64, f64), ends: (f64, f64)) -> Axis {
        let is_log =
            low > 0.0 && high / 2.0 - middle / 2.0 > SKEWED * (middle / 2.0 - low / 2.0) && high > 3.0 * low;
        let range = match is_log {
            true => (low / 1.05, high * 1.05),
            false => padded((low, high)),
        };
        Axis { range, ends, is_log }
    }

    /// From 0 to 1.
    pub(super) fn of_shares(ends: (f64, f64)) -> Axis {
        Axis { range: (0.0, 1.0), ends, is_log: false }
    }

    /// Where a number stands; `None` if it is beyond the ends.
    pub(super) fn place(&self, number: f64) -> Option<f64> {
        let (low, high) = self.range;
        (low <= number && number <= high).then(|| self.clamped(number))
    }

    /// The position on the axis, at the end for numbers beyond.
    pub(super) fn clamped(&self, number: f64) -> f64 {
        let scaled =
            |number: f64| if self.is_log { number.max(f64::MIN_POSITIVE).ln() } else { number / 2.0 };
        let (low, high) = (scaled(self.range.0), scaled(self.range.1));
        let part = ((scaled(number) - low) / (high - low)).clamp(0.0, 1.0);
        self.ends.0 + (self.ends.1 - self.ends.0) * part
    }

    /// Round numbers on it, as they are written.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match self.is_log {
            true => log_ticks(self.range),
            false => round_ticks(self.range),
        }
    }
}

/// A little more on both sides.
pub(in crate::report) fn padded((low, high): (f64, f64)) -> (f64, f64) {
    let pad = if high > low { 0.12 * (high / 2.0 - low / 2.0) } else { low.abs().max(1.0) * 0.1 };
    ((low - pad).max(-f64::MAX), (high + pad).min(f64::MAX))
}

/// About four round numbers between two others, as they are written.
pub(in crate::report) fn round_ticks((low, high): (f64, f64)) -> Vec<(f64, String)> {
    let rough = (high / 4.0 - low / 4.0).abs();
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    let first = (low / step).ceil();
    let values = (0..12).map(|i| (first + f64::from(i)) * step).take_while(|&value| value <= high);
    // Adding zero turns -0 into 0.
    values.map(|value| (value + 0.0, written(value + 0.0, digits))).collect()
}

/// Powers of ten and, if these are few, 2 and 5 times them; at most five in all.
fn log_ticks((low, high): (f64, f64)) -> Vec<(f64, String)> {
    let powers = || (low.log10().floor() as i32..=high.log10().ceil() as i32).map(|power| 10f64.powi(power));
    let with = |factors: &[f64]| -> Vec<f64> {
        let all = powers().flat_map(|power| factors.iter().map(move |factor| factor * power));
        all.filter(|&number| low <= number && number <= high).collect()
    };
    let ticks = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0], &[1.0]].map(with);
    let [finest, middle, coarsest] = ticks;
    let few = [finest, middle].into_iter().find(|ticks| ticks.len() <= 5).unwrap_or(coarsest);
    let step = few.len().div_ceil(5).max(1);
    let digits = |number: f64| (-number.log10().floor()).clamp(0.0, 12.0) as usize;
    few.into_iter().step_by(step).map(|number| (number, written(number, digits(number)))).collect()
}

/// A number with so many digits after the point; large and tiny ones by powers of ten.
fn written(number: f64, digits: usize) -> String {
    match number.abs() {
        0.0 => "0".to_string(),
        size if size >= 1e5 || digits > 4 => format!("{number:.0e}"),
        _ => format!("{number:.digits$}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_inside() {
        let texts = |range| round_ticks(range).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts((-0.3, 10.2)), ["0", "5", "10"]);
        assert_eq!(texts((3.91, 4.42)), ["4.0", "4.2", "4.4"]);
        let logs = |range| log_ticks(range).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(logs((0.02, 30.0)), ["0.1", "1", "10"]);
        assert_eq!(logs((3.0, 70.0)), ["5", "10", "20", "50"]);
    }

    #[test]
    fn skewed_positive_numbers_are_shown_by_their_logarithms() {
        let ends = (0.0, 100.0);
        let axis = Axis::around((1.0, 10.0, 1_000.0), ends);
        assert!(axis.is_log && (axis.clamped(31.6) - 50.0).abs() < 1.0);
        let axis = Axis::around((-1.0, 0.0, 1.0), ends);
        assert!(!axis.is_log && (axis.clamped(0.0) - 50.0).abs() < 1e-9);
        assert_eq!((axis.place(9.0), axis.clamped(9.0)), (None, 100.0));
        let huge = Axis::around((-f64::MAX, 0.0, f64::MAX), ends);
        assert!((huge.clamped(0.0) - 50.0).abs() < 1e-9 && !huge.ticks().is_empty());
    }
}
