//! A search without a table: the best graph for given code lengths of families.

use crate::base::error::{Error, Result};
use crate::base::format::bytes;
use crate::base::stop::Halt;
use crate::run::find::{Aim, find_among};
use crate::run::learn::in_pool;
use crate::run::plan::{affordable_search, check_search};
use crate::run::result::Answer;
use crate::run::settings::{Search, Settings};
use crate::score::{CodeLengths, LocalScores};
use crate::search::Constraints;

/// What a search of given code lengths found.
#[derive(Debug)]
pub struct Searched {
    /// The variables.
    pub names: Vec<String>,
    /// How many families had a code length.
    pub n_families: usize,
    /// The settings in force.
    pub settings: Settings,
    /// What was found.
    pub answer: Answer,
}

/// Finds the best graph among those whose families have a code length; of the settings, those of search and knowledge are used.
///
/// ```
/// use prequential::{LocalScores, Settings, search_scores};
/// let scores = LocalScores::from_jkl("2\nrain 1\n-10.5 0\nwet 2\n-20 0\n-12.25 1 rain\n", "garden.jkl")?;
/// let searched = search_scores(&scores, &Settings::default())?;
/// assert_eq!(searched.answer.dag.edges(), [(0, 1)]);
/// assert_eq!(searched.answer.code_length.0, 22.75);
/// # Ok::<(), prequential::Error>(())
/// ```
pub fn search_scores(scores: &LocalScores, settings: &Settings) -> Result<Searched> {
    let largest = scores.lengths.keys().map(|family| family.parents.len()).max().unwrap_or(0);
    let constraints = Constraints::new(&settings.knowledge, &scores.names, settings.max_parents)?;
    let constraints =
        if constraints.max_parents() > largest { constraints.with_max_parents(largest) } else { constraints };
    let settings = decided(settings, &constraints);
    check(scores, &settings, &constraints)?;
    in_pool(settings.threads, || {
        let found =
            find_among(scores, Aim { settings: &settings, constraints: &constraints }, Halt::default())?;
        Ok(Searched {
            names: scores.names.clone(),
            n_families: scores.lengths.len(),
            answer: found.answer,
            settings: settings.clone(),
        })
    })
}

/// The settings with the search decided: one that proves its answer, if that is affordable.
fn decided(settings: &Settings, constraints: &Constraints) -> Settings {
    let n_vars = constraints.n_vars();
    let fits = CodeLengths::memory(n_vars, constraints.max_parents()) <= settings.limits.memory as f64;
    let affordable = if fits { constraints.max_parents() } else { 0 };
    let search = match settings.search {
        Search::Auto => affordable_search(constraints, affordable, None, &settings.limits),
        chosen => chosen,
    };
    Settings { search, max_parents: Some(constraints.max_parents()), ..settings.clone() }
}

fn check(scores: &LocalScores, settings: &Settings, constraints: &Constraints) -> Result<()> {
    let n_vars = constraints.n_vars();
    check_search(settings.search, n_vars, &settings.limits)?;
    let needed = CodeLengths::memory(n_vars, constraints.max_parents());
    if !settings.search.is_lazy() && needed > settings.limits.memory as f64 {
        return Err(Error::TooLarge {
            what: "search",
            n_vars,
            needed: bytes(needed),
            limit: bytes(settings.limits.memory as f64),
            hint: "use `--search order`, lower `--max-parents`, or raise `--memory-limit`".into(),
        });
    }
    let smallest = constraints.smallest_dag();
    match smallest.families().find(|family| !scores.lengths.contains_key(family)) {
        None => Ok(()),
        Some(family) => Err(Error::Setting {
            what: format!("there is no code length of `{}`, where every search begins", family.display(&scores.names)).into(),
            hint: "each variable needs one for the parents that are required, which are none unless `--require` says so"
                .into(),
        }),
    }
}
