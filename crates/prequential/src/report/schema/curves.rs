//! How code lengths grow with the rows.

use serde::{Deserialize, Serialize};

use super::{Kind, Over, Shape};

/// Curves of families on their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Curves {
    /// The numbers of rows at which the curves are read.
    pub(in crate::report) rows: Vec<usize>,
    pub(in crate::report) families: Vec<FamilyCurve>,
}

impl Shape for Curves {
    const KIND: Kind = Kind::Curves;
}

/// Curves of the graphs in a ranking, and of their families.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct RankingCurves {
    /// What means and standard deviations are taken over.
    pub(in crate::report) over: Over,
    /// How many of them.
    pub(in crate::report) n: usize,
    /// The numbers of rows at which the curves are read.
    pub(in crate::report) rows: Vec<usize>,
    pub(in crate::report) graphs: Vec<GraphCurve>,
    pub(in crate::report) families: Vec<FamilyCurve>,
}

/// How far a graph falls behind the best.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct GraphCurve {
    /// Its place in the ranking, from 0.
    pub(in crate::report) rank: usize,
    pub(in crate::report) excess_nats: Moments,
}

/// What the next row costs a family and, in files of curves, what all rows before it have cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct FamilyCurve {
    pub(in crate::report) child: String,
    pub(in crate::report) parents: Vec<String>,
    pub(in crate::report) next_step_nats: Moments,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) cumulative_nats: Option<Moments>,
}

/// Means and standard deviations at each number of rows; null where no row was coded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct Moments {
    pub(in crate::report) mean: Vec<Option<f64>>,
    pub(in crate::report) sd: Vec<Option<f64>>,
}
