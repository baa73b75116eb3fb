//! Learns the causal graph behind a table: the graph under which the data are cheapest to predict, row after row.
//!
//! Every graph predicts each variable from its parents, by models that learn only from the rows before; the total log-loss is a code
//! length (prequential minimum description length), and the graph with the shortest code wins. There is no penalty to tune.
//! After Bornschein, Chiappa, Malek and Ke (2021).
//!
//! ```
//! use prequential::{Experiment, Settings, learn};
//! // 5,000 patients drawn from a known network; `Table::read` reads files instead.
//! let simulated = Experiment::Asia.simulate(5_000, 1)?;
//! let learned = learn(&simulated.table, &Settings::default())?;
//! for edge in &learned.answer.evidence {
//!     let names = simulated.table.names();
//!     println!("{} -> {}: removing it costs {:?} nats", names[edge.from], names[edge.to], edge.removal);
//! }
//! assert!(learned.against(&simulated.truth).comparison.shd_cpdag <= 1);
//! # Ok::<(), prequential::Error>(())
//! ```
//!
//! The parts follow one another: a [`Table`] is [`Quantised`]; [`score`] gives the [`CodeLengths`] of its families; [`exhaustive`] or
//! [`OrderGraph`] search them; [`by_enumeration`] and [`by_layers`] weigh all graphs; [`result_json`] and [`result_text`] report.

mod base;
mod estimator;
mod graph;
mod posterior;
mod report;
mod reproduce;
mod run;
mod score;
mod search;
mod simd;
mod simulate;
mod table;

pub use base::error::{Error, Result, TableProblem};
pub use base::message::{Call, Message, OptionName, Part, PlainWording, Wording};
pub use base::nats::Nats;
pub use base::observer::{Estimate, Observer, StopReason};
pub use estimator::{
    BlockwiseSettings, Estimator, FourierSettings, Model, OptimiserKind, Prior, ReplaySettings, Schedule,
    Waves,
};
pub use graph::{
    Comparison, Cpdag, Cycle, Dag, Family, GraphFormat, NamedDag, NodeSet, ancestor_aid, compare,
    parse_graph, read_graph, shd, shd_cpdag, sid, write_graph,
};
pub use posterior::{
    EdgeEvidence, EdgeProbabilities, PosteriorMethod, Tempered, by_enumeration, by_layers, by_visited,
    evidence, one_edge_away, spread_of_gaps, temperature,
};
pub use report::{
    GraphPicture, JsonOptions, PictureEdge, comparison_json, comparison_text, curves_json, estimate_text,
    graph_svg, local_scores_csv, local_scores_json, plan_json, plan_text, probabilities_in_words,
    report_file, report_html, result_json, result_text, score_json, score_plan_text, score_text,
    searched_json, searched_text,
};
#[cfg(feature = "store")]
pub use report::{store_json, store_text};
pub use reproduce::{ReproduceOptions, Reproducible, Reproduction};
pub use run::estimate::{estimate, estimate_score};
pub use run::learn::{learn, learn_observed, score};
pub use run::plan::Plan;
pub use run::result::{
    Agreement, Answer, Cost, Learned, Partial, Scored, SearchReport, TemperedView, TruthReport,
};
pub use run::search_scores::{Searched, search_scores};
pub use run::selection::Wanted;
pub use run::settings::{RowOrder, Search, Settings};
pub use run::shard::Shard;
pub use score::{CodeLengths, Curves, FamilyLengths, LocalScores, Moments, Scores, checkpoints, dag_length};
#[cfg(feature = "store")]
pub use score::{Merged, StoreInfo, StoredContext, merge_stores};
pub use search::{
    ClimbSettings, Constraints, Knowledge, Limits, MAX_ENUMERATED, MAX_EXACT, OrderGraph, RankedDags,
    Statement, Visited, exhaustive, hill_climb, k_best, order_search,
};
pub use simulate::{Experiment, Simulated, YuKind};
pub use table::{
    Binning, Column, Inputs, InterventionMask, Kind, MISSING, Quantisation, Quantised, QuantisedColumn,
    ReadOptions, Scale, Source, Table, Values, Variable,
};

/// The README's example compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
