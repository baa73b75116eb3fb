//! Pulls long edges straight, as far as the boxes and edges beside them allow.

use std::ops::Range;

/// A height at which an edge must pass between two limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gate {
    pub(super) y: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Gate {
    /// A gate that leaves no choice.
    pub(super) fn fixed(x: f64, y: f64) -> Gate {
        Gate { y, low: x, high: x }
    }
}

/// What length costs compared to bending, per squared unit of length: an edge bends over about this distance.
const BENDING_LENGTH: f64 = 70.0;
const N_SWEEPS: usize = 20;
/// How many neighbouring points move together: alone, a point is held in place by the next ones.
const GROUPS: [usize; 3] = [1, 2, 4];

/// Moves the points of an edge, one in each gate, so that it bends little and is short.
///
/// Like an elastic rod: minimises the squared change of slant, plus a little squared slant, by moving few points at a time.
pub(super) fn straighten(gates: &[Gate], x: &mut [f64]) {
    for _ in 0..N_SWEEPS {
        let mut moved: f64 = 0.0;
        for n_points in GROUPS {
            for first in 0..(gates.len() + 1).saturating_sub(n_points) {
                moved = moved.max(move_group(gates, x, first..first + n_points).abs());
            }
        }
        if moved < 0.02 {
            break;
        }
    }
}

/// Moves neighbouring points to where they are best, given the others, or as far as their gates allow.
fn move_group(gates: &[Gate], x: &mut [f64], group: Range<usize>) -> f64 {
    let low = group.clone().map(|k| gates[k].low - x[k]).fold(f64::NEG_INFINITY, f64::max);
    let high = group.clone().map(|k| gates[k].high - x[k]).fold(f64::INFINITY, f64::min);
    if low >= high {
        return 0.0;
    }
    let step = best_move(gates, x, group.clone()).clamp(low, high);
    x[group].iter_mut().for_each(|x| *x += step);
    step
}

/// How far a group would move without gates: the energy is a parabola in it, known from three values.
fn best_move(gates: &[Gate], x: &[f64], group: Range<usize>) -> f64 {
    let energy = |shift| energy_near(gates, x, &group, shift);
    let (left, middle, right) = (energy(-1.0), energy(0.0), energy(1.0));
    let curvature = left - 2.0 * middle + right;
    if curvature > 0.0 { (left - right) / (2.0 * curvature) } else { 0.0 }
}

/// The terms of the energy that depend on a group of points, after shifting it.
fn energy_near(gates: &[Gate], x: &[f64], group: &Range<usize>, shift: f64) -> f64 {
    let at = |i: usize| x[i] + if group.contains(&i) { shift } else { 0.0 };
    let run = |i: usize| gates[i + 1].y - gates[i].y;
    let slant = |i: usize| (at(i + 1) - at(i)) / run(i);
    let last = gates.len() - 1;
    let stretch = |i: usize| slant(i).powi(2) * run(i) / BENDING_LENGTH.powi(2);
    let bend = |i: usize| (slant(i) - slant(i - 1)).powi(2) * 2.0 / (run(i) + run(i - 1));
    let before = group.start.saturating_sub(1);
    let stretches = (before..group.end.min(last)).map(stretch);
    let bends = (before.max(1)..(group.end + 1).min(last)).map(bend);
    stretches.chain(bends).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(y: f64, low: f64, high: f64) -> Gate {
        Gate { y, low, high }
    }

    #[test]
    fn without_obstacles_an_edge_becomes_a_line() {
        let gates =
            [gate(0.0, 0.0, 0.0), gate(30.0, -99.0, 99.0), gate(40.0, -99.0, 99.0), gate(80.0, 40.0, 40.0)];
        let mut x = [0.0, 50.0, -20.0, 40.0];
        straighten(&gates, &mut x);
        assert!((x[1] - 15.0).abs() < 0.5 && (x[2] - 20.0).abs() < 0.5, "{x:?}");
    }

    #[test]
    fn gates_are_kept() {
        let gates = [gate(0.0, 0.0, 0.0), gate(40.0, 30.0, 50.0), gate(80.0, 0.0, 0.0)];
        let mut x = [0.0, 40.0, 0.0];
        straighten(&gates, &mut x);
        assert_eq!(x, [0.0, 30.0, 0.0]);
    }
}
