//! Adjustment distances against the package gadjid and against a version that tries every path.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use prequential::internals::{ancestor_aid, sid};
use prequential::{Dag, NodeSet, compare};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Edges = Vec<(usize, usize)>;

#[derive(serde::Deserialize)]
struct Stored {
    package: String,
    /// Number of nodes, truth, guess, parent_aid, ancestor_aid.
    cases: Vec<(usize, Edges, Edges, usize, usize)>,
}

#[test]
fn distances_equal_those_of_gadjid() {
    let stored: Stored = serde_json::from_str(include_str!("../data/graph/gadjid.json")).unwrap();
    assert_eq!((stored.package.as_str(), stored.cases.len()), ("gadjid 0.1.0", 220));
    for (n_nodes, truth, guess, parent_aid, expected_ancestor_aid) in stored.cases {
        let [truth, guess] = [truth, guess].map(|edges| Dag::from_edges(n_nodes, edges).unwrap());
        assert_eq!(sid(&truth, &guess), parent_aid, "truth {truth:?}, guess {guess:?}");
        assert_eq!(ancestor_aid(&truth, &guess), expected_ancestor_aid, "truth {truth:?}, guess {guess:?}");
    }
}

/// All paths from the last node of `path` to `end` that meet no node twice, whatever the direction of their edges.
fn paths(dag: &Dag, path: &mut Vec<usize>, end: usize, found: &mut Vec<Vec<usize>>) {
    let here = path[path.len() - 1];
    if here == end {
        found.push(path.clone());
        return;
    }
    for next in 0..dag.n_nodes() {
        if dag.adjacent(here, next) && !path.contains(&next) {
            path.push(next);
            paths(dag, path, end, found);
            path.pop();
        }
    }
}

fn is_open(dag: &Dag, path: &[usize], adjusted: &NodeSet) -> bool {
    path.windows(3).all(|step| {
        let is_collider = dag.has_edge(step[0], step[1]) && dag.has_edge(step[2], step[1]);
        if is_collider {
            !dag.descendants(step[1]).is_disjoint(adjusted)
        } else {
            !adjusted.contains(step[1])
        }
    })
}

/// The adjustment criterion, word for word.
fn is_valid(dag: &Dag, cause: usize, effect: usize, adjusted: &NodeSet) -> bool {
    let mut all = Vec::new();
    paths(dag, &mut vec![cause], effect, &mut all);
    all.iter().all(|path| {
        let is_causal = path.windows(2).all(|edge| dag.has_edge(edge[0], edge[1]));
        if is_causal {
            path[1..].iter().all(|&node| dag.descendants(node).is_disjoint(adjusted))
        } else {
            !is_open(dag, path, adjusted)
        }
    })
}

fn sid_by_paths(truth: &Dag, guess: &Dag) -> usize {
    let nodes = 0..truth.n_nodes();
    let pairs = nodes.clone().flat_map(|cause| nodes.clone().map(move |effect| (cause, effect)));
    let is_wrong = |&(cause, effect): &(usize, usize)| {
        let parents = guess.parents(cause);
        if parents.contains(effect) {
            truth.descendants(cause).contains(effect)
        } else {
            !is_valid(truth, cause, effect, parents)
        }
    };
    pairs.filter(|&(cause, effect)| cause != effect).filter(is_wrong).count()
}

fn random_dag(rng: &mut ChaCha8Rng, n_nodes: usize, density: f64) -> Dag {
    let rank: Vec<u64> = (0..n_nodes).map(|_| rng.random()).collect();
    let pairs = (0..n_nodes).flat_map(|a| (0..n_nodes).map(move |b| (a, b)));
    let edges: Edges = pairs.filter(|&(a, b)| rank[a] < rank[b] && rng.random_bool(density)).collect();
    Dag::from_edges(n_nodes, edges).expect("edges go up in rank")
}

#[test]
fn the_intervention_distance_equals_trying_every_path() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for round in 0..3000 {
        let n_nodes = 2 + round % 5;
        let density = [0.2, 0.5, 0.8][round % 3];
        let [truth, guess] = [0; 2].map(|_| random_dag(&mut rng, n_nodes, density));
        assert_eq!(sid(&truth, &guess), sid_by_paths(&truth, &guess), "truth {truth:?}, guess {guess:?}");
    }
}

#[test]
fn the_intervention_distance_is_zero_exactly_for_guesses_with_every_true_edge() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for round in 0..3000 {
        let [truth, guess] = [0.3, 0.8].map(|density| random_dag(&mut rng, 2 + round % 4, density));
        let has_all = truth.edges().into_iter().all(|(from, to)| guess.has_edge(from, to));
        assert_eq!(sid(&truth, &guess) == 0, has_all, "truth {truth:?}, guess {guess:?}");
    }
}

#[test]
fn adding_edges_that_keep_the_order_costs_no_effect() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..50 {
        let truth = random_dag(&mut rng, 80, 0.05);
        let order = truth.topological_order();
        let forward = (0..80).flat_map(|i| (i + 1..80).map(move |j| (i, j)));
        let complete = Dag::from_edges(80, forward.map(|(i, j)| (order[i], order[j]))).unwrap();
        assert_eq!((sid(&truth, &truth), ancestor_aid(&truth, &truth)), (0, 0));
        assert_eq!((sid(&truth, &complete), ancestor_aid(&truth, &complete)), (0, 0));
    }
}

#[test]
fn distances_reach_beyond_128_nodes() {
    let chain = Dag::from_edges(300, (0..299).map(|i| (i, i + 1))).unwrap();
    let reversed = Dag::from_edges(300, (0..299).map(|i| (i + 1, i))).unwrap();
    // Downstream the adjusted child lies on every causal path; upstream the cause's own parent leaves a path open.
    assert_eq!(sid(&chain, &reversed), 300 * 299);
    assert_eq!(ancestor_aid(&chain, &reversed), 300 * 299);
}

#[test]
fn a_comparison_agrees_with_its_parts() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        let [learnt, truth] = [0; 2].map(|_| random_dag(&mut rng, 4, 0.5));
        let comparison = compare(&learnt, &truth);
        assert_eq!(comparison.equivalent, comparison.shd_cpdag == 0);
        assert_eq!(comparison.exact, comparison.shd == 0);
        assert_eq!(comparison.sid, sid(&truth, &learnt));
    }
}
