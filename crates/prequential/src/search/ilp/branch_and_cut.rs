//! Branch and cut: branches on edges that the relaxed problem leaves fractional.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use super::super::choices::Incumbent;
use super::super::relaxation::{Decisions, Relaxation, Relaxed};
use crate::base::stop::Stop;

/// The most rounds of new clusters after branching.
const NODE_ROUNDS: usize = 12;

/// Clusters that may be added, beyond twice the initial number, before those with slack are removed.
const MORE_CLUSTERS: usize = 50;

/// What is proven about the best graph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bounded {
    pub(super) incumbent: Incumbent,
    /// No graph has a shorter code.
    pub(super) bound: f64,
}

impl Bounded {
    /// The incumbent is the best.
    pub(super) fn proven(incumbent: Incumbent) -> Bounded {
        Bounded { bound: incumbent.length, incumbent }
    }
}

/// A subproblem in which some edges are fixed.
#[derive(Debug, PartialEq)]
struct Open {
    bound: f64,
    /// How many were opened before.
    number: usize,
    decisions: Decisions,
}

impl Eq for Open {}

impl Ord for Open {
    /// The greatest has the lowest bound; of several, it is the one that was opened last.
    fn cmp(&self, other: &Open) -> Ordering {
        other.bound.total_cmp(&self.bound).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Branch and cut: the open problem with the lowest bound is always next, so that the bound of all rises. Finds what is shorter than the
/// incumbent of `root`, if there is anything, or says how far that was ruled out.
pub(super) fn search(mut relaxation: Relaxation, root: Bounded, stop: Stop) -> Bounded {
    let Bounded { mut incumbent, bound } = root;
    let mut place = relaxation.place();
    let mut most_clusters = 2 * relaxation.n_clusters() + MORE_CLUSTERS;
    let mut open = BinaryHeap::from([Open { bound, number: 0, decisions: Decisions::default() }]);
    // The bound of problems that are neither open nor excluded: only by rounding.
    let mut left = f64::INFINITY;
    let mut n_opened = 1;
    let mut gains = Gains::default();
    while let Some(next) = open.pop().filter(|next| next.bound < incumbent.cutoff()) {
        relaxation.go_back(&place);
        if relaxation.n_clusters() > most_clusters {
            relaxation.decide(&Decisions::default());
            relaxation.settle(stop);
            place = relaxation.place();
            most_clusters = 2 * relaxation.n_clusters() + MORE_CLUSTERS;
        }
        let mut current = Some(next);
        // While further edges are fixed, the program continues from its current basis.
        while let Some(Open { bound, decisions, .. }) = current.take() {
            relaxation.decide(&decisions);
            let Relaxed::Bounded { bound: tightened, is_stopped } =
                relaxation.tighten(&mut incumbent, NODE_ROUNDS, stop)
            else {
                continue;
            };
            let bound = bound.max(tightened);
            if is_stopped {
                let lowest = open.peek().map_or(bound, |open| open.bound.min(bound));
                let bound = lowest.min(left).min(incumbent.length).max(root.bound);
                return Bounded { bound, incumbent };
            }
            let chosen = gains.choose(&mut relaxation, &decisions, bound, incumbent.cutoff());
            let Some((edge, is_likely)) = chosen else {
                left = left.min(bound);
                continue;
            };
            let child = |number, is_there| Open { bound, number, decisions: decisions.with(edge, is_there) };
            open.push(child(n_opened, !is_likely));
            current = Some(child(n_opened + 1, is_likely));
            n_opened += 2;
        }
    }
    Bounded { bound: incumbent.length.min(left).max(root.bound), incumbent }
}

/// Pseudo-costs: by how much fixing edges has raised the bound, per unit of weight.
#[derive(Default)]
struct Gains {
    /// For absent, and for present.
    known: HashMap<(usize, usize), [f64; 2]>,
}

/// An edge, and whether it is present.
type Decision = ((usize, usize), bool);

/// Candidate edges for branching.
const CANDIDATES: usize = 12;

impl Gains {
    /// The edge to branch on next, and its more likely value; `None` if all are integral. Edges without
    /// history are probed (strong branching): the one that raises the bound most, both ways, is chosen.
    fn choose(
        &mut self,
        relaxation: &mut Relaxation,
        decisions: &Decisions,
        bound: f64,
        cutoff: f64,
    ) -> Option<Decision> {
        let mut best: Option<(f64, Decision)> = None;
        for (edge, weight) in relaxation.undecided().into_iter().take(CANDIDATES) {
            let rates = *self.known.entry(edge).or_insert_with(|| {
                let mut rate = |is_there: bool, part: f64| {
                    let raised = relaxation.probe(&decisions.with(edge, is_there), cutoff).min(cutoff);
                    (raised - bound).max(0.0) / part
                };
                [rate(false, weight), rate(true, 1.0 - weight)]
            });
            let both = (rates[0] * weight).max(MIN_GAIN) * (rates[1] * (1.0 - weight)).max(MIN_GAIN);
            if best.is_none_or(|(most, _)| both > most) {
                best = Some((both, (edge, weight >= 0.5)));
            }
        }
        best.map(|(_, chosen)| chosen)
    }
}

/// The smallest gain that counts, in nats.
const MIN_GAIN: f64 = 1e-3;
