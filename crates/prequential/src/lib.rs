//! Learns the causal graph behind a table: the graph under which the data are cheapest to predict, row after row.

mod error;
mod estimator;
mod graph;
mod nats;
mod observer;
mod posterior;
mod score;
mod search;
mod table;
mod words;

pub use error::{Error, Result, TableProblem};
pub use estimator::Prior;
pub use graph::{
    Comparison, Cpdag, Cycle, Dag, Family, GraphFormat, NamedDag, NodeSet, ancestor_aid, compare,
    parse_graph, read_graph, shd, shd_cpdag, sid, write_graph,
};
pub use nats::Nats;
pub use observer::Observer;
pub use posterior::{
    EdgeEvidence, EdgeProbabilities, MAX_LAYERED, PosteriorMethod, by_enumeration, by_layers, evidence,
};
pub use score::{CodeLengths, Curves, FamilyLengths, Moments, checkpoints, dag_length};
pub use search::{
    Constraints, Knowledge, Limits, MAX_ENUMERATED, MAX_EXACT, OrderGraph, RankedDags, Statement, exhaustive,
    k_best,
};
pub use table::{Kind, MISSING, Quantised, QuantisedColumn, ReadOptions, Source, Table, Values, Variable};
