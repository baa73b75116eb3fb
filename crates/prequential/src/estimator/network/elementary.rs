//! Exponentials, sines and cosines that the compiler can turn into vector instructions.

use std::f32::consts::{FRAC_2_PI, LOG2_E};

use crate::simd::Arithmetic;

/// Adding and taking it away rounds to a whole number, which then stands in the lowest bits of the sum.
const ROUNDING: f32 = 12_582_912.0;

/// e to the power x, relative error below 2e-7; x is cut to -87..88.
#[inline(always)]
pub(crate) fn exp<A: Arithmetic>(x: f32) -> f32 {
    // e^x = 2^n e^r with |r| <= ln 2 / 2; ln 2 in two parts, the first exact in its product with n.
    let x = x.clamp(-87.0, 88.0);
    let shifted = A::mul_add32(x, LOG2_E, ROUNDING);
    let n = shifted - ROUNDING;
    let r = A::mul_add32(n, 2.121_944_4e-4, A::mul_add32(n, -0.693_359_4, x));
    let mut p = 1.987_569_2e-4;
    for coefficient in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        p = A::mul_add32(p, r, coefficient);
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()));
    A::mul_add32(p * r, r, r + 1.0) * power
}

/// 1 / (1 + e^-x).
#[inline(always)]
pub(crate) fn sigmoid<A: Arithmetic>(x: f32) -> f32 {
    1.0 / (1.0 + exp::<A>(-x))
}

/// Sine and cosine, absolute error below 1e-6 for |x| up to 1000.
#[inline(always)]
pub(crate) fn sin_cos<A: Arithmetic>(x: f32) -> (f32, f32) {
    // x = q pi / 2 + r with |r| <= pi / 4; pi / 2 in three parts.
    let shifted = A::mul_add32(x, FRAC_2_PI, ROUNDING);
    let q = shifted - ROUNDING;
    let r = A::mul_add32(q, -1.570_312_5, x);
    let r = A::mul_add32(q, -4.837_513e-4, r);
    let r = A::mul_add32(q, -7.549_79e-8, r);
    let s = r * r;
    let sine = A::mul_add32(
        A::mul_add32(A::mul_add32(-1.951_529_6e-4, s, 8.332_161e-3), s, -1.666_665_5e-1) * s,
        r,
        r,
    );
    let cosine = A::mul_add32(
        A::mul_add32(A::mul_add32(2.443_315_7e-5, s, -1.388_731_6e-3), s, 4.166_664_6e-2) * s,
        s,
        A::mul_add32(-0.5, s, 1.0),
    );
    let quadrant = shifted.to_bits();
    let odd = quadrant & 1 == 1;
    let (sine, cosine) = if odd { (cosine, sine) } else { (sine, cosine) };
    let sign = |negative: u32| negative << 31;
    let sine = f32::from_bits(sine.to_bits() ^ sign(quadrant >> 1 & 1));
    let cosine = f32::from_bits(cosine.to_bits() ^ sign((quadrant >> 1 ^ quadrant) & 1));
    (sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, portable, vectorised};

    /// The largest error of `exp`, relative, and of `sin_cos`.
    struct Errors;

    impl Kernel for Errors {
        type Output = (f64, f64);

        #[inline(always)]
        fn run<A: Arithmetic>(self) -> (f64, f64) {
            let (mut of_exp, mut of_waves) = (0.0f64, 0.0f64);
            for i in -200_000..=200_000 {
                let x = i as f32 * 4.3e-4;
                of_exp = of_exp.max((f64::from(exp::<A>(x)) / f64::from(x).exp() - 1.0).abs());
                let x = i as f32 * 5e-3;
                let (sine, cosine) = sin_cos::<A>(x);
                of_waves = of_waves.max((f64::from(sine) - f64::from(x).sin()).abs());
                of_waves = of_waves.max((f64::from(cosine) - f64::from(x).cos()).abs());
            }
            (of_exp, of_waves)
        }
    }

    #[test]
    fn elementary_functions_are_accurate() {
        for (of_exp, of_waves) in [vectorised(Errors), portable(Errors)] {
            assert!(of_exp < 3e-7, "{of_exp}");
            assert!(of_waves < 1e-6, "{of_waves}");
        }
    }
}
