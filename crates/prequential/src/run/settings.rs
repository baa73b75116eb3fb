//! Every choice of a run, with its default.

use std::path::PathBuf;

use serde::Serialize;

use crate::estimator::{
    BlockwiseSettings, Estimator, FourierSettings, Model, Prior, ReplaySettings, Schedule,
};
use crate::graph::Dag;
use crate::search::{ClimbSettings, Knowledge, Limits};
use crate::table::{Binning, Inputs, shuffled_rows};

/// How the best graph is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// `Exhaustive` for up to 5 variables, `Exact` where all families of at most 3 parents can be scored and the tables fit, `Order`
    /// beyond.
    #[default]
    Auto,
    /// Every DAG, fully ranked: up to 6 variables.
    Exhaustive,
    /// Dynamic programming over sets of variables: a proven optimum for up to about 28 variables.
    Exact,
    /// Single-edge changes, families scored as they are needed: hundreds of variables, no proof.
    HillClimb,
    /// Moves of variables within a causal order, families scored as they are needed: hundreds of variables, no proof.
    Order,
}

impl Search {
    /// Whether families are scored as the search needs them, not all beforehand; such a search proves nothing.
    pub fn is_lazy(self) -> bool {
        matches!(self, Search::HillClimb | Search::Order)
    }
}

/// The order in which rows are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// Drawn from the seed.
    #[default]
    Shuffled,
    /// As in the table.
    Given,
}

/// Every choice of a run.
///
/// ```
/// use prequential::{Search, Settings};
/// let settings = Settings { search: Search::Exact, seed: 7, ..Settings::default() };
/// assert_eq!(settings.top, 10);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What predicts a family.
    pub estimator: Estimator,
    /// What counts start from.
    pub prior: Prior,
    /// How regressions on waves predict.
    pub fourier: FourierSettings,
    /// When networks learn.
    pub schedule: Schedule,
    /// How small networks learn continually.
    pub replay: ReplaySettings,
    /// How networks learn from scratch at split points.
    pub blockwise: BlockwiseSettings,
    /// The most bins of a column of numbers; `None` for 8 with counts, 128 with other estimators.
    pub n_bins: Option<usize>,
    /// Where the edges of the bins lie.
    pub binning: Binning,
    /// What children see of a number.
    pub inputs: Inputs,
    /// How the best graph is found.
    pub search: Search,
    /// What is known about the graph beforehand.
    pub knowledge: Knowledge,
    /// The most parents of a variable; `None` for as many as 5,000 families allow, 20,000 with
    /// regressions, 100,000 with counts.
    pub max_parents: Option<usize>,
    /// With counts, parent sets with more combinations of values than this are left out; `None` for the number of rows, beyond which
    /// a table has more to learn than there is to learn from.
    pub max_configurations: Option<usize>,
    /// Draws the row orders and all random numbers of the estimators.
    pub seed: u64,
    /// With networks, how many predict each family: their probabilities are averaged. Without, how many row orders are
    /// coded: code lengths are their means. `None` for 3 networks or 1 row order.
    pub repeats: Option<usize>,
    /// Whether rows are shuffled.
    pub row_order: RowOrder,
    /// Worker threads; `None` for one per core. The answer does not depend on it.
    pub threads: Option<usize>,
    /// How often a search without proof starts again.
    pub restarts: usize,
    /// How many steps hill climbing goes on without finding a shorter code.
    pub tabu: usize,
    /// Where a search without proof begins; `None` for the graph of the required edges alone.
    pub start: Option<Dag>,
    /// What the search may use.
    pub limits: Limits,
    /// How many graphs the ranking lists.
    pub top: usize,
    /// A file that keeps the code lengths of families, so that none is scored twice: made if there is none. Changes no result.
    pub store: Option<PathBuf>,
}

/// Networks per family unless the user says otherwise.
const N_NETS: usize = 3;

impl Settings {
    /// The paper's choices: 128 equal bins of tanh, one network trained from scratch at each of six split points with each of two
    /// learning rates, on the parents' own numbers. Days of work for five variables.
    ///
    /// The paper's networks see their parents unquantised, so that units matter and precision that no family paid for leaks from
    /// parents to children: for fidelity only.
    pub fn paper() -> Settings {
        Settings {
            estimator: Estimator::Neural,
            schedule: Schedule::Blockwise,
            binning: Binning::Tanh,
            inputs: Inputs::Raw,
            repeats: Some(1),
            ..Settings::default()
        }
    }

    /// How many row orders are coded.
    pub fn n_orders(&self) -> usize {
        if self.estimator.has_networks() { 1 } else { self.repeats.unwrap_or(1) }
    }

    /// How many networks predict each family.
    pub fn n_nets(&self) -> usize {
        if self.estimator.has_networks() { self.repeats.unwrap_or(N_NETS) } else { 1 }
    }

    /// What predicts the families.
    pub fn model(&self) -> Model {
        Model {
            estimator: self.estimator,
            prior: self.prior,
            fourier: match self.estimator {
                Estimator::Linear => FourierSettings::linear(),
                _ => self.fourier.clone(),
            },
            schedule: self.schedule,
            replay: self.replay.clone(),
            blockwise: self.blockwise.clone(),
            n_nets: self.n_nets(),
            seed: self.seed,
        }
    }

    /// How a search without proof goes about it.
    pub(crate) fn climb(&self) -> ClimbSettings {
        ClimbSettings { restarts: self.restarts, tabu: self.tabu, start: self.start.clone(), seed: self.seed }
    }

    /// Whether code lengths depend on the network or on the order of rows: the total of counts does not.
    pub(crate) fn repeats_differ(&self) -> bool {
        self.estimator != Estimator::Counts
    }

    /// The order in which repeat number `repeat` codes the rows: place i holds row `order[i]`.
    pub(crate) fn order_of_rows(&self, n_rows: usize, repeat: usize) -> Vec<u32> {
        match self.row_order {
            RowOrder::Shuffled => shuffled_rows(n_rows, self.seed, repeat),
            RowOrder::Given => (0..n_rows as u32).collect(),
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            estimator: Estimator::Auto,
            prior: Prior::default(),
            fourier: FourierSettings::default(),
            schedule: Schedule::default(),
            replay: ReplaySettings::default(),
            blockwise: BlockwiseSettings::default(),
            n_bins: None,
            binning: Binning::default(),
            inputs: Inputs::default(),
            search: Search::Auto,
            knowledge: Knowledge::default(),
            max_parents: None,
            max_configurations: None,
            seed: 0,
            repeats: None,
            row_order: RowOrder::Shuffled,
            threads: None,
            restarts: ClimbSettings::default().restarts,
            tabu: ClimbSettings::default().tabu,
            start: None,
            limits: Limits::default(),
            top: 10,
            store: None,
        }
    }
}
