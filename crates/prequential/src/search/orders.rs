//! Fast order search among parent sets that are all known, for good incumbents.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::choices::{Choices, Incumbent};
use super::climb::MIN_GAIN;
use crate::base::stop::Stop;
use crate::graph::NodeSet;

/// How many restarts shuffle some variables within the best order: at most, and divided by the pairs of
/// variables.
const RESTARTS: usize = 200;
const RESTARTS_BY_PAIRS: usize = 2_000_000;

/// How many variables are shuffled.
const SHUFFLED: usize = 8;

/// Moves variables to better places until none has one, from `start` and again from shuffled orders.
pub(super) fn improved(start: Incumbent, choices: &Choices, seed: u64, stop: Stop) -> Incumbent {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut best = climbed(start, choices, stop);
    let n_restarts = RESTARTS.min(RESTARTS_BY_PAIRS / choices.n_vars().pow(2).max(1));
    for _ in (0..n_restarts).take_while(|_| !stop.now()) {
        let mut order = best.order.clone();
        // Permutes some variables among themselves.
        let mut places: Vec<usize> = (0..order.len()).collect();
        places.shuffle(&mut rng);
        places.truncate(SHUFFLED);
        for pair in places.windows(2) {
            order.swap(pair[0], pair[1]);
        }
        let shuffled = Incumbent::along(order, choices);
        // Required parents may now come after their children.
        if shuffled.length.is_finite() {
            best.offer(climbed(shuffled, choices, stop));
        }
    }
    best
}

/// Moves one variable after another to its best place, until none has a better one.
pub(super) fn climbed(mut current: Incumbent, choices: &Choices, stop: Stop) -> Incumbent {
    loop {
        let before = current.length;
        if stop.now() {
            return current;
        }
        for variable in 0..choices.n_vars() {
            let order = with_best_place(&current.order, variable, choices);
            let moved = Incumbent::along(order, choices);
            if moved.length < current.length - MIN_GAIN {
                current = moved;
            }
        }
        if current.length >= before - MIN_GAIN || !before.is_finite() {
            return current;
        }
    }
}

/// The order with `variable` where the code is shortest.
fn with_best_place(order: &[usize], variable: usize, choices: &Choices) -> Vec<usize> {
    let length = |child: usize, before: &NodeSet| {
        choices.best_within(child, before).map_or(f64::INFINITY, |choice| choice.length)
    };
    let mut others: Vec<usize> = order.iter().copied().filter(|&other| other != variable).collect();
    // The costs of the others with it before them, and without.
    let (mut with, mut without, mut own) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = NodeSet::new();
    for &other in &others {
        own.push(length(variable, &before));
        without.push(length(other, &before));
        with.push(length(other, &before.with(variable)));
        before.insert(other);
    }
    own.push(length(variable, &before));
    let mut after: f64 = with.iter().sum();
    let mut so_far = 0.0;
    let mut best = (0, f64::INFINITY);
    for place in 0..own.len() {
        if so_far + own[place] + after < best.1 {
            best = (place, so_far + own[place] + after);
        }
        if place < others.len() {
            so_far += without[place];
            after -= with[place];
        }
    }
    others.insert(best.0, variable);
    others
}
