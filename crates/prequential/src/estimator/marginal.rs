//! The marginal of a column: the distribution of its values, regressions on a constant, and a hurdle model if
//! one value is frequent.

use std::ops::Range;

use super::column::{CodedColumn, Hurdle};
use super::counts::CountTables;
use super::family_group::FamilyGroup;
use super::numeric::{NumberColumn, PitCell};
use super::prequential::{code_all, growing_chunks};
use super::regression::{FourierSettings, NumberPredictor, PitTransform};
use crate::graph::NodeSet;
use crate::table::Quantised;

/// Column number `node` with its marginal.
pub(super) fn learn_marginal(data: &Quantised, node: usize, tables: &CountTables) -> CodedColumn {
    CodedColumn::with_marginal(data, node, tables).with_regressions().with_hurdle(data, tables)
}

impl CodedColumn {
    /// The marginal with regressions without features: the same experts as with parents.
    fn with_regressions(mut self) -> CodedColumn {
        let Some(number) = &self.number else { return self };
        let (linear, none, n_rows) = (FourierSettings::linear(), NodeSet::default(), self.n_rows());
        let rows = self.cells.rows_used.as_deref();
        let group = FamilyGroup { columns: &[], parents: &none, rows, epochs: &self.epochs };
        let MarginalPass { mut losses, pit_cells, .. } =
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

    /// With a hurdle model in the mixture, if one of its values is frequent.
    fn with_hurdle(mut self, data: &Quantised, tables: &CountTables) -> CodedColumn {
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
}

/// Regressions on a constant around the marginal of a number, after some rows.
pub(super) struct MarginalPass<'a> {
    pub(super) predictor: NumberPredictor<'a>,
    /// The loss of each row.
    pub(super) losses: Vec<f64>,
    /// The PIT cell of each row under this distribution, in epochs in which regressions predict bins.
    pub(super) pit_cells: Vec<(usize, PitCell)>,
}

/// The first pass, given the losses under the distribution of values.
pub(super) fn first_pass<'a>(
    linear: &'a FourierSettings,
    number: &'a NumberColumn,
    losses: &'a [f64],
    group: FamilyGroup<'a>,
    n_known: usize,
) -> MarginalPass<'a> {
    let mut predictor = NumberPredictor::of_numbers(linear, group, vec![(number, losses)]);
    let mut pit_cells = Vec::new();
    let transform = PitTransform { predictor: &mut predictor, placed: &mut pit_cells };
    let losses = code_all(transform, known_chunks(linear, group, n_known), n_known).remove(0);
    MarginalPass { predictor, losses, pit_cells }
}

/// The second pass, with the PIT cells of the first: what regressions without parents still predict of bins
/// must not be credited to a parent. Replaces `losses` in epochs with bins.
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
