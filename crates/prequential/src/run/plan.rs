//! What a run will do: every choice made once, checked before any long work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::candidates::MIN_WIDE;
use super::contexts::context_columns;
use super::growth;
use super::settings::{Resolution, RowOrder, Settings};
use crate::base::error::{Error, Result, require};
use crate::base::format::{bytes, plural, roughly};
use crate::base::message::{OptionName, message};
use crate::estimator::{self, Memory};
use crate::graph::Family;
use crate::posterior::posterior_memory;
#[cfg(feature = "store")]
use crate::score::TableIdentity;
use crate::score::{CodeLengths, Workers};
use crate::search::{self, Budget, Constraints, Knowledge, Limits};
use crate::table::{Binning, Inputs, Quantisation, Quantised, Table, Variable, shuffled_rows};

/// The most parents of a variable, unless the user says otherwise, where families are scored as the search needs them.
pub(super) const MAX_LAZY_PARENTS: usize = 10;

/// Fewer families than this are all scored, whatever the estimator.
const MAX_ALL: f64 = 200.0;

/// The most families from which parent sets grow where the search is not chosen: beyond, one without proof is far quicker.
const MAX_SEEDS: f64 = 3_000.0;

/// The most families for which a search that knows them all has room, scored or not.
const MAX_TABLE: f64 = 1e6;

/// The most variables of which all graphs are weighed.
const MAX_SUMMED: usize = 20;

/// Bytes that the program takes whatever it does.
const BYTES_OF_PROGRAM: f64 = 14e6;

/// The most bins of a column.
const MAX_BINS: usize = 1 << 16;

/// Digits of a table's hash in the name of its store.
#[cfg(feature = "store")]
const N_HASH_DIGITS: usize = 12;

/// The most row orders.
const MAX_ROW_ORDERS: usize = 10_000;

/// What a run will do: settings with every choice made, known to be free of contradictions, and the table as families see it.
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
    /// The table as families see it, in file order.
    pub(crate) data: Quantised,
    /// Which columns of the table are contexts.
    pub(crate) contexts: Vec<usize>,
    pub(crate) estimator: Arc<dyn estimator::Method>,
    pub(crate) quantisation: Quantisation,
    pub(crate) search: Arc<dyn search::SearchMethod>,
    /// Whether large parent sets are scored only where smaller ones call for them.
    pub(crate) grows: bool,
    pub(crate) knowledge: Knowledge,
    /// Which families a graph may have.
    pub(crate) constraints: Constraints,
    /// The same where no search asks for families, so that none may do without some.
    pub(crate) scored: Constraints,
    pub(crate) seed: u64,
    pub(crate) row_orders: usize,
    pub(crate) row_order: RowOrder,
    pub(crate) threads: Option<usize>,
    pub(crate) limits: Limits,
    pub(crate) top: usize,
    pub(crate) store: Option<PathBuf>,
    /// Who scores, if not the threads of this process.
    pub(crate) workers: Option<Arc<dyn Workers>>,
    /// Whose code lengths the store keeps.
    #[cfg(feature = "store")]
    pub(crate) table: TableIdentity,
}

