//! A search without a table: the best graph for given code lengths of families.

use super::answer::find_among;
use super::learn::in_pool;
use super::result::{Answer, Partial};
use super::settings::Settings;
use crate::base::error::{Error, Result};
use crate::base::format::bytes;
use crate::base::message::{OptionName, message};
use crate::base::observer::{Observer, Stage};
use crate::base::stop::{Stop, StopToken};
use crate::score::{CodeLengths, LocalScores};
use crate::search::{Budget, Constraints, Limits, Problem, SearchMethod};

/// What a search of given code lengths found.
#[derive(Debug)]
pub struct Searched {
    /// The variables.
    pub names: Vec<String>,
    /// How many families had a code length.
    pub n_families: usize,
    /// The name of the search.
    pub search: &'static str,
    /// What was found.
    pub answer: Answer,
    /// Why the search did not go to its end, if that is so; then nothing is proven.
    pub partial: Option<Partial>,
}

/// Finds the best graph among those whose families have a code length; of the settings, those of search and knowledge are used.
///
/// ```
/// use prequential::{LocalScores, Settings, search_scores};
/// let scores = LocalScores::from_jkl("2\nrain 1\n-10.5 0\nwet 2\n-20 0\n-12.25 1 rain\n", "garden.jkl")?;
/// let searched = search_scores(&scores, &Settings::default(), &())?;
/// assert_eq!(searched.answer.dag.edges(), [(0, 1)]);
/// assert_eq!(searched.answer.code_length.0, 22.75);
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn search_scores(scores: &LocalScores, settings: &Settings, observer: &dyn Observer) -> Result<Searched> {
    if let Some(context) = settings.knowledge.context.first() {
        return Err(Error::Setting {
            what: message![context.place.clone(), " names a context, but the code lengths of families are given"],
            hint: "a context acts on code lengths when they are made: name it where a table is learnt from or scored".into(),
        });
    }
    let largest = scores.lengths.keys().map(|family| family.parents.len()).max().unwrap_or(0);
    let constraints = Constraints::new(&settings.knowledge, &scores.names, settings.max_parents)?;
    let constraints =
        if constraints.max_parents() > largest { constraints.with_max_parents(largest) } else { constraints };
    let memory = CodeLengths::memory(constraints.n_vars(), constraints.max_parents());
    let fits = memory <= settings.limits.memory as f64;
    let max_parents = if fits { constraints.max_parents() } else { 0 };
    let budget = Budget {
        constraints: &constraints,
        max_parents,
        requested_max_parents: None,
        limits: &settings.limits,
    };
    let search = settings.search.resolve(&budget)?;
    check(scores, &*search, &constraints, &settings.limits)?;
    let token = StopToken::new();
    let problem = Problem {
        lengths: scores,
        constraints: &constraints,
        limits: &settings.limits,
        top: settings.top,
        n_near: 0,
        candidates: None,
        start: None,
        seed: settings.seed,
        stop: Stop::when(&token, observer),
    };
    observer.entered(Stage::Search);
    let answer = in_pool(settings.threads, || find_among(&*search, &problem))?;
    let n_families = scores.lengths.len();
    let partial = |reason| Partial { reason, n_scored: n_families, n_planned: Some(n_families) };
    Ok(Searched {
        names: scores.names.clone(),
        n_families,
        search: search.name(),
        partial: token.reason().filter(|_| answer.found.is_stopped).map(partial),
        answer,
    })
}

fn check(
    scores: &LocalScores,
    search: &dyn SearchMethod,
    constraints: &Constraints,
    limits: &Limits,
) -> Result<()> {
    search.check(constraints, limits)?;
    let n_vars = constraints.n_vars();
    let needed = CodeLengths::memory(n_vars, constraints.max_parents());
    if !search.is_lazy() && needed > limits.memory as f64 {
        return Err(Error::TooLarge {
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
        });
    }
    let smallest = constraints.smallest_dag();
    let Some(family) = smallest.families().find(|family| !scores.lengths.contains_key(family)) else {
        return Ok(());
    };
    let family = family.display(&scores.names);
    Err(Error::Setting {
        what: format!("there is no code length of `{family}`, where every search begins").into(),
        hint: message![
            "each variable needs one for the parents that are required, which are none unless ",
            OptionName::Require,
            " says so",
        ],
    })
}
