//! The names of choices on the command line, and what they stand for.

use clap::ValueEnum;
use prequential::tables::{Binning, Inputs};
use prequential::{RowOrder, Settings};

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PresetName {
    /// The best there is
    Default,
    /// The paper's networks and quantisation: days of work for five variables, unless `--steps` is lowered
    Paper,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum BinningName {
    Normal,
    Tanh,
    TanhStandardised,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum InputsName {
    Quantised,
    Raw,
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
    /// Random numbers, each a sum of random functions of at most 3 others, plus noise
    RandomAdditive,
    /// The same with products and functions of sums among them
    RandomFunctions,
    /// Fresh systems as the paper drew those of its Table 2: random graphs, polynomials, sines and reciprocals
    RandomMechanisms,
    /// Random numbers, each a draw from a Gaussian process over its parents, plus noise (GraN-DAG)
    RandomGp,
    /// The same, a sum of draws over one parent each
    RandomGpAdditive,
    /// Random numbers, each a small network of its parents, plus noise (NOTEARS-MLP)
    RandomMlp,
    /// Random numbers in five environments, each of which shifts some of their mechanisms; the last column is the environment
    Shifts,
    /// The same with labels
    ShiftsCategorical,
    /// A -> B -> C, sines (paper, Figure 2)
    Chain3,
    /// A -> C <- B, C -> D, C -> E, sines (paper, Figure 3)
    Star5,
    /// A -> B -> C -> D -> E, almost linear (paper, appendix)
    Chain5,
    /// The same, periodic (paper, appendix)
    Chain5Periodic,
    /// A prime number up to 1,000, one that is no smaller, and their product (paper, appendix)
    Primes,
    /// A random graph with the first equation of Yu et al. (paper, Table 1)
    YuA,
    /// A random graph with the second equation of Yu et al. (paper, Table 1)
    YuB,
    /// One of 20 systems of polynomials, sines and reciprocals (paper, Table 2 and appendix)
    Mechanisms,
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
            BinningName::Normal => Binning::Normal,
            BinningName::Tanh => Binning::Tanh,
            BinningName::TanhStandardised => Binning::TanhStandardised,
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

impl RowOrderName {
    pub(crate) fn row_order(self) -> RowOrder {
        match self {
            RowOrderName::Shuffled => RowOrder::Shuffled,
            RowOrderName::Given => RowOrder::Given,
        }
    }
}
