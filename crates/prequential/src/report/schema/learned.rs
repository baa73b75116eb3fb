//! The result of a run of `learn`.

use serde::{Deserialize, Serialize};

use super::{
    Context, Cpdag, Dag, Data, EdgeShape, Kind, RankedDag, RankingCurves, ScoredFamily, Search, Settings,
    Shape,
};
use crate::posterior::PosteriorBasis;

/// The whole result. Nothing in it but `cost` differs between runs with the same input and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Learned {
    pub(in crate::report) data: Data,
    pub(in crate::report) settings: Settings,
    pub(in crate::report) search: Search,
    pub(in crate::report) dag: Dag,
    pub(in crate::report) cpdag: Cpdag,
    /// The best graphs, best first.
    pub(in crate::report) ranking: Vec<RankedDag>,
    /// Of every two variables; null for more variables than can be summed over.
    pub(in crate::report) pairs: Option<Vec<PairOfVariables>>,
    pub(in crate::report) posterior: Option<Posterior>,
    /// What contexts act on, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) context: Option<Context>,
    /// How the child of each edge of the best graph changes with the parent.
    #[serde(default)]
    pub(in crate::report) shapes: Vec<EdgeShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) partial: Option<Partial>,
    #[serde(default, skip_serializing_if = "Shortcuts::is_none")]
    pub(in crate::report) shortcuts: Shortcuts,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) agreement: Option<Agreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) families: Option<Vec<ScoredFamily>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) curves: Option<RankingCurves>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) truth: Option<Truth>,
    pub(in crate::report) cost: Cost,
}

impl Shape for Learned {
    const KIND: Kind = Kind::Learned;
}

/// How likely two variables are linked, and each way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct PairOfVariables {
    pub(in crate::report) a: String,
    pub(in crate::report) b: String,
    /// Whichever way.
    pub(in crate::report) linked: f64,
    pub(in crate::report) a_to_b: f64,
    pub(in crate::report) b_to_a: f64,
    /// What these numbers were summed over: they are probabilities only over all graphs.
    pub(in crate::report) basis: PosteriorBasis,
}

/// How probabilities of edges were computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Posterior {
    /// How graphs were summed over, such as `layers`.
    pub(in crate::report) method: String,
    /// Which graphs these were.
    pub(in crate::report) basis: PosteriorBasis,
    pub(in crate::report) expected_links: f64,
    /// What gaps between graphs are divided by to say what is linked.
    pub(in crate::report) link_temperature: f64,
    /// The same to say which way.
    pub(in crate::report) direction_temperature: f64,
}

/// What differs from repeat to repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::report) enum Over {
    #[serde(rename = "networks")]
    Networks,
    #[serde(rename = "row orders")]
    RowOrders,
    #[serde(rename = "networks and row orders")]
    Both,
}

impl Over {
    /// One of them: `network` or `row order`.
    pub(in crate::report) fn one(self) -> &'static str {
        match self {
            Over::Networks => "network",
            Over::RowOrders => "row order",
            Over::Both => "network in each row order",
        }
    }
}

/// How many networks or row orders alone find the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Agreement {
    pub(in crate::report) over: Over,
    /// How many there are.
    pub(in crate::report) n: usize,
    pub(in crate::report) same_graph: usize,
    pub(in crate::report) same_class: usize,
    pub(in crate::report) edges: Vec<AgreementOnEdge>,
}

/// How many networks or row orders alone find an edge of the best graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct AgreementOnEdge {
    pub(in crate::report) from: String,
    pub(in crate::report) to: String,
    pub(in crate::report) found_by: usize,
}

/// What was not scored because it could hardly have changed the answer, and by which rules.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(in crate::report) struct Shortcuts {
    /// Where networks were trained, if not in all families.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) networks: Option<NetworksWhere>,
    /// Which parent sets were scored, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) growth: Option<Growth>,
}

impl Shortcuts {
    fn is_none(&self) -> bool {
        *self == Shortcuts::default()
    }
}

/// Networks were trained where they could change the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct NetworksWhere {
    pub(in crate::report) families: usize,
    /// What networks might gain in a family besides what they gained in its parts.
    pub(in crate::report) margin_nats: f64,
    /// How far one direction of a pair is ahead before they are trained for the other.
    pub(in crate::report) pair_gap_nats: f64,
    /// The same for the best order of three variables, with two parents.
    pub(in crate::report) joint_gap_nats: f64,
    /// Graphs with an edge turned round that stay farther behind than this, whatever networks might gain in them, were compared without
    /// training them.
    #[serde(default)]
    pub(in crate::report) doubt_nats: f64,
    pub(in crate::report) in_words: String,
}

/// Large parent sets were scored where smaller ones called for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Growth {
    /// Sets of so many parents were all scored.
    pub(in crate::report) all_up_to: usize,
    pub(in crate::report) slack_nats: f64,
    pub(in crate::report) in_words: String,
}

/// Why the work stopped early, and how to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Partial {
    pub(in crate::report) reason: Reason,
    pub(in crate::report) scored_families: usize,
    /// Null where a search asks for families as it goes.
    pub(in crate::report) planned_families: Option<usize>,
    pub(in crate::report) command: Option<String>,
}

/// Why the work stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::report) enum Reason {
    #[serde(rename = "time limit")]
    TimeLimit,
    Interrupted,
    #[serde(rename = "memory limit")]
    MemoryLimit,
}

/// How the best graph compares with a known one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Truth {
    pub(in crate::report) shd: usize,
    pub(in crate::report) shd_cpdag: usize,
    pub(in crate::report) sid: usize,
    pub(in crate::report) equivalent: bool,
    pub(in crate::report) exact: bool,
    /// Over all graphs, by their weights.
    pub(in crate::report) expected_shd: Option<f64>,
}

/// How the run was called, and what it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Cost {
    pub(in crate::report) families: usize,
    pub(in crate::report) training_runs: usize,
    pub(in crate::report) gradient_steps: usize,
    pub(in crate::report) cpu_seconds: f64,
    pub(in crate::report) wall_seconds: f64,
    /// Families that an earlier run had scored.
    pub(in crate::report) reused_families: usize,
    /// What each stage took, in their order; families of the networks' stage are those that networks were trained for.
    #[serde(default)]
    pub(in crate::report) stages: Vec<StageCost>,
    /// The command as it was typed, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::report) command: Option<String>,
}

/// What one stage of a run took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct StageCost {
    pub(in crate::report) stage: String,
    pub(in crate::report) families: usize,
    pub(in crate::report) cpu_seconds: f64,
}
