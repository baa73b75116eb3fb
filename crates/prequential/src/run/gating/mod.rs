//! Networks where they decide: trained for families that can still change the answer, until none is left.

use std::cmp::Reverse;

mod optimistic;

pub(super) use self::optimistic::MIN_GAP;
pub(super) use self::optimistic::MIN_JOINT_GAP;
use self::optimistic::{OptimisticLengths, gap};
use super::plan::Plan;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::graph::{Dag, Family, NodeSet};
use crate::posterior::direction_temperature;
use crate::score::{FamilyLengths, TwoStageCache, dag_length};
use crate::search::{Constraints, MAX_K_BEST, Problem, SearchResult, beside_edge};

/// Nats that networks gain in the parts of a family near the best graph, from which on they are trained for it, too.
const MIN_COMPARED_GAIN: f64 = 1.0;

/// Numbers of parents for which each variable's shortest code has networks from the start.
const N_SIZES: usize = 3;

/// Families for which networks are trained before it is seen what they gained.
const N_BATCH: usize = 64;

/// Families that are gathered before networks are trained for them, whatever the number of threads; and an even number, lest a core waits for the last.
const N_TOGETHER: usize = 4;

/// The most times that the best graph is looked for again.
const MAX_ROUNDS: usize = 200;

/// The same for a search without proof, which would not find all that might be better anyway; and it allows no margin: among thousands of
/// useless parents there would always be some that might be worth it.
const MAX_ROUNDS_WITHOUT_PROOF: usize = 20;

/// Nats at the temperature of directions beyond which nobody doubts: odds of 22,000 to one.
const DECISIVE_GAP: f64 = 10.0;

impl Plan {
    /// How far behind a graph is out of the question, if that is with all that networks might gain in it.
    pub(crate) fn decisive_gap(&self) -> Nats {
        Nats(DECISIVE_GAP * direction_temperature(self.data.n_rows()))
    }
}

/// Trains networks, beginning from the best graph without them, until no graph could be shorter than the best with them; returns the
/// last graph that was looked at. `None` if it was stopped.
///
/// First for every variable without parents, for pairs where the other direction is ahead by [`MIN_GAP`], and for each variable's shortest code
/// with one, two and three parents. Then a family is taken to cost as little as it might: what it costs without networks, less the most that
/// they gained in any part of it that they were trained for or might gain in one or two of its parents, less a margin ([`OptimisticLengths`]). As long
/// as the best graph by these costs has families without networks, these are trained: when it has none, no other graph can be better, as far
/// as these bounds are not too small.
pub(crate) fn decide(
    cache: &TwoStageCache,
    plan: &Plan,
    problem: &Problem,
    from: Dag,
) -> Result<Option<Dag>> {
    let constraints = &plan.constraints;
    let mut first: Vec<Family> = constraints.smallest_dag().families().collect();
    first.extend(directions_behind(cache, constraints));
    first.extend((0..cache.n_vars()).flat_map(|child| shortest_by_size(cache, child)));
    first.retain(|family| cache.gain(family).is_none());
    for batch in first.chunks(N_BATCH) {
        cache.train(batch)?;
    }
    let mut best = from;
    let max_rounds = if plan.search.is_lazy() { MAX_ROUNDS_WITHOUT_PROOF } else { MAX_ROUNDS };
    for _ in 0..max_rounds {
        let Some((dag, untrained)) = optimistic_best(cache, plan, problem, &best)? else { return Ok(None) };
        best = dag;
        if untrained.is_empty() {
            break;
        }
        cache.train(&untrained)?;
        if problem.stop.now() {
            return Ok(None);
        }
    }
    Ok(Some(best))
}

/// The best graph by optimistic code lengths, and its families without networks; if they are few, also those that will be next if networks gain nothing in these.
/// `None` if it was stopped.
fn optimistic_best(
    cache: &TwoStageCache,
    plan: &Plan,
    problem: &Problem,
    from: &Dag,
) -> Result<Option<(Dag, Vec<Family>)>> {
    let mut optimistic = OptimisticLengths::new(cache, plan);
    let refine = |optimistic: &OptimisticLengths, from| {
        plan.search.refine(&Problem { lengths: optimistic, ..*problem }, from)
    };
    let Some(best) = refine(&optimistic, from)? else { return Ok(None) };
    let mut next = optimistic.untrained(best.families());
    let mut families = Vec::new();
    while !next.is_empty() && (families.len() < N_TOGETHER || !families.len().is_multiple_of(2)) {
        optimistic.assume_no_gain(&next);
        families.append(&mut next);
        let Some(other) = refine(&optimistic, &best)? else { return Ok(None) };
        next = optimistic.untrained(other.families());
    }
    Ok(Some((best, families)))
}

