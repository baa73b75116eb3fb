//! What a model of numbers predicts: the levels of one child in the rows in which it is coded.

use std::sync::Arc;

use crate::table::{QuantisedColumn, Scale};

/// Rows coded before anything is learnt: as if the child had no parents, whatever they are.
pub(crate) const N_OPENING: usize = 16;

/// One child in the rows in which it is coded.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The level in each coded row.
    pub(crate) codes: Vec<u32>,
    /// How many levels there are.
    pub(crate) n_levels: usize,
    /// Where the levels lie, for numbers; `None` for labels.
    pub(crate) scale: Option<Arc<Scale>>,
    /// What each coded row costs without parents, in nats.
    pub(crate) marginal_losses: Vec<f64>,
}

impl Target {
    /// The child in `column`. `count` gives the losses of a child without parents by counting, row after row: what labels
    /// cost. The shares of a number's levels are side information like the edges of its bins, so it costs -ln share.
    pub(crate) fn new(column: &QuantisedColumn, count: impl FnOnce() -> Vec<f64>) -> Target {
        let codes = column.coded(&column.codes).into_owned();
        let marginal_losses = match &column.scale {
            Some(scale) => codes.iter().map(|&code| -scale.marginal[code as usize].ln()).collect(),
            None => count(),
        };
        Target { codes, n_levels: column.n_levels, scale: column.scale.clone(), marginal_losses }
    }

    /// How many rows are coded.
    pub(crate) fn n_rows(&self) -> usize {
        self.codes.len()
    }

    /// What the rows before anything is learnt cost.
    pub(crate) fn opening(&self) -> &[f64] {
        &self.marginal_losses[..N_OPENING.min(self.n_rows())]
    }
}
