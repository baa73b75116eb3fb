//! Random graphs in which every pair of variables is linked with the same probability (Erdős-Rényi).

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A random order of the variables, and the parents of each among those before it: every pair is linked with
/// this probability.
pub(crate) fn random_parents(
    n_vars: usize,
    link_probability: f64,
    rng: &mut ChaCha8Rng,
) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut order: Vec<usize> = (0..n_vars).collect();
    order.shuffle(rng);
    let mut parents = vec![Vec::new(); n_vars];
    for (place, &node) in order.iter().enumerate() {
        let is_parent = |_: &&usize| rng.random::<f64>() < link_probability;
        parents[node] = order[..place].iter().filter(is_parent).copied().collect();
    }
    (order, parents)
}
