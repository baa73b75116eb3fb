//! A variable at work: as a child that is coded, and as a parent that is seen.

use super::counts::{Configurations, CountTables, CountedFamily, all_losses};
use super::hurdle::Hurdle;
use super::number::NumberColumn;
use super::prequential::RefitSchedule;
use crate::table::{Quantised, QuantisedColumn};

/// One variable, with what is learnt of it marginal_losses.
#[derive(Debug)]
pub(crate) struct CodedColumn {
    pub(crate) cells: QuantisedColumn,
    /// For numbers that learn their own distribution.
    pub(super) number: Option<NumberColumn>,
    /// For such numbers of which one is frequent.
    pub(super) hurdle: Option<Box<Hurdle>>,
    /// What each coded row costs without parents, in nats; empty if networks learn that.
    pub(crate) marginal_losses: Vec<f64>,
    /// Between renewals.
    pub(crate) epochs: RefitSchedule,
}

impl CodedColumn {
    /// Variable number `node`; if it `learns_alone`, it is coded without parents here.
    pub(crate) fn new(
        data: &Quantised,
        node: usize,
        tables: &CountTables,
        learns_alone: bool,
    ) -> CodedColumn {
        let cells = data.column(node).clone();
        let epochs = RefitSchedule::new(data.n_rows(), cells.rows_used.as_deref());
        let (number, marginal_losses) = match (&cells.numbers, learns_alone) {
            (_, false) => (None, Vec::new()),
            (Some(numbers), true) => {
                let all: Vec<u32> = (0..data.n_rows() as u32).collect();
                let rows = cells.rows_used.as_deref().unwrap_or(&all);
                let (number, marginal_losses) = NumberColumn::new(numbers.clone(), rows);
                (Some(number), marginal_losses)
            }
            (None, true) => {
                let configurations = Configurations::new(data, []);
                let counted = &mut CountedFamily::new(tables, &configurations, data.column(node));
                (None, all_losses(counted))
            }
        };
        CodedColumn { cells, number, hurdle: None, marginal_losses, epochs }
    }

    /// Whether it is a number.
    pub(crate) fn is_number(&self) -> bool {
        self.cells.numbers.is_some()
    }

    /// How many rows are coded.
    pub(crate) fn n_rows(&self) -> usize {
        self.cells.n_rows_used()
    }

    /// The normal score of a row's number among the rows before an epoch.
    pub(crate) fn score(&self, epoch: usize, row: usize) -> f64 {
        self.number.as_ref().map_or(0.0, |number| number.score(epoch, row))
    }

    /// The row of the table in which the variable is coded for the `place`-th time.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> usize {
        self.cells.rows_used.as_ref().map_or(place, |rows| rows[place] as usize)
    }
}

/// All columns of a table, not coded without parents: for tests of what sees parents.
#[cfg(test)]
pub(super) fn unlearnt(data: &Quantised) -> Vec<CodedColumn> {
    let tables = CountTables::new(super::counts::Prior::default(), data.n_rows());
    (0..data.n_columns()).map(|node| CodedColumn::new(data, node, &tables, false)).collect()
}
