//! A column as models use it: as a child that is coded, and as a parent.

use super::counts::{Configurations, CountTables, CountedFamily, all_losses};
use super::numeric::NumberColumn;
use super::prequential::RefitSchedule;
use crate::table::{Quantised, QuantisedColumn};

/// One variable, with its marginal distribution.
#[derive(Debug)]
pub(crate) struct CodedColumn {
    pub(crate) cells: QuantisedColumn,
    /// The marginal of a numeric variable.
    pub(super) number: Option<NumberColumn>,
    /// The hurdle model of a numeric variable with a frequent value.
    pub(super) hurdle: Option<Box<Hurdle>>,
    /// The marginal loss of each coded row, in nats; empty if networks learn the marginal.
    pub(crate) marginal_losses: Vec<f64>,
    /// The epochs between refits.
    pub(crate) epochs: RefitSchedule,
}

impl CodedColumn {
    /// Column number `node`, without a marginal.
    pub(crate) fn without_marginal(data: &Quantised, node: usize) -> CodedColumn {
        let cells = data.column(node).clone();
        let epochs = RefitSchedule::new(data.n_rows(), cells.rows_used.as_deref());
        CodedColumn { cells, number: None, hurdle: None, marginal_losses: Vec::new(), epochs }
    }

    /// Column number `node`, with its marginal.
    pub(crate) fn with_marginal(data: &Quantised, node: usize, tables: &CountTables) -> CodedColumn {
        let mut column = CodedColumn::without_marginal(data, node);
        match &column.cells.numbers {
            Some(numbers) => {
                let all: Vec<u32> = (0..data.n_rows() as u32).collect();
                let rows = column.cells.rows_used.as_deref().unwrap_or(&all);
                let (number, losses) = NumberColumn::new(numbers.clone(), rows);
                (column.number, column.marginal_losses) = (Some(number), losses);
            }
            None => {
                let configurations = Configurations::new(data, []);
                let counted = &mut CountedFamily::new(tables, &configurations, data.column(node));
                column.marginal_losses = all_losses(counted);
            }
        }
        column
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

/// A column with a hurdle model (Cragg 1971).
#[derive(Debug)]
pub(super) struct Hurdle {
    /// The indicator of the frequent value, as a categorical column.
    pub(super) is_frequent: CodedColumn,
    /// The number in all other rows.
    pub(super) otherwise: CodedColumn,
}

/// All columns of a table, without marginal distributions: for tests of what sees parents.
#[cfg(test)]
pub(super) fn unlearnt(data: &Quantised) -> Vec<CodedColumn> {
    (0..data.n_columns()).map(|node| CodedColumn::without_marginal(data, node)).collect()
}
