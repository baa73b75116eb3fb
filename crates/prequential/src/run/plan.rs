//! What a run will do, settled and checked before any long work.

use crate::base::error::{Error, Result};
use crate::base::format::{bytes, plural, roughly};
use crate::estimator::Estimator;
use crate::graph::Family;
use crate::run::checks::check;
use crate::run::find::Aim;
use crate::run::selection::Wanted;
use crate::run::settings::{Search, Settings};
use crate::score::CodeLengths;
use crate::search::{Constraints, Limits, OrderGraph, check_enumerable};
use crate::table::{Kind, Quantisation, Quantised, Table};

/// The most families that are scored unless the user sets `max_parents`: minutes of work.
fn max_families(estimator: Estimator) -> f64 {
    match estimator {
        Estimator::Counts => 100_000.0,
        Estimator::Linear | Estimator::Fourier => 20_000.0,
        Estimator::Neural | Estimator::Mix | Estimator::Auto => 5_000.0,
    }
}

/// Bytes that a family takes, until it is reported: itself, its places in groups and lists, its code lengths, the curves of models.
fn bytes_per_family(settings: &Settings) -> f64 {
    match settings.estimator {
        Estimator::Counts => 600.0,
        _ => 600.0 + 2_000.0 * settings.n_nets() as f64,
    }
}

/// The most variables that `Search::Auto` enumerates.
const MAX_AUTO_ENUMERATED: usize = 5;

/// With fewer parents than this, `Search::Auto` rather does without a proof than without the other parents.
const MIN_AUTO_PARENTS: usize = 3;

/// The most parents of a variable, unless the user says otherwise, where families are scored as the search needs them.
const MAX_LAZY_PARENTS: usize = 10;

/// What a run will do: the settings with every `auto` decided, known to be free of contradictions.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The settings in force: no `Auto`, no open limit.
    pub settings: Settings,
    /// Which families a graph may have.
    pub constraints: Constraints,
    /// The quantised table, in file order.
    pub data: Quantised,
}

impl Plan {
    /// The plan of a run without a search: the families that are wanted, no others.
    pub(crate) fn of_scores(table: &Table, settings: &Settings, wanted: Wanted) -> Result<Plan> {
        // Which families there are must not depend on a search that could do without some.
        let plan = Plan::new(table, &Settings { search: Search::Exact, start: None, ..settings.clone() })?;
        if !matches!(wanted, Wanted::Graph(_)) {
            plan.check_scoring()?;
        }
        Ok(plan)
    }

    /// Checks `settings` against `table` and decides what they leave open.
    pub fn new(table: &Table, settings: &Settings) -> Result<Plan> {
        let mut settings = settings.clone();
        if settings.estimator == Estimator::Auto {
            let has_numbers = table.variables().iter().any(|variable| variable.kind() == Kind::Continuous);
            settings.estimator = if has_numbers { Estimator::Mix } else { Estimator::Counts };
        }
        check(&settings)?;
        settings.repeats = Some(settings.n_orders().max(settings.n_nets()));
        let fine = if settings.estimator == Estimator::Counts { 8 } else { 128 };
        let n_bins = *settings.n_bins.get_or_insert(fine);
        let (binning, inputs) = (settings.binning, settings.inputs);
        let data = Quantised::with(table, &Quantisation { n_bins, binning, inputs });
        let constraints = constraints(table, &data, &mut settings)?;
        check_start(&settings, &constraints)?;
        Ok(Plan { settings, constraints, data })
    }

    /// Returns [`Error::TooLarge`] if scoring all families, or those that a search asks for first, needs more memory than allowed.
    pub fn check_scoring(&self) -> Result<()> {
        let n_vars = self.constraints.n_vars();
        let (max_parents, n_families) = match self.settings.search.is_lazy() {
            true => (1, self.constraints.n_families(1)),
            false => {
                (self.constraints.max_parents(), self.constraints.n_families(self.constraints.max_parents()))
            }
        };
        let needed = self.memory_of_scores();
        let limit = self.settings.limits.memory as f64;
        if needed <= limit {
            return Ok(());
        }
        Err(Error::TooLarge {
            what: "scoring",
            n_vars,
            needed: format!(
                "{} ({} families of at most {})",
                bytes(needed),
                roughly(n_families),
                plural(max_parents, "parent")
            ),
            limit: bytes(limit),
            hint: match self.settings.search.is_lazy() {
                true => "keep fewer columns with `--columns`, or raise `--memory-limit`",
                false => {
                    "lower `--max-parents`, keep fewer columns with `--columns`, or raise `--memory-limit`"
                }
            }
            .into(),
        })
    }

    /// Bytes that the scores take; with a search that asks as it goes, only what is known of them.
    fn memory_of_scores(&self) -> f64 {
        let (n_vars, max_parents) = (self.constraints.n_vars(), self.constraints.max_parents());
        let of_families = |n_families: f64| bytes_per_family(&self.settings) * n_families;
        match self.settings.search.is_lazy() {
            true => of_families(self.constraints.n_families(1)),
            false => {
                of_families(self.constraints.n_families(max_parents))
                    + CodeLengths::memory(n_vars, max_parents)
            }
        }
    }

    /// Bytes that the run takes, about.
    pub fn memory(&self) -> f64 {
        let n_vars = self.constraints.n_vars();
        let of_search = match self.settings.search {
            Search::Exact | Search::Auto => OrderGraph::memory(n_vars),
            Search::Exhaustive => 16.0 * 4e6,
            Search::HillClimb | Search::Order => 64.0 * 1024.0 * 1024.0,
        };
        self.memory_of_scores() + of_search + self.memory_of_data()
    }

