//! Any search with any score: searches given code lengths, and offers our code lengths to other searches.

use std::sync::Arc;

use super::answer::find_among;
use super::families::{FamilyPolicy, affordable};
use super::plan::Plan;
use super::pool::in_pool;
use super::result::{Answer, Partial};
use super::settings::Settings;
use crate::base::error::{Error, Result};
use crate::base::format::{bytes, plural};
use crate::base::message::{OptionName, message};
use crate::base::nats::Nats;
use crate::base::observer::{Observer, Stage};
use crate::base::stop::{Stop, StopToken};
use crate::graph::Family;
use crate::score::{CodeLengths, FamilyLengths, FamilyScorer, LocalScore, ScoredOnce, code_lengths};
use crate::search::{Budget, Constraints, Limits, Problem, SearchMethod};

/// The result of a search of given code lengths.
#[derive(Debug)]
#[non_exhaustive]
pub struct Searched {
    /// The variables.
    pub names: Vec<String>,
    /// How many families had a code length.
    pub n_families: usize,
    /// The name of the search.
    pub search: &'static str,
    /// The answer.
    pub answer: Answer,
    /// Why the search is partial, if it is; then nothing is proven.
    pub partial: Option<Partial>,
}

/// The default limit on families that a search requests from a score that lists none.
const MAX_FAMILIES: f64 = 100_000.0;

/// Finds the best graph by any score, with the settings of search and knowledge.
///
/// Scores in a table ([`LocalScores`](crate::scores::LocalScores), as from a `.jkl` file or a store) name all
/// families that a graph can have. Of another [`LocalScore`], a search that proves its answer scores all
/// families first, of as many parents as 100,000 families allow unless `max_parents` sets more; `hill-climb`
/// and `order` score the families that they reach.
///
/// ```
/// use prequential::scores::{LocalScores, search_scores};
/// use prequential::Settings;
/// let scores = LocalScores::from_jkl("2\nrain 1\n-10.5 0\nwet 2\n-20 0\n-12.25 1 rain\n", "garden.jkl")?;
/// let searched = search_scores(&scores, &Settings::default(), &())?;
/// assert_eq!(searched.answer.dag.edges(), [(0, 1)]);
/// assert_eq!(searched.answer.code_length.0, 22.75);
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn search_scores(
    score: &dyn LocalScore,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Searched> {
    if let Some(context) = settings.knowledge.context.first() {
        return Err(Error::Setting {
            what: message![context.place.clone(), " names a context, but the code lengths of families are given"],
            hint: "a context acts on code lengths when they are made: name it where a table is learnt from or scored".into(),
        });
    }
    let (names, table, limits) = (score.names(), score.table(), &settings.limits);
    let (search, families, constraints) = resolve(score, settings)?;
    check(&*search, families, &constraints, limits)?;
    let token = StopToken::new();
    let once = ScoredOnce::new(score, observer, Stop::when(&token, observer));
    let lengths: &dyn FamilyLengths = match table {
        Some(table) => table,
        None => &once,
    };
    let mut answer = in_pool(settings.threads, || {
        if table.is_none() {
            observer.entered(Stage::InitialScoring);
            once.request_uninterruptible(&constraints.smallest_dag().families().collect::<Vec<_>>())?;
            if families.knows_all() {
                once.request(&families.first_families(&constraints))?;
            }
        }
        check_start(lengths, names, &constraints)?;
        observer.entered(Stage::Search);
        let problem = Problem {
            lengths,
            constraints: &constraints,
            limits,
            top: settings.top,
            n_near: 0,
            candidates: None,
            start: None,
            seed: settings.seed,
            stop: Stop::when(&token, observer),
        };
        find_among(&*search, &problem)
    })?;
    if table.is_none() && token.reason().is_some() {
        answer.found.is_proven = false;
        answer.found.is_stopped = true;
    }
    let n_families = table.map_or_else(|| once.len(), |table| table.lengths.len());
    let n_planned = match table {
        Some(_) => Some(n_families),
        None => families.n_families(&constraints),
    };
    let partial = |reason| Partial { reason, n_scored: n_families, n_planned };
    Ok(Searched {
        names: names.to_vec(),
        n_families,
        search: search.description().name,
        partial: token.reason().filter(|_| answer.found.is_stopped).map(partial),
        answer,
    })
}

/// The search, when families are scored for it, and which it may request.
fn resolve(
    score: &dyn LocalScore,
    settings: &Settings,
) -> Result<(Arc<dyn SearchMethod>, FamilyPolicy, Constraints)> {
    let limits = &settings.limits;
    let constraints = Constraints::new(&settings.knowledge, score.names(), settings.max_parents)?;
    let fits = |max_parents| {
        let memory = CodeLengths::memory(constraints.n_vars(), max_parents);
        if memory <= limits.memory as f64 { max_parents } else { 0 }
    };
    if let Some(table) = score.table() {
        let largest = table.lengths.keys().map(|family| family.parents.len()).max().unwrap_or(0);
        let largest = largest.min(constraints.max_parents());
        let constraints = constraints.clone().with_max_parents(largest);
        let max_parents = fits(largest);
        let budget = Budget { constraints: &constraints, max_parents, requested_max_parents: None, limits };
        let search = settings.search.resolve(&budget)?;
        let families = FamilyPolicy::new(search.description().scores_on_demand, false, &constraints);
        return Ok((search, families, constraints));
    }
    let asked = settings.max_parents.or(settings.knowledge.max_parents);
    let most = asked.unwrap_or_else(|| affordable(&constraints, MAX_FAMILIES)).min(constraints.max_parents());
    let max_parents = fits(most);
    let budget = Budget { constraints: &constraints, max_parents, requested_max_parents: asked, limits };
    let search = settings.search.resolve(&budget)?;
    let families = FamilyPolicy::new(search.description().scores_on_demand, false, &constraints);
    let most = if asked.is_none() { families.max_parents(most).min(constraints.max_parents()) } else { most };
    Ok((search, families, constraints.with_max_parents(most)))
}

/// Refuses problems that cannot be searched.
fn check(
    search: &dyn SearchMethod,
    families: FamilyPolicy,
    constraints: &Constraints,
    limits: &Limits,
) -> Result<()> {
    search.check(constraints, limits)?;
    let n_vars = constraints.n_vars();
    let needed = families.table_memory(constraints);
    if needed <= limits.memory as f64 {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "search",
        n_vars,
        needed: bytes(needed),
        limit: bytes(limits.memory as f64),
        hint: message![
            "use ",
            OptionName::Search.set("order"),
            ", lower ",
            OptionName::MaxParents,
            ", or raise ",
            OptionName::MemoryLimit,
        ],
    })
}

