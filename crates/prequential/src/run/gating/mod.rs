//! Gating: expensive experts are trained only where they can change the best graph.
//!
//! An expensive expert, such as a neural network, takes seconds a family where the others take milliseconds,
//! and adds nothing to most families. Gating finds the graph that training them for every family would find,
//! and trains them for a part of the families.
//!
//! # What it does
//!
//! Every family has a cheap code length, without the expensive experts. It is what the family would cost if
//! they had nothing to contribute: training them makes a code shorter, or longer by some hundredths of a
//! nat. Expensive experts are trained
//!
//! 1. for every variable without parents, for every pair of variables whose other direction is ahead by
//!    [`MIN_PAIR_GAP`], and for the shortest cheap code of every variable with one, two and three parents;
//! 2. for the families of the graph that is best by optimistic code lengths, round after round, until that
//!    graph has no family without them ([`GatedSearch::settle`]);
//! 3. for the families next to the best graph, so that evidence compares like with like
//!    ([`GatedSearch::compare_fairly`]). If there were any, the best graph may be another one: back to 2.
//!
//! # The bound
//!
//! A family for which expensive experts were not trained is taken to cost as little as it might
//! ([`OptimisticLengths`]): its cheap code length, less a margin, less the larger of
//!
//! - the most that they gained with a subset of its parents (of the subsets they were trained for, the
//!   largest ones count), and
//! - what another order of the same two or three variables is ahead: with exact conditional distributions
//!   all orders of the same variables cost the same, so the lead is all that any expert could still gain.
//!
//! The code lengths of trained families are exact. So as long as no family gains more than its bound, the
//! graph at the end of step 2 is the best of all, by the argument of A* search: its length is exact, and
//! every other graph's is bounded from below.
//!
//! # The margins, and where they come from
//!
//! | margin | nats | origin |
//! |---|---:|---|
//! | [`MARGIN`] | 2 | networks gained less by chance in families in which there was nothing to gain |
//! | [`MIN_PAIR_GAP`] | 8 | chosen: a smaller lead of a direction is left as it is |
//! | [`MIN_JOINT_GAP`] | 30 | chosen, larger: of three variables more orders can be ahead by chance (star5, where it matters, has 1,600) |
//! | [`DECISIVE_GAP`] | 10, tempered | odds of 22,000 to one at the temperature of directions |
//! | [`MIN_COMPARED_GAIN`] | 1 | chosen: a smaller gain beyond the margin is not worth training for the sake of evidence |
//!
//! The chosen ones were judged by their effect: the graph was that of experts trained everywhere on 40
//! random tables of 5 columns, on 20 of 10 columns, and on the paper's tables of 5 columns with 1,000 and
//! 5,000 rows (docs/results.md; `scripts/wide.py everywhere` repeats it).
//!
//! # When it stops
//!
//! When step 3 finds nothing to train, after [`MAX_COMPARISONS`] times of steps 2 and 3, or when the run is
//! stopped: then the answer is that of a last search by the code lengths there are. A search that does not
//! know all families allows no margin and few rounds.

mod optimistic;

use std::cmp::Reverse;
use std::sync::Arc;

use self::optimistic::{MIN_JOINT_GAP, MIN_PAIR_GAP, OptimisticLengths, StagedLengths, gap};
use serde::{Deserialize, Serialize};

use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::observer::{Observer, Stage};
use crate::estimator::Method;
use crate::graph::{Dag, Family, NodeSet};
use crate::posterior::direction_temperature;
use crate::score::{FamilyLengths, TwoStageCache, dag_length};
use crate::search::{MAX_K_BEST, Problem, SearchMethod, SearchResult, beside_edge};

/// Nats that expensive experts may gain in a family beyond what they gained with a subset of its parents: by
/// chance they gained less in families in which there is nothing to gain.
const MARGIN: f64 = 2.0;

/// Nats at the temperature of directions beyond which a graph is out of the question: odds of 22,000 to one.
const DECISIVE_GAP: f64 = 10.0;

/// Nats beyond the margin that expensive experts may gain in a family next to the best graph, from which on
/// they are trained for it.
const MIN_COMPARED_GAIN: f64 = 1.0;

/// Numbers of parents for which each variable's shortest code has expensive experts from the start.
const N_SIZES: usize = 3;

/// Families that are trained before it is seen what they gained.
const N_BATCH: usize = 64;

/// Families that are gathered before they are trained, whatever the number of threads; and an even number,
/// so that no core waits for the last.
const N_TOGETHER: usize = 4;

