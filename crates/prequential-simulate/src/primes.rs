//! The example of the paper's appendix B: two prime numbers and their product.

use crate::equations::{Equation, Equations, normal_cdf};

/// A: a random prime number up to `largest`; B: one from A up to it; C = A B.
///
/// # Panics
/// If there is no prime number up to `largest`.
pub(crate) fn primes(largest: usize) -> Equations {
    let primes: Vec<f64> = (2..=largest).filter(|&n| is_prime(n)).map(|n| n as f64).collect();
    assert!(!primes.is_empty(), "2 is the first prime number");
    let later = primes.clone();
    let first = Equation::new(&[], 1.0, move |_, noise| drawn(&primes, noise));
    let second = Equation::new(&[0], 1.0, move |x, noise| {
        drawn(&later[later.partition_point(|&prime| prime < x[0])..], noise)
    });
    Equations::new(vec![first, second, Equation::new(&[0, 1], 0.0, |x, _| x[0] * x[1])])
}

/// One of `numbers`, all equally likely, chosen by normal noise.
fn drawn(numbers: &[f64], noise: f64) -> f64 {
    let place = (normal_cdf(noise) * numbers.len() as f64) as usize;
    numbers[place.min(numbers.len() - 1)]
}

fn is_prime(n: usize) -> bool {
    (2..).take_while(|divisor| divisor * divisor <= n).all(|divisor| !n.is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use prequential::Values;

    #[test]
    fn every_prime_is_as_likely_the_second_is_no_smaller_and_the_third_is_their_product() {
        let (n_rows, mut rng) = (30_000, ChaCha8Rng::seed_from_u64(1));
        let table = primes(10).sample(n_rows, &mut rng).unwrap();
        let column = |node: usize| match &table.variables()[node].values {
            Values::Numbers(numbers) => numbers.clone(),
            Values::Labels { .. } => panic!("numbers were drawn"),
        };
        let (a, b, c) = (column(0), column(1), column(2));
        assert!((0..n_rows).all(|row| a[row] <= b[row] && c[row] == a[row] * b[row]));
        let share = |a_is: f64, b_is: f64| {
            let so = (0..n_rows).filter(|&row| a[row] == a_is && b[row] == b_is).count();
            so as f64 / n_rows as f64
        };
        // Standard errors below 0.0025.
        for (a, b, expected) in [(2.0, 7.0, 1.0 / 16.0), (3.0, 5.0, 1.0 / 12.0), (7.0, 7.0, 0.25)] {
            assert!((share(a, b) - expected).abs() < 0.013, "{a} and {b}");
        }
    }
}
