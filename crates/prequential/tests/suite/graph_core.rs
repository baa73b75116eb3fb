//! The graph core against enumeration: equivalence classes, distances.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use prequential::internals::{shd, shd_cpdag};
use prequential::{Cpdag, Dag};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Edges = BTreeSet<(usize, usize)>;

/// Every DAG over `n_nodes` nodes, by giving each pair no edge or one in either direction.
fn all_dags(n_nodes: usize) -> Vec<Dag> {
    let pairs: Vec<_> = (0..n_nodes).flat_map(|a| (a + 1..n_nodes).map(move |b| (a, b))).collect();
    let graph = |mut code: usize| {
        let mut edges = Vec::new();
        for &(a, b) in &pairs {
            match code % 3 {
                1 => edges.push((a, b)),
                2 => edges.push((b, a)),
                _ => {}
            }
            code /= 3;
        }
        Dag::from_edges(n_nodes, edges).ok()
    };
    (0..3usize.pow(pairs.len() as u32)).filter_map(graph).collect()
}

/// The skeleton and the unshielded colliders: what decides Markov equivalence (Verma and Pearl 1990).
fn skeleton_and_colliders(dag: &Dag) -> (Edges, BTreeSet<(usize, usize, usize)>) {
    let skeleton = dag.edges().into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
    let mut colliders = BTreeSet::new();
    for (a, middle) in dag.edges() {
        let others = dag.parents(middle).iter().filter(|&b| a < b && !dag.adjacent(a, b));
        colliders.extend(others.map(|b| (a, middle, b)));
    }
    (skeleton, colliders)
}

/// The directed and undirected edges of a class, from all its members.
fn edges_of_class(members: &[&Dag]) -> (Edges, Edges) {
    let all: Edges = members.iter().flat_map(|dag| dag.edges()).collect();
    let (undirected, directed): (Edges, Edges) = all.iter().partition(|&&(a, b)| all.contains(&(b, a)));
    (directed, undirected.into_iter().filter(|(a, b)| a < b).collect())
}

/// A DAG in a random order of nodes, with about `n_edges` edges.
fn random_dag(rng: &mut ChaCha8Rng, n_nodes: usize, n_edges: usize) -> Dag {
    let rank: Vec<u64> = (0..n_nodes).map(|_| rng.random()).collect();
    let mut edges = Vec::new();
    for _ in 0..n_edges {
        let (a, b) = (rng.random_range(0..n_nodes), rng.random_range(0..n_nodes));
        edges.extend((rank[a] < rank[b]).then_some((a, b)).or((rank[b] < rank[a]).then_some((b, a))));
    }
    Dag::from_edges(n_nodes, edges).expect("edges go up in rank")
}

#[test]
fn a_class_is_directed_where_all_its_members_agree() {
    for (n_nodes, n_dags) in [(1, 1), (2, 3), (3, 25), (4, 543), (5, 29_281)] {
        let dags = all_dags(n_nodes);
        assert_eq!(dags.len(), n_dags);
        let mut classes: BTreeMap<_, Vec<&Dag>> = BTreeMap::new();
        for dag in &dags {
            classes.entry(skeleton_and_colliders(dag)).or_default().push(dag);
        }
        for members in classes.values() {
            let (directed, undirected) = edges_of_class(members);
            for dag in members {
                let class = Cpdag::of(dag);
                assert!(class.directed().into_iter().eq(directed.iter().copied()), "{dag:?}");
                assert!(class.undirected().into_iter().eq(undirected.iter().copied()), "{dag:?}");
            }
        }
    }
}

#[test]
fn equivalence_is_to_share_skeleton_and_colliders() {
    let dags = all_dags(4);
    let keys: Vec<_> = dags.iter().map(|dag| (Cpdag::of(dag), skeleton_and_colliders(dag))).collect();
    for (class, key) in &keys {
        assert!(keys.iter().all(|(other, other_key)| (class == other) == (key == other_key)));
    }
}

/// Skeleton and colliders, then Meek's (1995) rules 1 to 3 until nothing changes: a slow second version for large graphs.
fn class_by_meek_rules(dag: &Dag) -> (Edges, Edges) {
    let n_nodes = dag.n_nodes();
    let mut mark = dag.adjacency();
    for (from, to) in dag.edges() {
        mark[to][from] = !dag.parents(to).iter().any(|other| other != from && !dag.adjacent(from, other));
    }
    loop {
        let directed = |a: usize, b: usize| mark[a][b] && !mark[b][a];
        let undirected = |a: usize, b: usize| mark[a][b] && mark[b][a];
        let compelled = |a: usize, b: usize| {
            let corner = |c: usize| undirected(a, c) && directed(c, b);
            (0..n_nodes).any(|c| {
                directed(c, a) && c != b && !dag.adjacent(c, b)
                    || directed(a, c) && directed(c, b)
                    || corner(c) && (0..n_nodes).any(|d| d != c && corner(d) && !dag.adjacent(c, d))
            })
        };
        let edges = dag.edges().into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
        let Some((a, b)) = edges.into_iter().find(|&(a, b)| undirected(a, b) && compelled(a, b)) else {
            break;
        };
        mark[b][a] = false;
    }
    let all: Edges = dag.edges().into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    let directed = all.iter().copied().filter(|&(a, b)| mark[a][b] && !mark[b][a]).collect();
    (directed, all.into_iter().filter(|&(a, b)| a < b && mark[a][b] && mark[b][a]).collect())
}

#[test]
fn large_classes_equal_those_of_meeks_rules() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (n_nodes, n_edges) in [(37, 30), (37, 60), (37, 400), (100, 120), (100, 300), (200, 400)] {
        let dag = random_dag(&mut rng, n_nodes, n_edges);
        let class = Cpdag::of(&dag);
        let (directed, undirected) = class_by_meek_rules(&dag);
        assert!(class.directed().into_iter().eq(directed));
        assert!(class.undirected().into_iter().eq(undirected));
    }
}

#[test]
fn a_class_of_2000_nodes_does_not_take_passes_over_all_pairs() {
    // In a chain one compelled edge compels all below it; rules applied in passes would go through it edge by edge.
    let chain = (2..1999).map(|node| (node, node + 1));
    let dag = Dag::from_edges(2000, chain.chain([(0, 2), (1, 2)])).unwrap();
    assert_eq!(Cpdag::of(&dag).directed(), dag.edges());
}

#[test]
fn the_hamming_distance_is_a_metric_and_counts_a_reversal_once() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..500 {
        let n_nodes = rng.random_range(2..9);
        let [a, b, c] = [0; 3].map(|_| random_dag(&mut rng, n_nodes, 2 * n_nodes));
        assert_eq!(shd(&a, &a), 0);
        assert_eq!(shd(&a, &b), shd(&b, &a));
        assert_eq!(shd(&a, &b) == 0, a == b);
        assert!(shd(&a, &c) <= shd(&a, &b) + shd(&b, &c));
        let [x, y, z] = [&a, &b, &c].map(Cpdag::of);
        assert_eq!(shd_cpdag(&x, &y) == 0, x == y);
        assert!(shd_cpdag(&x, &z) <= shd_cpdag(&x, &y) + shd_cpdag(&y, &z));
        for (from, to) in a.edges() {
            let removed = a.without_edge(from, to);
            assert_eq!(shd(&a, &removed), 1);
            if let Ok(reversed) = removed.with_edge(to, from) {
                assert_eq!(shd(&a, &reversed), 1);
            }
        }
    }
}
