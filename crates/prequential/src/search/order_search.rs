//! Order search: moves variables within a causal order to their best place, as BOSS does.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::climb::{ClimbSettings, MIN_GAIN, climb};
use super::constraints::Constraints;
use super::grow_shrink::GrowShrink;
use super::heuristic::HeuristicSearch;
use super::method::{Problem, ProblemSize, SearchDescription};
use super::moves::Walk;
use super::visited::{Visited, fingerprint};
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, NodeSet};
use crate::score::FamilyLengths;

/// Insertion moves in a causal order, families scored as they are needed: hundreds of variables, no proof.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The number of restarts, from random orders.
    pub restarts: usize,
    /// Tabu steps of the final hill climb.
    pub tabu_steps: usize,
    /// A graph whose order is the starting order; `None` for the graph of the required edges alone.
    pub start: Option<Dag>,
}

impl Default for Order {
    fn default() -> Order {
        let ClimbSettings { restarts, tabu_steps, start, .. } = ClimbSettings::default();
        Order { restarts, tabu_steps, start }
    }
}

impl HeuristicSearch for Order {
    fn description(&self) -> SearchDescription {
        SearchDescription {
            name: "order",
            summary: "Insertion moves in a causal order, families scored as needed: hundreds of variables, no proof",
            scores_on_demand: true,
        }
    }

    /// Every set that some order makes a variable choose is tried with every other variable added. How many
    /// sets there are follows from how many others the variable depends on, and they grow with the number of
    /// rows.
    fn n_families(&self, size: &ProblemSize) -> (f64, f64) {
        let n_pairs = size.n_vars.powi(2);
        let middle = n_pairs + 0.3 * size.n_rows.powf(0.35) * size.n_vars * size.n_dependent_pairs;
        (middle / 1.5, middle * 1.5)
    }

    fn climb(&self, seed: u64) -> ClimbSettings {
        ClimbSettings {
            restarts: self.restarts,
            tabu_steps: self.tabu_steps,
            start: self.start.clone(),
            seed,
        }
    }

    fn visit(&self, problem: &Problem) -> Result<Visited> {
        let joint = problem.candidates.map_or(&[][..], |candidates| &candidates.joint);
        order_search_until(
            problem.lengths,
            problem.constraints,
            joint,
            &self.climb(problem.seed),
            problem.stop,
        )
    }
}

/// Looks for the DAG of shortest code by moving one variable after another to its best place in a causal order.
///
/// Given an order, the parents of each variable are grown and shrunk among those before it. An order in which
/// no variable has a better place is the end of one start; `settings.restarts` more start from random orders,
/// and hill climbing from the best graph (`settings.tabu_steps`) comes last. Families are requested when growing or
/// shrinking first needs them. No proof. After BOSS (Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld
/// 2023); the same for the same seed.
///
/// `settings.start` must satisfy the constraints; its order is the first starting order.
pub fn order_search(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    settings: &ClimbSettings,
) -> Result<Visited> {
    order_search_until(lengths, constraints, &[], settings, Stop::never())
}

/// Like [`order_search`], with pairs of parents of each child that are also added jointly; visits fewer
/// graphs if it is stopped.
pub(super) fn order_search_until(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    joint: &[Vec<(usize, usize)>],
    settings: &ClimbSettings,
    stop: Stop,
) -> Result<Visited> {
    let n_vars = lengths.n_vars();
    let tree = |child| {
        let joint = joint.get(child).map_or(&[][..], Vec::as_slice);
        GrowShrink::new(lengths, constraints, child, joint)
    };
    let trees = (0..n_vars).map(tree).collect::<Result<_>>()?;
    let mut search = OrderSearch { lengths, trees, visited: Visited::default(), stop };
    let start = settings.start.clone().unwrap_or_else(|| constraints.smallest_dag());
    // Growing and shrinking may not come back to it.
    Walk::new(lengths, constraints, start.clone())?.note(&mut search.visited);
    search.improve(start.topological_order())?;
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    for _ in (0..settings.restarts).take_while(|_| !stop.now()) {
        search.improve(random_order(constraints, &mut rng))?;
    }
    let mut visited = search.visited;
    let best = visited.best(1).pop().map_or(start, |(dag, _)| dag);
    climb(lengths, constraints, best, settings.tabu_steps, &mut visited, stop)?;
    Ok(visited)
}

