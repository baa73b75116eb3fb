//! Where everything in the rows goes: straight edges from side to side, and room for slanted ones from top to bottom.

use super::order::Layered;

/// Free space between two boxes of a row, a box and a passing edge, and two passing edges.
const BOX_GAP: f64 = 26.0;
const BEND_BOX_GAP: f64 = 16.0;
const BEND_GAP: f64 = 14.0;
/// Space between rows, if no edge runs sideways, and at most.
const MIN_ROW_GAP: f64 = 44.0;
const MAX_ROW_GAP: f64 = 130.0;
/// How much space between rows an edge asks for, per unit that it runs sideways.
const GAP_PER_SLANT: f64 = 0.2;
/// Distance between two edges that meet at the same side of a box, if the box is wide enough.
const PORT_GAP: f64 = 15.0;
/// The part of a box's side, near its corners, where no edge ends.
const CORNER: f64 = 9.0;

/// Positions of the vertices of a [`Layered`] graph.
pub(super) struct Coordinates {
    pub(super) x: Vec<f64>,
    /// Width and height of every vertex; bends have none.
    pub(super) size: Vec<(f64, f64)>,
    /// Top and bottom of the space that the boxes of each row take.
    pub(super) bands: Vec<(f64, f64)>,
    /// For every step of every chain, where it leaves and where it enters, relative to the vertices' centres.
    pub(super) ports: Vec<Vec<(f64, f64)>>,
}

/// Places the vertices of an ordered graph; `sizes` are those of its nodes.
pub(super) fn place(graph: &Layered, sizes: &[(f64, f64)]) -> Coordinates {
    let mut size = sizes.to_vec();
    size.resize(graph.layer.len(), (0.0, 0.0));
    let ports = ports(graph, &size);
    let x = relax(graph, &size, &ports);
    let bands = bands(graph, &size, &x, &ports);
    Coordinates { x, size, bands, ports }
}

/// Spreads the edges along the bottom and the top of every box, in the order of where they come from or go to.
fn ports(graph: &Layered, size: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let mut ports: Vec<Vec<(f64, f64)>> =
        graph.chains.iter().map(|chain| vec![(0.0, 0.0); chain.len() - 1]).collect();
    let mut leaving = vec![Vec::new(); graph.n_nodes];
    let mut entering = vec![Vec::new(); graph.n_nodes];
    for (edge, chain) in graph.chains.iter().enumerate() {
        let last = chain.len() - 1;
        leaving[chain[0]].push((graph.place(chain[1]), edge));
        entering[chain[last]].push((graph.place(chain[last - 1]), edge));
    }
    for node in 0..graph.n_nodes {
        let n_leaving = leaving[node].len();
        leaving[node].sort_unstable();
        for (i, &(_, edge)) in leaving[node].iter().enumerate() {
            ports[edge][0].0 = port(i, n_leaving, size[node].0);
        }
        let n_entering = entering[node].len();
        entering[node].sort_unstable();
        for (i, &(_, edge)) in entering[node].iter().enumerate() {
            let last = ports[edge].len() - 1;
            ports[edge][last].1 = port(i, n_entering, size[node].0);
        }
    }
    ports
}

/// Where the edge `i` of `n_edges` meets a box of this width, relative to its centre.
fn port(i: usize, n_edges: usize, width: f64) -> f64 {
    let middle = (n_edges - 1) as f64 / 2.0;
    let room = (width / 2.0 - CORNER).max(0.0);
    let gap = if n_edges > 1 { PORT_GAP.min(room / middle) } else { 0.0 };
    (i as f64 - middle) * gap
}

/// How far to the right of `left` its right neighbour must be.
fn separation(graph: &Layered, size: &[(f64, f64)], left: usize, right: usize) -> f64 {
    let gap = match (graph.is_bend(left), graph.is_bend(right)) {
        (true, true) => BEND_GAP,
        (false, false) => BOX_GAP,
        _ => BEND_BOX_GAP,
    };
    (size[left].0 + size[right].0) / 2.0 + gap
}

/// One end of a step as its vertex feels it: be at the other vertex plus `shift`, with this weight.
struct Pull {
    other: usize,
    shift: f64,
    weight: f64,
}