impl Plan {
    /// Checks `settings` against `table` and decides what they leave open.
    pub fn new(table: &Table, settings: &Settings) -> Result<Plan> {
        // Every field by name: a new one is not forgotten.
        #[rustfmt::skip]
        let Settings {
            estimator, resolution, search, knowledge, max_parents, seed, row_orders, row_order, threads, limits, top, store,
        } = settings.clone();
        let estimator = estimator.resolve(table)?;
        check_row_orders(row_orders)?;
        let quantisation = quantisation(&resolution, &*estimator)?;
        let contexts = context_columns(&knowledge, table)?;
        let data = Quantised::with_contexts(table, &quantisation, &contexts);
        let possible = possible(&data, &knowledge, max_parents, &*estimator)?;
        let requested_max_parents = max_parents.or(knowledge.max_parents);
        let cost = estimator.cost();
        let scored = affordable(&possible, cost.max_families);
        let can_grow = cost.grows && possible.n_families(possible.max_parents()) > MAX_ALL;
        let searched = if can_grow { affordable(&possible, MAX_TABLE) } else { scored };
        let is_quick = !can_grow || growth::n_seeds(&possible) <= MAX_SEEDS;
        let provable = if is_quick { searched } else { 1 };
        let budget =
            Budget { constraints: &possible, max_parents: provable, requested_max_parents, limits: &limits };
        let search = search.resolve(&budget)?;
        let limited = |limit| match requested_max_parents {
            None => possible.clone().with_max_parents(limit),
            Some(_) => possible.clone(),
        };
        Ok(Plan {
            constraints: limited(if search.is_lazy() { MAX_LAZY_PARENTS } else { searched }),
            scored: limited(scored),
            grows: can_grow && !search.is_lazy(),
            #[cfg(feature = "store")]
            table: TableIdentity::of(table),
            data,
            contexts,
            estimator,
            quantisation,
            search,
            knowledge,
            seed,
            row_orders,
            row_order,
            threads,
            limits,
            top,
            store,
            workers: None,
        })
    }

    /// The same, families scored by `workers` instead of threads of this process. The result is the same.
    pub fn with_workers(self, workers: Arc<dyn Workers>) -> Plan {
        Plan { workers: Some(workers), ..self }
    }

