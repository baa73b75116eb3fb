//! Networks where they decide: trained for families that can still change the answer, until none is left.

use std::cmp::Reverse;

use super::plan::Plan;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, Family, NodeSet};
use crate::score::{FamilyLengths, GradedCache};
use crate::search::{Constraints, Found, MAX_K_BEST, beside_edges};

/// How many nats networks may gain in a family, more than in its parts, before they are taken to have told something: what they
/// gained by chance in families in which there is nothing to gain was less.
const MARGIN: f64 = 2.0;

/// Nats by which one direction between two variables is ahead without networks, from which on networks try to make up for it in the other.
///
/// With exact conditional distributions both directions would cost the same: the gap is all that any expert could still gain.
pub(crate) const MIN_GAP: f64 = 8.0;

/// The same for two parents: nats by which the best order of the three variables is ahead of this family and the best order of its parents,
/// more than of one of the parents alone. Two causes that tell nothing without each other are told by some order, if by any.
pub(crate) const MIN_JOINT_GAP: f64 = 30.0;

/// Nats that networks gain in the parts of a family near the best graph, from which on they are trained for it, too.
const MIN_DOUBT: f64 = 1.0;

/// Numbers of parents for which each variable's shortest code has networks from the start.
const N_SIZES: usize = 3;

/// Families for which networks are trained before it is seen what they gained.
const N_BATCH: usize = 64;

/// The most times that the best graph is looked for again.
const MAX_ROUNDS: usize = 200;

/// The same for a search without proof, which would not find all that might be better anyway; and it hopes for no [`MARGIN`]: among thousands of
/// useless parents there would always be some that might be worth it.
const MAX_ROUNDS_WITHOUT_PROOF: usize = 20;

impl Plan {
    /// How many nats networks may gain in a family besides what they gained in its parts.
    pub(crate) fn network_margin(&self) -> f64 {
        if self.search.is_lazy() { 0.0 } else { MARGIN }
    }
}

/// Trains networks, beginning from the best graph without them, until no graph could be shorter than the best with them; returns the
/// last graph that was looked at. `None` if it was stopped.
///
/// First for every variable without parents, for pairs where the other direction is ahead by [`MIN_GAP`], and for each variable's shortest code
/// with one, two and three parents. Then a family is taken to cost as little as it might: what it costs without networks, less the most that
/// they gained in any part of it that they were trained for or might gain in two of its parents ([`MIN_JOINT_GAP`]), less [`MARGIN`]. As long
/// as the best graph by these costs has families without networks, these are trained: when it has none, no other graph can be better, as far
/// as these hopes are not too small.
pub(crate) fn decide(cache: &GradedCache, plan: &Plan, from: Dag, stop: Stop) -> Result<Option<Dag>> {
    let constraints = &plan.constraints;
    let mut first: Vec<Family> = constraints.smallest_dag().families().collect();
    first.extend(doubtful_pairs(cache, constraints));
    first.extend((0..cache.n_vars()).flat_map(|child| shortest_by_size(cache, child)));
    first.retain(|family| cache.gain(family).is_none());
    for batch in first.chunks(N_BATCH) {
        cache.train(batch)?;
    }
    let mut best = from;
    let max_rounds = if plan.search.is_lazy() { MAX_ROUNDS_WITHOUT_PROOF } else { MAX_ROUNDS };
    for _ in 0..max_rounds {
        let hopeful = Hopeful::new(cache, plan);
        let problem = plan.problem(&hopeful, stop);
        let Some(dag) = plan.search.refine(&problem, &best)? else { return Ok(None) };
        let untrained = hopeful.untrained(dag.families());
        best = dag;
        if untrained.is_empty() {
            break;
        }
        cache.train(&untrained)?;
        if stop.now() {
            return Ok(None);
        }
    }
    Ok(Some(best))
}

/// Trains networks for the best graph with an edge taken out or turned round, and for those families of the graphs near it, and of the best ones
/// with an edge turned round, in which they may have something to tell: what an edge is worth hangs on both. Whether there were any.
pub(crate) fn compare_fairly(cache: &GradedCache, plan: &Plan, found: &Found, stop: Stop) -> Result<bool> {
    let hopeful = Hopeful::new(cache, plan);
    let dag = &found.dag;
    let mut families: Vec<Family> =
        found.near.iter().flat_map(|dag| dag.families().collect::<Vec<_>>()).collect();
    if !plan.search.is_lazy() && plan.data.n_vars() <= MAX_K_BEST {
        for (from, to) in dag.edges() {
            let turned = Turned { lengths: &hopeful, child: from, parent: to };
            let best = plan.search.refine(&plan.problem(&turned, stop), dag)?;
            families.extend(best.iter().flat_map(|dag| dag.families().collect::<Vec<_>>()));
        }
    }
    families.retain(|family| hopeful.hope(family) > hopeful.margin + MIN_DOUBT);
    // What stands right beside an edge is compared with it, whatever networks are hoped to gain there.
    families.extend(beside_edges(dag, &plan.constraints));
    let untrained = hopeful.untrained(families.into_iter());
    cache.train(&untrained)?;
    Ok(!untrained.is_empty())
}

