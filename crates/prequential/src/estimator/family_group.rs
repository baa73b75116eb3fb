//! The data shared by all children of one parent set that are coded in the same rows.

use super::column::CodedColumn;
use super::parent_inputs::{InputView, ParentInputs, ParentRows};
use super::prequential::RefitSchedule;
use crate::graph::NodeSet;

/// A parent set, and the rows in which its children are coded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FamilyGroup<'a> {
    pub(crate) columns: &'a [CodedColumn],
    pub(crate) parents: &'a NodeSet,
    /// The rows in which the children are coded; `None` for all.
    pub(crate) rows: Option<&'a [u32]>,
    pub(crate) epochs: &'a RefitSchedule,
}

impl<'a> FamilyGroup<'a> {
    /// The parents as seen in the first `n_rows` coded rows.
    pub(crate) fn inputs(&self, view: InputView, n_rows: usize) -> ParentInputs {
        ParentInputs::new(self.columns, self.parents, self.rows, view, n_rows)
    }

    /// The parents as seen in the coded rows, computed on request.
    pub(crate) fn parent_rows(&self, view: InputView) -> ParentRows<'a> {
        ParentRows::new(self.columns, self.parents, self.rows, view)
    }

    /// The row of the table that is coded at this position.
    #[inline(always)]
    pub(crate) fn row(&self, place: usize) -> usize {
        self.rows.map_or(place, |rows| rows[place] as usize)
    }
}
