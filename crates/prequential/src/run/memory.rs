//! The memory needs of a run; runs that need more than the limit are refused.

use super::families::FamilyPolicy;
use super::plan::Plan;
use crate::base::error::{Error, Result};
use crate::base::format::{bytes, plural, roughly};
use crate::base::message::{OptionName, message};
use crate::estimator::Memory;
use crate::posterior::posterior_memory;
use crate::search::Constraints;

/// The most variables for which probabilities are sums over all graphs.
const MAX_SUMMED: usize = 20;

/// The base memory of the program, in bytes.
const BYTES_OF_PROGRAM: f64 = 14e6;

impl Plan {
    /// Refuses problems that cannot be searched, or scored for the search.
    pub(crate) fn check_learnable(&self) -> Result<()> {
        self.search.check(&self.constraints, &self.limits)?;
        let n_families = self.families.n_first_families(&self.constraints);
        self.check_scoring(&self.constraints, n_families, self.families)
    }

    /// Refuses to score more families than memory allows.
    pub(crate) fn check_scorable(&self) -> Result<()> {
        let n_families = self.scored.n_families(self.scored.max_parents());
        self.check_scoring(&self.scored, n_families, FamilyPolicy::All)
    }

    /// Refuses to score `n_families` of those that are allowed if that takes too much memory.
    fn check_scoring(
        &self,
        constraints: &Constraints,
        n_families: f64,
        families: FamilyPolicy,
    ) -> Result<()> {
        let needed = self.score_memory(constraints, n_families, families);
        let limit = self.limits.memory as f64;
        if needed <= limit {
            return Ok(());
        }
        let max_parents = if families.knows_all() { constraints.max_parents() } else { 1 };
        let (number, parents) = (roughly(n_families), plural(max_parents, "parent"));
        let keep = if families.knows_all() {
            message!["lower ", OptionName::MaxParents, ", keep"]
        } else {
            message!["keep"]
        };
        let (columns, memory) = (OptionName::Columns, OptionName::MemoryLimit);
        Err(Error::TooLarge {
            what: "scoring",
            n_vars: constraints.n_vars(),
            needed: format!("{} ({number} families of at most {parents})", bytes(needed)),
            limit: bytes(limit),
            hint: message![keep, " fewer columns with ", columns, ", or raise ", memory],
        })
    }

    /// Bytes of the scores of this many families.
    fn score_memory(&self, constraints: &Constraints, n_families: f64, families: FamilyPolicy) -> f64 {
        self.estimator.cost().bytes_per_family * n_families + families.table_memory(constraints)
    }

    /// About the peak memory of learning, in bytes, if this many families are scored.
    pub(crate) fn memory(&self, n_families: f64) -> f64 {
        let search_memory = self.search.memory(self.data.n_vars());
        let score_memory = self.score_memory(&self.constraints, n_families, self.families);
        let summing_memory =
            if self.sums_over_all_graphs() { posterior_memory(self.data.n_vars()) } else { 0.0 };
        score_memory + search_memory.max(summing_memory) + self.data_memory()
    }

    /// Whether probabilities will be sums over all graphs, which needs tables of all sets of variables.
    pub(crate) fn sums_over_all_graphs(&self) -> bool {
        let n_vars = self.data.n_vars();
        self.families.knows_all()
            && n_vars <= MAX_SUMMED
            && posterior_memory(n_vars) <= self.limits.memory as f64
    }

    /// About the memory of scoring this many families without a search, in bytes.
    pub(crate) fn memory_without_search(&self, n_families: usize) -> f64 {
        self.estimator.cost().bytes_per_family * n_families as f64 + self.data_memory()
    }

    /// Bytes of the program, of the table as read, quantised and in every order of the rows, and of the
    /// estimator.
    fn data_memory(&self) -> f64 {
        let n_rows = self.data.n_rows() as f64;
        let is_number = |node: &usize| self.data.column(*node).numbers.is_some();
        let n_numbers = (0..self.data.n_columns()).filter(is_number).count() as f64;
        let n_labels = self.data.n_columns() as f64 - n_numbers;
        let (read, seen) = (8.0 * n_numbers + 4.0 * n_labels, 12.0 * n_numbers + 4.0 * n_labels);
        let Memory { shared, per_thread } = self.estimator.memory(&self.data);
        let orders = self.permutations as f64;
        BYTES_OF_PROGRAM
            + n_rows * (read + seen * (1.0 + orders))
            + shared * orders
            + per_thread * rayon::current_num_threads() as f64
    }

    /// The most families that a search may request.
    pub(crate) fn max_families(&self) -> usize {
        self.families.max_families(self.limits.memory, self.estimator.cost().bytes_per_family)
    }
}
