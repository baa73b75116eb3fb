//! What numeric models see of the parents: a few coordinates per row.

use std::ops::Range;

use super::column::CodedColumn;
use crate::graph::NodeSet;

/// The value of a label's indicator: any two labels are then as far apart as -1 and 1.
const LABEL_HEIGHT: f64 = std::f64::consts::SQRT_2;

/// Raw numbers and scores are clamped to this distance from 0.
const FARTHEST: f64 = 20.0;
const FARTHEST_SCORE: f64 = 4.0;

/// How children see a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputView {
    /// As it is coded: standardised, to its resolution.
    Plain,
    /// By its normal score among the rows before this epoch.
    Rank {
        /// The epoch.
        epoch: usize,
    },
    /// The raw number, if the run uses raw inputs; else as it is coded.
    Raw,
}

/// The coordinates of a set of parents, for the rows in which a child is coded.
///
/// A number is one coordinate, with a second one that marks missing cells if there are any. Labels have one coordinate each, a missing
/// cell being a label of its own.
#[derive(Debug)]
pub(crate) struct ParentInputs {
    parts: Vec<ParentBlock>,
    width: usize,
    /// `[row][coordinate]`.
    values: Vec<f64>,
}

/// The inputs, computed row by row on request.
#[derive(Debug, Clone)]
pub(crate) struct ParentRows<'a> {
    columns: &'a [CodedColumn],
    /// The rows in which the child is coded; `None` for all.
    rows: Option<&'a [u32]>,
    view: InputView,
    parts: Vec<ParentBlock>,
}

impl<'a> ParentRows<'a> {
    /// From `parents` in `rows`, or in all rows.
    pub(crate) fn new(
        columns: &'a [CodedColumn],
        parents: &NodeSet,
        rows: Option<&'a [u32]>,
        view: InputView,
    ) -> ParentRows<'a> {
        let mut parts: Vec<ParentBlock> = Vec::new();
        for parent in parents.iter() {
            let start = parts.last().map_or(0, |part| part.range.end);
            let range = start..start + n_coordinates(&columns[parent]);
            parts.push(ParentBlock { parent, range, is_number: columns[parent].is_number() });
        }
        ParentRows { columns, rows, view, parts }
    }

    /// The parents, in the order of their coordinates.
    pub(crate) fn parts(&self) -> &[ParentBlock] {
        &self.parts
    }

    /// How many coordinates there are.
    pub(crate) fn width(&self) -> usize {
        self.parts.last().map_or(0, |part| part.range.end)
    }

    /// Writes the coordinates of the row that is coded at this position.
    pub(crate) fn write(&self, place: usize, coordinates: &mut [f64]) {
        let row = self.rows.map_or(place, |rows| rows[place] as usize);
        coordinates.fill(0.0);
        for part in &self.parts {
            fill(&self.columns[part.parent], self.view, row, &mut coordinates[part.range.clone()]);
        }
    }
}

/// The coordinates of one parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParentBlock {
    /// The parent.
    pub(crate) parent: usize,
    /// Its coordinates.
    pub(crate) range: Range<usize>,
    /// Whether the first of them is a number.
    pub(crate) is_number: bool,
}

impl ParentInputs {
    /// From `parents` in the first `n_rows` of `rows`, or in all rows.
    pub(crate) fn new(
        columns: &[CodedColumn],
        parents: &NodeSet,
        rows: Option<&[u32]>,
        view: InputView,
        n_rows: usize,
    ) -> ParentInputs {
        let rows = ParentRows::new(columns, parents, rows, view);
        let width = rows.width();
        let mut values = vec![0.0; n_rows * width];
        values.chunks_exact_mut(width.max(1)).enumerate().for_each(|(row, values)| rows.write(row, values));
        ParentInputs { parts: rows.parts, width, values }
    }

    /// The parents, in the order of their coordinates.
    pub(crate) fn parts(&self) -> &[ParentBlock] {
        &self.parts
    }

    /// Whether linear functions of the coordinates are all functions of the parents: a single categorical
    /// parent.
    pub(crate) fn are_linear(&self) -> bool {
        matches!(&self.parts[..], [only] if !only.is_number)
    }

    /// How many coordinates there are.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The coordinates in one row.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..][..self.width]
    }
}

fn n_coordinates(column: &CodedColumn) -> usize {
    match column.is_number() {
        true => 1 + usize::from(column.cells.n_missing > 0),
        false => column.cells.n_parent_levels(),
    }
}

/// Enters one cell into its coordinates, which are 0.
fn fill(column: &CodedColumn, view: InputView, row: usize, coordinates: &mut [f64]) {
    let cells = &column.cells;
    let code = cells.codes[row] as usize;
    match &cells.numbers {
        None => coordinates[code] = LABEL_HEIGHT,
        Some(_) if code == cells.n_levels => coordinates[1] = LABEL_HEIGHT,
        Some(numbers) => {
            coordinates[0] = match (view, &cells.raw) {
                (InputView::Rank { epoch }, _) => {
                    column.score(epoch, row).clamp(-FARTHEST_SCORE, FARTHEST_SCORE)
                }
                (InputView::Raw, Some(raw)) => raw[row],
                _ => numbers.rounded(row).clamp(-FARTHEST, FARTHEST),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimator::counts::CountTables;
    use crate::estimator::prior::Prior;
    use crate::table::{MISSING, Quantised, Table, Values, Variable};

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
        let tables = CountTables::new(Prior::default(), 12);
        let columns: Vec<CodedColumn> =
            (0..3).map(|node| CodedColumn::with_marginal(&data, node, &tables)).collect();
        let parents = NodeSet::from_bits(0b111);
        let inputs = ParentInputs::new(&columns, &parents, Some(&[1, 2, 3]), InputView::Plain, 3);
        let (x, z) = (
            |row: usize| columns[0].cells.numbers.as_ref().unwrap().values[row],
            |row: usize| columns[2].cells.numbers.as_ref().unwrap().values[row],
        );
        let h = LABEL_HEIGHT;
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(close(inputs.row(0), &[x(1), 0.0, h, 0.0, 0.0, h]), "{:?}", inputs.row(0));
        assert!(close(inputs.row(1), &[x(2), 0.0, 0.0, h, z(2), 0.0]), "{:?}", inputs.row(1));
        let ranks = ParentInputs::new(&columns, &parents, None, InputView::Rank { epoch: 2 }, 12);
        assert_eq!(ranks.row(1)[1..], inputs.row(0)[1..]);
        assert!(ranks.row(0)[0] < ranks.row(1)[0] && ranks.row(3)[0] <= FARTHEST_SCORE);
    }
}
