//! The standard normal distribution: distribution function, density and quantiles.

/// The distribution function of the standard normal distribution at `x`.
pub(crate) fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The density of the standard normal distribution at `x`.
pub(crate) fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

/// The `p`-quantile of the standard normal distribution; infinite for 0 and 1.
///
/// Rational approximations in three ranges, relative error about 1e-16: algorithm AS 241 of Wichura (1988).
pub(crate) fn quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&CENTRE, 0.180_625 - q * q);
    }
    let tail = p.min(1.0 - p);
    if tail <= 0.0 {
        return q.signum() * f64::INFINITY;
    }
    let r = (-tail.ln()).sqrt();
    let x = if r <= 5.0 { ratio(&MIDDLE, r - 1.6) } else { ratio(&FAR, r - 5.0) };
    q.signum() * x
}

/// Numerator and denominator, from the constant term upwards.
type Rational = ([f64; 8], [f64; 8]);

fn ratio((numerator, denominator): &Rational, r: f64) -> f64 {
    let polynomial = |coefficients: &[f64; 8]| coefficients.iter().rev().fold(0.0, |sum, c| sum * r + c);
    polynomial(numerator) / polynomial(denominator)
}

#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "as published")]
const CENTRE: Rational = (
    [3.387_132_872_796_366_5, 133.141_667_891_784_38, 1_971.590_950_306_551_3, 13_731.693_765_509_46,
     45_921.953_931_549_87, 67_265.770_927_008_7, 33_430.575_583_588_13, 2_509.080_928_730_122_7],
    [1.0, 42.313_330_701_600_91, 687.187_007_492_057_9, 5_394.196_021_424_751,
     21_213.794_301_586_597, 39_307.895_800_092_71, 28_729.085_735_721_943, 5_226.495_278_852_545],
);

#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "as published")]
const MIDDLE: Rational = (
    [1.423_437_110_749_683_5, 4.630_337_846_156_546, 5.769_497_221_460_691, 3.647_848_324_763_204_5,
     1.270_458_252_452_368_4, 0.241_780_725_177_450_6, 0.022_723_844_989_269_184, 7.745_450_142_783_414e-4],
    [1.0, 2.053_191_626_637_759, 1.676_384_830_183_803_8, 0.689_767_334_985_1,
     0.148_103_976_427_480_08, 0.015_198_666_563_616_457, 5.475_938_084_995_345e-4, 1.050_750_071_644_416_9e-9],
);

#[rustfmt::skip]
#[allow(clippy::excessive_precision, reason = "as published")]
const FAR: Rational = (
    [6.657_904_643_501_103, 5.463_784_911_164_114, 1.784_826_539_917_291_3, 0.296_560_571_828_504_87,
     0.026_532_189_526_576_124, 1.242_660_947_388_078_4e-3, 2.711_555_568_743_487_6e-5, 2.010_334_399_292_288_1e-7],
    [1.0, 0.599_832_206_555_888, 0.136_929_880_922_735_8, 0.014_875_361_290_850_615,
     7.868_691_311_456_133e-4, 1.846_318_317_510_054_7e-5, 1.421_511_758_316_445_9e-7, 2.044_263_103_389_939_8e-15],
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_invert_the_distribution() {
        for i in 1..20_000 {
            let p = f64::from(i) / 20_000.0;
            assert!((cdf(quantile(p)) - p).abs() < 1e-14, "at {p}");
        }
        // The tails, where a share is known only relative to itself.
        for exponent in 2..300 {
            let p = 10f64.powi(-exponent);
            assert!((cdf(quantile(p)) / p - 1.0).abs() < 1e-11, "at {p}");
            assert_eq!(quantile(1.0 - 2f64.powi(-20)), -quantile(2f64.powi(-20)));
        }
        assert_eq!(quantile(0.5), 0.0);
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