/// Trains networks for the best graph with an edge taken out or turned round, and for those families of the graphs near it, and of the best ones
/// with an edge turned round, in which they may have something to tell: what an edge is worth hangs on both. Not for those that stay behind beyond
/// doubt whatever networks gain ([`Plan::decisive_gap`]). Whether there were any.
pub(crate) fn compare_fairly(
    cache: &TwoStageCache,
    plan: &Plan,
    problem: &Problem,
    found: &SearchResult,
) -> Result<bool> {
    let optimistic = OptimisticLengths::new(cache, plan);
    let dag = &found.dag;
    let mut others = found.near.clone();
    if !plan.search.is_lazy() && plan.data.n_vars() <= MAX_K_BEST {
        for (from, to) in dag.edges() {
            let turned = WithEdge { lengths: &optimistic, child: from, parent: to };
            others.extend(plan.search.refine(&Problem { lengths: &turned, ..*problem }, dag)?);
        }
    }
    let most = found.code_length + plan.decisive_gap();
    let is_close = |other: &Dag| dag_length(&optimistic, other).is_some_and(|length| length < most);
    let families = others.iter().filter(|other| is_close(other)).flat_map(Dag::families);
    let mut families: Vec<Family> = families
        .filter(|family| optimistic.optimistic_gain(family) > optimistic.margin + MIN_COMPARED_GAIN)
        .collect();
    // What stands right beside an edge is compared with it, whatever networks are hoped to gain there.
    families.extend(dag.edges().into_iter().flat_map(|edge| close_beside(&optimistic, dag, edge, plan)));
    let untrained = optimistic.untrained(families.into_iter());
    cache.train(&untrained)?;
    Ok(!untrained.is_empty())
}

/// The families that taking out or turning round one edge of `dag` leads to; what turns it round only if that does not cost more than can be
/// doubted. How strong an edge is hangs on the other, however strong.
fn close_beside(optimistic: &OptimisticLengths, dag: &Dag, edge: (usize, usize), plan: &Plan) -> Vec<Family> {
    let cost = |family: &Family| {
        let present = Family::new(family.child, dag.parents(family.child).clone());
        Some(optimistic.code_length(family)? - optimistic.code_length(&present)?)
    };
    let [without, turned] = beside_edge(dag, edge);
    let is_close = match (cost(&without), cost(&turned)) {
        (Some(removal), Some(addition)) => removal + addition < plan.decisive_gap(),
        _ => false,
    };
    let families = std::iter::once(without).chain(is_close.then_some(turned));
    families.filter(|family| plan.constraints.allows(family)).collect()
}

/// Code lengths of graphs in which `child` has the parent `parent`.
struct WithEdge<'a> {
    lengths: &'a dyn FamilyLengths,
    child: usize,
    parent: usize,
}

impl WithEdge<'_> {
    fn has(&self, child: usize, parents: &NodeSet) -> bool {
        child != self.child || parents.contains(self.parent)
    }
}

impl FamilyLengths for WithEdge<'_> {
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
fn shortest_by_size(cache: &TwoStageCache, child: usize) -> Vec<Family> {
    let mut shortest: [Option<(NodeSet, Nats)>; N_SIZES] = [const { None }; N_SIZES];
    cache.initial().for_each(child, &mut |parents, length| {
        let place = parents.len().checked_sub(1).and_then(|size| shortest.get_mut(size));
        if let Some(best) = place.filter(|best| best.as_ref().is_none_or(|(_, before)| length < *before)) {
            *best = Some((parents.clone(), length));
        }
    });
    shortest.into_iter().flatten().map(|(parents, _)| Family::new(child, parents)).collect()
}

/// One parent more than required, where the other direction is ahead without networks or is not scored; the largest gap first.
fn directions_behind(cache: &TwoStageCache, constraints: &Constraints) -> Vec<Family> {
    let behind = |child: usize, parent: usize| {
        let with = Family::new(child, constraints.required(child).with(parent));
        cache.initial().code_length(&with).filter(|_| constraints.allows(&with))?;
        let gap = gap(cache.initial(), constraints, child, parent).unwrap_or(f64::INFINITY);
        (gap > MIN_GAP).then_some((with, gap))
    };
    let pairs = (0..constraints.n_vars()).flat_map(|child| {
        let parents = constraints.allowed(child).difference(constraints.required(child));
        parents.iter().map(move |parent| (child, parent)).collect::<Vec<_>>()
    });
    let mut pairs: Vec<(Family, f64)> = pairs.filter_map(|(child, parent)| behind(child, parent)).collect();
    pairs.sort_by_key(|(_, gap)| Reverse(gap.to_bits()));
    pairs.into_iter().map(|(family, _)| family).collect()
}
