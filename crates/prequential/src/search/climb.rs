//! A climb from graph to graph by single-edge changes, with tabu steps and restarts.

use std::collections::HashSet;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::constraints::Constraints;
use super::moves::{Move, Walk};
use super::visited::Visited;
use crate::base::error::{Result, require};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::Dag;
use crate::score::FamilyLengths;

/// The smallest gain, in nats, that counts as a step.
///
/// Reversing an edge and reversing it back cancel on paper, but rounding can make both look like gains of
/// 1e-12.
pub(super) const MIN_GAIN: f64 = 1e-6;

/// The settings of a search without proof.
#[derive(Debug, Clone, PartialEq)]
pub struct ClimbSettings {
    /// The number of restarts: hill climbing from the best graph with a few random changes, order search from
    /// a random order.
    pub restarts: usize,
    /// Tabu steps: how many steps hill climbing continues without finding a shorter code, never back to a
    /// visited graph.
    pub tabu_steps: usize,
    /// The starting graph; `None` for the graph of the required edges alone.
    pub start: Option<Dag>,
    /// The seed of the restarts.
    pub seed: u64,
}

impl Default for ClimbSettings {
    fn default() -> ClimbSettings {
        ClimbSettings { restarts: 20, tabu_steps: 15, start: None, seed: 0 }
    }
}

impl ClimbSettings {
    /// Its settings by name; the starting graph by the names of variables.
    pub(super) fn named(&self, names: &[String]) -> Map<String, Value> {
        let edge = |(from, to): (usize, usize)| [names[from].clone(), names[to].clone()];
        let start: Option<Vec<[String; 2]>> =
            self.start.as_ref().map(|start| start.edges().into_iter().map(edge).collect());
        let named =
            [("restarts", json!(self.restarts)), ("tabu", json!(self.tabu_steps)), ("start", json!(start))];
        named.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }

    /// The starting graph must satisfy the constraints.
    pub(super) fn check_start(&self, constraints: &Constraints) -> Result<()> {
        require(
            self.start.as_ref().is_none_or(|start| constraints.allow(start)),
            || message!["the graph of ", OptionName::Start, " violates the constraints"],
            || {
                message![
                    "start from a graph that satisfies them, with at most ",
                    OptionName::MaxParents,
                    " parents for each variable",
                ]
            },
        )
    }
}

/// Looks for the DAG of shortest code by adding, removing or reversing one edge at a time, each time the
/// best way.
///
/// Where no change shortens the code, it takes the one that costs least, for a while (`tabu_steps`), then restarts
/// from the best graph with some random changes (`restarts`). Families are requested when a legal change
/// first needs them. No proof: a relation in which neither of two causes helps without the other is found
/// only by chance. After Heckerman, Geiger and Chickering (1995); the same for the same seed.
///
/// `settings.start` must satisfy the constraints.
pub fn hill_climb(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    settings: &ClimbSettings,
) -> Result<Visited> {
    hill_climb_until(lengths, constraints, settings, Stop::never())
}

/// Like [`hill_climb`], but with fewer graphs if it is stopped.
pub(super) fn hill_climb_until(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    settings: &ClimbSettings,
    stop: Stop,
) -> Result<Visited> {
    let start = settings.start.clone().unwrap_or_else(|| constraints.smallest_dag());
    let mut visited = Visited::default();
    climb(lengths, constraints, start, settings.tabu_steps, &mut visited, stop)?;
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    for _ in (0..settings.restarts).take_while(|_| !stop.now()) {
        let Some((best, _)) = visited.best(1).pop() else { break };
        let changed = changed_at_random(lengths, constraints, best, &mut rng)?;
        climb(lengths, constraints, changed, settings.tabu_steps, &mut visited, stop)?;
    }
    Ok(visited)
}

/// One climb: down to a local minimum and up to `tabu_steps` further steps from each new best.
pub(super) fn climb(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    start: Dag,
    tabu_steps: usize,
    visited: &mut Visited,
    stop: Stop,
) -> Result<()> {
    let mut walk = Walk::new(lengths, constraints, start)?;
    let (mut shortest, mut n_idle) = (walk.length(), 0);
    let mut been_at = HashSet::from([walk.fingerprint()]);
    walk.note(visited);
    while n_idle <= tabu_steps && !stop.now() {
        let moves = walk.legal_moves()?;
        let step = moves.iter().filter(|(step, _)| !been_at.contains(&walk.fingerprint_after(*step)));
        let step = step.min_by(|(_, x), (_, y)| x.total_cmp(y)).copied();
        for &(step, change) in &moves {
            walk.note_neighbour(step, change, visited);
        }
        let Some((step, change)) = step.filter(|&(_, change)| change < -MIN_GAIN || tabu_steps > 0) else {
            break;
        };
        walk.take(step, change);
        been_at.insert(walk.fingerprint());
        if walk.length() < shortest - MIN_GAIN {
            (shortest, n_idle) = (walk.length(), 0);
            lengths.found(Nats(shortest));
        } else {
            n_idle += 1;
        }
    }
    Ok(())
}

/// The most random changes at a restart.
const MAX_CHANGES: usize = 8;

/// The graph after a few random legal changes.
fn changed_at_random(
    lengths: &dyn FamilyLengths,
    constraints: &Constraints,
    dag: Dag,
    rng: &mut ChaCha8Rng,
) -> Result<Dag> {
    let n_changes = rng.random_range(2..=MAX_CHANGES);
    let mut walk = Walk::new(lengths, constraints, dag)?;
    for _ in 0..n_changes {
        let moves = walk.legal_moves()?;
        let wanted = rng.random_range(0..3);
        let kind = |step: &Move| match step {
            Move::Add { .. } => 0,
            Move::Remove { .. } => 1,
            Move::Reverse { .. } => 2,
        };
        let same_kind: Vec<&(Move, f64)> = moves.iter().filter(|(step, _)| kind(step) == wanted).collect();
        let chosen = same_kind.choose(rng).copied().or_else(|| moves.choose(rng));
        let Some(&(step, change)) = chosen else { break };
        walk.take(step, change);
    }
    Ok(walk.into_dag())
}
