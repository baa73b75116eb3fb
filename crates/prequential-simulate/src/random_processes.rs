//! Random functions from the literature, with additive noise: Gaussian processes and small networks.

use std::f64::consts::TAU;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::equations::{Equation, Equations, normal};
use crate::random_graph::random_parents;

/// Fourier features that make up a draw from a Gaussian process.
const N_WAVES: usize = 500;
/// Variances of the noise, and of variables without parents, where functions are Gaussian processes.
const NOISE_VARIANCE: std::ops::Range<f64> = 0.4..0.8;
const ROOT_VARIANCE: std::ops::Range<f64> = 1.0..2.0;
/// Units of the hidden layer.
const N_HIDDEN: usize = 100;
/// The range of absolute weights of networks; their signs are random.
const WEIGHTS: std::ops::Range<f64> = 0.5..2.0;

/// A system of `n_vars` variables with as many edges on average, each a draw from a Gaussian process with a squared-exponential kernel of width 1
/// over its parents, plus normal noise: Lachapelle, Brouillard, Deleu and Lacoste-Julien (2020), GraN-DAG. Additive: a sum of such
/// functions of one parent each (Bühlmann, Peters and Ernest 2014).
pub(crate) fn gaussian_processes(n_vars: usize, is_additive: bool, rng: &mut ChaCha8Rng) -> Equations {
    system(n_vars, rng, |parents, rng| {
        if parents.is_empty() {
            return Equation::root(rng.random_range(ROOT_VARIANCE).sqrt());
        }
        let noise_sd = rng.random_range(NOISE_VARIANCE).sqrt();
        let function = match is_additive {
            true => parents
                .iter()
                .enumerate()
                .map(|(argument, _)| RandomWaves::random(&[argument], rng))
                .collect(),
            false => vec![RandomWaves::random(&(0..parents.len()).collect::<Vec<_>>(), rng)],
        };
        Equation::new(parents, noise_sd, move |x, noise| {
            function.iter().map(|waves: &RandomWaves| waves.value(x)).sum::<f64>() + noise
        })
    })
}

/// A system of `n_vars` variables with as many edges on average, each a network of its parents with 100 sigmoid units, plus standard normal
/// noise: Zheng, Dan, Aragam, Ravikumar and Xing (2020), NOTEARS-MLP.
pub(crate) fn networks(n_vars: usize, rng: &mut ChaCha8Rng) -> Equations {
    system(n_vars, rng, |parents, rng| match parents.is_empty() {
        true => Equation::root(1.0),
        false => {
            let network = RandomNetwork::random(parents.len(), rng);
            Equation::new(parents, 1.0, move |x, noise| network.value(x) + noise)
        }
    })
}

/// One equation for each variable of a random graph.
fn system(
    n_vars: usize,
    rng: &mut ChaCha8Rng,
    equation: impl Fn(&[usize], &mut ChaCha8Rng) -> Equation,
) -> Equations {
    let (_, parents) = random_parents(n_vars, (2.0 / (n_vars - 1) as f64).min(1.0), rng);
    Equations::new(parents.iter().map(|parents| equation(parents, rng)).collect())
}

/// A draw from a Gaussian process by random Fourier features (Rahimi and Recht 2007).
struct RandomWaves {
    arguments: Vec<usize>,
    waves: Vec<Wave>,
}

struct Wave {
    frequencies: Vec<f64>,
    phase: f64,
    weight: f64,
}

impl RandomWaves {
    fn random(arguments: &[usize], rng: &mut ChaCha8Rng) -> RandomWaves {
        let scale = (2.0 / N_WAVES as f64).sqrt();
        let wave = |_| Wave {
            frequencies: arguments.iter().map(|_| normal(rng)).collect(),
            phase: rng.random_range(0.0..TAU),
            weight: scale * normal(rng),
        };
        RandomWaves { arguments: arguments.to_vec(), waves: (0..N_WAVES).map(wave).collect() }
    }

    fn value(&self, x: &[f64]) -> f64 {
        let one = |wave: &Wave| {
            let along = wave
                .frequencies
                .iter()
                .zip(&self.arguments)
                .map(|(frequency, &argument)| frequency * x[argument]);
            wave.weight * (along.sum::<f64>() + wave.phase).cos()
        };
        self.waves.iter().map(one).sum()
    }
}

/// A network with one hidden layer of sigmoid units.
struct RandomNetwork {
    /// Per unit.
    inputs: Vec<Vec<f64>>,
    outputs: Vec<f64>,
}

impl RandomNetwork {
    fn random(n_inputs: usize, rng: &mut ChaCha8Rng) -> RandomNetwork {
        let mut weight = || rng.random_range(WEIGHTS) * if rng.random::<bool>() { 1.0 } else { -1.0 };
        let inputs = (0..N_HIDDEN).map(|_| (0..n_inputs).map(|_| weight()).collect()).collect();
        RandomNetwork { inputs, outputs: (0..N_HIDDEN).map(|_| weight()).collect() }
    }

    fn value(&self, x: &[f64]) -> f64 {
        let unit = |weights: &Vec<f64>| {
            let sum: f64 = weights.iter().zip(x).map(|(weight, x)| weight * x).sum();
            1.0 / (1.0 + (-sum).exp())
        };
        self.inputs.iter().zip(&self.outputs).map(|(inputs, output)| output * unit(inputs)).sum()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn draws_have_the_covariance_of_their_kernel() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let draws: Vec<RandomWaves> = (0..2_000).map(|_| RandomWaves::random(&[0, 1], &mut rng)).collect();
        for (a, b) in [([0.3, -1.0], [0.3, -1.0]), ([0.0, 0.0], [1.0, 0.0]), ([0.5, 1.0], [1.5, -1.0])] {
            let product = |waves: &RandomWaves| waves.value(&a) * waves.value(&b);
            let covariance = draws.iter().map(product).sum::<f64>() / draws.len() as f64;
            let distance: f64 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
            // Standard error: at most 0.03.
            assert!((covariance - (-0.5 * distance).exp()).abs() < 0.12, "{covariance}");
        }
    }

    #[test]
    fn a_network_is_a_weighted_sum_of_sigmoids() {
        let network =
            RandomNetwork { inputs: vec![vec![1.0, -2.0], vec![0.5, 0.0]], outputs: vec![2.0, -1.0] };
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let expected = 2.0 * sigmoid(1.0 - 6.0) - sigmoid(0.5);
        assert!((network.value(&[1.0, 3.0]) - expected).abs() < 1e-12);
    }

    #[test]
    fn graphs_have_as_many_edges_as_variables_on_average() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let n_edges: usize = (0..100).map(|_| networks(10, &mut rng).dag().n_edges()).sum();
        // 1,000 expected, standard deviation 28.
        assert!((850..1_150).contains(&n_edges), "{n_edges}");
        assert_eq!(gaussian_processes(2, true, &mut rng).dag().n_edges(), 1);
    }
}
