//! Edges as smooth curves that keep out of boxes.
//!
//! Between two rows there is nothing to hit, so a curve may swing there as it likes. Across a row it has to pass two
//! gates, at the top and at the bottom of the boxes, and goes from one to the other without swinging out.

use super::coordinates::Coordinates;
use super::geometry::Point;
use super::order::Layered;
use super::straighten::{Gate, straighten};

/// Length of the straight piece that ends each curve; an arrow head covers it.
pub(crate) const HEAD: f64 = 10.0;
/// The most that an edge may slant where it leaves or enters a box: sideways per unit down.
const MAX_END_SLANT: f64 = 1.0;
/// What a passing edge keeps free to boxes and to other passing edges.
const BOX_CLEARANCE: f64 = 12.0;
const EDGE_CLEARANCE: f64 = 11.0;
/// How often every edge is straightened, given the others.
const N_ROUNDS: usize = 4;

/// A point of the curve, and how far it runs sideways there per unit down.
#[derive(Clone, Copy)]
struct Knot {
    x: f64,
    y: f64,
    slant: f64,
}

/// The curve of every edge: a start, then two control points and an end for each cubic piece.
pub(super) fn routes(graph: &Layered, at: &Coordinates) -> Vec<Vec<Point>> {
    let mut router = Router { graph, at, across: at.x.iter().map(|&x| [x, x]).collect() };
    for _ in 0..N_ROUNDS {
        (0..graph.chains.len()).for_each(|edge| router.straighten_edge(edge));
    }
    (0..graph.chains.len()).map(|edge| curve(&router.knots(edge))).collect()
}

struct Router<'a> {
    graph: &'a Layered,
    at: &'a Coordinates,
    /// Where the edge of each bend crosses the top and the bottom of its row.
    across: Vec<[f64; 2]>,
}

impl Router<'_> {
    fn band(&self, vertex: usize) -> (f64, f64) {
        self.at.bands[self.graph.layer[vertex]]
    }

    fn straighten_edge(&mut self, edge: usize) {
        let chain = &self.graph.chains[edge];
        let bends = &chain[1..chain.len() - 1];
        if bends.is_empty() {
            return;
        }
        let (gates, mut x) = self.gates(edge);
        straighten(&gates, &mut x);
        // The bends' gates stand between those of the two boxes.
        let first = self.box_gates(edge).0.len();
        for (i, &bend) in bends.iter().enumerate() {
            self.across[bend] = [x[first + 2 * i], x[first + 2 * i + 1]];
        }
    }

    /// The gates of an edge from box to box, and where it now passes them.
    fn gates(&self, edge: usize) -> (Vec<Gate>, Vec<f64>) {
        let (mut gates, end) = self.box_gates(edge);
        let mut x: Vec<f64> = gates.iter().map(|gate| gate.low).collect();
        let chain = &self.graph.chains[edge];
        for &bend in &chain[1..chain.len() - 1] {
            gates.extend([0, 1].map(|side| self.bend_gate(bend, side)));
            x.extend(self.across[bend]);
        }
        x.extend(end.iter().map(|gate| gate.low));
        gates.extend(end);
        (gates, x)
    }

    /// The fixed points at both ends: where the edge meets the box and, if the row has taller boxes, the row's border.
    fn box_gates(&self, edge: usize) -> (Vec<Gate>, Vec<Gate>) {
        let (chain, ports) = (&self.graph.chains[edge], &self.at.ports[edge]);
        let (from, to) = (chain[0], chain[chain.len() - 1]);
        let (top, bottom) = self.band(from);
        let x = self.at.x[from] + ports[0].0;
        let mut start = vec![Gate::fixed(x, (top + bottom + self.at.size[from].1) / 2.0)];
        if start[0].y < bottom {
            start.push(Gate::fixed(x, bottom));
        }
        let (top, bottom) = self.band(to);
        let x = self.at.x[to] + ports[ports.len() - 1].1;
        let tip = Gate::fixed(x, (top + bottom - self.at.size[to].1) / 2.0);
        let end = if tip.y - HEAD > top { vec![Gate::fixed(x, top), tip] } else { vec![tip] };
        (start, end)
    }

    /// What the neighbours in the row leave free, at its top (side 0) or bottom (side 1).
    fn bend_gate(&self, bend: usize, side: usize) -> Gate {
        let row = &self.graph.rows[self.graph.layer[bend]];
        let place = self.graph.place(bend);
        let reach = |other: usize| match self.graph.is_bend(other) {
            true => (self.across[other][side], EDGE_CLEARANCE),
            false => (self.at.x[other], self.at.size[other].0 / 2.0 + BOX_CLEARANCE),
        };
        let low = place.checked_sub(1).map_or(f64::NEG_INFINITY, |left| {
            let (x, half) = reach(row[left]);
            x + half
        });
        let high = row.get(place + 1).map_or(f64::INFINITY, |&right| {
            let (x, half) = reach(right);
            x - half
        });
        let (top, bottom) = self.band(bend);
        Gate { y: if side == 0 { top } else { bottom }, low, high }
    }

    /// The points of an edge, with slants that make the curve smooth and keep it between neighbouring points.
    fn knots(&self, edge: usize) -> Vec<Knot> {
        let (gates, x) = self.gates(edge);
        let last = gates.len() - 1;
        let run = |i: usize| gates[i + 1].y - gates[i].y;
        let slant = |i: usize| (x[i + 1] - x[i]) / run(i);
        let knot = |i: usize| {
            let slant = match i {
                0 => slant(0).clamp(-MAX_END_SLANT, MAX_END_SLANT),
                _ if i == last => slant(last - 1).clamp(-MAX_END_SLANT, MAX_END_SLANT),
                _ => smooth((slant(i - 1), run(i - 1)), (slant(i), run(i))),
            };
            Knot { x: x[i], y: gates[i].y, slant }
        };
        let mut knots: Vec<Knot> = (0..last).map(knot).collect();
        let tip = knot(last);
        let rise = HEAD / tip.slant.hypot(1.0);
        knots.push(Knot { x: tip.x - tip.slant * rise, y: tip.y - rise, slant: tip.slant });
        knots.push(tip);
        knots
    }
}

/// The slant at a knot between two lines of given slant and height; upright where the edge turns back.
///
/// A harmonic mean keeps a cubic curve from swinging out (Fritsch and Butland 1984).
fn smooth((before, height_before): (f64, f64), (after, height_after): (f64, f64)) -> f64 {
    if before * after <= 0.0 {
        return 0.0;
    }
    let share = (height_before + 2.0 * height_after) / (3.0 * (height_before + height_after));
    before * after / (share * after + (1.0 - share) * before)
}

/// The cubic pieces through these knots. Their height grows evenly, so no piece leaves the rows of its two ends.
fn curve(knots: &[Knot]) -> Vec<Point> {
    let mut points = vec![Point { x: knots[0].x, y: knots[0].y }];
    for pair in knots.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let third = (to.y - from.y) / 3.0;
        points.push(Point { x: from.x + from.slant * third, y: from.y + third });
        points.push(Point { x: to.x - to.slant * third, y: to.y - third });
        points.push(Point { x: to.x, y: to.y });
    }
    points
}
