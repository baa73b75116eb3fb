//! The JSON contract, schema 2: one set of types writes it and reads it.
//!
//! Every object says which schema it follows, what it is (`kind`) and which version made it. Variables go by name, never by number.
//! A number that is not known is `null`; a key whose value is `null` may as well be left out.

mod comparison;
mod compressed;
mod context;
mod curves;
mod data;
mod families;
mod graph;
mod learned;
mod local_scores;
mod plan;
mod read;
mod scored;
mod searched;
mod shapes;
#[cfg(feature = "store")]
mod store;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub(super) use comparison::Comparison;
pub(super) use compressed::Compressed;
pub(super) use context::{Context, ContextColumn, ContextEffect, ContextShare};
pub(super) use curves::{Curves, FamilyCurve, GraphCurve, Moments, RankingCurves};
pub(super) use data::{Data, Variable, VariableKind};
pub(super) use families::ScoredFamily;
pub(super) use graph::{Cpdag, Dag, Edge, RankedDag, Search};
pub(super) use learned::{
    Agreement, AgreementOnEdge, Cost, Growth, Learned, NetworksWhere, Over, PairOfVariables, Partial,
    Posterior, Reason, Shortcuts, StageCost, Truth,
};
pub(super) use local_scores::LocalScores;
pub(super) use plan::{Estimate, Plan, StageEstimate};
pub(super) use read::{complaint, read};
pub(super) use scored::Scored;
pub(super) use searched::Searched;
pub(super) use shapes::{Cell, EdgeShape, Predicted};
#[cfg(feature = "store")]
pub(super) use store::{Store, StoredContext};

pub(super) use crate::run::{NamedPair as Pair, ResolvedSettings as Settings};

/// The schema that this version writes and reads.
const SCHEMA: u64 = 2;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Learned,
    Scored,
    Searched,
    Plan,
    Comparison,
    Compressed,
    Store,
    LocalScores,
    Curves,
}

/// What stands at the head of every object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    schema: u64,
    kind: Kind,
    /// Of the program that made it.
    pub(super) version: String,
}

/// The contents of an object of one kind.
pub(super) trait Shape: Serialize + DeserializeOwned {
    /// Which kind.
    const KIND: Kind;
}

/// An object with its head.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Document<T> {
    #[serde(flatten)]
    pub(super) header: Header,
    #[serde(flatten)]
    pub(super) content: T,
}

impl<T: Shape> Document<T> {
    /// By this version.
    pub(super) fn new(content: T) -> Document<T> {
        let version = env!("CARGO_PKG_VERSION").to_string();
        Document { header: Header { schema: SCHEMA, kind: T::KIND, version }, content }
    }

    /// As text that people can read too; ends with a line break.
    pub(super) fn to_json(&self) -> String {
        pretty(self)
    }
}

/// Any part of an object as text that people can read too; ends with a line break.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.unwrap_or_else(|error| panic!("every type of the schema can be written: {error}")) + "\n"
}
