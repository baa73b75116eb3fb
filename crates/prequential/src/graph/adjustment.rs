//! Distances that count the causal effects one graph gets wrong when another is the truth.
//!
//! The Rust crate `gadjid` computes them too but is not on crates.io, so this is our own version, from the definitions of
//! Peters and Bühlmann (2015) and of Henckel, Würtzen and Weichwald (2024). Its tests compare it with stored answers of the
//! Python package `gadjid`, and with a second version that tries every path.

use super::{Dag, NodeSet};

/// The structural intervention distance: ordered pairs (cause, effect) whose effect is wrong if it is read off `guess`.
///
/// `guess` tells how to estimate the effect of a cause from observations: adjust for its parents in `guess`;
/// there is no effect on those parents. A pair counts if `truth` says that this gives a wrong answer. The
/// distance is between 0 and n(n - 1), and it has a direction: it is 0 exactly if `guess` has every edge of
/// `truth`, perhaps among others. Time grows as n³ / 64. It equals `parent_aid` of the package `gadjid`.
///
/// ```
/// use prequential::Dag;
/// use prequential::internals::sid;
/// let truth = Dag::from_edges(2, [(0, 1)])?;
/// assert_eq!(sid(&truth, &Dag::from_edges(2, [(1, 0)])?), 2); // both directions of effect are wrong
/// assert_eq!(sid(&truth, &Dag::empty(2)), 1); // the effect of 1 on 0 should be none
/// assert_eq!(sid(&Dag::empty(2), &truth), 0); // an edge too many finds an effect of zero
/// # Ok::<(), prequential::Cycle>(())
/// ```
///
/// # Panics
/// If the graphs have different numbers of nodes.
pub fn sid(truth: &Dag, guess: &Dag) -> usize {
    count_wrong_effects(truth, guess, |cause| {
        let parents = guess.parents(cause).clone();
        Claim { without_effect: parents.clone(), adjustment: parents }
    })
}

/// The ancestor adjustment distance: like [`sid`], but only the causal order of `guess` matters.
///
/// One adjusts for all ancestors of the cause in `guess`, and there is no effect on nodes that are not its
/// descendants. It penalises wrong directions but not superfluous edges that respect the order; it is 0 for
/// any complete graph in a correct order.
///
/// # Panics
/// If the graphs have different numbers of nodes.
pub fn ancestor_aid(truth: &Dag, guess: &Dag) -> usize {
    let descendants: Vec<NodeSet> = (0..guess.n_nodes()).map(|node| guess.descendants(node)).collect();
    count_wrong_effects(truth, guess, |cause| {
        let is_ancestor = |&node: &usize| node != cause && descendants[node].contains(cause);
        Claim {
            without_effect: NodeSet::full(guess.n_nodes()).difference(&descendants[cause]),
            adjustment: (0..guess.n_nodes()).filter(is_ancestor).collect(),
        }
    })
}

/// The effects of one cause that a graph implies.
struct Claim {
    /// The nodes on which the cause has no effect.
    without_effect: NodeSet,
    /// The adjustment set for the effect on the others.
    adjustment: NodeSet,
}

fn count_wrong_effects(truth: &Dag, guess: &Dag, claim: impl Fn(usize) -> Claim) -> usize {
    assert_eq!(truth.n_nodes(), guess.n_nodes(), "graphs over different variables have no distance");
    let children = children_of_all(truth);
    let wrong_effects = |cause: usize| {
        let claim = claim(cause);
        let wrong_zeros = truth.descendants(cause).intersection(&claim.without_effect);
        let invalid = Adjustment::new(truth, &children, cause, &claim.adjustment).invalid_for();
        wrong_zeros.without(cause).len() + invalid.difference(&claim.without_effect).without(cause).len()
    };
    (0..truth.n_nodes()).map(wrong_effects).sum()
}

fn children_of_all(dag: &Dag) -> Vec<NodeSet> {
    let mut children = vec![NodeSet::new(); dag.n_nodes()];
    for (from, to) in dag.edges() {
        children[from].insert(to);
    }
    children
}

/// How a walk from the cause arrived at a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// Along edges only, all pointing away from the cause.
    Causal,
    /// Along an edge into the node, after some edge was traversed backwards.
    Down,
    /// Along an edge out of the node, traversed backwards.
    Up,
}

/// The effects of one cause, estimated by adjusting for one set of nodes.
struct Adjustment<'a> {
    truth: &'a Dag,
    children: &'a [NodeSet],
    cause: usize,
    adjusted: &'a NodeSet,
    /// Ancestors of adjusted nodes, these included: the colliders that adjusting opens.
    opened: NodeSet,
}

impl<'a> Adjustment<'a> {
    fn new(truth: &'a Dag, children: &'a [NodeSet], cause: usize, adjusted: &'a NodeSet) -> Self {
        let opened = reach(adjusted.clone(), |node| truth.parents(node));
        Adjustment { truth, children, cause, adjusted, opened }
    }

    /// The nodes, neither cause nor adjusted, on which the estimated effect would be wrong.
    ///
    /// By the adjustment criterion (Shpitser, VanderWeele and Robins 2010) adjusting is right unless it holds fixed a node on
    /// or below a causal path to the effect, or leaves a path open that is not causal.
    fn invalid_for(&self) -> NodeSet {
        let below_cause = reach(self.children[self.cause].clone(), |node| &self.children[node]);
        let held_fixed = reach(below_cause.intersection(&self.opened), |node| &self.children[node]);
        held_fixed.union(&self.reached_by_open_paths_that_are_not_causal())
    }

    fn reached_by_open_paths_that_are_not_causal(&self) -> NodeSet {
        let mut walks = Walks { start: self.cause, ..Walks::default() };
        walks.add(&self.children[self.cause], Arrival::Causal);
        walks.add(self.truth.parents(self.cause), Arrival::Up);
        while let Some((node, arrival)) = walks.waiting.pop() {
            let passes = !self.adjusted.contains(node);
            if passes {
                let onward = if arrival == Arrival::Causal { Arrival::Causal } else { Arrival::Down };
                walks.add(&self.children[node], onward);
            }
            let turns = if arrival == Arrival::Up { passes } else { self.opened.contains(node) };
            if turns {
                walks.add(self.truth.parents(node), Arrival::Up);
            }
        }
        walks.down.union(&walks.up)
    }
}

/// The nodes that walks from `start` have reached, by arrival, and those from which they still go on.
#[derive(Default)]
struct Walks {
    start: usize,
    causal: NodeSet,
    down: NodeSet,
    up: NodeSet,
    waiting: Vec<(usize, Arrival)>,
}

impl Walks {
    /// Lets walks arrive at `nodes`; they never come back to their start, for a path meets it once.
    fn add(&mut self, nodes: &NodeSet, arrival: Arrival) {
        let reached = match arrival {
            Arrival::Causal => &mut self.causal,
            Arrival::Down => &mut self.down,
            Arrival::Up => &mut self.up,
        };
        for node in nodes.difference(reached).without(self.start).iter() {
            reached.insert(node);
            self.waiting.push((node, arrival));
        }
    }
}

/// Everything that can be reached from `start` by going to `next` again and again, `start` included.
fn reach<'a>(start: NodeSet, next: impl Fn(usize) -> &'a NodeSet) -> NodeSet {
    let mut waiting: Vec<usize> = start.iter().collect();
    let mut reached = start;
    while let Some(node) = waiting.pop() {
        for other in next(node).difference(&reached).iter() {
            reached.insert(other);
            waiting.push(other);
        }
    }
    reached
}