/// Refuses scores without the graph with the fewest edges.
fn check_start(lengths: &dyn FamilyLengths, names: &[String], constraints: &Constraints) -> Result<()> {
    let smallest = constraints.smallest_dag();
    let Some(family) = smallest.families().find(|family| lengths.code_length(family).is_none()) else {
        return Ok(());
    };
    let family = family.display(names);
    Err(Error::Setting {
        what: format!("there is no code length of `{family}`, where every search begins").into(),
        hint: message![
            "each variable needs one for the parents that are required, which are none unless ",
            OptionName::Require,
            " says so",
        ],
    })
}

/// The score of a plan, for searches of any origin: see [`Plan::local_score`].
pub struct PlanScore {
    names: Vec<String>,
    /// One for each order of the rows.
    scorers: Vec<FamilyScorer>,
}

impl Plan {
    /// The code lengths of this plan as a score for any search, bit for bit those of [`Plan::score`].
    ///
    /// Nothing is cached or stored, and the threads are the caller's. Families with the same parents,
    /// requested together, share most of the work.
    ///
    /// ```
    /// use prequential::scores::LocalScore;
    /// use prequential::{Column, Family, Fourier, NodeSet, Plan, ReadOptions, Settings, Table};
    /// let height: Vec<f64> = (0..200).map(|i| f64::from(i * 7919 % 200) / 100.0).collect();
    /// let weight = height.iter().map(|height| (3.0 * height).sin()).collect();
    /// let columns = vec![Column::numbers("height", height), Column::numbers("weight", weight)];
    /// let table = Table::from_columns(columns, &ReadOptions::default())?;
    /// let settings = Settings { estimator: Fourier::default().into(), ..Settings::default() };
    /// let score = Plan::new(&table, &settings)?.local_score();
    /// let alone = score.code_length(&Family::new(1, NodeSet::new()))?;
    /// let with_height = score.code_length(&Family::new(1, NodeSet::single(0)))?;
    /// assert!(with_height.0 < alone.0 - 100.0);
    /// # Ok::<(), prequential::Error>(())
    /// ```
    pub fn local_score(&self) -> PlanScore {
        PlanScore { names: self.names().to_vec(), scorers: self.scorers() }
    }
}

impl LocalScore for PlanScore {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn code_length(&self, family: &Family) -> Result<Nats> {
        Ok(self.code_lengths(std::slice::from_ref(family))?[0])
    }

    fn code_lengths(&self, families: &[Family]) -> Result<Vec<Nats>> {
        let n_vars = self.names.len();
        let is_known = |family: &Family| {
            family.child < n_vars
                && family.parents.iter().all(|parent| parent < n_vars && parent != family.child)
        };
        if let Some(family) = families.iter().find(|family| !is_known(family)) {
            return Err(Error::Setting {
                what: format!("{family:?} is no family of {}", plural(n_vars, "variable")).into(),
                hint: "variables are numbered from 0 as in `names`, and none is its own parent".into(),
            });
        }
        code_lengths(&self.scorers, families)
    }
}