/// Minimises the weighted squared sideways run of all edges under the order and separation of every row.
///
/// Rows are solved exactly one at a time, down and up in turn. The problem is convex and its constraints never join two
/// rows, so this approaches the one best picture, whatever it starts from.
fn relax(graph: &Layered, size: &[(f64, f64)], ports: &[Vec<(f64, f64)>]) -> Vec<f64> {
    let pulls = pulls(graph, ports);
    let offsets: Vec<Vec<f64>> = graph.rows.iter().map(|row| offsets(graph, size, row)).collect();
    let mut x = vec![0.0; graph.layer.len()];
    for (row, offsets) in graph.rows.iter().zip(&offsets) {
        let middle = offsets.last().copied().unwrap_or(0.0) / 2.0;
        row.iter().zip(offsets).for_each(|(&vertex, offset)| x[vertex] = offset - middle);
    }
    let n_rows = graph.rows.len();
    for _ in 0..400 {
        let mut moved: f64 = 0.0;
        for row in (0..n_rows).chain((0..n_rows).rev()) {
            moved = moved.max(settle(&graph.rows[row], &offsets[row], &pulls, &mut x));
        }
        if moved < 0.02 {
            break;
        }
    }
    x
}

/// How far each vertex of a row is from the first, if they stand as close as allowed.
fn offsets(graph: &Layered, size: &[(f64, f64)], row: &[usize]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut offsets = vec![0.0];
    for pair in row.windows(2) {
        offset += separation(graph, size, pair[0], pair[1]);
        offsets.push(offset);
    }
    offsets
}

fn pulls(graph: &Layered, ports: &[Vec<(f64, f64)>]) -> Vec<Vec<Pull>> {
    let mut pulls: Vec<Vec<Pull>> = graph.layer.iter().map(|_| Vec::new()).collect();
    for (chain, ports) in graph.chains.iter().zip(ports) {
        for (pair, &(leave, enter)) in chain.windows(2).zip(ports) {
            let (upper, lower) = (pair[0], pair[1]);
            // As in Graphviz: the longer an edge, the more a kink in it disturbs.
            let weight = match (graph.is_bend(upper), graph.is_bend(lower)) {
                (true, true) => 8.0,
                (false, false) => 1.0,
                _ => 2.0,
            };
            pulls[upper].push(Pull { other: lower, shift: enter - leave, weight });
            pulls[lower].push(Pull { other: upper, shift: leave - enter, weight });
        }
    }
    pulls
}

/// Moves the vertices of one row to their best places while all others stay; returns the longest move.
///
/// Without the offsets this is a regression on a non-decreasing sequence, solved by pooling neighbours that conflict.
fn settle(row: &[usize], offsets: &[f64], pulls: &[Vec<Pull>], x: &mut [f64]) -> f64 {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (&vertex, offset) in row.iter().zip(offsets) {
        let weight: f64 = pulls[vertex].iter().map(|pull| pull.weight).sum();
        let sum: f64 = pulls[vertex].iter().map(|pull| pull.weight * (x[pull.other] + pull.shift)).sum();
        let mut pool = (sum / weight - offset, weight, 1);
        while let Some(before) = pools.pop_if(|before| before.0 >= pool.0) {
            let weight = before.1 + pool.1;
            pool = ((before.0 * before.1 + pool.0 * pool.1) / weight, weight, before.2 + pool.2);
        }
        pools.push(pool);
    }
    let wanted = pools.iter().flat_map(|&(at, _, n)| std::iter::repeat_n(at, n));
    let mut longest: f64 = 0.0;
    for ((&vertex, offset), at) in row.iter().zip(offsets).zip(wanted) {
        longest = longest.max((x[vertex] - at - offset).abs());
        x[vertex] = at + offset;
    }
    longest
}

/// Stacks the rows, farther apart where edges run far sideways.
fn bands(graph: &Layered, size: &[(f64, f64)], x: &[f64], ports: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    let mut slant = vec![0.0_f64; graph.rows.len()];
    for (chain, ports) in graph.chains.iter().zip(ports) {
        for (pair, (leave, enter)) in chain.windows(2).zip(ports) {
            let run = (x[pair[0]] + leave - x[pair[1]] - enter).abs();
            let row = graph.layer[pair[0]];
            slant[row] = slant[row].max(run);
        }
    }
    let mut top = 0.0;
    let mut bands = Vec::new();
    for (row, slant) in graph.rows.iter().zip(slant) {
        // Never empty, since slants divide by it.
        let height = row.iter().map(|&vertex| size[vertex].1).fold(1.0, f64::max);
        bands.push((top, top + height));
        top += height + (slant * GAP_PER_SLANT).clamp(MIN_ROW_GAP, MAX_ROW_GAP);
    }
    bands
}
