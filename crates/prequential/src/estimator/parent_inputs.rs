//! What a model of numbers sees of the parents: a few coordinates per row.

use std::ops::Range;

use crate::graph::NodeSet;
use crate::table::{Quantised, QuantisedColumn};

/// The height of a label's own coordinate: any two labels are then as far apart as -1 and 1.
const LABEL_HEIGHT: f64 = std::f64::consts::SQRT_2;

/// The coordinates of a set of parents, for the rows in which a child is coded.
///
/// A number is one coordinate, its standardised normal score, with a second one that marks missing cells if there are any.
/// Labels have one coordinate each, a missing cell being a label of its own.
#[derive(Debug)]
pub(crate) struct ParentInputs {
    parts: Vec<Part>,
    width: usize,
    n_rows: usize,
    /// `[row][coordinate]`.
    values: Vec<f64>,
}

/// The coordinates of one parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The parent.
    pub(crate) parent: usize,
    /// Its coordinates.
    pub(crate) range: Range<usize>,
    /// Whether the first of them is a number.
    pub(crate) is_number: bool,
}

impl ParentInputs {
    /// Of `parents` in `rows`, or in all rows.
    pub(crate) fn new(data: &Quantised, parents: &NodeSet, rows: Option<&[u32]>) -> ParentInputs {
        let mut parts = Vec::new();
        let mut width = 0;
        for parent in parents.iter() {
            let column = data.column(parent);
            let range = width..width + n_coordinates(column);
            width = range.end;
            parts.push(Part { parent, range, is_number: column.scale.is_some() });
        }
        let n_rows = rows.map_or(data.n_rows(), <[u32]>::len);
        let mut values = vec![0.0; n_rows * width];
        for part in &parts {
            let column = data.column(part.parent);
            for place in 0..n_rows {
                let row = rows.map_or(place, |rows| rows[place] as usize);
                fill(column, row, &mut values[place * width..][part.range.clone()]);
            }
        }
        ParentInputs { parts, width, n_rows, values }
    }

    /// The parents, in the order of their coordinates.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many coordinates there are.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The coordinates in one row.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..][..self.width]
    }
}

fn n_coordinates(column: &QuantisedColumn) -> usize {
    match column.scale {
        Some(_) => 1 + usize::from(column.n_missing > 0),
        None => column.n_parent_levels(),
    }
}

/// Enters one cell into its coordinates, which are 0.
fn fill(column: &QuantisedColumn, row: usize, coordinates: &mut [f64]) {
    let code = column.codes[row] as usize;
    match (&column.scale, &column.raw) {
        (None, _) => coordinates[code] = LABEL_HEIGHT,
        (Some(_), _) if code == column.n_levels => coordinates[1] = LABEL_HEIGHT,
        (Some(_), Some(numbers)) => coordinates[0] = numbers[row],
        (Some(scale), None) => coordinates[0] = scale.inputs[code],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{MISSING, Table, Values, Variable};

    #[test]
    fn numbers_labels_and_missing_cells_have_their_own_coordinates() {
        let variable = |name: &str, values| Variable { name: name.into(), values, intervened: None };
        let levels = vec!["a".into(), "b".into()];
        let table = Table::new(vec![
            variable("x", Values::Numbers([1.0, 2.0, 3.0, 9.0].repeat(3))),
            variable("y", Values::Labels { levels, codes: [0, 1, MISSING, 0].repeat(3) }),
            variable("z", Values::Numbers([1.0, f64::NAN, 3.0, 2.0].repeat(3))),
        ])
        .unwrap();
        let data = Quantised::new(&table, 128);
        let inputs = ParentInputs::new(&data, &NodeSet::from_bits(0b111), Some(&[1, 2, 3]));
        let x = data.column(0).scale.as_ref().unwrap().inputs.clone();
        let z = data.column(2).scale.as_ref().unwrap().inputs.clone();
        let h = LABEL_HEIGHT;
        assert_eq!(inputs.row(0), [x[1], 0.0, h, 0.0, 0.0, h]);
        assert_eq!(inputs.row(1), [x[2], 0.0, 0.0, h, z[2], 0.0]);
        assert_eq!(inputs.row(2), [x[3], h, 0.0, 0.0, z[1], 0.0]);
        assert!(
            (x.iter().sum::<f64>()).abs() < 1e-12
                && (x.iter().map(|x| x * x).sum::<f64>() - 4.0).abs() < 1e-12
        );
    }
}