/// The most rounds of step 2.
const MAX_ROUNDS: usize = 200;

/// The limit for a search that does not know all families: it would not find every graph that might be better
/// anyway.
const MAX_ROUNDS_ON_DEMAND: usize = 20;

/// The most times that steps 2 and 3 are gone through.
const MAX_COMPARISONS: usize = 8;

/// Where the expensive experts of an estimator are trained.
#[derive(Debug, Clone)]
pub(crate) enum ExpensiveExperts {
    /// Nowhere: the estimator has none.
    Absent,
    /// In every family that is scored.
    Everywhere,
    /// Where they can change the best graph; other families are scored by this estimator, which has none of
    /// them.
    Gated(Arc<dyn Method>),
}

impl ExpensiveExperts {
    /// As the estimator was told.
    pub(crate) fn of(estimator: &dyn Method) -> ExpensiveExperts {
        match estimator.without_expensive_experts() {
            Some(cheap) => ExpensiveExperts::Gated(cheap),
            None if estimator.cost().n_networks > 0 => ExpensiveExperts::Everywhere,
            None => ExpensiveExperts::Absent,
        }
    }

    /// What scores a family before expensive experts are trained for it, if that is another estimator.
    pub(crate) fn cheap_estimator(&self) -> Option<&Arc<dyn Method>> {
        match self {
            ExpensiveExperts::Gated(cheap) => Some(cheap),
            ExpensiveExperts::Absent | ExpensiveExperts::Everywhere => None,
        }
    }
}

/// Where networks were trained: in families that could change the answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NetworkGating {
    /// For how many families.
    #[serde(rename = "families")]
    pub n_families: usize,
    /// A family without networks was taken to cost as much less with them as they gained with a subset of
    /// its parents, and so many nats besides.
    #[serde(rename = "margin_nats")]
    pub margin: Nats,
    /// For a variable with one parent they were trained where the other direction was ahead by more than
    /// this without them; if it is ahead with them, they might gain as much here.
    #[serde(rename = "pair_gap_nats")]
    pub pair_gap: Nats,
    /// With two parents they might gain as much as the best order of the three variables is ahead, if that
    /// is more than this.
    #[serde(rename = "joint_gap_nats")]
    pub joint_gap: Nats,
    /// A graph with a reversed edge that stays farther behind than this, whatever networks might gain in it,
    /// was compared without training them: it may then be less far behind than it is said to be.
    #[serde(rename = "doubt_nats", default)]
    pub decisive_gap: Nats,
}

/// What gating allows for in one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GatingRules {
    /// Whether the search knows the code lengths of all families that a graph may have, and finds the best
    /// of all graphs.
    knows_all: bool,
    /// Nats that expensive experts may gain in any family.
    margin: f64,
    /// How far behind a graph is out of the question, if that is with all that expensive experts might gain
    /// in it.
    decisive_gap: Nats,
    max_rounds: usize,
}

impl GatingRules {
    /// For a table of so many rows, and a search that knows all families or requests them as it goes.
    pub(crate) fn new(knows_all: bool, n_rows: usize) -> GatingRules {
        // Among thousands of useless parents there would always be some within a margin.
        let (margin, max_rounds) = if knows_all { (MARGIN, MAX_ROUNDS) } else { (0.0, MAX_ROUNDS_ON_DEMAND) };
        let decisive_gap = Nats(DECISIVE_GAP * direction_temperature(n_rows));
        GatingRules { knows_all, margin, decisive_gap, max_rounds }
    }

    /// A description for the result, in which expensive experts were trained for `n_families`.
    pub(crate) fn report(&self, n_families: usize) -> NetworkGating {
        NetworkGating {
            n_families,
            margin: Nats(self.margin),
            pair_gap: Nats(MIN_PAIR_GAP),
            joint_gap: Nats(MIN_JOINT_GAP),
            decisive_gap: self.decisive_gap,
        }
    }
}

impl StagedLengths for TwoStageCache<'_> {
    fn cheap(&self) -> &dyn FamilyLengths {
        self.initial()
    }

    fn trained(&self) -> &dyn FamilyLengths {
        self.full()
    }

    fn train(&self, families: &[Family]) -> Result<()> {
        TwoStageCache::train(self, families)
    }
}

