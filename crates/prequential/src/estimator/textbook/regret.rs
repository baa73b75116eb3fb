//! The regret of the multinomial normalised maximum likelihood code: ln of the sum of maximum likelihoods
//! over all sequences.

/// ln C(K, n) for `n_rows` rows n of a label with `n_levels` levels K.
///
/// C(2, n) is the sum of n! / ((n - k)! n^k) over k, of which about 9 sqrt(n) terms matter (Mononen and Myllymaki 2008), and
/// C(K + 2, n) = C(K + 1, n) + n / K C(K, n) (Kontkanen and Myllymaki 2007): the quotients of neighbours stay small numbers.
pub(super) fn log_regret(n_rows: usize, n_levels: f64) -> f64 {
    if n_rows == 0 || n_levels < 2.0 {
        return 0.0;
    }
    let mut quotient = of_two_levels(n_rows);
    // Their product, in logarithms before it overflows.
    let (mut product, mut sum) = (quotient, 0.0);
    for level in 1..(n_levels as u64 - 1) {
        quotient = 1.0 + n_rows as f64 / level as f64 / quotient;
        product *= quotient;
        if product > 1e200 {
            sum += product.ln();
            product = 1.0;
        }
    }
    sum + product.ln()
}

/// C(2, n).
fn of_two_levels(n_rows: usize) -> f64 {
    let n = n_rows as f64;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 0..n_rows {
        term *= 1.0 - k as f64 / n;
        if term < 1e-18 * sum {
            break;
        }
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over all sequences of labels, one by one.
    fn by_enumeration(n_rows: usize, n_levels: usize) -> f64 {
        let likelihood = |mut sequence: usize| -> f64 {
            let mut counts = vec![0; n_levels];
            for _ in 0..n_rows {
                counts[sequence % n_levels] += 1;
                sequence /= n_levels;
            }
            counts.iter().map(|&count| (f64::from(count) / n_rows as f64).powi(count)).product()
        };
        (0..n_levels.pow(n_rows as u32)).map(likelihood).sum::<f64>().ln()
    }

    #[test]
    fn the_regret_is_the_sum_over_all_sequences() {
        for (n_rows, n_levels) in [(1, 2), (1, 7), (2, 2), (5, 3), (9, 4), (16, 2), (3, 40), (6, 6)] {
            let (found, expected) = (log_regret(n_rows, n_levels as f64), by_enumeration(n_rows, n_levels));
            assert!((found - expected).abs() < 1e-9, "{n_rows} rows, {n_levels} levels: {found} {expected}");
        }
        assert_eq!((log_regret(0, 3.0), log_regret(5, 1.0)), (0.0, 0.0));
    }

    #[test]
    fn many_rows_and_levels_agree_with_the_binomial_sum_and_do_not_overflow() {
        // sum over k of binomial(n, k) (k / n)^k (1 - k / n)^(n - k), by logarithms.
        let n_rows = 3_000;
        let n = f64::from(n_rows);
        let power = |k: f64| if k > 0.0 { k * (k / n).ln() } else { 0.0 };
        let term = |k: i32| {
            let k = f64::from(k);
            (libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0)
                + power(k)
                + power(n - k))
            .exp()
        };
        let two: f64 = (0..=n_rows).map(term).sum();
        assert!((of_two_levels(3_000) - two).abs() < 1e-9 * two);
        let large = log_regret(10_000, 1e6);
        assert!(large.is_finite() && large > 10_000.0 * 100_f64.ln(), "{large}");
    }
}