    /// Returns [`Error::TooLarge`] if the search cannot be afforded.
    pub fn check_search(&self) -> Result<()> {
        check_search(self.settings.search, self.constraints.n_vars(), &self.settings.limits)
    }

    /// What the search is to find.
    pub(crate) fn aim(&self) -> Aim<'_> {
        Aim { settings: &self.settings, constraints: &self.constraints }
    }

    /// Bytes that a run takes that scores so many families and searches nothing, about.
    pub(crate) fn memory_without_search(&self, n_families: usize) -> f64 {
        bytes_per_family(&self.settings) * n_families as f64 + self.memory_of_data()
    }

    /// The most families that a search may ask for. One that scores all beforehand is refused instead.
    pub(crate) fn max_families(&self) -> usize {
        match self.settings.search.is_lazy() {
            true => (self.settings.limits.memory as f64 / bytes_per_family(&self.settings)) as usize,
            false => usize::MAX,
        }
    }

    fn memory_of_data(&self) -> f64 {
        12.0 * (self.data.n_vars() * self.data.n_rows() * self.settings.n_orders()) as f64
    }

    /// The families to score.
    pub fn families(&self) -> Vec<Family> {
        self.constraints.families().collect()
    }

    /// The families that are scored at first: all, or those that a search which asks as it goes will begin with, every variable with
    /// one parent more than it must have.
    pub(crate) fn first_families(&self) -> Vec<Family> {
        if !self.settings.search.is_lazy() {
            return self.families();
        }
        let constraints = &self.constraints;
        let of_child = |child: usize| {
            let required = constraints.required(child);
            let grown = constraints.allowed(child).difference(required);
            let grown: Vec<usize> = grown.iter().collect();
            let sets = std::iter::once(required.clone())
                .chain(grown.into_iter().map(|parent| required.with(parent)));
            sets.map(move |parents| Family::new(child, parents)).collect::<Vec<_>>()
        };
        (0..constraints.n_vars()).flat_map(of_child).filter(|family| constraints.allows(family)).collect()
    }
}

/// What knowledge, limits and the table itself leave possible; enters the limits that were open into `settings`.
fn constraints(table: &Table, data: &Quantised, settings: &mut Settings) -> Result<Constraints> {
    let mut constraints = Constraints::new(&settings.knowledge, &table.names(), settings.max_parents)?;
    // Whatever is predicted from a constant or the other way round costs the same as without.
    for node in (0..data.n_vars()).filter(|&node| data.column(node).is_constant()) {
        constraints = constraints.with_isolated(node);
    }
    let limit = settings.max_parents.or(settings.knowledge.max_parents);
    let affordable = affordable(&constraints, max_families(settings.estimator));
    if settings.search == Search::Auto {
        settings.search = affordable_search(&constraints, affordable, limit, &settings.limits);
    }
    if limit.is_none() {
        let lazy = settings.search.is_lazy();
        constraints = constraints.with_max_parents(if lazy { MAX_LAZY_PARENTS } else { affordable });
    }
    settings.max_parents = Some(constraints.max_parents());
    if settings.estimator != Estimator::Counts {
        settings.max_configurations = None;
        return Ok(constraints);
    }
    let limit = *settings.max_configurations.get_or_insert(table.n_rows());
    let n_levels = (0..data.n_vars()).map(|node| data.column(node).n_parent_levels()).collect();
    Ok(constraints.with_max_configurations(n_levels, limit as f64))
}

/// The largest number of parents with at most `max_families` families, and at least 1.
fn affordable(constraints: &Constraints, max_families: f64) -> usize {
    // From below: the number of families grows with the limit, and with 10,000 columns the high limits take long to count.
    let fits = |&limit: &usize| constraints.n_families(limit) <= max_families;
    (1..=constraints.max_parents()).take_while(fits).last().unwrap_or(1)
}

/// Returns [`Error::TooLarge`] if a search over so many variables cannot be afforded.
pub(crate) fn check_search(search: Search, n_vars: usize, limits: &Limits) -> Result<()> {
    match search {
        Search::Exhaustive => check_enumerable(n_vars),
        Search::Exact | Search::Auto => OrderGraph::check(n_vars, limits),
        Search::HillClimb | Search::Order => Ok(()),
    }
}

/// The search that proves its answer, if that is affordable, or else one that does not.
pub(crate) fn affordable_search(
    constraints: &Constraints,
    affordable: usize,
    limit: Option<usize>,
    limits: &Limits,
) -> Search {
    let n_vars = constraints.n_vars();
    let wanted = limit.unwrap_or(MIN_AUTO_PARENTS).min(constraints.max_parents());
    if n_vars <= MAX_AUTO_ENUMERATED {
        Search::Exhaustive
    } else if affordable >= wanted && OrderGraph::check(n_vars, limits).is_ok() {
        Search::Exact
    } else {
        Search::Order
    }
}

/// The graph where a search begins must be one that may be.
fn check_start(settings: &Settings, constraints: &Constraints) -> Result<()> {
    match &settings.start {
        Some(_) if !settings.search.is_lazy() => Err(Error::Setting {
            what: "`--start` says where a search begins, but this one looks at all graphs".into(),
            hint: "leave it out, or add `--search hill-climb` or `--search order`".into(),
        }),
        Some(start) if !constraints.allow(start) => Err(Error::Setting {
            what: "the graph of `--start` is not one that the constraints allow".into(),
            hint:
                "start from a graph that obeys them, with at most `--max-parents` parents for each variable"
                    .into(),
        }),
        _ => Ok(()),
    }
}
