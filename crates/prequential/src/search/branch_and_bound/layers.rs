//! Sets of variables that may come first in the best order, smaller sets before larger ones, as long as they can lead to a shorter code.

use rayon::prelude::*;

use super::super::bounded::{Bounded, Remainder};
use super::super::choices::Choices;
use super::super::relaxation::{Incumbent, Multipliers, Relaxation};
use super::patterns::{Patterns, groups};
use crate::base::stop::Stop;
use crate::graph::NodeSet;

/// The most variables of a part.
const MAX_VARS: usize = 128;

/// Sets that are expanded between questions whether to stop.
const AT_ONCE: usize = 1 << 14;

/// Breadth-first branch and bound over sets of variables, after Malone, Yuan, Hansen and Bridges (2011).
pub(in crate::search) struct Layers {
    /// Bytes of memory that the sets may take.
    pub(in crate::search) memory: u64,
}

impl Remainder for Layers {
    fn search(&self, relaxation: Relaxation, root: Bounded, stop: Stop) -> Bounded {
        let multipliers = relaxation.multipliers();
        if multipliers.choices().n_vars() > MAX_VARS {
            return root;
        }
        OrderGraph::new(&multipliers, root.incumbent.cutoff()).search(root, self.memory, stop)
    }
}

/// A set that comes first, with the shortest way to it so far.
#[derive(Debug, Clone, Copy, PartialEq)]
struct State {
    placed: u128,
    /// The set before, and the variable that was placed next; others may have followed by themselves.
    before: u128,
    next: Option<u8>,
    length: f64,
    /// What every order costs that begins so.
    bound: f64,
}

struct OrderGraph<'a> {
    choices: &'a Choices,
    /// What each number stands for.
    numbers: Vec<usize>,
    /// Per number, parents and length; shorter codes first.
    sets: Vec<Vec<(u128, f64)>>,
    patterns: Patterns,
    /// Only what is below it is of interest.
    cutoff: f64,
}

impl<'a> OrderGraph<'a> {
    fn new(multipliers: &Multipliers<'a>, cutoff: f64) -> OrderGraph<'a> {
        let groups = groups(multipliers);
        let numbers = groups.concat();
        let choices = multipliers.choices();
        let bits = |nodes: &NodeSet| -> u128 {
            (0..numbers.len())
                .filter(|&number| nodes.contains(numbers[number]))
                .map(|number| 1 << number)
                .sum()
        };
        let of = |&node: &usize| {
            choices.0[node].iter().map(|choice| (bits(&choice.parents), choice.length)).collect()
        };
        let sets = numbers.iter().map(of).collect();
        OrderGraph { choices, patterns: Patterns::new(multipliers, &groups), sets, numbers, cutoff }
    }

    fn n_vars(&self) -> usize {
        self.numbers.len()
    }

    fn search(&self, root: Bounded, memory: u64, stop: Stop) -> Bounded {
        let n_vars = self.n_vars();
        let mut layers: Vec<Vec<State>> = vec![Vec::new(); n_vars + 1];
        let start = self.settled(State { placed: 0, before: 0, next: None, length: 0.0, bound: root.bound });
        layers[start.placed.count_ones() as usize].push(start);
        for size in 0..n_vars {
            let mut layer = std::mem::take(&mut layers[size]);
            keep_shortest(&mut layer);
            for from in (0..layer.len()).step_by(AT_ONCE) {
                let n_states: usize = layer.len() + layers.iter().map(Vec::len).sum::<usize>();
                if stop.now() || (n_states * size_of::<State>()) as u64 > memory {
                    let open = layer[from..].iter().chain(layers[size + 1..].iter().flatten());
                    let lowest = open.map(|state| state.bound).fold(root.incumbent.length, f64::min);
                    return Bounded { bound: lowest.max(root.bound), incumbent: root.incumbent };
                }
                let some = &layer[from..layer.len().min(from + AT_ONCE)];
                let next: Vec<State> = some.par_iter().flat_map_iter(|state| self.expanded(state)).collect();
                next.into_iter().for_each(|state| layers[state.placed.count_ones() as usize].push(state));
            }
            layers[size] = layer;
        }
        keep_shortest(&mut layers[n_vars]);
        let mut incumbent = root.incumbent;
        if let Some(last) = layers[n_vars].first().copied() {
            incumbent.offer(Incumbent::along(self.order(last, &layers), self.choices));
        }
        Bounded::proven(incumbent)
    }

    /// The shortest code of `variable` with parents among those placed.
    fn best(&self, variable: usize, placed: u128) -> Option<f64> {
        self.sets[variable].iter().find(|(parents, _)| parents & !placed == 0).map(|&(_, length)| length)
    }

    /// With one variable more, each that can lead to a shorter code.
    fn expanded(&self, state: &State) -> Vec<State> {
        let State { placed, length, .. } = *state;
        let next = |variable: usize| {
            let length = length + self.best(variable, placed)?;
            let next = State {
                placed: placed | 1 << variable,
                before: placed,
                next: Some(variable as u8),
                length,
                bound: state.bound,
            };
            let settled = self.settled(next);
            (settled.bound < self.cutoff).then_some(settled)
        };
        let left = (0..self.n_vars()).filter(|&variable| placed >> variable & 1 == 0);
        left.filter_map(next).collect()
    }

    /// Places every variable that has its shortest choice at hand: it cannot become better, and others can only gain (Karan and Zola 2016).
    fn settled(&self, mut state: State) -> State {
        while let Some(variable) = self.satisfied(state.placed) {
            state.length += self.sets[variable][0].1;
            state.placed |= 1 << variable;
        }
        state.bound = state.bound.max(state.length + self.patterns.rest(state.placed));
        state
    }

    /// The first variable outside `placed` that has its shortest choice within.
    fn satisfied(&self, placed: u128) -> Option<usize> {
        (0..self.n_vars())
            .find(|&variable| placed >> variable & 1 == 0 && self.sets[variable][0].0 & !placed == 0)
    }

    /// The order in which `last` was reached, by what the numbers stand for.
    fn order(&self, last: State, layers: &[Vec<State>]) -> Vec<usize> {
        let mut steps = vec![last];
        while let Some(state) = steps.last().filter(|state| state.next.is_some()) {
            let layer = &layers[state.before.count_ones() as usize];
            let place = layer.binary_search_by_key(&state.before, |other| other.placed);
            steps.push(layer[place.unwrap_or_else(|_| panic!("every set but the first has one before it"))]);
        }
        let (mut order, mut placed) = (Vec::with_capacity(self.n_vars()), 0u128);
        for state in steps.iter().rev() {
            let mut next = state.next.map(usize::from);
            while let Some(variable) =
                next.or_else(|| self.satisfied(placed)).filter(|_| placed != state.placed)
            {
                order.push(self.numbers[variable]);
                placed |= 1 << variable;
                next = None;
            }
        }
        order
    }
}

/// Of several ways to one set, the shortest; sets in increasing order.
fn keep_shortest(layer: &mut Vec<State>) {
    layer.sort_by(|a, b| {
        a.placed.cmp(&b.placed).then(a.length.total_cmp(&b.length)).then(a.before.cmp(&b.before))
    });
    layer.dedup_by_key(|state| state.placed);
}