    /// The name of the estimator.
    pub fn estimator(&self) -> &'static str {
        self.estimator.name()
    }

    /// The name of the search.
    pub fn search(&self) -> &'static str {
        self.search.name()
    }

    /// The variables: the columns of the table that are no contexts.
    pub fn names(&self) -> &[String] {
        self.data.names()
    }

    /// The contexts, by name.
    pub fn context_names(&self) -> &[String] {
        self.data.context_names()
    }

    /// The columns of `table` in the order of [`Plan::data`]: variables, then contexts.
    pub(crate) fn columns<'a>(&self, table: &'a Table) -> Vec<&'a Variable> {
        let variables = (0..table.n_vars()).filter(|column| !self.contexts.contains(column));
        variables.chain(self.contexts.iter().copied()).map(|column| &table.variables()[column]).collect()
    }

    /// All families that a search may ask for, child by child, smaller parent sets first.
    pub fn families(&self) -> Vec<Family> {
        self.constraints.families().collect()
    }

    /// How many families will be scored; `None` if that is seen as the run goes.
    pub fn n_families(&self) -> Option<usize> {
        (!self.search.is_lazy() && !self.grows).then(|| self.constraints.families().count())
    }

    /// How many networks predict each family; 0 without.
    pub fn n_networks(&self) -> usize {
        self.estimator.cost().n_networks
    }

    /// How many orders of the rows are coded.
    pub fn row_orders(&self) -> usize {
        self.row_orders
    }

    /// The same, with code lengths kept in a file of `directory` unless the settings name another store. Every table has a file of its own
    /// there, so that runs on other columns or rows do not stand in each other's way.
    #[cfg(feature = "store")]
    pub fn with_store_in(self, directory: &Path) -> Plan {
        let default_path = || directory.join(format!("codes-{}.db", &self.table.sha256[..N_HASH_DIGITS]));
        Plan { store: self.store.clone().or_else(|| Some(default_path())), ..self }
    }

    /// Where code lengths are kept beyond the run, if they are.
    pub fn store(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    /// Whether a search that asks as it goes looks among candidates first: where a family costs more than choosing does.
    pub(crate) fn is_wide(&self) -> bool {
        self.search.is_lazy() && self.estimator.cost().grows && self.data.n_vars() >= MIN_WIDE
    }

    /// The order in which repeat number `repeat` codes the rows: place i holds row `order[i]`.
    pub(crate) fn order_of_rows(&self, repeat: usize) -> Vec<u32> {
        match self.row_order {
            RowOrder::Shuffled => shuffled_rows(self.data.n_rows(), self.seed, repeat),
            RowOrder::Given => (0..self.data.n_rows() as u32).collect(),
        }
    }

    /// Refuses what cannot be searched, or scored for the search.
    pub(crate) fn check_learnable(&self) -> Result<()> {
        self.search.check(&self.constraints, &self.limits)?;
        self.check_scoring(&self.constraints, self.n_scored_at_first(), self.search.is_lazy())
    }

    /// Refuses to score more families than there is memory for.
    pub(crate) fn check_scorable(&self) -> Result<()> {
        self.check_scoring(&self.scored, self.scored.n_families(self.scored.max_parents()), false)
    }

    /// The same for `n_families` of those that are allowed; a search that `is_lazy` asks for more.
    fn check_scoring(&self, constraints: &Constraints, n_families: f64, is_lazy: bool) -> Result<()> {
        let needed = self.memory_of_scores(constraints, n_families, is_lazy);
        let limit = self.limits.memory as f64;
        if needed <= limit {
            return Ok(());
        }
        let max_parents = if is_lazy { 1 } else { constraints.max_parents() };
        let families = roughly(n_families);
        let parents = plural(max_parents, "parent");
        let keep =
            if is_lazy { message!["keep"] } else { message!["lower ", OptionName::MaxParents, ", keep"] };
        let (columns, memory) = (OptionName::Columns, OptionName::MemoryLimit);
        Err(Error::TooLarge {
            what: "scoring",
            n_vars: constraints.n_vars(),
            needed: format!("{} ({families} families of at most {parents})", bytes(needed)),
            limit: bytes(limit),
            hint: message![keep, " fewer columns with ", columns, ", or raise ", memory],
        })
    }

    /// How many families are scored, about; of those that a search asks for as it goes, the first.
    fn n_scored_at_first(&self) -> f64 {
        match (self.search.is_lazy(), self.grows) {
            (true, _) => self.constraints.n_families(1),
            // Few sets grow.
            (_, true) => 2.0 * growth::n_seeds(&self.constraints),
            _ => self.constraints.n_families(self.constraints.max_parents()),
        }
    }

    /// Bytes that the scores take.
    fn memory_of_scores(&self, constraints: &Constraints, n_families: f64, is_lazy: bool) -> f64 {
        let table = CodeLengths::memory(constraints.n_vars(), constraints.max_parents());
        self.estimator.cost().bytes_per_family * n_families + if is_lazy { 0.0 } else { table }
    }

    /// Bytes that learning takes at the peak, about, if so many families are scored.
    pub(crate) fn memory(&self, n_families: f64) -> f64 {
        let search_memory = self.search.memory(self.data.n_vars());
        let score_memory = self.memory_of_scores(&self.constraints, n_families, self.search.is_lazy());
        let summing_memory =
            if self.sums_over_all_graphs() { posterior_memory(self.data.n_vars()) } else { 0.0 };
        score_memory + search_memory.max(summing_memory) + self.memory_of_data()
    }

    /// Whether probabilities will be sums over all graphs, which takes tables of all sets of variables.
    pub(crate) fn sums_over_all_graphs(&self) -> bool {
        let n_vars = self.data.n_vars();
        !self.search.is_lazy()
            && n_vars <= MAX_SUMMED
            && posterior_memory(n_vars) <= self.limits.memory as f64
    }

    /// Bytes that scoring so many families takes without a search, about.
    pub(crate) fn memory_without_search(&self, n_families: usize) -> f64 {
        self.estimator.cost().bytes_per_family * n_families as f64 + self.memory_of_data()
    }

    /// Bytes of the program, of the table as it was read, as families see it and in every order of the rows, and of what codes it.
    fn memory_of_data(&self) -> f64 {
        let n_rows = self.data.n_rows() as f64;
        let is_number = |node: &usize| self.data.column(*node).numbers.is_some();
        let n_numbers = (0..self.data.n_columns()).filter(is_number).count() as f64;
        let n_labels = self.data.n_columns() as f64 - n_numbers;
        let (read, seen) = (8.0 * n_numbers + 4.0 * n_labels, 12.0 * n_numbers + 4.0 * n_labels);
        let Memory { shared, per_thread } = self.estimator.memory(&self.data);
        let orders = self.row_orders as f64;
        BYTES_OF_PROGRAM
            + n_rows * (read + seen * (1.0 + orders))
            + shared * orders
            + per_thread * rayon::current_num_threads() as f64
    }

    /// The most families that a search may ask for. One that scores all beforehand is refused instead.
    pub(crate) fn max_families(&self) -> usize {
        if self.search.is_lazy() {
            (self.limits.memory as f64 / self.estimator.cost().bytes_per_family) as usize
        } else {
            usize::MAX
        }
    }

    /// The families that are scored at first: all, or those that a search which asks as it goes will begin with, every variable with
    /// one parent more than it must have.
    pub(crate) fn first_families(&self) -> Vec<Family> {
        let constraints = &self.constraints;
        if !self.search.is_lazy() {
            return if self.grows { growth::seeds(constraints) } else { constraints.families().collect() };
        }
        let small_families = |child: usize| {
            let required = constraints.required(child);
            let grown = constraints.allowed(child).difference(required);
            let grown: Vec<usize> = grown.iter().collect();
            let sets = std::iter::once(required.clone())
                .chain(grown.into_iter().map(|parent| required.with(parent)));
            sets.map(move |parents| Family::new(child, parents)).collect::<Vec<_>>()
        };
        (0..constraints.n_vars())
            .flat_map(small_families)
            .filter(|family| constraints.allows(family))
            .collect()
    }
}

