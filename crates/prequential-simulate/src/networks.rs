//! The bundled networks.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::network::BayesianNetwork;
use prequential::Dag;

/// A -> B -> C with five values each; every distribution drawn from Dirichlet(1, ..., 1). The paper's section 3.1.
pub(crate) fn tabular_chain(rng: &mut ChaCha8Rng) -> BayesianNetwork {
    let levels = vec![(1..=5).map(|level| level.to_string()).collect(); 3];
    let tables = [1, 5, 5].map(|n_configurations| (0..n_configurations).map(|_| dirichlet(5, rng)).collect());
    BayesianNetwork::new(strings(&["A", "B", "C"]), levels, dag(3, &[(0, 1), (1, 2)]), tables.to_vec())
}

/// Smoking, pollution and lung cancer: Korb and Nicholson, Bayesian Artificial Intelligence.
pub(crate) fn cancer() -> BayesianNetwork {
    let names = strings(&["Pollution", "Smoker", "Cancer", "Xray", "Dyspnoea"]);
    let levels =
        [["low", "high"], ["True", "False"], ["True", "False"], ["positive", "negative"], ["True", "False"]];
    let tables = vec![
        binary(&[0.9]),
        binary(&[0.3]),
        // Pollution and smoker: low and True, low and False, high and True, high and False.
        binary(&[0.03, 0.001, 0.05, 0.02]),
        binary(&[0.9, 0.2]),
        binary(&[0.65, 0.3]),
    ];
    let levels = levels.map(|pair| strings(&pair)).to_vec();
    BayesianNetwork::new(names, levels, dag(5, &[(0, 2), (1, 2), (2, 3), (2, 4)]), tables)
}

/// A visit to Asia, tuberculosis, lung cancer and bronchitis: Lauritzen and Spiegelhalter (1988).
pub(crate) fn asia() -> BayesianNetwork {
    let names = strings(&["asia", "smoke", "tub", "lung", "bronc", "either", "xray", "dysp"]);
    let edges = [(0, 2), (1, 3), (1, 4), (2, 5), (3, 5), (5, 6), (4, 7), (5, 7)];
    let tables = vec![
        binary(&[0.01]),
        binary(&[0.5]),
        binary(&[0.05, 0.01]),
        binary(&[0.1, 0.01]),
        binary(&[0.6, 0.3]),
        // Either of tub and lung: yes and yes, yes and no, no and yes, no and no.
        binary(&[1.0, 1.0, 1.0, 0.0]),
        binary(&[0.98, 0.05]),
        // Bronchitis and either: yes and yes, yes and no, no and yes, no and no.
        binary(&[0.9, 0.8, 0.7, 0.1]),
    ];
    BayesianNetwork::new(names, vec![strings(&["yes", "no"]); 8], dag(8, &edges), tables)
}

/// Patient monitoring in the operating theatre: Beinlich, Suermondt, Chavez and Cooper (1989). 37 variables.
pub(crate) fn alarm() -> BayesianNetwork {
    BayesianNetwork::parse(include_str!("alarm.txt"))
}

/// A random network: variables V1, V2, ... with 2 to 4 levels and 0 to 3 parents among those before them, their
/// distributions drawn from Dirichlet(1, ..., 1).
pub(crate) fn random_network(n_vars: usize, rng: &mut ChaCha8Rng) -> BayesianNetwork {
    let n_levels: Vec<usize> = (0..n_vars).map(|_| rng.random_range(2..=4)).collect();
    let mut edges = Vec::new();
    let mut tables = Vec::new();
    for node in 0..n_vars {
        let n_parents = rng.random_range(0..=3usize.min(node));
        let mut parents: Vec<usize> = Vec::new();
        while parents.len() < n_parents {
            let parent = rng.random_range(0..node);
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        edges.extend(parents.iter().map(|&parent| (parent, node)));
        let n_configurations: usize = parents.iter().map(|&parent| n_levels[parent]).product();
        tables.push((0..n_configurations).map(|_| dirichlet(n_levels[node], rng)).collect());
    }
    let names = (1..=n_vars).map(|number| format!("V{number}")).collect();
    let levels = n_levels.iter().map(|&n| (1..=n).map(|level| level.to_string()).collect()).collect();
    BayesianNetwork::new(names, levels, dag(n_vars, &edges), tables)
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

fn dag(n_nodes: usize, edges: &[(usize, usize)]) -> Dag {
    Dag::from_edges(n_nodes, edges.iter().copied())
        .unwrap_or_else(|cycle| panic!("a network is acyclic: {cycle}"))
}

/// Distributions over two levels, by the probability of the first.
fn binary(first: &[f64]) -> Vec<Vec<f64>> {
    first.iter().map(|&probability| vec![probability, 1.0 - probability]).collect()
}

/// A draw from Dirichlet(1, ..., 1): exponential variables, normalised.
pub(crate) fn dirichlet(n_levels: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let draws: Vec<f64> = (0..n_levels).map(|_| -(1.0 - rng.random::<f64>()).ln()).collect();
    let total: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / total).collect()
}
