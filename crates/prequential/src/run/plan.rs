//! The plan of a run: every choice made once, and checked before any long work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::contexts::context_columns;
use super::families::{AffordableParents, FamilyPolicy};
use super::gating::{ExpensiveExperts, GatingRules};
use super::settings::{Resolution, RowOrder, Settings};
use crate::base::error::{Result, require};
use crate::base::message::{OptionName, message};
use crate::estimator;
use crate::graph::Family;
#[cfg(feature = "store")]
use crate::score::TableIdentity;
use crate::score::Workers;
use crate::search::{self, Budget, Constraints, Knowledge, Limits};
use crate::table::{Binning, ParentValues, Quantisation, Quantised, Table, Variable, shuffled_rows};

/// The most bins of a column.
const MAX_BINS: usize = 1 << 16;

/// Digits of a table's hash in the name of its store.
#[cfg(feature = "store")]
const N_HASH_DIGITS: usize = 12;

/// The most row orders.
const MAX_PERMUTATIONS: usize = 10_000;

/// The plan of a run: settings with every choice resolved and checked for contradictions, and the quantised
/// table.
///
/// ```
/// use prequential::{FamilySelection, Plan, Settings};
/// use prequential_simulate::Experiment;
/// let table = Experiment::Asia.simulate(1_000, 1)?.table;
/// let plan = Plan::new(&table, &Settings::default())?;
/// assert_eq!((plan.estimator(), plan.search()), ("counts", "exact"));
/// let families = plan.score(FamilySelection::All, &())?.scores.families.len();
/// let learned = plan.learn(&())?;
/// assert_eq!(learned.scores.families.len(), families);
/// # Ok::<(), prequential::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Plan {
    /// The table as it was read.
    pub(crate) table: Table,
    /// The quantised table, in file order.
    pub(crate) data: Quantised,
    /// Which columns of the table are contexts.
    pub(crate) contexts: Vec<usize>,
    pub(crate) estimator: Arc<dyn estimator::Method>,
    pub(crate) quantisation: Quantisation,
    pub(crate) search: Arc<dyn search::SearchMethod>,
    /// Which families are scored, and when.
    pub(crate) families: FamilyPolicy,
    /// Where expensive experts are trained.
    pub(crate) expensive: ExpensiveExperts,
    pub(crate) knowledge: Knowledge,
    /// Which families a graph may have.
    pub(crate) constraints: Constraints,
    /// The constraints without a search, so that no family may be left out.
    pub(crate) scored: Constraints,
    pub(crate) seed: u64,
    pub(crate) permutations: usize,
    pub(crate) row_order: RowOrder,
    pub(crate) threads: Option<usize>,
    pub(crate) limits: Limits,
    pub(crate) top: usize,
    pub(crate) store: Option<PathBuf>,
    /// The remote workers, if the threads of this process do not score.
    pub(crate) workers: Option<Arc<dyn Workers>>,
    /// The identity of the stored code lengths.
    #[cfg(feature = "store")]
    pub(crate) identity: TableIdentity,
}

impl Plan {
    /// Checks `settings` against `table` and resolves what they leave open.
    pub fn new(table: &Table, settings: &Settings) -> Result<Plan> {
        // Every field by name, so that a new one is not forgotten.
        #[rustfmt::skip]
        let Settings {
            estimator, resolution, search, knowledge, max_parents, seed, permutations, row_order, threads, limits, top, store,
        } = settings.clone();
        let estimator = estimator.resolve(table)?;
        check_permutations(permutations)?;
        let quantisation = quantisation(&resolution, &*estimator)?;
        let contexts = context_columns(&knowledge, table)?;
        let data = Quantised::with_contexts(table, &quantisation, &contexts);
        let possible = possible(&data, &knowledge, max_parents, &*estimator)?;
        let requested_max_parents = max_parents.or(knowledge.max_parents);
        let cost = estimator.cost();
        let affordable = AffordableParents::new(&possible, cost.max_families, cost.grows);
        let budget = Budget {
            constraints: &possible,
            max_parents: affordable.unasked,
            requested_max_parents,
            limits: &limits,
        };
        let search = search.resolve(&budget)?;
        let families = FamilyPolicy::new(search.description().scores_on_demand, cost.grows, &possible);
        let limited = |limit| match requested_max_parents {
            None => possible.clone().with_max_parents(limit),
            Some(_) => possible.clone(),
        };
        Ok(Plan {
            constraints: limited(families.max_parents(affordable.searched)),
            scored: limited(affordable.scored),
            families,
            expensive: ExpensiveExperts::of(&*estimator),
            #[cfg(feature = "store")]
            identity: TableIdentity::of(table),
            table: table.clone(),
            data,
            contexts,
            estimator,
            quantisation,
            search,
            knowledge,
            seed,
            permutations,
            row_order,
            threads,
            limits,
            top,
            store,
            workers: None,
        })
    }

    /// A copy whose families are scored by `workers` instead of threads of this process. The result does not
    /// change.
    pub fn with_workers(self, workers: Arc<dyn Workers>) -> Plan {
        Plan { workers: Some(workers), ..self }
    }

