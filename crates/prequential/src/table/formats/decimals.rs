//! Decimals of binary files: whole numbers with a power of ten.

/// `unscaled` divided by ten to the power of `scale`, as the nearest float.
pub(super) fn decimal(unscaled: i128, scale: i32) -> f64 {
    let power = usize::try_from(scale).ok().and_then(|scale| POWERS.get(scale));
    match power {
        // Both are floats without rounding, so the quotient is rounded once.
        Some(power) if unscaled.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS => unscaled as f64 / power,
        _ => scaled(unscaled, scale),
    }
}

/// The nearest float for digits of any length.
pub(super) fn scaled(unscaled: impl std::fmt::Display, scale: i32) -> f64 {
    format!("{unscaled}e{}", -i64::from(scale)).parse().expect("digits with an exponent are a number")
}

/// The powers of ten that a float holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decimals_are_rounded_once(unscaled in any::<i64>(), scale in -5..30) {
            for unscaled in [unscaled, unscaled >> 12] {
                prop_assert_eq!(decimal(unscaled.into(), scale), scaled(unscaled, scale));
            }
        }
    }

    #[test]
    fn scales_move_the_point() {
        assert_eq!((decimal(-150, 2), decimal(3, -2), decimal(5, 30)), (-1.5, 300.0, 5e-30));
    }
}
