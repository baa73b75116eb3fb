//! The family policy: which families are scored, and when; decided once by the plan.

mod candidates;
mod growing;

use crate::base::error::Result;
use crate::base::observer::Span;
use crate::base::stop::Stop;
use crate::graph::Family;
use crate::score::{CodeLengths, FamilyLengths};
use crate::search::{Candidates, Constraints};
use crate::table::Quantised;
pub use growing::ParentSetPruning;

/// Fewer families than this are all scored, whatever the estimator.
const MAX_ALL: f64 = 200.0;

/// The most families from which parent sets grow if the search is not chosen: beyond, a search without proof
/// is far quicker.
const MAX_SEEDS: f64 = 3_000.0;

/// The most families for which a search that knows them all has room, scored or not.
const MAX_TABLE: f64 = 1e6;

/// The default limit on parents if families are scored as the search needs them.
const MAX_PARENTS_ON_DEMAND: usize = 10;

/// From this many variables on, candidates are chosen first.
const MIN_WIDE: usize = 16;

/// Families that a search needs at first: families that follow from them, for each of the first, or for each
/// pair of dependent variables.
///
/// The factors here are those of tables of `simulate random-additive` and `random-functions`;
/// `scripts/growth.py --series estimates` compares them with what runs take.
const GROWN: Span = Span { least: 0.7, most: 1.5 };
const CHOSEN: Span = Span { least: 1.5, most: 4.0 };

/// Families that a search among candidates requests, for each pair of dependent variables.
const SEARCHED: Span = Span { least: 4.0, most: 12.0 };

/// Which families are scored, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FamilyPolicy {
    /// All that the constraints allow, before the search.
    All,
    /// Small parent sets, and larger ones where smaller ones call for them, before the search.
    Growing,
    /// The families that the search requests.
    OnDemand,
    /// Candidates for parents are chosen, then those that the search requests among them, and at last beyond.
    AmongCandidates,
}

/// The largest feasible numbers of parents, unless the user names one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AffordableParents {
    /// If all families are scored.
    pub(crate) scored: usize,
    /// If a search knows the code lengths of all useful families.
    pub(crate) searched: usize,
    /// The limit if the search is not chosen.
    pub(crate) unasked: usize,
}

impl AffordableParents {
    /// With an estimator that scores this many families in minutes; `is_costly` as for [`FamilyPolicy::new`].
    pub(crate) fn new(possible: &Constraints, max_families: f64, is_costly: bool) -> AffordableParents {
        let scored = affordable(possible, max_families);
        if !(is_costly && are_many(possible)) {
            return AffordableParents { scored, searched: scored, unasked: scored };
        }
        let searched = affordable(possible, MAX_TABLE);
        let unasked = if growing::n_seeds(possible) <= MAX_SEEDS { searched } else { 1 };
        AffordableParents { scored, searched, unasked }
    }
}

/// Whether there are so many possible families that larger parent sets are pruned.
fn are_many(possible: &Constraints) -> bool {
    possible.n_families(possible.max_parents()) > MAX_ALL
}

/// The largest number of parents with at most `max_families` families, and at least 1.
pub(crate) fn affordable(constraints: &Constraints, max_families: f64) -> usize {
    // From below: the number of families grows with the limit, and with 10,000 columns the high limits take
    // long to count.
    let fits = |&limit: &usize| constraints.n_families(limit) <= max_families;
    (1..=constraints.max_parents()).take_while(fits).last().unwrap_or(1)
}

impl FamilyPolicy {
    /// For a search that requests families as it goes, or wants all of them; `is_costly` if scoring a family
    /// takes longer than choosing which.
    pub(crate) fn new(is_on_demand: bool, is_costly: bool, possible: &Constraints) -> FamilyPolicy {
        match (is_on_demand, is_costly) {
            (true, true) if possible.n_vars() >= MIN_WIDE => FamilyPolicy::AmongCandidates,
            (true, _) => FamilyPolicy::OnDemand,
            (false, true) if are_many(possible) => FamilyPolicy::Growing,
            (false, _) => FamilyPolicy::All,
        }
    }

    /// Whether the search knows the code lengths of all families that a graph may have.
    pub(crate) fn knows_all(self) -> bool {
        matches!(self, FamilyPolicy::All | FamilyPolicy::Growing)
    }

    /// The limit on parents under which a search can score all families.
    pub(crate) fn max_parents(self, affordable: usize) -> usize {
        if self.knows_all() { affordable } else { MAX_PARENTS_ON_DEMAND }
    }

    /// The families with which scoring starts: all, the seeds, or every variable with at most one parent more
    /// than required.
    pub(crate) fn first_families(self, constraints: &Constraints) -> Vec<Family> {
        match self {
            FamilyPolicy::All => constraints.families().collect(),
            FamilyPolicy::Growing => growing::seeds(constraints),
            FamilyPolicy::OnDemand | FamilyPolicy::AmongCandidates => candidates::single_parents(constraints),
        }
    }

    /// About how many families are scored; if a search requests them, the first ones. A float, because it can
    /// be huge.
    pub(crate) fn n_first_families(self, constraints: &Constraints) -> f64 {
        match self {
            FamilyPolicy::All => constraints.n_families(constraints.max_parents()),
            // Few sets grow further.
            FamilyPolicy::Growing => 2.0 * growing::n_seeds(constraints),
            FamilyPolicy::OnDemand | FamilyPolicy::AmongCandidates => constraints.n_families(1),
        }
    }

    /// How many families will be scored; `None` if that depends on the results.
    pub(crate) fn n_families(self, constraints: &Constraints) -> Option<usize> {
        (self == FamilyPolicy::All).then(|| constraints.families().count())
    }

