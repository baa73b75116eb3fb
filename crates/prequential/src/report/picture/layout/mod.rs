//! Draws a graph in rows, causes above effects: where its boxes and its edges go (after Sugiyama, Tagawa and Toda 1981).

mod coordinates;
mod geometry;
mod label;
mod layers;
mod order;
mod pack;
mod route;
mod straighten;
#[cfg(test)]
mod tests;

use crate::graph::Dag;
use geometry::LayoutPart;
pub(crate) use geometry::{Layout, Point};
pub(crate) use label::{shorten, text_width};
use order::Layered;
pub(crate) use route::HEAD;

/// Lays out a graph whose nodes are boxes of these widths and heights.
///
/// Every parent is above its children, no boxes overlap, and no edge runs through a box. Parts of the graph that are not
/// connected stand side by side, nodes without edges at the bottom. The same input gives the same picture.
pub(crate) fn layout(dag: &Dag, sizes: &[(f64, f64)]) -> Layout {
    let edges = dag.edges();
    let part_of = parts(dag.n_nodes(), &edges);
    let n_parts = part_of.iter().max().map_or(0, |last| last + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n_parts];
    part_of.iter().enumerate().for_each(|(node, &part)| members[part].push(node));
    let lay_out = |nodes: &Vec<usize>| lay_out_part(nodes, &edges, sizes);
    let (single, joined): (Vec<_>, Vec<_>) = members.iter().partition(|nodes| nodes.len() == 1);
    pack::pack(
        joined.into_iter().map(lay_out).collect(),
        single.into_iter().flatten().copied(),
        &edges,
        sizes,
    )
}

/// The number of the connected part that each node belongs to.
fn parts(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut part: Vec<usize> = (0..n_nodes).collect();
    // Few edges and fewer parts: relabelling is quick enough.
    for &(from, to) in edges {
        let (keep, replace) = (part[from].min(part[to]), part[from].max(part[to]));
        part.iter_mut().filter(|part| **part == replace).for_each(|part| *part = keep);
    }
    let mut labels = part.clone();
    labels.sort_unstable();
    labels.dedup();
    part.iter().map(|label| labels.partition_point(|other| other < label)).collect()
}

fn lay_out_part(nodes: &[usize], edges: &[(usize, usize)], sizes: &[(f64, f64)]) -> LayoutPart {
    let local = |node: usize| nodes.binary_search(&node).ok();
    let (mut numbers, mut own) = (Vec::new(), Vec::new());
    for (number, &(from, to)) in edges.iter().enumerate() {
        if let (Some(from), Some(to)) = (local(from), local(to)) {
            numbers.push(number);
            own.push((from, to));
        }
    }
    let own_sizes: Vec<(f64, f64)> = nodes.iter().map(|&node| sizes[node]).collect();
    let widths: Vec<f64> = own_sizes.iter().map(|&(width, _)| width).collect();
    let mut graph = Layered::new(layers::assign_layers(&widths, &own), &own);
    graph.reduce_crossings();
    let at = coordinates::place(&graph, &own_sizes);
    let centre = |node: usize| {
        let (top, bottom) = at.bands[graph.layer[node]];
        Point { x: at.x[node], y: (top + bottom) / 2.0 }
    };
    let centres: Vec<Point> = (0..nodes.len()).map(centre).collect();
    let layout = framed(centres, route::routes(&graph, &at), &own_sizes);
    LayoutPart { nodes: nodes.to_vec(), edges: numbers, layout }
}

/// Moves everything so that the picture starts at (0, 0), and measures it.
fn framed(centres: Vec<Point>, curves: Vec<Vec<Point>>, sizes: &[(f64, f64)]) -> Layout {
    let corners = centres.iter().zip(sizes).flat_map(|(at, &(width, height))| {
        let half = Point { x: width / 2.0, y: height / 2.0 };
        [at.moved(half), at.moved(Point { x: -half.x, y: -half.y })]
    });
    let points: Vec<Point> = corners.chain(curves.iter().flatten().copied()).collect();
    let low = |of: fn(&Point) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
    let high = |of: fn(&Point) -> f64| points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let origin = Point { x: -low(|at| at.x), y: -low(|at| at.y) };
    Layout {
        width: high(|at| at.x) + origin.x,
        height: high(|at| at.y) + origin.y,
        centres: centres.into_iter().map(|at| at.moved(origin)).collect(),
        curves: curves
            .into_iter()
            .map(|curve| curve.into_iter().map(|at| at.moved(origin)).collect())
            .collect(),
    }
}
