//! The names of choices on the command line, and what they stand for.

use clap::ValueEnum;
use prequential::{Binning, Estimator, Inputs, RowOrder, Search, Settings};

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EstimatorName {
    Auto,
    Counts,
    Linear,
    Fourier,
    Neural,
    Mix,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PresetName {
    /// The best there is
    Default,
    /// The paper's networks and quantisation: days of work for five variables, unless `--steps` is lowered
    Paper,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BinningName {
    EqualFrequency,
    Tanh,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum InputsName {
    Quantised,
    Raw,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SearchName {
    /// `exhaustive`, `exact` or `order`, whichever is the surest that is affordable
    Auto,
    /// Every DAG, fully ranked: up to 6 variables
    Exhaustive,
    /// A proven optimum: up to about 28 variables
    Exact,
    /// Single-edge changes, families scored as needed: hundreds of variables, no proof
    HillClimb,
    /// Best places in a causal order, families scored as needed: hundreds of variables, no proof
    Order,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum RowOrderName {
    Shuffled,
    Given,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ExperimentName {
    /// A -> B -> C, five values each (paper, section 3.1)
    TabularChain,
    /// The network `cancer` with interventional rows (paper, appendix)
    Cancer,
    /// The network `asia`, 8 binary variables
    Asia,
    /// The network ALARM, 37 variables with 2 to 4 levels
    Alarm,
    /// A random network with 2 to 4 levels and at most 3 parents a variable
    RandomCategorical,
    /// A -> B -> C, sines (paper, Figure 2)
    Chain3,
    /// A -> C <- B, C -> D, C -> E, sines (paper, Figure 3)
    Star5,
    /// A -> B -> C -> D -> E, almost linear (paper, appendix)
    Chain5,
    /// The same, periodic (paper, appendix)
    Chain5Periodic,
    /// A random graph with the first equation of Yu et al. (paper, Table 1)
    YuA,
    /// A random graph with the second equation of Yu et al. (paper, Table 1)
    YuB,
    /// One of 20 systems of polynomials, sines and reciprocals (paper, Table 2 and appendix)
    Mechanisms,
}

impl EstimatorName {
    pub(crate) fn estimator(self) -> Estimator {
        match self {
            EstimatorName::Auto => Estimator::Auto,
            EstimatorName::Counts => Estimator::Counts,
            EstimatorName::Linear => Estimator::Linear,
            EstimatorName::Fourier => Estimator::Fourier,
            EstimatorName::Neural => Estimator::Neural,
            EstimatorName::Mix => Estimator::Mix,
        }
    }

    /// This one or, for `auto`, the preset's.
    pub(crate) fn or(self, preset: Estimator) -> Estimator {
        match self {
            EstimatorName::Auto => preset,
            given => given.estimator(),
        }
    }
}

impl PresetName {
    /// The settings that other options change.
    pub(crate) fn settings(self) -> Settings {
        match self {
            PresetName::Default => Settings::default(),
            PresetName::Paper => Settings::paper(),
        }
    }
}

impl BinningName {
    pub(crate) fn binning(self) -> Binning {
        match self {
            BinningName::EqualFrequency => Binning::EqualFrequency,
            BinningName::Tanh => Binning::Tanh,
        }
    }
}

impl InputsName {
    pub(crate) fn inputs(self) -> Inputs {
        match self {
            InputsName::Quantised => Inputs::Quantised,
            InputsName::Raw => Inputs::Raw,
        }
    }
}

impl SearchName {
    pub(crate) fn search(self) -> Search {
        match self {
            SearchName::Auto => Search::Auto,
            SearchName::Exhaustive => Search::Exhaustive,
            SearchName::Exact => Search::Exact,
            SearchName::HillClimb => Search::HillClimb,
            SearchName::Order => Search::Order,
        }
    }
}

impl RowOrderName {
    pub(crate) fn row_order(self) -> RowOrder {
        match self {
            RowOrderName::Shuffled => RowOrder::Shuffled,
            RowOrderName::Given => RowOrder::Given,
        }
    }
}