struct OrderSearch<'a> {
    lengths: &'a dyn FamilyLengths,
    trees: Vec<GrowShrink<'a>>,
    visited: Visited,
    stop: Stop<'a>,
}

impl OrderSearch<'_> {
    /// Moves variables to better places until none has one.
    fn improve(&mut self, mut order: Vec<usize>) -> Result<()> {
        let mut length = self.length(&order)?;
        self.note(&order)?;
        loop {
            let before = length;
            for variable in order.clone() {
                if self.stop.now() {
                    return Ok(());
                }
                let (better, new_length) = self.best_place(&order, variable)?;
                if new_length < length - MIN_GAIN {
                    (order, length) = (better, new_length);
                    self.note(&order)?;
                }
            }
            if length >= before - MIN_GAIN || !before.is_finite() && !length.is_finite() {
                return Ok(());
            }
        }
    }

    /// The code length of the graph that an order leads to; infinite if none of its graphs is allowed.
    fn length(&mut self, order: &[usize]) -> Result<f64> {
        let (mut before, mut sum) = (NodeSet::new(), 0.0);
        for &variable in order {
            sum += self.trees[variable].length(&before)?;
            before.insert(variable);
        }
        Ok(sum)
    }

    /// The order with `variable` where the code is shortest, and its code length; the present place unless another is better.
    fn best_place(&mut self, order: &[usize], variable: usize) -> Result<(Vec<usize>, f64)> {
        let others: Vec<usize> = order.iter().copied().filter(|&other| other != variable).collect();
        let present = order.iter().position(|&other| other == variable).unwrap_or(0);
        // The costs of the others with and without it before them, and its cost in each place.
        let (mut with, mut without, mut own) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = NodeSet::new();
        for &other in &others {
            own.push(self.trees[variable].length(&before)?);
            without.push(self.trees[other].length(&before)?);
            with.push(self.trees[other].length(&before.with(variable))?);
            before.insert(other);
        }
        own.push(self.trees[variable].length(&before)?);
        let total = |place: usize| {
            without[..place].iter().sum::<f64>() + own[place] + with[place..].iter().sum::<f64>()
        };
        let best = (0..own.len()).map(total).enumerate().fold((present, total(present)), |best, place| {
            if place.1 < best.1 - MIN_GAIN { place } else { best }
        });
        let mut better = others;
        better.insert(best.0, variable);
        Ok((better, best.1))
    }

    fn note(&mut self, order: &[usize]) -> Result<()> {
        let mut parents = vec![NodeSet::new(); order.len()];
        let (mut before, mut sum) = (NodeSet::new(), 0.0);
        for &variable in order {
            let Some((chosen, length)) = self.trees[variable].best_parents(&before)? else { return Ok(()) };
            parents[variable] = chosen;
            sum += length;
            before.insert(variable);
        }
        let dag = Dag::from_parents(parents)
            .unwrap_or_else(|cycle| panic!("parents come before children: {cycle}"));
        self.lengths.found(Nats(sum));
        self.visited.offer(fingerprint(dag.edges().into_iter()), sum, &Arc::new(dag), [None; 2]);
        Ok(())
    }
}

/// A random order in which required parents come before their children.
fn random_order(constraints: &Constraints, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let required = constraints.smallest_dag();
    let mut left: Vec<usize> = (0..required.n_nodes()).collect();
    let mut placed = NodeSet::new();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let ready: Vec<usize> =
            (0..left.len()).filter(|&i| required.parents(left[i]).is_subset(&placed)).collect();
        let chosen = left.swap_remove(ready[rng.random_range(0..ready.len())]);
        placed.insert(chosen);
        order.push(chosen);
    }
    order
}