    /// The name of the estimator.
    pub fn estimator(&self) -> &'static str {
        self.estimator.name()
    }

    /// The name of the search.
    pub fn search(&self) -> &'static str {
        self.search.description().name
    }

    /// The variables: the columns of the table that are not contexts.
    pub fn names(&self) -> &[String] {
        self.data.names()
    }

    /// The contexts, by name.
    pub fn context_names(&self) -> &[String] {
        self.data.context_names()
    }

    /// The columns of the table in the order of [`Plan::data`]: variables, then contexts.
    pub(crate) fn columns(&self) -> Vec<&Variable> {
        let table = &self.table;
        let variables = (0..table.n_vars()).filter(|column| !self.contexts.contains(column));
        variables.chain(self.contexts.iter().copied()).map(|column| &table.variables()[column]).collect()
    }

    /// All families that a search may request, child by child, smaller parent sets first.
    pub fn families(&self) -> Vec<Family> {
        self.constraints.families().collect()
    }

    /// How many families will be scored; `None` if that depends on the run.
    pub fn n_families(&self) -> Option<usize> {
        self.families.n_families(&self.constraints)
    }

    /// How many networks predict each family; 0 without.
    pub fn n_networks(&self) -> usize {
        self.estimator.cost().n_networks
    }

    /// How many orders of the rows are coded.
    pub fn permutations(&self) -> usize {
        self.permutations
    }

    /// A copy that stores code lengths in a file in `directory` unless the settings name another store. Every
    /// table has a file of its own there, so that runs on other columns or rows do not conflict.
    #[cfg(feature = "store")]
    pub fn with_store_in(self, directory: impl AsRef<Path>) -> Plan {
        let directory = directory.as_ref();
        let default_path = || directory.join(format!("codes-{}.db", &self.identity.sha256[..N_HASH_DIGITS]));
        Plan { store: self.store.clone().or_else(|| Some(default_path())), ..self }
    }

    /// The store of code lengths, if there is one.
    pub fn store(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    /// The order in which repeat number `repeat` codes the rows: place i holds row `order[i]`.
    pub(crate) fn order_of_rows(&self, repeat: usize) -> Vec<u32> {
        match self.row_order {
            RowOrder::Shuffled => shuffled_rows(self.data.n_rows(), self.seed, repeat),
            RowOrder::Given => (0..self.data.n_rows() as u32).collect(),
        }
    }

    /// The families that are scored at first.
    pub(crate) fn first_families(&self) -> Vec<Family> {
        self.families.first_families(&self.constraints)
    }

    /// What gating allows for.
    pub(crate) fn gating_rules(&self) -> GatingRules {
        GatingRules::new(self.families.knows_all(), self.data.n_rows())
    }
}

fn check_permutations(permutations: usize) -> Result<()> {
    require(
        (1..=MAX_PERMUTATIONS).contains(&permutations),
        || {
            let bounds = format!(" is {permutations}, but must lie between 1 and {MAX_PERMUTATIONS}");
            message![OptionName::Permutations, bounds]
        },
        || message!["use ", OptionName::Permutations.set(3)],
    )
}

/// How numbers become levels, with the estimator's default number of bins unless one is set.
fn quantisation(resolution: &Resolution, estimator: &dyn estimator::Method) -> Result<Quantisation> {
    let Resolution { n_bins, binning, parent_values } = *resolution;
    let default = estimator.default_bins();
    require(
        default.is_some() || (n_bins.is_none() && binning == Binning::default()),
        || message![OptionName::Bins, " has no effect: this estimator codes numbers as they are"],
        || message!["leave it out, or use ", OptionName::Estimator.set("counts")],
    )?;
    // Without bins, their settings have no effect.
    let n_bins = n_bins.or(default).unwrap_or(2);
    require(
        n_bins >= 2,
        || message![OptionName::Bins, format!(" is {n_bins}, but a column with one bin says nothing")],
        || message!["use ", OptionName::Bins.set(2), " or more"],
    )?;
    require(
        n_bins <= MAX_BINS,
        || message![OptionName::Bins, format!(" is {n_bins}, but must be at most {MAX_BINS}")],
        || message!["use ", OptionName::Bins.set(128)],
    )?;
    require(
        parent_values == ParentValues::Quantised || estimator.takes_raw_numbers(),
        || {
            message![
                OptionName::ParentValues.set("raw"),
                " is for networks trained from scratch, as in the paper"
            ]
        },
        || {
            let (neural, blockwise) =
                (OptionName::Estimator.set("neural"), OptionName::Schedule.set("blockwise"));
            message!["use ", OptionName::ParentValues.set("quantised"), ", or ", neural, " with ", blockwise]
        },
    )?;
    Ok(Quantisation { n_bins, binning, parent_values })
}

/// The constraints from knowledge, limits and the table itself.
fn possible(
    data: &Quantised,
    knowledge: &Knowledge,
    max_parents: Option<usize>,
    estimator: &dyn estimator::Method,
) -> Result<Constraints> {
    let mut constraints = Constraints::new(knowledge, data.names(), max_parents)?;
    // An edge from or to a constant column does not change any code length.
    let is_binned = estimator.default_bins().is_some();
    for node in (0..data.n_vars()).filter(|&node| data.column(node).is_constant(is_binned)) {
        constraints = constraints.with_isolated(node);
    }
    let Some(limit) = estimator.max_configurations() else { return Ok(constraints) };
    let n_levels = (0..data.n_vars()).map(|node| data.column(node).n_parent_levels()).collect();
    Ok(constraints.with_max_configurations(n_levels, limit as f64))
}
