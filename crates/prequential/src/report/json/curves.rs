//! How code lengths grow with the rows.

use super::super::schema::{self, Document, FamilyCurve, GraphCurve, RankingCurves};
use super::super::settings::repeats;
use super::parent_names;
use crate::graph::{Dag, Family};
use crate::run::Learned;
use crate::score::{Curves, MeanSd};

/// Checkpoints over which the next-step loss is averaged in a result: a factor of 1.6 in rows.
const SMOOTHING: usize = 4;

impl Curves {
    /// Next-step and cumulative losses of every family as JSON: means and standard deviations over row orders or over networks, each
    /// alone. `names` are those of the variables. Ends with a line break.
    pub fn to_json(&self, names: &[String]) -> String {
        let one = |(number, family): (usize, &Family)| FamilyCurve {
            cumulative_nats: Some(moments(&self.cumulative(number))),
            ..family_curve(self, number, family, 1, names)
        };
        Document::new(schema::Curves {
            rows: self.checkpoints().to_vec(),
            families: self.families().iter().enumerate().map(one).collect(),
        })
        .to_json()
    }
}

/// How the graphs of the ranking fare as the rows come in, and what each of their families costs for the next row.
pub(super) fn of_ranking(learned: &Learned, names: &[String]) -> RankingCurves {
    let (curves, best) = (&learned.curves, &learned.answer.dag);
    let (over, n) = repeats(&learned.plan);
    let graph = |(rank, (dag, _)): (usize, &(Dag, _))| GraphCurve {
        rank,
        excess_nats: moments(&curves.excess(dag, best)),
    };
    // Those of the best graph come first.
    let mut ordered: Vec<(usize, &Family)> = curves.families().iter().enumerate().collect();
    ordered.sort_by_key(|(_, family)| best.parents(family.child) != &family.parents);
    let family = |(number, family): (usize, &Family)| family_curve(curves, number, family, SMOOTHING, names);
    RankingCurves {
        over,
        n,
        rows: curves.checkpoints().to_vec(),
        graphs: learned.answer.ranking.iter().enumerate().map(graph).collect(),
        families: ordered.into_iter().map(family).collect(),
    }
}

fn family_curve(
    curves: &Curves,
    number: usize,
    family: &Family,
    window: usize,
    names: &[String],
) -> FamilyCurve {
    FamilyCurve {
        child: names[family.child].clone(),
        parents: parent_names(family, names),
        next_step_nats: moments(&curves.next_step(number, window)),
        cumulative_nats: None,
    }
}

/// Means and standard deviations; nothing where no row was coded.
fn moments(values: &[MeanSd]) -> schema::Moments {
    let each = |value: fn(&MeanSd) -> f64| values.iter().map(|moments| known(value(moments))).collect();
    schema::Moments { mean: each(|moments| moments.mean), sd: each(|moments| moments.sd) }
}

fn known(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}
