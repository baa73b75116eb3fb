//! Learns the causal graph behind a table: the graph under which the rows are predicted with the least total
//! log-loss.
//!
//! Every candidate graph predicts each variable from its parents, by models that learn only from the rows
//! before. The total log-loss is a code length (prequential minimum description length, MDL), and the graph
//! with the shortest code wins. There is no penalty to tune. After Bornschein, Chiappa, Malek and Ke (2021).
//!
//! ```
//! use prequential::{Settings, learn};
//! use prequential_simulate::Experiment;
//! // 5,000 patients drawn from a known network; `Table::read` reads files instead.
//! let simulated = Experiment::Asia.simulate(5_000, 1)?;
//! let learned = learn(&simulated.table, &Settings::default())?;
//! for edge in learned.edges() {
//!     println!("{} -> {}: removing it costs {:?} nats", edge.from, edge.to, edge.removal_nats);
//! }
//! println!("{}", learned.to_text());
//! assert!(learned.against(&simulated.truth).comparison.shd_cpdag <= 1);
//! # Ok::<(), prequential::Error>(())
//! ```
//!
//! The steps: a [`Table`] is read or built; a [`Plan`] resolves what [`Settings`] leave open, scores families
//! and learns the graph; [`Learned::document`] gives the [`ResultDocument`], of which text, JSON, page, pictures
//! and CSV are made.
//!
//! The root has what a program needs that reads a table, settles a run, learns, stops it, and reads or writes
//! graphs. All else is in modules by topic: [`results`], [`scores`], [`tables`], [`textbook`], [`tuning`],
//! [`options`], [`progress`], [`workers`], [`compression`], [`wording`].

mod base;
mod compress;
mod estimator;
mod graph;
mod posterior;
mod report;
mod run;
mod score;
mod search;
mod shape;
mod simd;
mod table;

pub use base::error::{Error, Result, TableProblem};
pub use base::nats::Nats;
pub use base::observer::Observer;
pub use base::stop::{StopReason, StopToken};
pub use estimator::{Auto, Counts, Estimator, Fourier, Linear, Mix, Neural, Prior, Schedule};
pub use graph::{
    Comparison, Cpdag, Cycle, Dag, Family, GraphFormat, NamedDag, NodeSet, compare, parse_graph, read_graph,
    write_graph,
};
pub use report::{DocumentOptions, ResultDocument};
pub use run::{FamilySelection, Learned, Plan, Resolution, RowOrder, Scored, Settings, learn};
pub use search::{
    Constraints, Exact, Exhaustive, HillClimb, Ilp, Knowledge, Limits, Order, Search, Statement,
};
pub use table::{Column, Kind, ReadOptions, Table, Values, Variable};

/// How cells of tables are read, named and made ready to be coded.
pub mod tables {
    #[cfg(feature = "arrow")]
    pub use crate::table::table_from_batches;
    pub use crate::table::{Binning, InterventionMask, MISSING, OrderedLabels, ParentValues, Source};
}

/// The types that results consist of.
pub mod results {
    pub use crate::posterior::{
        EdgeEvidence, EdgeProbabilities, PairProbability, PosteriorBasis, PosteriorMethod,
    };
    pub use crate::report::{
        ComparisonDocument, LearnedEdge, PlanDocument, ScoreDocument, SearchDocument, VariablePair,
    };
    pub use crate::run::{
        Agreement, Answer, Approximations, ContextEffect, NetworkGating, ParentSetPruning, Partial, RunCost,
        StageCost, TruthReport,
    };
    pub use crate::score::{Curves, MeanSd, Scores};
    #[cfg(feature = "store")]
    pub use crate::score::{Merged, StoredContext};
    pub use crate::search::SearchReport;
    pub use crate::shape::{Cell, EdgeShape, Predicted, Sign};
}

/// Any score with any search: code lengths of families from elsewhere, from a file or a store, and ours for others.
pub mod scores {
    pub use crate::run::{PlanScore, Searched, search_scores};
    pub use crate::score::{LocalScore, LocalScores};
    #[cfg(feature = "store")]
    pub use crate::score::{StoreInfo, merge_stores};
}

/// Textbook scores to compare with.
pub mod textbook {
    pub use crate::estimator::{Aic, Bge, Bic, Fnml, GaussianBic, Qnml};
}

/// How far a run is, and what it will take, as an [`Observer`] is told.
pub mod progress {
    pub use crate::base::observer::{Estimate, Span, Stage, StageEstimate};
}

/// One run shared among processes and machines.
pub mod workers {
    pub use crate::run::{Shard, Worker};
    pub use crate::score::{Job, Workers};
}

/// Tables as files that are as small as their code is short.
pub mod compression {
    pub use crate::compress::{CompressSettings, Compressed, Sizes, compress, decompress};
}

/// Settings inside estimators that are rarely changed.
pub mod tuning {
    pub use crate::estimator::{BlockwiseSettings, FourierSettings, OptimiserKind, ReplaySettings, Waves};
}

/// Options by name, as in the command line and Python: their table, how they combine, and which are refused.
pub mod options {
    pub use crate::base::units::{parse_bytes, parse_duration};
    pub use crate::run::{
        Bytes, Edge, EstimatorName, OPTIONS, OptionGroup, OptionSpec, Preset, RunOptions, ScheduleName,
        SearchName, StartGraph, Time, ValueKind,
    };
}

/// Messages that name options as data, so that the command line, Python and Rust can spell them in their own
/// syntax.
pub mod wording {
    pub use crate::base::message::{Call, Message, OptionName, Part, PlainWording, Wording};
}

/// The steps of a run one by one, for the paper's experiments, tests, benches and examples, without any
/// promise of stability.
#[doc(hidden)]
pub mod internals {
    pub use crate::base::format::{count, plural};
    pub use crate::graph::{ancestor_aid, shd, shd_cpdag, sid};
    pub use crate::posterior::{
        LINK_TEMPERATURE, TemperedLengths, by_enumeration, by_layers, by_visited, direction_temperature,
        evidence, links_and_directions, temper_graphs,
    };
    pub use crate::run::{in_pool, settings_value};
    pub use crate::score::{CodeLengths, FamilyLengths, checkpoints, dag_length};
    pub use crate::search::{
        ClimbSettings, MAX_ENUMERATED, MAX_EXACT, OrderGraph, RankedDags, Visited, exhaustive, hill_climb,
        ilp, k_best, one_edge_away, order_search,
    };
    pub use crate::table::{Numbers, Quantisation, Quantised, QuantisedColumn, shuffled_rows};
}

/// Compiles the README's example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
