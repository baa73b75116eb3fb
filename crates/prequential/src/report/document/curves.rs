//! How code lengths grow with the rows, as a document.

use serde::{Deserialize, Serialize};

use super::sections::{Over, repeats};
use super::{Document, DocumentKind, parent_names, this_version};
use crate::graph::{Dag, Family};
use crate::run::Learned;
use crate::score::{Curves, MeanSd};

/// Curves of families on their own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct CurvesDocument {
    version: String,
    /// The numbers of rows at which the curves are read.
    rows: Vec<usize>,
    families: Vec<NamedCurve>,
}

impl Document for CurvesDocument {
    const KIND: DocumentKind = DocumentKind::Curves;
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
    pub(in crate::report) families: Vec<NamedCurve>,
}

/// How far a graph falls behind the best.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct GraphCurve {
    /// Its place in the ranking, from 0.
    pub(in crate::report) rank: usize,
    pub(in crate::report) excess_nats: CurveMoments,
}

/// What the next row costs a family and, in files of curves, what all rows before it have cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct NamedCurve {
    pub(in crate::report) child: String,
    pub(in crate::report) parents: Vec<String>,
    pub(in crate::report) next_step_nats: CurveMoments,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) cumulative_nats: Option<CurveMoments>,
}

/// Means and standard deviations at each number of rows; null where no row was coded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::report) struct CurveMoments {
    pub(in crate::report) mean: Vec<Option<f64>>,
    pub(in crate::report) sd: Vec<Option<f64>>,
}

/// Checkpoints over which the next-step loss is averaged in a result: a factor of 1.6 in rows.
const SMOOTHING: usize = 4;

impl Curves {
    /// Next-step and cumulative losses of every family as JSON: means and standard deviations over row orders or over networks, each
    /// alone. `names` are those of the variables. Ends with a line break.
    pub fn to_json(&self, names: &[String]) -> String {
        let curve = |(number, family): (usize, &Family)| NamedCurve {
            cumulative_nats: Some(moments(&self.cumulative(number))),
            ..named_curve(self, number, family, 1, names)
        };
        let families = self.families().iter().enumerate().map(curve).collect();
        CurvesDocument { version: this_version(), rows: self.checkpoints().to_vec(), families }.write()
    }
}

impl RankingCurves {
    /// How the graphs of the ranking fare as the rows come in, and what each of their families costs for the next row.
    pub(in crate::report) fn new(learned: &Learned) -> RankingCurves {
        let (curves, best, names) = (&learned.curves, &learned.answer.dag, learned.plan.names());
        let (over, n) = repeats(&learned.plan);
        let graph = |(rank, (dag, _)): (usize, &(Dag, _))| GraphCurve {
            rank,
            excess_nats: moments(&curves.excess(dag, best)),
        };
        // Those of the best graph come first.
        let mut ordered: Vec<(usize, &Family)> = curves.families().iter().enumerate().collect();
        ordered.sort_by_key(|(_, family)| best.parents(family.child) != &family.parents);
        let family =
            |(number, family): (usize, &Family)| named_curve(curves, number, family, SMOOTHING, names);
        RankingCurves {
            over,
            n,
            rows: curves.checkpoints().to_vec(),
            graphs: learned.answer.ranking.iter().enumerate().map(graph).collect(),
            families: ordered.into_iter().map(family).collect(),
        }
    }
}

fn named_curve(
    curves: &Curves,
    number: usize,
    family: &Family,
    window: usize,
    names: &[String],
) -> NamedCurve {
    NamedCurve {
        child: names[family.child].clone(),
        parents: parent_names(family, names),
        next_step_nats: moments(&curves.next_step(number, window)),
        cumulative_nats: None,
    }
}

/// Means and standard deviations; nothing where no row was coded.
fn moments(values: &[MeanSd]) -> CurveMoments {
    let known = |number: f64| Some(number).filter(|number| number.is_finite());
    let each = |value: fn(&MeanSd) -> f64| values.iter().map(|moments| known(value(moments))).collect();
    CurveMoments { mean: each(|moments| moments.mean), sd: each(|moments| moments.sd) }
}