fn check_row_orders(row_orders: usize) -> Result<()> {
    require(
        (1..=MAX_ROW_ORDERS).contains(&row_orders),
        || {
            let bounds = format!(" is {row_orders}, but must lie between 1 and {MAX_ROW_ORDERS}");
            message![OptionName::RowOrders, bounds]
        },
        || message!["use ", OptionName::RowOrders.set(3)],
    )
}

/// How numbers become levels, with the estimator's own number of bins unless one was asked for.
fn quantisation(resolution: &Resolution, estimator: &dyn estimator::Method) -> Result<Quantisation> {
    let Resolution { n_bins, binning, inputs } = *resolution;
    let default = estimator.default_bins();
    require(
        default.is_some() || (n_bins.is_none() && binning == Binning::default()),
        || message![OptionName::Bins, " has no effect: this estimator codes numbers as they are"],
        || message!["leave it out, or use ", OptionName::Estimator.set("counts")],
    )?;
    // Without bins, what they would be changes nothing.
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
        inputs == Inputs::Quantised || estimator.takes_raw_numbers(),
        || message!["raw inputs are for networks trained from scratch, as in the paper"],
        || {
            let (neural, blockwise) =
                (OptionName::Estimator.set("neural"), OptionName::Schedule.set("blockwise"));
            message!["use ", OptionName::Inputs.set("quantised"), ", or ", neural, " with ", blockwise]
        },
    )?;
    Ok(Quantisation { n_bins, binning, inputs })
}

/// What knowledge, limits and the table itself leave possible.
fn possible(
    data: &Quantised,
    knowledge: &Knowledge,
    max_parents: Option<usize>,
    estimator: &dyn estimator::Method,
) -> Result<Constraints> {
    let mut constraints = Constraints::new(knowledge, data.names(), max_parents)?;
    // Whatever is predicted from a constant or the other way round costs the same as without.
    let is_binned = estimator.default_bins().is_some();
    for node in (0..data.n_vars()).filter(|&node| data.column(node).is_constant(is_binned)) {
        constraints = constraints.with_isolated(node);
    }
    let Some(limit) = estimator.max_configurations() else { return Ok(constraints) };
    let n_levels = (0..data.n_vars()).map(|node| data.column(node).n_parent_levels()).collect();
    Ok(constraints.with_max_configurations(n_levels, limit as f64))
}

/// The largest number of parents with at most `max_families` families, and at least 1.
pub(super) fn affordable(constraints: &Constraints, max_families: f64) -> usize {
    // From below: the number of families grows with the limit, and with 10,000 columns the high limits take long to count.
    let fits = |&limit: &usize| constraints.n_families(limit) <= max_families;
    (1..=constraints.max_parents()).take_while(fits).last().unwrap_or(1)
}
