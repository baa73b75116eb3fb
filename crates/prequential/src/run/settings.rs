//! The settings of a run, with their defaults.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::estimator::{BlockwiseSettings, Estimator, Neural, Schedule};
use crate::search::{Knowledge, Limits, Search};
use crate::table::{Binning, ParentValues};

/// The order in which rows are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// Shuffled, drawn from the seed.
    #[default]
    Shuffled,
    /// As in the table.
    Given,
}

/// How columns of numbers become levels, and what children see of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Resolution {
    /// The bins of a column; `None` for the estimator's default: 8 with counts, 128 with networks trained
    /// from scratch. Others code numbers without bins.
    pub n_bins: Option<usize>,
    /// Where the edges of the bins lie.
    pub binning: Binning,
    /// What children see of a number.
    pub parent_values: ParentValues,
}

/// The settings of a run. A [`Plan`](crate::Plan) resolves what they leave open.
///
/// ```
/// use prequential::{Exact, Settings};
/// let settings = Settings { search: Exact.into(), seed: 7, ..Settings::default() };
/// assert_eq!(settings.top, 10);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The estimator.
    pub estimator: Estimator,
    /// How columns of numbers become levels.
    pub resolution: Resolution,
    /// The search.
    pub search: Search,
    /// Prior knowledge about the graph.
    pub knowledge: Knowledge,
    /// The most parents of a variable; `None` for as many as 5,000 families allow, 20,000 with
    /// regressions, 100,000 with counts.
    pub max_parents: Option<usize>,
    /// The seed of row orders and of all random numbers of estimators and searches.
    pub seed: u64,
    /// How many row orders are coded: code lengths are their means.
    pub permutations: usize,
    /// Whether rows are shuffled.
    pub row_order: RowOrder,
    /// Worker threads; `None` for one per core. The answer does not depend on it.
    pub threads: Option<usize>,
    /// The limits of the search.
    pub limits: Limits,
    /// How many graphs the ranking lists.
    pub top: usize,
    /// A file that keeps the code lengths of families, so that none is scored twice; created if missing. It
    /// changes no result.
    pub store: Option<PathBuf>,
}

impl Settings {
    /// The paper's choices: 128 equal bins of tanh, one network trained from scratch at each of six split points with each of two
    /// learning rates, on the parents' own numbers. Days of work for five variables.
    ///
    /// The paper's networks see their parents unquantised, so that units matter and precision that no family
    /// paid for leaks from parents to children: use it only to reproduce the paper.
    pub fn paper() -> Settings {
        let schedule = Schedule::Blockwise(BlockwiseSettings::default());
        Settings {
            estimator: Neural { networks: 1, schedule, ..Neural::default() }.into(),
            resolution: Resolution { n_bins: None, binning: Binning::Tanh, parent_values: ParentValues::Raw },
            ..Settings::default()
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            estimator: Estimator::default(),
            resolution: Resolution::default(),
            search: Search::default(),
            knowledge: Knowledge::default(),
            max_parents: None,
            seed: 0,
            permutations: 1,
            row_order: RowOrder::Shuffled,
            threads: None,
            limits: Limits::default(),
            top: 10,
            store: None,
        }
    }
}
