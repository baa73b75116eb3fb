//! Groups of variables that can be causes of each other, searched one by one, each first by its relaxed problem.

use super::super::choices::{Choices, Component, Incumbent};
use super::super::relaxation::{Cluster, Multipliers, Relaxation, Relaxed};
use super::branch_and_cut::{self, Bounded};
use crate::base::stop::Stop;

/// If rounds close less than this share of the gap, it is time for something else.
const POOR_GAIN: f64 = 0.02;

/// The most rounds of new clusters before branching.
const ROOT_ROUNDS: usize = 400;

/// After this many rounds, clusters with slack are removed.
const ROUNDS_PER_DROP: usize = 10;

/// If no more than this share of all choices is left, it is a new problem.
const FEWER: f64 = 0.7;

/// The best graph of all choices, component by component; `start` is an order that has a graph.
pub(super) fn solve(choices: &Choices, start: &[usize], stop: Stop) -> Bounded {
    let mut order = Vec::with_capacity(start.len());
    let mut bound = 0.0;
    for component in choices.components() {
        let solved = solve_component(&component, start, stop);
        order.extend(solved.incumbent.order.iter().map(|&own| component.nodes[own]));
        bound += solved.bound;
    }
    let incumbent = Incumbent::along(order, choices);
    Bounded { bound: bound.min(incumbent.length), incumbent }
}

fn solve_component(component: &Component, start: &[usize], stop: Stop) -> Bounded {
    let choices = &component.choices;
    let mut incumbent = Incumbent::along(component.order_within(start), choices);
    if choices.n_vars() == 1 {
        return Bounded::proven(incumbent);
    }
    let mut multipliers = Multipliers::new(choices);
    multipliers.ascend(stop);
    incumbent.offer(Incumbent::along(multipliers.order(), choices));
    let root = Bounded { bound: multipliers.bound(), incumbent };
    if root.bound >= root.incumbent.cutoff() {
        return Bounded::proven(root.incumbent);
    }
    let possible = multipliers.possible(root.incumbent.length);
    let clusters: Vec<Cluster> = multipliers.clusters().iter().map(|(cluster, _)| cluster.clone()).collect();
    solve_relaxed(&possible, &clusters, root, stop)
}

/// Solves a component from the relaxed problem on.
fn solve_relaxed(choices: &Choices, clusters: &[Cluster], mut root: Bounded, stop: Stop) -> Bounded {
    let mut relaxation = Relaxation::new(choices, clusters);
    for _ in 0..ROOT_ROUNDS / ROUNDS_PER_DROP {
        let before = root.bound;
        match relaxation.tighten(&mut root.incumbent, ROUNDS_PER_DROP, stop) {
            Relaxed::NothingShorter => return Bounded::proven(root.incumbent),
            Relaxed::Bounded { bound, is_stopped } => {
                root.bound = root.bound.max(bound);
                if is_stopped {
                    return root;
                }
            }
        }
        relaxation.drop_idle();
        let possible = relaxation.multipliers().possible(root.incumbent.length);
        if (possible.n_choices() as f64) < FEWER * choices.n_choices() as f64 {
            return solve_fewer(&possible, root, stop);
        }
        if root.bound - before < POOR_GAIN * (root.incumbent.length - before) {
            break;
        }
    }
    branch_and_cut::search(relaxation, root, stop)
}

/// Solves a component of which only these choices are left.
fn solve_fewer(choices: &Choices, root: Bounded, stop: Stop) -> Bounded {
    let order = root.incumbent.order.clone();
    let Bounded { incumbent, bound } = solve(choices, &order, stop);
    let mut best = root.incumbent;
    best.offer(incumbent);
    // What was left out is no shorter than the incumbent.
    Bounded { bound: bound.max(root.bound).min(best.length), incumbent: best }
}