    /// Scores what is needed before the search; returns the candidate parents, if there are any.
    pub(crate) fn score_first(
        self,
        lengths: &dyn FamilyLengths,
        constraints: &Constraints,
        data: &Quantised,
        stop: Stop,
    ) -> Result<Option<Candidates>> {
        match self {
            FamilyPolicy::All => lengths.request(&self.first_families(constraints))?,
            FamilyPolicy::Growing => growing::grow(lengths, constraints, stop)?,
            FamilyPolicy::OnDemand => {}
            FamilyPolicy::AmongCandidates => {
                return candidates::candidates(lengths, constraints, data).map(Some);
            }
        }
        Ok(None)
    }

    /// The most families that fit into these bytes. A search that knows all families is refused in advance
    /// instead.
    pub(crate) fn max_families(self, memory: u64, bytes_per_family: f64) -> usize {
        if self.knows_all() { usize::MAX } else { (memory as f64 / bytes_per_family) as usize }
    }

    /// Bytes of the table of code lengths of a search that knows all families.
    pub(crate) fn table_memory(self, constraints: &Constraints) -> f64 {
        if self.knows_all() {
            CodeLengths::memory(constraints.n_vars(), constraints.max_parents())
        } else {
            0.0
        }
    }

    /// Which parent sets are scored; `None` if all are, or those that a search requests.
    pub(crate) fn pruning(self) -> Option<ParentSetPruning> {
        (self == FamilyPolicy::Growing).then_some(growing::PRUNING)
    }

    /// Those of the first families that are scored whatever the search does.
    pub(crate) fn scored_before_search(self, first: &[Family]) -> &[Family] {
        if self == FamilyPolicy::OnDemand { &[] } else { first }
    }

    /// How many families will follow from the `n_first` scored before the search, given the number of
    /// dependent pairs whose families no store has.
    pub(crate) fn expected_to_follow(self, constraints: &Constraints, n_first: usize, n_pairs: f64) -> Span {
        match self {
            FamilyPolicy::Growing if constraints.max_parents() > growing::ALL_UP_TO => GROWN * n_first as f64,
            FamilyPolicy::AmongCandidates => CHOSEN * n_pairs,
            FamilyPolicy::All | FamilyPolicy::Growing | FamilyPolicy::OnDemand => Span::exactly(0.0),
        }
    }

    /// How many families a search will request, if it would request `unguided` without candidates.
    pub(crate) fn expected_requests(self, unguided: Span, n_pairs: f64) -> Span {
        if self == FamilyPolicy::AmongCandidates { SEARCHED * n_pairs } else { unguided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(is_on_demand: bool, is_costly: bool, n_vars: usize) -> FamilyPolicy {
        FamilyPolicy::new(is_on_demand, is_costly, &Constraints::none(n_vars))
    }

    #[test]
    fn the_search_the_cost_of_a_family_and_their_number_decide_which_are_scored_when() {
        // Of 5 variables there are 80 families, of 6 there are 192, of 7 there are 448.
        assert_eq!(policy(false, true, 5), FamilyPolicy::All);
        assert_eq!(policy(false, true, 6), FamilyPolicy::All);
        assert_eq!(policy(false, true, 7), FamilyPolicy::Growing);
        assert_eq!(policy(false, false, 7), FamilyPolicy::All);
        assert_eq!(policy(true, true, MIN_WIDE - 1), FamilyPolicy::OnDemand);
        assert_eq!(policy(true, true, MIN_WIDE), FamilyPolicy::AmongCandidates);
        assert_eq!(policy(true, false, MIN_WIDE), FamilyPolicy::OnDemand);
    }

    #[test]
    fn only_a_search_on_demand_is_limited_by_memory_as_it_goes_and_only_the_others_take_a_table() {
        let constraints = Constraints::none(7);
        for policy in [FamilyPolicy::All, FamilyPolicy::Growing] {
            assert_eq!(policy.max_families(1_000, 10.0), usize::MAX);
            assert_eq!(policy.table_memory(&constraints), CodeLengths::memory(7, 6));
        }
        for policy in [FamilyPolicy::OnDemand, FamilyPolicy::AmongCandidates] {
            assert_eq!(policy.max_families(1_000, 10.0), 100);
            assert_eq!(policy.table_memory(&constraints), 0.0);
        }
    }

    #[test]
    fn a_run_begins_with_families_that_its_policy_allows() {
        let constraints = Constraints::none(7).with_max_parents(4);
        let count = |policy: FamilyPolicy| policy.first_families(&constraints).len();
        assert_eq!(count(FamilyPolicy::All), 7 * (1 + 6 + 15 + 20 + 15));
        assert_eq!(count(FamilyPolicy::Growing), 7 * (1 + 6 + 15));
        assert_eq!(count(FamilyPolicy::OnDemand), 7 * (1 + 6));
        assert_eq!(count(FamilyPolicy::AmongCandidates), 7 * (1 + 6));
        assert_eq!(FamilyPolicy::All.n_families(&constraints), Some(399));
        assert_eq!(FamilyPolicy::Growing.n_families(&constraints), None);
    }

    #[test]
    fn as_many_parents_are_afforded_as_the_families_allow() {
        let possible = Constraints::none(30);
        let cheap = AffordableParents::new(&possible, 20_000.0, false);
        assert_eq!((cheap.scored, cheap.searched, cheap.unasked), (2, 2, 2));
        let costly = AffordableParents::new(&possible, 20_000.0, true);
        assert_eq!((costly.scored, costly.searched, costly.unasked), (2, 4, 1));
        assert_eq!(AffordableParents::new(&possible, 1.0, false).scored, 1, "at least one");
    }
}
