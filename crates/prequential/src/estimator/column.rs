//! A variable at work: as a child that is coded, and as a parent that is seen.

use std::ops::Range;

use super::counts::{Configurations, CountTables, CountedFamily, all_losses};
use super::experts::code_all;
use super::family_group::FamilyGroup;
use super::fourier::{FourierSettings, NumberPredictor, PitTransform};
use super::hurdle::Hurdle;
use super::number::{NumberColumn, PitCell};
use super::prequential::{RefitSchedule, growing_chunks};
use crate::graph::NodeSet;
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

    /// With all that regressions tell without any parent: the experts that it meets with parents, without features.
    pub(super) fn with_regressions(mut self) -> CodedColumn {
        let Some(number) = &self.number else { return self };
        let (linear, none, n_rows) = (FourierSettings::linear(), NodeSet::default(), self.n_rows());
        let rows = self.cells.rows_used.as_deref();
        let group = FamilyGroup { columns: &[], parents: &none, rows, epochs: &self.epochs };
        let Pass { mut losses, pit_cells, .. } =
            first_pass(&linear, number, &self.marginal_losses, group, n_rows);
        if !pit_cells.is_empty() {
            let mut column = number.clone();
            column.set_pit_cells(&pit_cells);
            let before = losses.clone();
            second_pass(&linear, &column, &before, group, n_rows, &mut losses);
            self.number = Some(column);
        }
        self.marginal_losses = losses;
        self
    }

    /// As a mixture of one part and two, if one of its values is frequent.
    pub(super) fn with_hurdle(mut self, data: &Quantised, tables: &CountTables) -> CodedColumn {
        let hurdle = self.number.as_ref().and_then(|_| Hurdle::new(&self, data, tables));
        self.hurdle = hurdle.map(|Hurdle { is_frequent, otherwise }| {
            let hurdle = Hurdle { is_frequent, otherwise: otherwise.with_regressions() };
            let (of_frequent, of_others) =
                (&hurdle.is_frequent.marginal_losses, &hurdle.otherwise.marginal_losses);
            self.marginal_losses = hurdle.join(&self.marginal_losses, of_frequent, of_others);
            Box::new(hurdle)
        });
        self
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

/// Regressions on a constant around the distribution of a number's own values, after some rows.
pub(super) struct Pass<'a> {
    pub(super) predictor: NumberPredictor<'a>,
    /// What each row costs.
    pub(super) losses: Vec<f64>,
    /// Where each row lies under this distribution, in epochs in which regressions predict bins.
    pub(super) pit_cells: Vec<(usize, PitCell)>,
}

/// The first pass, around what the rows cost by the distribution of values.
pub(super) fn first_pass<'a>(
    linear: &'a FourierSettings,
    number: &'a NumberColumn,
    losses: &'a [f64],
    group: FamilyGroup<'a>,
    n_known: usize,
) -> Pass<'a> {
    let mut predictor = NumberPredictor::of_numbers(linear, group, vec![(number, losses)]);
    let mut pit_cells = Vec::new();
    let transform = PitTransform { predictor: &mut predictor, placed: &mut pit_cells };
    let losses = code_all(transform, known_chunks(linear, group, n_known), n_known).remove(0);
    Pass { predictor, losses, pit_cells }
}

/// The second pass, of a column whose rows lie where the first has placed them: what regressions without parents still tell of bins, no
/// parent may take the credit for. Replaces `losses` in epochs that have bins.
pub(super) fn second_pass<'a>(
    linear: &'a FourierSettings,
    column: &'a NumberColumn,
    before: &'a [f64],
    group: FamilyGroup<'a>,
    n_known: usize,
    losses: &mut [f64],
) -> NumberPredictor<'a> {
    let mut predictor = NumberPredictor::of_numbers(linear, group, vec![(column, before)]);
    let again = code_all(&mut predictor, known_chunks(linear, group, n_known), n_known).remove(0);
    for (coded, (loss, again)) in losses.iter_mut().zip(again).enumerate() {
        if column.has_bins(group.epochs.of(coded)) {
            *loss = again;
        }
    }
    predictor
}

/// The chunks of the rows that are known, the end of one.
fn known_chunks(
    linear: &FourierSettings,
    group: FamilyGroup,
    n_known: usize,
) -> impl Iterator<Item = Range<usize>> {
    growing_chunks(group.epochs, linear.growth, 1).take_while(move |chunk| chunk.start < n_known)
}

/// All columns of a table, not coded without parents: for tests of what sees parents.
#[cfg(test)]
pub(super) fn unlearnt(data: &Quantised) -> Vec<CodedColumn> {
    let tables = CountTables::new(super::counts::Prior::default(), data.n_rows());
    (0..data.n_columns()).map(|node| CodedColumn::new(data, node, &tables, false)).collect()
}