/// Code lengths of graphs in which `child` has the parent `parent`.
struct Turned<'a> {
    lengths: &'a dyn FamilyLengths,
    child: usize,
    parent: usize,
}

impl Turned<'_> {
    fn has(&self, child: usize, parents: &NodeSet) -> bool {
        child != self.child || parents.contains(self.parent)
    }
}

impl FamilyLengths for Turned<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).filter(|_| self.has(family.child, &family.parents))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths.for_each(child, &mut |parents, length| {
            if self.has(child, parents) {
                visit(parents, length);
            }
        });
    }
}

/// The shortest code of `child` with each small number of parents.
fn shortest_by_size(cache: &GradedCache, child: usize) -> Vec<Family> {
    let mut shortest: [Option<(NodeSet, Nats)>; N_SIZES] = [const { None }; N_SIZES];
    cache.first().for_each(child, &mut |parents, length| {
        let place = parents.len().checked_sub(1).and_then(|size| shortest.get_mut(size));
        if let Some(best) = place.filter(|best| best.as_ref().is_none_or(|(_, before)| length < *before)) {
            *best = Some((parents.clone(), length));
        }
    });
    shortest.into_iter().flatten().map(|(parents, _)| Family::new(child, parents)).collect()
}

/// One parent more than required, where the other direction is ahead without networks or is not allowed; the largest gap first.
fn doubtful_pairs(cache: &GradedCache, constraints: &Constraints) -> Vec<Family> {
    let alone = |node: usize| Family::new(node, constraints.required(node).clone());
    let length = |family: &Family| cache.first().code_length(family).map(|length| length.0);
    let gap = |child: usize, parent: usize| {
        let with = Family::new(child, constraints.required(child).with(parent));
        let length_with = length(&with).filter(|_| constraints.allows(&with))?;
        let turned = length(&Family::new(parent, constraints.required(parent).with(child)));
        let gap = match turned {
            Some(turned) => (length(&alone(parent))? + length_with) - (length(&alone(child))? + turned),
            None => f64::INFINITY,
        };
        (gap > MIN_GAP).then_some((with, gap))
    };
    let pairs = (0..constraints.n_vars()).flat_map(|child| {
        let parents = constraints.allowed(child).difference(constraints.required(child));
        parents.iter().map(move |parent| (child, parent)).collect::<Vec<_>>()
    });
    let mut pairs: Vec<(Family, f64)> = pairs.filter_map(|(child, parent)| gap(child, parent)).collect();
    pairs.sort_by_key(|(_, gap)| Reverse(gap.to_bits()));
    pairs.into_iter().map(|(family, _)| family).collect()
}

/// Code lengths as short as they might be with networks.
struct Hopeful<'a, 'b> {
    cache: &'a GradedCache<'b>,
    constraints: &'a Constraints,
    /// What networks may gain in any family.
    margin: f64,
    /// Per child: for which parents networks were trained, and what they gained.
    gains: Vec<Vec<(NodeSet, f64)>>,
    /// Per child: the pairs of parents for which they were not trained and might be worth it, and what they might gain there.
    doubtful: Vec<Vec<(NodeSet, f64)>>,
}

impl<'a, 'b> Hopeful<'a, 'b> {
    fn new(cache: &'a GradedCache<'b>, plan: &'a Plan) -> Hopeful<'a, 'b> {
        let of_child = |child: usize| {
            let mut gains = Vec::new();
            let Some(trained) = cache.waiting() else { return gains };
            trained.for_each(child, &mut |parents, _| {
                let gain = cache.gain(&Family::new(child, parents.clone()));
                gains.extend(gain.map(|gain| (parents.clone(), gain)));
            });
            gains
        };
        let nodes = 0..cache.n_vars();
        let gains = nodes.clone().map(of_child).collect();
        let margin = plan.network_margin();
        let mut hopeful =
            Hopeful { cache, constraints: &plan.constraints, margin, gains, doubtful: Vec::new() };
        hopeful.doubtful = nodes.map(|child| hopeful.doubtful_pairs(child)).collect();
        hopeful
    }

    fn doubtful_pairs(&self, child: usize) -> Vec<(NodeSet, f64)> {
        let mut pairs = Vec::new();
        self.cache.first().for_each(child, &mut |parents, _| {
            if parents.len() == 2 && self.cache.gain(&Family::new(child, parents.clone())).is_none() {
                pairs.push(parents.clone());
            }
        });
        let gap = |pair: NodeSet| {
            let [a, b] = pair.iter().collect::<Vec<_>>()[..] else { return None };
            let gap = self.joint_gap(child, a, b).filter(|&gap| gap > MIN_JOINT_GAP)?;
            Some((pair, gap))
        };
        pairs.into_iter().filter_map(gap).collect()
    }