/// A search in which expensive experts are trained where they can change what it finds.
pub(crate) struct GatedSearch<'a> {
    pub(crate) lengths: &'a dyn StagedLengths,
    pub(crate) rules: GatingRules,
    pub(crate) method: &'a dyn SearchMethod,
    /// What is searched; its code lengths are `lengths`.
    pub(crate) problem: &'a Problem<'a>,
    /// Finds the best graph of a problem, within the time that a stopped run grants.
    pub(crate) search: &'a dyn Fn(&Problem) -> Result<SearchResult>,
}

impl GatedSearch<'_> {
    /// Finds the best graph.
    pub(crate) fn find(&self, observer: &dyn Observer) -> Result<SearchResult> {
        let cheap = if self.rules.knows_all {
            self.problem.constraints.smallest_dag()
        } else {
            (self.search)(self.problem)?.dag
        };
        observer.entered(Stage::Networks);
        let search_from = |start: &Dag| (self.search)(&Problem { start: Some(start), ..*self.problem });
        let mut best = cheap.clone();
        let mut settled = None;
        for _ in 0..MAX_COMPARISONS {
            let Some(decided) = self.settle(best)? else {
                best = cheap.clone();
                break;
            };
            let found = search_from(&decided)?;
            let is_settled = !self.compare_fairly(&found)?;
            best = found.dag.clone();
            if is_settled {
                settled = Some(found);
                break;
            }
        }
        let found = settled.map_or_else(|| search_from(&best), Ok)?;
        if self.rules.knows_all || best == cheap {
            return Ok(found);
        }
        // A climb from optimistic code lengths may end beside a better graph: another begins where the
        // search by cheap ones ended.
        let again = search_from(&cheap)?;
        Ok(if again.code_length < found.code_length { again } else { found })
    }

    /// Trains expensive experts until the best graph by optimistic code lengths has them in all its
    /// families; returns the last such graph, which is looked for from `from` on. `None` if the run was
    /// stopped.
    fn settle(&self, from: Dag) -> Result<Option<Dag>> {
        let constraints = self.problem.constraints;
        let mut first: Vec<Family> = constraints.smallest_dag().families().collect();
        first.extend(self.directions_behind());
        first.extend((0..self.lengths.n_vars()).flat_map(|child| self.shortest_by_size(child)));
        first.retain(|family| self.lengths.gain(family).is_none());
        for batch in first.chunks(N_BATCH) {
            self.lengths.train(batch)?;
        }
        let mut best = from;
        for _ in 0..self.rules.max_rounds {
            let Some((dag, untrained)) = self.optimistic_best(&best)? else { return Ok(None) };
            best = dag;
            if untrained.is_empty() {
                break;
            }
            self.lengths.train(&untrained)?;
            if self.problem.stop.now() {
                return Ok(None);
            }
        }
        Ok(Some(best))
    }

    fn optimistic(&self) -> OptimisticLengths<'_> {
        OptimisticLengths::new(self.lengths, self.problem.constraints, self.rules.margin)
    }

    /// The best graph by `lengths`, looked for from `from` on; `None` if the run was stopped.
    fn refine(&self, lengths: &dyn FamilyLengths, from: &Dag) -> Result<Option<Dag>> {
        self.method.refine(&Problem { lengths, ..*self.problem }, from)
    }

    /// The best graph by optimistic code lengths, and its families without expensive experts; if they are
    /// few, also those that are next if nothing is gained in these. `None` if the run was stopped.
    fn optimistic_best(&self, from: &Dag) -> Result<Option<(Dag, Vec<Family>)>> {
        let mut optimistic = self.optimistic();
        let Some(best) = self.refine(&optimistic, from)? else { return Ok(None) };
        let mut next = optimistic.untrained(best.families());
        let mut families = Vec::new();
        while !next.is_empty() && (families.len() < N_TOGETHER || !families.len().is_multiple_of(2)) {
            optimistic.assume_no_gain(&next);
            families.append(&mut next);
            let Some(other) = self.refine(&optimistic, &best)? else { return Ok(None) };
            next = optimistic.untrained(other.families());
        }
        Ok(Some((best, families)))
    }

    /// Trains expensive experts for the best graph with an edge removed or reversed, and for those families
    /// of the graphs near it, and of the best ones with an edge reversed, in which they may gain: the
    /// evidence for an edge is the difference of both. Not for graphs that stay behind by the decisive gap
    /// whatever is gained. Whether there were any.
    fn compare_fairly(&self, found: &SearchResult) -> Result<bool> {
        let optimistic = self.optimistic();
        let dag = &found.dag;
        let mut others = found.near.clone();
        if self.rules.knows_all && self.lengths.n_vars() <= MAX_K_BEST {
            for (from, to) in dag.edges() {
                let reversed = WithEdge { lengths: &optimistic, child: from, parent: to };
                others.extend(self.refine(&reversed, dag)?);
            }
        }
        let limit = found.code_length + self.rules.decisive_gap;
        let is_close = |other: &Dag| dag_length(&optimistic, other).is_some_and(|length| length < limit);
        let families = others.iter().filter(|other| is_close(other)).flat_map(Dag::families);
        let may_gain =
            |family: &Family| optimistic.optimistic_gain(family) > self.rules.margin + MIN_COMPARED_GAIN;
        let mut families: Vec<Family> = families.filter(may_gain).collect();
        // The families that an edge is compared with directly, whatever may be gained in them.
        families.extend(dag.edges().into_iter().flat_map(|edge| self.close_beside(&optimistic, dag, edge)));
        let untrained = optimistic.untrained(families.into_iter());
        self.lengths.train(&untrained)?;
        Ok(!untrained.is_empty())
    }

    /// The families that removing or reversing one edge of `dag` leads to; the one that reverses it only if
    /// that costs less than the decisive gap.
    fn close_beside(&self, optimistic: &OptimisticLengths, dag: &Dag, edge: (usize, usize)) -> Vec<Family> {
        let cost = |family: &Family| {
            let present = Family::new(family.child, dag.parents(family.child).clone());
            Some(optimistic.code_length(family)? - optimistic.code_length(&present)?)
        };
        let [without, reversed] = beside_edge(dag, edge);
        let is_close = match (cost(&without), cost(&reversed)) {
            (Some(removal), Some(addition)) => removal + addition < self.rules.decisive_gap,
            _ => false,
        };
        let families = std::iter::once(without).chain(is_close.then_some(reversed));
        families.filter(|family| self.problem.constraints.allows(family)).collect()
    }

    /// The shortest cheap code of `child` with each small number of parents.
    fn shortest_by_size(&self, child: usize) -> Vec<Family> {
        let mut shortest: [Option<(NodeSet, Nats)>; N_SIZES] = [const { None }; N_SIZES];
        self.lengths.cheap().for_each(child, &mut |parents, length| {
            let place = parents.len().checked_sub(1).and_then(|size| shortest.get_mut(size));
            if let Some(best) = place.filter(|best| best.as_ref().is_none_or(|(_, before)| length < *before))
            {
                *best = Some((parents.clone(), length));
            }
        });
        shortest.into_iter().flatten().map(|(parents, _)| Family::new(child, parents)).collect()
    }

    /// The families with one parent more than required in which the other direction is ahead by cheap code
    /// lengths or is not scored; the largest gap first.
    fn directions_behind(&self) -> Vec<Family> {
        let (cheap, constraints) = (self.lengths.cheap(), self.problem.constraints);
        let behind = |child: usize, parent: usize| {
            let with = Family::new(child, constraints.required(child).with(parent));
            cheap.code_length(&with).filter(|_| constraints.allows(&with))?;
            let gap = gap(cheap, constraints, child, parent).unwrap_or(f64::INFINITY);
            (gap > MIN_PAIR_GAP).then_some((with, gap))
        };
        let pairs = (0..constraints.n_vars()).flat_map(|child| {
            let parents = constraints.allowed(child).difference(constraints.required(child));
            parents.iter().map(move |parent| (child, parent)).collect::<Vec<_>>()
        });
        let mut pairs: Vec<(Family, f64)> =
            pairs.filter_map(|(child, parent)| behind(child, parent)).collect();
        pairs.sort_by_key(|(_, gap)| Reverse(gap.to_bits()));
        pairs.into_iter().map(|(family, _)| family).collect()
    }
}

/// Code lengths of the graphs in which `child` has the parent `parent`.
struct WithEdge<'a> {
    lengths: &'a dyn FamilyLengths,
    child: usize,
    parent: usize,
}

impl WithEdge<'_> {
    fn allows(&self, child: usize, parents: &NodeSet) -> bool {
        child != self.child || parents.contains(self.parent)
    }
}

impl FamilyLengths for WithEdge<'_> {
    fn n_vars(&self) -> usize {
        self.lengths.n_vars()
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.lengths.code_length(family).filter(|_| self.allows(family.child, &family.parents))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        self.lengths.for_each(child, &mut |parents, length| {
            if self.allows(child, parents) {
                visit(parents, length);
            }
        });
    }
}

#[cfg(test)]
mod tests;
