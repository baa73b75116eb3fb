use super::*;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random graph in which no node number says which comes first, with boxes of many widths and a few heights.
fn random_graph(n_nodes: usize, n_edges: usize, seed: u64) -> (Dag, Vec<(f64, f64)>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let keys: Vec<u64> = (0..n_nodes).map(|_| rng.random()).collect();
    let mut dag = Dag::empty(n_nodes);
    for _ in 0..n_edges {
        let (a, b) = (rng.random_range(0..n_nodes), rng.random_range(0..n_nodes));
        if keys[a] < keys[b] {
            dag = dag.with_edge(a, b).unwrap();
        }
    }
    let sizes =
        (0..n_nodes).map(|_| (rng.random_range(20.0..180.0), f64::from(rng.random_range(2..5)) * 10.0));
    let sizes = sizes.collect();
    (dag, sizes)
}

/// Left, top, right and bottom of a box, a hair smaller than drawn.
fn inside(at: Point, (width, height): (f64, f64)) -> [f64; 4] {
    let (x, y) = (width / 2.0 - 1e-6, height / 2.0 - 1e-6);
    [at.x - x, at.y - y, at.x + x, at.y + y]
}

/// Points along a curve of cubic pieces.
fn sample(curve: &[Point]) -> Vec<Point> {
    let mut points = Vec::new();
    for piece in 0..curve.len() / 3 {
        let at = &curve[3 * piece..3 * piece + 4];
        for step in 0..=40 {
            let t = f64::from(step) / 40.0;
            let weights =
                [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
            let sum = |of: fn(&Point) -> f64| {
                at.iter().zip(weights).map(|(point, weight)| of(point) * weight).sum()
            };
            points.push(Point { x: sum(|point| point.x), y: sum(|point| point.y) });
        }
    }
    points
}

fn check(dag: &Dag, sizes: &[(f64, f64)]) {
    let at = layout(dag, sizes);
    let boxes: Vec<[f64; 4]> = at.centres.iter().zip(sizes).map(|(&at, &size)| inside(at, size)).collect();
    for (i, a) in boxes.iter().enumerate() {
        assert!(
            a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= at.width && a[3] <= at.height,
            "box {i} leaves the page"
        );
        for (j, b) in boxes.iter().enumerate().skip(i + 1) {
            let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
            assert!(apart, "boxes {i} and {j} overlap");
        }
    }
    for ((from, to), curve) in dag.edges().into_iter().zip(&at.curves) {
        assert!(boxes[from][3] < boxes[to][1], "{from} is not above {to}");
        let (start, end) = (curve[0], curve[curve.len() - 1]);
        assert!((start.y - boxes[from][3]).abs() < 1e-5 && (end.y - boxes[to][1]).abs() < 1e-5, "ends float");
        assert!((boxes[from][0]..=boxes[from][2]).contains(&start.x));
        assert!((boxes[to][0]..=boxes[to][2]).contains(&end.x));
        for point in sample(curve) {
            assert!((-1e-6..=at.width + 1e-6).contains(&point.x), "{from} -> {to} leaves the page");
            let hit = boxes
                .iter()
                .position(|b| b[0] < point.x && point.x < b[2] && b[1] < point.y && point.y < b[3]);
            assert_eq!(hit, None, "{from} -> {to} runs through a box");
        }
    }
}

proptest! {
    #[test]
    fn pictures_keep_their_promises(n_nodes in 1_usize..30, density in 0.0..6.0, seed: u64) {
        let (dag, sizes) = random_graph(n_nodes, (n_nodes as f64 * density) as usize, seed);
        check(&dag, &sizes);
        prop_assert_eq!(layout(&dag, &sizes), layout(&dag, &sizes));
    }
}

#[test]
fn large_graphs_are_laid_out() {
    let (dag, sizes) = random_graph(300, 1200, 1);
    assert!(dag.n_edges() > 550);
    check(&dag, &sizes);
}

#[test]
fn extremes_are_laid_out() {
    let complete = (0..12).flat_map(|to| (0..to).map(move |from| (from, to)));
    let star = (1..40).map(|to| (0, to));
    let funnel = (1..40).map(|from| (from, 0));
    for dag in [Dag::from_edges(12, complete), Dag::from_edges(40, star), Dag::from_edges(40, funnel)] {
        let dag = dag.unwrap();
        check(&dag, &vec![(50.0, 30.0); dag.n_nodes()]);
    }
    assert_eq!(
        layout(&Dag::empty(0), &[]),
        Layout { centres: vec![], curves: vec![], width: 0.0, height: 0.0 }
    );
}

#[test]
fn planar_graphs_are_drawn_without_crossings() {
    // Asia, and a tree in which the children of 1 and 2 are interleaved.
    let asia = [(0, 1), (2, 3), (2, 4), (1, 5), (3, 5), (5, 6), (5, 7), (4, 7)];
    let tree = [(0, 1), (0, 2), (1, 3), (2, 4), (1, 5), (2, 6), (1, 7), (2, 8)];
    for (n_nodes, edges) in [(8, asia), (9, tree)] {
        let mut graph = Layered::new(layers::assign_layers(&vec![50.0; n_nodes], &edges), &edges);
        graph.reduce_crossings();
        assert_eq!(graph.n_crossings(), 0);
    }
}
