//! The results of single repeats: every network with the other experts, or every order of the rows.

use super::answer::problem;
use super::final_search::SEARCH_GRACE;
use super::plan::Plan;
use crate::base::error::Result;
use crate::base::nats::Nats;
use crate::base::stop::Stop;
use crate::graph::{Dag, Family, NodeSet};
use crate::posterior::EdgeEvidence;
use crate::score::{FamilyLengths, MeanSd, Scores, dag_length};

/// The result of one repeat: a single network with the other experts, or one row order.
pub(crate) struct ByRepeat {
    /// Its best graph.
    pub(crate) dag: Dag,
    /// For each edge of the answer: its reversal cost.
    reversals: Vec<Option<f64>>,
}

/// Searches again for every single repeat, if there are several that can differ and searching again is cheap.
pub(crate) fn find_by_repeat(
    scores: &Scores,
    plan: &Plan,
    answer: &Dag,
    stop: Stop,
) -> Result<Vec<ByRepeat>> {
    if scores.by_repeat.len() < 2 || !plan.estimator.depends_on_row_order() {
        return Ok(Vec::new());
    }
    let search_repeat = |repeat: usize| {
        let alone = RepeatLengths::for_repeat(scores, repeat, plan.data.n_vars());
        let problem = problem(plan, &alone, stop.later(SEARCH_GRACE));
        let Some(again) = plan.search.rerun(&problem, answer)? else { return Ok(None) };
        let answer_length =
            dag_length(&alone, answer).unwrap_or_else(|| panic!("the answer has scored families"));
        let cost = |best: Nats| (best - answer_length).0;
        let reversals = again.reversed.into_iter().map(|best| best.map(cost)).collect();
        Ok(Some(ByRepeat { dag: again.dag, reversals }))
    };
    let all: Vec<Option<ByRepeat>> = (0..scores.by_repeat.len()).map(search_repeat).collect::<Result<_>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// Adds the standard deviations of removal and reversal costs over networks or row orders.
pub(crate) fn add_spreads(evidence: &mut [EdgeEvidence], scores: &Scores, dag: &Dag, by_repeat: &[ByRepeat]) {
    for (i, edge) in evidence.iter_mut().enumerate() {
        let with = scores.place(&Family::new(edge.to, dag.parents(edge.to).clone()));
        let without = scores.place(&Family::new(edge.to, dag.parents(edge.to).without(edge.from)));
        edge.removal_spread =
            with.zip(without).filter(|_| scores.by_repeat.len() > 1).map(|(with, without)| {
                MeanSd::of(scores.by_repeat.iter().map(|lengths| lengths[without] - lengths[with])).sd
            });
        let reversals: Option<Vec<f64>> = by_repeat.iter().map(|repeat| repeat.reversals[i]).collect();
        edge.reversal_spread =
            reversals.filter(|all| all.len() > 1).map(|all| MeanSd::of(all.into_iter()).sd);
    }
}

/// The code lengths of the scored families in one repeat.
struct RepeatLengths<'a> {
    scores: &'a Scores,
    /// The code lengths, in the order of the families.
    lengths: &'a [f64],
    n_vars: usize,
}

impl<'a> RepeatLengths<'a> {
    fn for_repeat(scores: &'a Scores, repeat: usize, n_vars: usize) -> RepeatLengths<'a> {
        RepeatLengths { scores, lengths: &scores.by_repeat[repeat], n_vars }
    }
}

impl FamilyLengths for RepeatLengths<'_> {
    fn n_vars(&self) -> usize {
        self.n_vars
    }

    fn code_length(&self, family: &Family) -> Option<Nats> {
        self.scores.place(family).map(|place| Nats(self.lengths[place]))
    }

    fn for_each(&self, child: usize, visit: &mut dyn FnMut(&NodeSet, Nats)) {
        let lengths = self.scores.families.iter().zip(self.lengths.iter());
        lengths
            .filter(|(family, _)| family.child == child)
            .for_each(|(family, &length)| visit(&family.parents, Nats(length)));
    }
}
