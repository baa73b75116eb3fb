//! Shapes of edges.

use super::super::schema::{Cell, EdgeShape, Predicted};
use crate::shape;

/// The shapes of all edges, with points of the table if these are wanted.
pub(in crate::report) fn shapes(
    shapes: &[shape::EdgeShape],
    names: &[String],
    with_points: bool,
) -> Vec<EdgeShape> {
    let one = |shape: &shape::EdgeShape| EdgeShape {
        from: names[shape.from].clone(),
        to: names[shape.to].clone(),
        at: shape.curve.at.iter().map(cell).collect(),
        rows: shape.curve.n_rows.clone(),
        predicted: predicted(&shape.curve.predicted),
        points: with_points.then(|| points(&shape.curve)).filter(|points| !points.is_empty()),
    };
    shapes.iter().map(one).collect()
}

fn points(curve: &shape::Curve) -> Vec<(Option<Cell>, f64)> {
    curve.points.iter().map(|(parent, child)| (cell(parent), rounded(*child))).collect()
}

fn cell(cell: &shape::Cell) -> Option<Cell> {
    match cell {
        shape::Cell::Number(number) => Some(Cell::Number(rounded(*number))),
        shape::Cell::Label(label) => Some(Cell::Label(label.clone())),
        shape::Cell::Missing => None,
    }
}

fn predicted(predicted: &shape::Predicted) -> Predicted {
    let all = |numbers: &[f64]| numbers.iter().map(|&number| rounded(number)).collect::<Vec<f64>>();
    let each = |lists: &[Vec<f64>]| lists.iter().map(|list| all(list)).collect();
    match predicted {
        shape::Predicted::Number { low, median, high } => {
            Predicted::Number { low: all(low), median: all(median), high: all(high) }
        }
        shape::Predicted::Labels { levels, shares, observed } => {
            Predicted::Labels { levels: levels.clone(), shares: each(shares), observed: each(observed) }
        }
    }
}

/// To six digits: more is no part of a shape.
fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}