    /// What networks might gain in `family`: 0 if they were trained for it.
    fn hope(&self, family: &Family) -> f64 {
        if self.cache.gain(family).is_some() {
            return 0.0;
        }
        let joint = self.doubtful_pairs_within(family).map(|&(_, gap)| gap).fold(0.0, f64::max);
        self.margin + joint.max(self.gain_in_parts(family))
    }

    /// The most that networks gained in any part of `family` that lies in no larger part which they were trained for; at least 0.
    fn gain_in_parts(&self, family: &Family) -> f64 {
        let trained = self.gains[family.child].iter();
        let parts: Vec<&(NodeSet, f64)> =
            trained.filter(|(parents, _)| parents.is_subset(&family.parents)).collect();
        let is_largest =
            |part: &NodeSet| !parts.iter().any(|(other, _)| part != other && part.is_subset(other));
        parts.iter().filter(|(part, _)| is_largest(part)).map(|(_, gain)| *gain).fold(0.0, f64::max)
    }

    /// Those of `families` that have no networks, and the pairs of parents within them that might gain by them.
    fn untrained(&self, families: impl Iterator<Item = Family>) -> Vec<Family> {
        let families = families.filter(|family| self.cache.gain(family).is_none());
        let with_pairs = families.flat_map(|family| {
            let pairs = self.doubtful_pairs_within(&family);
            let pairs: Vec<Family> = pairs.map(|(pair, _)| Family::new(family.child, pair.clone())).collect();
            std::iter::once(family).chain(pairs)
        });
        let mut untrained: Vec<Family> =
            with_pairs.filter(|family| self.cache.code_length(family).is_some()).collect();
        untrained.sort_unstable();
        untrained.dedup();
        untrained
    }

    /// The pairs of parents within `family` for which networks were not trained, and what they might gain there.
    fn doubtful_pairs_within<'c>(
        &'c self,
        family: &'c Family,
    ) -> impl Iterator<Item = &'c (NodeSet, f64)> + 'c {
        self.doubtful[family.child].iter().filter(|(pair, _)| pair.is_subset(&family.parents))
    }

    /// What networks might gain for `child` given `a` and `b`, more than given one of them; unknown where parents are required.
    fn joint_gap(&self, child: usize, a: usize, b: usize) -> Option<f64> {
        let is_free = [child, a, b].iter().all(|&node| self.constraints.required(node).is_empty());
        let with = self.length(child, &[a, b]).filter(|_| is_free)?;
        let of_two = self.best_of_two(a, b)?;
        let last = |node: usize, x: usize, y: usize| {
            let sets = [vec![], vec![x], vec![y], vec![x, y]];
            let given = sets.iter().filter_map(|given| self.length(node, given));
            Some(self.best_of_two(x, y)? + given.fold(f64::INFINITY, f64::min))
        };
        let orders = [last(child, a, b), last(a, child, b), last(b, child, a)];
        let best = orders.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let alone = self.gap(child, a).unwrap_or(0.0).max(self.gap(child, b).unwrap_or(0.0)).max(0.0);
        Some(with + of_two - best - alone)
    }

    /// How far the other direction is ahead of `child` given `parent`.
    fn gap(&self, child: usize, parent: usize) -> Option<f64> {
        let here = self.length(parent, &[])? + self.length(child, &[parent])?;
        Some(here - (self.length(child, &[])? + self.length(parent, &[child])?))
    }

    /// The shortest code of two variables.
    fn best_of_two(&self, a: usize, b: usize) -> Option<f64> {
        let (alone_a, alone_b) = (self.length(a, &[])?, self.length(b, &[])?);
        let linked = [
            self.length(b, &[a]).map(|length| alone_a + length),
            self.length(a, &[b]).map(|length| alone_b + length),
        ];
        Some(linked.into_iter().flatten().fold(alone_a + alone_b, f64::min))
    }

    /// The code length without networks.
    fn length(&self, child: usize, parents: &[usize]) -> Option<f64> {
        let family = Family::new(child, parents.iter().copied().collect());
        self.cache.first().code_length(&family).map(|length| length.0)
    }
}

impl FamilyLengths for Hopeful<'_, '_> {
    fn n_vars(&self) -> usize {
        self.cache.n_vars()
    }

    fn request(&self, families: &[Family]) -> Result<()> {
        self.cache.request(families)
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.cache.code_length(family).map(|length| Nats(length.0 - self.hope(family)))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.cache.for_each(child, &mut |parents, length| {
            visit(parents, Nats(length.0 - self.hope(&Family::new(child, parents.clone()))));
        });
    }
}
