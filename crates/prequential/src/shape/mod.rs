//! The shape of an edge: how a child depends on one parent, averaged over the other parents (partial
//! dependence).
//!
//! Shapes are estimated from the table, not taken from the models of the code: an additive regression of the
//! child on all its parents, in closed form, gives the effect of each; the residuals near a value of the
//! parent give the spread of the child there. So every estimator has the same shapes, networks need not be
//! trained again, and a shape checks the claim of the code independently.

mod additive;
mod curve;
mod numbers;
mod parent;
mod response;
mod sign;

use serde::{Deserialize, Serialize};

use crate::table::Variable;
use additive::Additive;
use curve::Against;
use parent::ParentView;
use response::Response;

pub use curve::{Cell, Predicted};
pub use sign::Sign;

/// The most rows used for shapes, evenly spaced among those in which the child is coded.
const MAX_ROWS: usize = 4_000;

/// How a child depends on one of its parents; numbers to six digits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EdgeShape {
    /// The parent.
    pub from: String,
    /// The child.
    pub to: String,
    /// Whether the child increases or decreases with the parent; `None` if one of them has no order. JSON has
    /// it in the edge.
    #[serde(skip)]
    pub sign: Option<Sign>,
    /// Values of the parent: increasing if numeric, with missing cells last.
    pub at: Vec<Cell>,
    /// How many nearby rows give the spread of the child at each of them.
    #[serde(rename = "rows")]
    pub n_rows: Vec<usize>,
    /// The predictions there.
    pub predicted: Predicted,
    /// Parent and child in some of the rows, evenly spaced; empty for labels, which the shares describe
    /// completely.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<(Cell, f64)>,
}

/// The shapes of the edges from `parents` into `child`, numbers of `columns`; `held` act on the child too but have no shape.
///
/// Rows in which the child is missing or was set by intervention are left out, as they are from its code.
pub(crate) fn shapes_of_family(
    columns: &[&Variable],
    child: usize,
    parents: &[usize],
    held: &[usize],
) -> Vec<EdgeShape> {
    let rows = rows_of(columns[child]);
    let response = Response::new(columns[child], &rows);
    let views: Vec<ParentView> =
        parents.iter().chain(held).map(|&parent| ParentView::new(columns[parent], &rows)).collect();
    let additive = Additive::new(&views, &response);
    let shape = |(place, &from): (usize, &usize)| {
        let against =
            Against { view: &views[place], parent: place, response: &response, additive: &additive };
        let near = against.places();
        EdgeShape {
            from: columns[from].name.clone(),
            to: columns[child].name.clone(),
            sign: sign::sign(&views, place, &response, &additive),
            at: near.iter().map(|near| against.cell(near.value)).collect(),
            n_rows: near.iter().map(|near| near.rows.len()).collect(),
            predicted: against.predicted(&near),
            points: against.points(),
        }
    };
    parents.iter().enumerate().map(shape).collect()
}

/// The rows in which a child is coded, or as many of them as are used.
fn rows_of(child: &Variable) -> Vec<usize> {
    let is_set = |row: usize| child.intervened.as_ref().is_some_and(|set| set[row]);
    let coded: Vec<usize> =
        (0..child.n_rows()).filter(|&row| !child.is_missing(row) && !is_set(row)).collect();
    match coded.len() {
        few if few <= MAX_ROWS => coded,
        many => (0..MAX_ROWS).map(|place| coded[place * many / MAX_ROWS]).collect(),
    }
}

#[cfg(test)]
mod tests;
