//! Sine and cosine of eight numbers at once.

use super::lanes::{LANES, Lanes};
use crate::simd::Arithmetic;

/// pi / 2 in three parts, the first two short enough that their products with whole numbers up to 2^20 are exact.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// Added to a number below 2^51, it leaves the nearest whole number in the lowest bits.
const TO_WHOLE: f64 = 6_755_399_441_055_744.0;

/// Coefficients of x^3, x^5, .. of the sine and of x^4, x^6, .. of the cosine for |x| < pi / 4: those of fdlibm.
#[rustfmt::skip]
const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1, 8.333_333_333_322_49e-3, -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6, -2.505_076_025_340_686_3e-8, 1.589_690_995_211_55e-10,
];
#[rustfmt::skip]
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2, -1.388_888_888_887_411e-3, 2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7, 2.087_572_321_298_175e-9, -1.135_964_755_778_819_5e-11,
];

/// The sine and the cosine of each of `phases`, good to 1e-15 below a million.
#[inline(always)]
pub(super) fn sin_cos<A: Arithmetic>(phases: Lanes) -> (Lanes, Lanes) {
    let (mut sines, mut cosines) = (Lanes::ZERO, Lanes::ZERO);
    for lane in 0..LANES {
        let shifted = A::mul_add64(phases.0[lane], std::f64::consts::FRAC_2_PI, TO_WHOLE);
        let quarters = shifted - TO_WHOLE;
        let x = HALF_PI.iter().fold(phases.0[lane], |x, part| A::mul_add64(-quarters, *part, x));
        let square = x * x;
        let sine = A::mul_add64(x * square, polynomial::<A>(&SINE, square), x);
        let cosine = A::mul_add64(square * square, polynomial::<A>(&COSINE, square), 1.0 - 0.5 * square);
        // Every quarter turn swaps the two; after half a turn both change sign.
        let turn = shifted.to_bits();
        let swap = turn & 1 != 0;
        let signed = |x: f64, turn: u64| f64::from_bits(x.to_bits() ^ ((turn & 2) << 62));
        sines.0[lane] = signed(if swap { cosine } else { sine }, turn);
        cosines.0[lane] = signed(if swap { sine } else { cosine }, turn.wrapping_add(1));
    }
    (sines, cosines)
}

/// From the constant term upwards.
#[inline(always)]
fn polynomial<A: Arithmetic>(coefficients: &[f64; 6], x: f64) -> f64 {
    let mut sum = coefficients[5];
    for i in (0..5).rev() {
        sum = A::mul_add64(sum, x, coefficients[i]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::portable;
    use crate::simd::{Kernel, vectorised};

    #[derive(Clone, Copy)]
    struct SinCos(Lanes);

    impl Kernel for SinCos {
        type Output = (Lanes, Lanes);

        #[inline(always)]
        fn run<A: Arithmetic>(self) -> (Lanes, Lanes) {
            sin_cos::<A>(self.0)
        }
    }

    #[test]
    fn sines_and_cosines_agree_with_the_standard_library() {
        for i in 0..200_000 {
            let start = (f64::from(i) - 100_000.0) * if i % 2 == 0 { 1e-3 } else { 7.3 };
            let phases = Lanes(std::array::from_fn(|lane| start + 0.785 * lane as f64));
            for (sines, cosines) in [vectorised(SinCos(phases)), portable(SinCos(phases))] {
                for lane in 0..LANES {
                    let x = phases.0[lane];
                    assert!((sines.0[lane] - x.sin()).abs() < 1e-15, "sine of {x}");
                    assert!((cosines.0[lane] - x.cos()).abs() < 1e-15, "cosine of {x}");
                }
            }
        }
        assert!(vectorised(SinCos(Lanes([f64::NAN; LANES]))).0.0[0].is_nan());
    }
}
